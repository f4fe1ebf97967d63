// libnghttp2 as Swift sees it. Its functions and constants import as they are; only HTTP2 imports this module.
#include <nghttp2/nghttp2.h>
