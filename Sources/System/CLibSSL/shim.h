#ifndef REQRUN_CLIBSSL_SHIM_H
#define REQRUN_CLIBSSL_SHIM_H

#include <openssl/ssl.h>
#include <openssl/x509.h>

// Swift imports no macros with arguments.

static inline int reqrun_ssl_context_index(CRYPTO_EX_free *release) {
  return CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, NULL, NULL, NULL, release);
}

static inline int reqrun_certificate_count(STACK_OF(X509) *chain) { return sk_X509_num(chain); }

static inline X509 *reqrun_certificate_at(STACK_OF(X509) *chain, int index) { return sk_X509_value(chain, index); }

#endif
