#ifndef REQRUN_CLIBCRYPTO_SHIM_H
#define REQRUN_CLIBCRYPTO_SHIM_H

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift imports no macros with arguments.

static inline int reqrun_name_count(GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

// The kind of a name, one of GEN_…, and its text or bytes; null for kinds without either.
static inline const ASN1_STRING *reqrun_name_at(GENERAL_NAMES *names, int index, int *kind) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  const void *value = GENERAL_NAME_get0_value(name, kind);
  return *kind == GEN_DNS || *kind == GEN_EMAIL || *kind == GEN_URI || *kind == GEN_IPADD ? value : NULL;
}

// The contents of a memory BIO, valid as long as it lives.
static inline long reqrun_bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

static const int reqrun_key_pair = EVP_PKEY_KEYPAIR;
static const int reqrun_public_key = EVP_PKEY_PUBLIC_KEY;

static const unsigned long reqrun_name_form =
    (ASN1_STRFLGS_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) | XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_SN;

#endif
