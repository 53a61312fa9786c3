#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// OpenSSL has these as macros, which Swift does not see.

// TLS 1.2 and newer, with forward secrecy and authenticated encryption only; sessions are resumed by tickets, so none is
// kept here; nothing is negotiated a second time, compressed or taken early. 1 if the library can do so.
static inline int medley_tls_restrict(SSL_CTX *context) {
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(
        context,
        SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    return SSL_CTX_set_num_tickets(context, 1) == 1 && SSL_CTX_set_max_early_data(context, 0) == 1
        && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
        && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1;
}


// Lets a socket be read so many times more as are left in the argument; then it seems to have nothing.
static inline long medley_tls_bound(
    BIO *bio, int operation, const char *bytes, size_t length, int number, long option, int result, size_t *processed) {
    if (operation == BIO_CB_READ) {
        long left = (long)BIO_get_callback_arg(bio);
        if (left <= 0) {
            BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
            return -1;
        }
        BIO_set_callback_arg(bio, (char *)(left - 1));
    }
    return result;
}

// Lets a session read its socket so many times until this is called again. Without it OpenSSL would not return for as
// long as messages of TLS itself come.
static inline void medley_tls_allow_reads(SSL *session, long count) {
    BIO *bio = SSL_get_rbio(session);
    BIO_set_callback_ex(bio, medley_tls_bound);
    BIO_set_callback_arg(bio, (char *)count);
}

// Whether an error is one of certificates, as a key is told by that does not fit.
static inline int medley_error_is_x509(unsigned long code) { return ERR_GET_LIB(code) == ERR_LIB_X509; }
