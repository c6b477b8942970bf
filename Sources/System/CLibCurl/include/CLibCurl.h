#ifndef REQRUN_CLIBCURL_H
#define REQRUN_CLIBCURL_H

#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

// Loads libcurl, which everything else here needs; false if it isn't installed. Must be called once, and first.
//
// Loading it with its dependencies takes as long as everything else that the program does before its first request, so
// it isn't loaded with the program, but concurrently.
bool reqrun_load_libcurl(void);
// The reason why the library could not be loaded; NULL if it is loaded, or lacks a function.
const char *reqrun_libcurl_problem(void);

// Indicates whether the frames of HTTP/2 can be heard: otherwise only libcurl's result shows how a stream ended.
bool reqrun_hears_frames(void);
// A frame that the stream of a handle has received, or its connection before any other: its type and flags, and the error
// of RST_STREAM (RFC 9113, section 6).
typedef void (*reqrun_frame_callback)(void *context, void *easy, uint8_t type, uint8_t flags, uint32_t error);
// Sets the callback for all that libcurl does on the calling thread.
void reqrun_hear_frames(reqrun_frame_callback callback, void *context);

// Swift imports no variadic functions: one wrapper for each type of argument.

typedef size_t (*reqrun_data_callback)(char *, size_t, size_t, void *);
typedef int (*reqrun_seek_callback)(void *, curl_off_t, int);
typedef CURLcode (*reqrun_tls_callback)(CURL *, void *, void *);
typedef int (*reqrun_debug_callback)(CURL *, curl_infotype, char *, size_t, void *);

CURLcode reqrun_set_long(CURL *easy, CURLoption option, long value);
CURLcode reqrun_set_offset(CURL *easy, CURLoption option, int64_t value);
CURLcode reqrun_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode reqrun_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode reqrun_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode reqrun_set_data_callback(CURL *easy, CURLoption option, reqrun_data_callback value);
CURLcode reqrun_set_seek_callback(CURL *easy, reqrun_seek_callback value);
// Sets up each TLS connection, given the SSL_CTX of OpenSSL.
CURLcode reqrun_set_tls_callback(CURL *easy, reqrun_tls_callback value, void *context);
// Observes everything that is sent and received, with that context.
CURLcode reqrun_set_debug_callback(CURL *easy, reqrun_debug_callback value, void *context);
// Sockets of the process must not be inherited by programs that it starts.
CURLcode reqrun_set_close_on_exec(CURL *easy);
CURLMcode reqrun_multi_set_long(CURLM *multi, CURLMoption option, long value);

long reqrun_get_long(CURL *easy, CURLINFO info);
int64_t reqrun_get_offset(CURL *easy, CURLINFO info);
// Stores the socket of a new connection at that place, which must outlive the handle.
CURLcode reqrun_note_socket(CURL *easy, curl_socket_t *place);
// Returns whether the other end has closed a connection, and all that it sent was read.
bool reqrun_is_closed_by_peer(CURL *easy, curl_socket_t socket);
// Null if there is none; valid as long as the handle.
const char *reqrun_get_string(CURL *easy, CURLINFO info);
// OpenSSL's SSL of the connection in use; null if there is none.
void *reqrun_get_tls(CURL *easy);

// The next finished transfer; null if there is none.
CURL *reqrun_next_finished(CURLM *multi, CURLcode *result);

const curl_version_info_data *reqrun_version_info(void);
// The name of an option; null if libcurl doesn't know it.
const char *reqrun_option_name(CURLoption option);
CURLcode reqrun_global_init(void);

static const long reqrun_auth_basic = CURLAUTH_BASIC;
static const long reqrun_auth_digest = CURLAUTH_DIGEST;
static const long reqrun_auth_ntlm = CURLAUTH_NTLM;
static const long reqrun_auth_negotiate = CURLAUTH_NEGOTIATE;
// Enumerators before libcurl 8.16, macros of type long since then.
static const long reqrun_proxy_http = CURLPROXY_HTTP;
static const long reqrun_proxy_https = CURLPROXY_HTTPS;
static const long reqrun_proxy_socks4 = CURLPROXY_SOCKS4;
static const long reqrun_proxy_socks4a = CURLPROXY_SOCKS4A;
static const long reqrun_proxy_socks5 = CURLPROXY_SOCKS5;
static const long reqrun_proxy_socks5_hostname = CURLPROXY_SOCKS5_HOSTNAME;
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
