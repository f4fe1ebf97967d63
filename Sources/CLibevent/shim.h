// libevent 2.1 as Swift sees it; only EventLoop imports this module.
// Every inline function below stands for a macro, which Swift cannot call.
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/thread.h>
