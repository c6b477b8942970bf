// For `dlinfo`.
#define _GNU_SOURCE
#include "CLibCurl.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#ifdef __APPLE__
// The program is linked with it.
bool reqrun_load_libcurl(void) { return true; }
const char *reqrun_libcurl_problem(void) { return NULL; }
#else
#include <dlfcn.h>
#include <stdio.h>

#if defined(__linux__) && defined(__LP64__)
#include "StreamFrames.h"
#endif

#define FUNCTIONS(FUNCTION) \
  FUNCTION(curl_easy_cleanup) \
  FUNCTION(curl_easy_getinfo) \
  FUNCTION(curl_easy_init) \
  FUNCTION(curl_easy_option_by_id) \
  FUNCTION(curl_easy_pause) \
  FUNCTION(curl_easy_setopt) \
  FUNCTION(curl_easy_strerror) \
  FUNCTION(curl_global_init) \
  FUNCTION(curl_multi_add_handle) \
  FUNCTION(curl_multi_cleanup) \
  FUNCTION(curl_multi_info_read) \
  FUNCTION(curl_multi_init) \
  FUNCTION(curl_multi_perform) \
  FUNCTION(curl_multi_poll) \
  FUNCTION(curl_multi_remove_handle) \
  FUNCTION(curl_multi_setopt) \
  FUNCTION(curl_multi_strerror) \
  FUNCTION(curl_multi_wakeup) \
  FUNCTION(curl_slist_append) \
  FUNCTION(curl_slist_free_all) \
  FUNCTION(curl_version) \
  FUNCTION(curl_version_info)

static struct {
#define FUNCTION(name) __typeof__(&name) name;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
} libcurl;

static char problem[512];

const char *reqrun_libcurl_problem(void) { return problem[0] == 0 ? NULL : problem; }

bool reqrun_load_libcurl(void) {
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    if (reason != NULL) snprintf(problem, sizeof problem, "%s", reason);
    return false;
  }
#define FUNCTION(name) \
  libcurl.name = (__typeof__(&name))dlsym(library, #name); \
  if (libcurl.name == NULL) return false;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
#if defined(__linux__) && defined(__LP64__)
  hearsFrames = hearFrames(library);
#endif
  return true;
}

// The library's functions under their own names, for calls from Swift; hidden, or URLSession would call them.
#pragma GCC visibility push(hidden)
void curl_easy_cleanup(CURL *easy) { libcurl.curl_easy_cleanup(easy); }
CURL *curl_easy_init(void) { return libcurl.curl_easy_init(); }
CURLcode curl_easy_pause(CURL *easy, int mask) { return libcurl.curl_easy_pause(easy, mask); }
const char *curl_easy_strerror(CURLcode code) { return libcurl.curl_easy_strerror(code); }
CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return libcurl.curl_multi_add_handle(multi, easy); }
CURLMcode curl_multi_cleanup(CURLM *multi) { return libcurl.curl_multi_cleanup(multi); }
CURLM *curl_multi_init(void) { return libcurl.curl_multi_init(); }
CURLMcode curl_multi_perform(CURLM *multi, int *running) { return libcurl.curl_multi_perform(multi, running); }
CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd *more, unsigned int count, int timeout, int *ready) {
  return libcurl.curl_multi_poll(multi, more, count, timeout, ready);
}
CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) { return libcurl.curl_multi_remove_handle(multi, easy); }
const char *curl_multi_strerror(CURLMcode code) { return libcurl.curl_multi_strerror(code); }
CURLMcode curl_multi_wakeup(CURLM *multi) { return libcurl.curl_multi_wakeup(multi); }
struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
  return libcurl.curl_slist_append(list, line);
}
void curl_slist_free_all(struct curl_slist *list) { libcurl.curl_slist_free_all(list); }
char *curl_version(void) { return libcurl.curl_version(); }
#pragma GCC visibility pop

#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt
#define curl_easy_getinfo libcurl.curl_easy_getinfo
#define curl_easy_option_by_id libcurl.curl_easy_option_by_id
#define curl_easy_setopt libcurl.curl_easy_setopt
#define curl_global_init libcurl.curl_global_init
#define curl_multi_info_read libcurl.curl_multi_info_read
#define curl_multi_setopt libcurl.curl_multi_setopt
#define curl_version_info libcurl.curl_version_info
#endif

#if !(defined(__linux__) && defined(__LP64__))
bool reqrun_hears_frames(void) { return false; }
void reqrun_hear_frames(reqrun_frame_callback callback, void *context) {
  (void)callback;
  (void)context;
}
#endif

CURLcode reqrun_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

CURLcode reqrun_set_offset(CURL *easy, CURLoption option, int64_t value) {
  return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode reqrun_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode reqrun_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode reqrun_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode reqrun_set_data_callback(CURL *easy, CURLoption option, reqrun_data_callback value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode reqrun_set_seek_callback(CURL *easy, reqrun_seek_callback value) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

CURLcode reqrun_set_tls_callback(CURL *easy, reqrun_tls_callback value, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, value) : code;
}

CURLcode reqrun_set_debug_callback(CURL *easy, reqrun_debug_callback value, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) : code;
}

static int closeOnExec(void *place, curl_socket_t socket, curlsocktype purpose) {
  (void)purpose;
  (void)fcntl(socket, F_SETFD, FD_CLOEXEC);
  if (place) *(curl_socket_t *)place = socket;
  return CURL_SOCKOPT_OK;
}

CURLcode reqrun_note_socket(CURL *easy, curl_socket_t *place) {
  return curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, place);
}

bool reqrun_is_closed_by_peer(CURL *easy, curl_socket_t socket) {
  struct sockaddr_storage own;
  socklen_t size = sizeof(own);
  if (socket == CURL_SOCKET_BAD || getsockname(socket, (struct sockaddr *)&own, &size) != 0) return false;
  // Of several attempts to connect, the last one may not be that which is used.
  long port = reqrun_get_long(easy, CURLINFO_LOCAL_PORT);
  if (own.ss_family == AF_INET && ntohs(((struct sockaddr_in *)&own)->sin_port) != port) return false;
  if (own.ss_family == AF_INET6 && ntohs(((struct sockaddr_in6 *)&own)->sin6_port) != port) return false;
  char byte;
  return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

CURLcode reqrun_set_close_on_exec(CURL *easy) { return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, closeOnExec); }

CURLMcode reqrun_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

long reqrun_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

int64_t reqrun_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

const char *reqrun_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

void *reqrun_get_tls(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return NULL;
  return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

CURL *reqrun_next_finished(CURLM *multi, CURLcode *result) {
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

const curl_version_info_data *reqrun_version_info(void) { return curl_version_info(CURLVERSION_NOW); }

const char *reqrun_option_name(CURLoption option) {
  const struct curl_easyoption *found = curl_easy_option_by_id(option);
  return found ? found->name : NULL;
}

CURLcode reqrun_global_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }
