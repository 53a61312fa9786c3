#pragma once
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
    // A read ends with what one system call brought, however many messages of TLS itself that were.
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, 1);
    return SSL_CTX_set_num_tickets(context, 1) == 1 && SSL_CTX_set_max_early_data(context, 0) == 1
        && SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1
        && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1;
}


// Whether an error is one of certificates, as a key is told by that does not fit.
static inline int medley_error_is_x509(unsigned long code) { return ERR_GET_LIB(code) == ERR_LIB_X509; }
