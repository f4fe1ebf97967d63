// libnghttp2 as Swift sees it. Its functions and constants import as they are; only HTTP2 imports this module.
#include <nghttp2/nghttp2.h>

// Swift cannot ask for the version of a C library at compile time: the limit exists since nghttp2 1.67 only.
static inline void cnghttp2_option_set_glitch_rate_limit(nghttp2_option *option, uint64_t burst, uint64_t rate) {
#if NGHTTP2_VERSION_NUM >= 0x014300
    nghttp2_option_set_glitch_rate_limit(option, burst, rate);
#else
    (void)option, (void)burst, (void)rate;
#endif
}
