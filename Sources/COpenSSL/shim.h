// OpenSSL 3 as Swift sees it; only the TLS module imports this one.
// Every inline function below stands for a macro, a variadic function or a macro constant, which Swift cannot use.
#include <openssl/asn1.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Errors

/// Empties the thread's error queue; looks first, as emptying walks all sixteen slots.
static inline void COpenSSL_clearErrors(void) {
    if (ERR_peek_error() != 0) ERR_clear_error();
}
/// ERR_GET_LIB and ERR_GET_REASON, static functions under a macro in some releases.
static inline int COpenSSL_library(unsigned long code) { return ERR_GET_LIB(code); }
static inline int COpenSSL_reason(unsigned long code) { return ERR_GET_REASON(code); }

// Contexts: all of these are macros over SSL_CTX_ctrl, and the options are macros with casts.

static inline void COpenSSL_setMode(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
}
static inline void COpenSSL_setOptions(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}
// An end of the connection without close_notify is an end all the same: the other direction may still be open.
static inline void COpenSSL_acceptBareEnd(SSL *ssl) { SSL_set_options(ssl, SSL_OP_IGNORE_UNEXPECTED_EOF); }
static inline int COpenSSL_setMinimumVersion(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}
static inline int COpenSSL_setMaximumVersion(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}
static inline void COpenSSL_setSessionCacheOff(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline void COpenSSL_setReadAhead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
static inline int COpenSSL_addChainCertificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}
static inline int COpenSSL_setServerName(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

// Keys

/// EVP_EC_gen calls a variadic function.
static inline EVP_PKEY *COpenSSL_generateP256(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *COpenSSL_generateRSA(unsigned int bits) { return EVP_RSA_gen(bits); }

// Names

/// One line in UTF-8 with control characters escaped; the flags are macros with casts.
static inline void COpenSSL_printName(BIO *bio, const X509_NAME *name) {
    X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
}

// Memory and stacks

static inline long COpenSSL_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
static inline void COpenSSL_free(void *bytes) { OPENSSL_free(bytes); }
static inline int COpenSSL_countNames(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline GENERAL_NAME *COpenSSL_name(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
static inline void COpenSSL_freeBags(STACK_OF(PKCS12_SAFEBAG) *bags) {
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}
static inline void COpenSSL_freeSafes(STACK_OF(PKCS7) *safes) { sk_PKCS7_pop_free(safes, PKCS7_free); }

// Certificates

/// An extension from OpenSSL's text form; the context it needs is a structure that only a macro fills.
static inline X509_EXTENSION *COpenSSL_makeExtension(X509 *issuer, X509 *subject, int number, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, subject, NULL, NULL, 0);
    return X509V3_EXT_conf_nid(NULL, &context, number, value);
}
/// An extension from the octets of its value; takes together what would be three owners in Swift.
static inline X509_EXTENSION *COpenSSL_makeRawExtension(const char *number, const unsigned char *octets, int count) {
    X509_EXTENSION *made = NULL;
    ASN1_OBJECT *object = OBJ_txt2obj(number, 1);
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    if (object && value && ASN1_OCTET_STRING_set(value, octets, count))
        made = X509_EXTENSION_create_by_OBJ(NULL, object, 0, value);
    ASN1_OCTET_STRING_free(value);
    ASN1_OBJECT_free(object);
    return made;
}
/// Whether every name of the certificate is within the authority's name constraints: X509_V_OK, or what is wrong.
static inline int COpenSSL_checkConstraints(X509 *authority, X509 *certificate) {
    NAME_CONSTRAINTS *constraints = (NAME_CONSTRAINTS *)X509_get_ext_d2i(authority, NID_name_constraints, NULL, NULL);
    if (!constraints) return X509_V_OK;
    X509_check_purpose(certificate, -1, 0); // unpacks the names, which the check takes from the certificate's cache
    int result = NAME_CONSTRAINTS_check(certificate, constraints);
    NAME_CONSTRAINTS_free(constraints);
    return result;
}
static inline GENERAL_NAMES *COpenSSL_subjectNames(X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
