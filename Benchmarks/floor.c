// The floor of the work: what TLS and HTTP/2 alone cost for one push, with the same two C libraries.
//
// One epoll loop, OpenSSL on the descriptor, one nghttp2 session a connection. Each request is read whole, nothing is
// judged, remembered or logged, and the answer is a 200 with a fresh apns-id, END_STREAM on its HEADERS. Whatever a
// server costs above this is the price of what it does beyond moving bytes.
//
// build: cc -O2 floor.c -o floor -lnghttp2 -lssl -lcrypto
// use:   floor CERTIFICATE KEY            prints the port it listens on, ends when standard input closes
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_SIZE = 64 << 10, WRITE_SIZE = 64 << 10, EVENTS = 64, STREAMS = 1000 };

struct peer {
    int descriptor;
    int established;
    SSL *tls;
    nghttp2_session *http2;
    size_t filled, sent;
    uint8_t output[WRITE_SIZE];
};

static uint8_t input[READ_SIZE];
static uint64_t answered;

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
    (void)context;
    const uint8_t type = frame->hd.type;
    if ((type != NGHTTP2_DATA && type != NGHTTP2_HEADERS) || !(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) return 0;
    char id[37];
    snprintf(id, sizeof id, "6D6F636B-6170-6E73-0000-%012" PRIX64, ++answered);
    const nghttp2_nv fields[] = {
        {(uint8_t *)":status", (uint8_t *)"200", 7, 3, NGHTTP2_NV_FLAG_NONE},
        {(uint8_t *)"apns-id", (uint8_t *)id, 7, 36, NGHTTP2_NV_FLAG_NO_INDEX},
    };
    return nghttp2_submit_response(session, frame->hd.stream_id, fields, 2, NULL) ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

// A callback that does nothing is still called, as any server's would be.
static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
                     const uint8_t *value, size_t value_length, uint8_t flags, void *context) {
    (void)session, (void)frame, (void)name, (void)name_length, (void)value, (void)value_length, (void)flags, (void)context;
    return 0;
}

static int choose_h2(SSL *tls, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
                     unsigned int offered_length, void *context) {
    (void)tls, (void)context;
    int found = nghttp2_select_next_protocol((unsigned char **)chosen, length, offered, offered_length);
    return found == 1 ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

static int must_wait(struct peer *peer, int result) {
    int error = SSL_get_error(peer->tls, result);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

// Sends what the session has to say; 0 when it is all out or the socket is full, -1 when the connection is over.
static int send_pending(struct peer *peer) {
    for (;;) {
        while (peer->sent < peer->filled) {
            int count = SSL_write(peer->tls, peer->output + peer->sent, (int)(peer->filled - peer->sent));
            if (count <= 0) return must_wait(peer, count) ? 0 : -1;
            peer->sent += (size_t)count;
        }
        peer->sent = peer->filled = 0;
        while (peer->filled < 16384) {
            const uint8_t *bytes;
            ssize_t count = nghttp2_session_mem_send(peer->http2, &bytes);
            if (count < 0 || peer->filled + (size_t)count > sizeof peer->output) return -1;
            if (count == 0) break;
            memcpy(peer->output + peer->filled, bytes, (size_t)count);
            peer->filled += (size_t)count;
        }
        if (peer->filled == 0) return 0;
    }
}

static int serve(struct peer *peer) {
    if (!peer->established) {
        int result = SSL_do_handshake(peer->tls);
        if (result != 1) return must_wait(peer, result) ? 0 : -1;
        peer->established = 1;
    }
    for (;;) {
        int count = SSL_read(peer->tls, input, sizeof input);
        if (count <= 0) {
            if (!must_wait(peer, count)) return -1;
            break;
        }
        if (nghttp2_session_mem_recv(peer->http2, input, (size_t)count) < 0) return -1;
        if (nghttp2_session_want_write(peer->http2) && send_pending(peer)) return -1;
    }
    return send_pending(peer);
}

static void end(struct peer *peer) {
    nghttp2_session_del(peer->http2);
    SSL_free(peer->tls);
    close(peer->descriptor);
    free(peer);
}

static void accept_all(int listener, int poller, SSL_CTX *tls, const nghttp2_session_callbacks *callbacks) {
    int descriptor, on = 1;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct peer *peer = calloc(1, sizeof *peer);
        if (!peer) abort();
        peer->descriptor = descriptor;
        peer->tls = SSL_new(tls);
        SSL_set_fd(peer->tls, descriptor);
        SSL_set_accept_state(peer->tls);
        nghttp2_session_server_new(&peer->http2, callbacks, peer);
        nghttp2_settings_entry streams = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, STREAMS};
        nghttp2_submit_settings(peer->http2, NGHTTP2_FLAG_NONE, &streams, 1);
        struct epoll_event interest = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = peer};
        epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &interest);
    }
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "usage: floor CERTIFICATE KEY\n"), 64;
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(tls, arguments[1]) != 1 ||
        SSL_CTX_use_PrivateKey_file(tls, arguments[2], SSL_FILETYPE_PEM) != 1)
        return fprintf(stderr, "floor: cannot read %s or %s\n", arguments[1], arguments[2]), 66;
    SSL_CTX_set_alpn_select_cb(tls, choose_h2, NULL);
    SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);

    nghttp2_session_callbacks *callbacks;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 512)) return perror("floor"), 73;
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event accepting = {.events = EPOLLIN, .data.ptr = &listener}, leaving = {.events = EPOLLIN, .data.ptr = &leaving};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &accepting);
    epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &leaving);
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(poller, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr == &leaving) return 0;
            if (events[i].data.ptr == &listener) accept_all(listener, poller, tls, callbacks);
            else if (serve(events[i].data.ptr)) end(events[i].data.ptr);
        }
    }
}
