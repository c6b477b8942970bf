#ifndef REQRUN_CLIBCURL_SHIM_H
#define REQRUN_CLIBCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <fcntl.h>
#include <stdint.h>

// Swift imports no variadic functions: one wrapper for each type of argument.

typedef size_t (*reqrun_data_callback)(char *, size_t, size_t, void *);
typedef int (*reqrun_seek_callback)(void *, curl_off_t, int);

static inline CURLcode reqrun_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reqrun_set_offset(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}

static inline CURLcode reqrun_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reqrun_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reqrun_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reqrun_set_data_callback(CURL *easy, CURLoption option, reqrun_data_callback value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reqrun_set_seek_callback(CURL *easy, reqrun_seek_callback value) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

typedef CURLcode (*reqrun_tls_callback)(CURL *, void *, void *);

// What sets up each TLS connection: it gets the SSL_CTX of OpenSSL.
static inline CURLcode reqrun_set_tls_callback(CURL *easy, reqrun_tls_callback value, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value) : code;
}

// OpenSSL's SSL of the connection in use; null where there is none.
static inline void *reqrun_get_tls(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return NULL;
  return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

static inline const curl_version_info_data *reqrun_version_info(void) { return curl_version_info(CURLVERSION_NOW); }

// The name of an option; null where libcurl does not know it.
static inline const char *reqrun_option_name(CURLoption option) {
  const struct curl_easyoption *found = curl_easy_option_by_id(option);
  return found ? found->name : NULL;
}

static inline CURLMcode reqrun_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline long reqrun_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline int64_t reqrun_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

// Null where there is none; lives as long as the handle.
static inline const char *reqrun_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline void *reqrun_get_private(CURL *easy) {
  char *value = NULL;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}

// The next finished transfer; null where there is none.
static inline CURL *reqrun_next_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

static inline int reqrun_close_on_exec(void *unused, curl_socket_t socket, curlsocktype purpose) {
  (void)unused;
  (void)purpose;
  (void)fcntl(socket, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}

// Sockets of the process must not leak into programs that it starts.
static inline CURLcode reqrun_set_close_on_exec(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, reqrun_close_on_exec);
}

static inline CURLcode reqrun_global_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }

static const long reqrun_auth_basic = CURLAUTH_BASIC;
static const long reqrun_auth_digest = CURLAUTH_DIGEST;
static const long reqrun_auth_ntlm = CURLAUTH_NTLM;
static const long reqrun_auth_negotiate = CURLAUTH_NEGOTIATE;
static const long reqrun_multiplex = CURLPIPE_MULTIPLEX;
static const size_t reqrun_write_pause = CURL_WRITEFUNC_PAUSE;
static const int reqrun_pause_nothing = CURLPAUSE_CONT;
static const int reqrun_pause_receiving = CURLPAUSE_RECV;
static const size_t reqrun_read_pause = CURL_READFUNC_PAUSE;
static const size_t reqrun_read_abort = CURL_READFUNC_ABORT;
static const int reqrun_seek_ok = CURL_SEEKFUNC_OK;
static const int reqrun_seek_fail = CURL_SEEKFUNC_FAIL;
static const size_t reqrun_error_size = CURL_ERROR_SIZE;

#endif
