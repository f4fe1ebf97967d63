// libevent 2.1 as Swift sees it; only EventLoop imports this module.

// First, as libevent's headers define _GNU_SOURCE: the system's types must look as they do in Swift's own Glibc module.
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <event2/thread.h>

#ifdef __linux__
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Declared here because the system's headers hide these two from Swift, which reads them without _GNU_SOURCE.
int accept4(int listening, struct sockaddr *peer, socklen_t *length, int flags);
int pthread_setname_np(pthread_t thread, const char *name);
#endif

// A descriptor that becomes readable when a process ends; -1 with errno when there is none. Inline because Swift cannot
// call syscall(), which takes any number of arguments, nor the macro EV_SET.
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

static inline int CLibevent_openProcess(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0u);
}
#elif defined(__APPLE__)
#include <sys/event.h>
#include <unistd.h>

static inline int CLibevent_openProcess(pid_t process) {
    int queue = kqueue();
    if (queue < 0) return -1;
    struct kevent event;
    EV_SET(&event, (uintptr_t)process, EVFILT_PROC, EV_ADD | EV_ONESHOT, NOTE_EXIT, 0, 0);
    if (kevent(queue, &event, 1, 0, 0, 0) == 0) return queue;
    close(queue);
    return -1;
}
#endif
