// OpenSSL 3 as Swift sees it; only the TLS module imports this one.
// Every inline function below stands for a macro, which Swift cannot call.
#include <openssl/err.h>
#include <openssl/ssl.h>
