#include "CLibMicroHTTPD.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#ifdef __APPLE__
// The program is linked with it.
bool reqrun_load_libmicrohttpd(void) { return true; }
#else
#include <dlfcn.h>

#define FUNCTIONS(FUNCTION) \
  FUNCTION(MHD_add_response_header) \
  FUNCTION(MHD_create_response_from_buffer) \
  FUNCTION(MHD_create_response_for_upgrade) \
  FUNCTION(MHD_create_response_from_callback) \
  FUNCTION(MHD_destroy_response) \
  FUNCTION(MHD_get_connection_info) \
  FUNCTION(MHD_get_connection_values) \
  FUNCTION(MHD_get_daemon_info) \
  FUNCTION(MHD_get_reason_phrase_for) \
  FUNCTION(MHD_is_feature_supported) \
  FUNCTION(MHD_queue_response) \
  FUNCTION(MHD_resume_connection) \
  FUNCTION(MHD_start_daemon) \
  FUNCTION(MHD_stop_daemon) \
  FUNCTION(MHD_suspend_connection) \
  FUNCTION(MHD_upgrade_action)

static struct {
#define FUNCTION(name) __typeof__(&name) name;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
} microhttpd;

bool reqrun_load_libmicrohttpd(void) {
  void *library = dlopen("libmicrohttpd.so.12", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return false;
#define FUNCTION(name) \
  microhttpd.name = (__typeof__(&name))dlsym(library, #name); \
  if (microhttpd.name == NULL) return false;
  FUNCTIONS(FUNCTION)
#undef FUNCTION
  return true;
}

// The library's functions under their own names, for calls from Swift; hidden, or a program that is linked with the library would call them.
#pragma GCC visibility push(hidden)
enum MHD_Result MHD_add_response_header(struct MHD_Response *response, const char *name, const char *value) {
  return microhttpd.MHD_add_response_header(response, name, value);
}
struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *buffer, enum MHD_ResponseMemoryMode mode) {
  return microhttpd.MHD_create_response_from_buffer(size, buffer, mode);
}
struct MHD_Response *MHD_create_response_for_upgrade(MHD_UpgradeHandler handler, void *cls) {
  return microhttpd.MHD_create_response_for_upgrade(handler, cls);
}
struct MHD_Response *MHD_create_response_from_callback(
    uint64_t size, size_t block, MHD_ContentReaderCallback read, void *cls, MHD_ContentReaderFreeCallback release) {
  return microhttpd.MHD_create_response_from_callback(size, block, read, cls, release);
}
void MHD_destroy_response(struct MHD_Response *response) { microhttpd.MHD_destroy_response(response); }
int MHD_get_connection_values(
    struct MHD_Connection *connection, enum MHD_ValueKind kind, MHD_KeyValueIterator iterator, void *cls) {
  return microhttpd.MHD_get_connection_values(connection, kind, iterator, cls);
}
const char *MHD_get_reason_phrase_for(unsigned int code) { return microhttpd.MHD_get_reason_phrase_for(code); }
enum MHD_Result MHD_queue_response(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  return microhttpd.MHD_queue_response(connection, status, response);
}
void MHD_resume_connection(struct MHD_Connection *connection) { microhttpd.MHD_resume_connection(connection); }
void MHD_stop_daemon(struct MHD_Daemon *daemon) { microhttpd.MHD_stop_daemon(daemon); }
void MHD_suspend_connection(struct MHD_Connection *connection) { microhttpd.MHD_suspend_connection(connection); }
#pragma GCC visibility pop

#define MHD_get_connection_info microhttpd.MHD_get_connection_info
#define MHD_get_daemon_info microhttpd.MHD_get_daemon_info
#define MHD_is_feature_supported microhttpd.MHD_is_feature_supported
#define MHD_start_daemon microhttpd.MHD_start_daemon
#define MHD_upgrade_action microhttpd.MHD_upgrade_action
#endif

struct MHD_Daemon *reqrun_MHD_start_loopback(
    uint16_t port, unsigned int threads, size_t memory_per_connection, MHD_AccessHandlerCallback handler,
    void *(*begin)(void *cls, const char *uri, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback completed, void *cls, const char *certificate, const char *key,
    const char *passphrase, int *error) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof(address));
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  errno = 0;
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE |
          (certificate == NULL ? 0 : MHD_USE_TLS), port, NULL, NULL, handler, cls,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_URI_LOG_CALLBACK, begin, cls,
      MHD_OPTION_NOTIFY_COMPLETED, completed, cls, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
      MHD_OPTION_THREAD_POOL_SIZE, threads,
      // Without a certificate, the list ends here.
      certificate == NULL ? MHD_OPTION_END : MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_HTTPS_MEM_KEY, key,
      passphrase == NULL ? MHD_OPTION_END : MHD_OPTION_HTTPS_KEY_PASSWORD, passphrase, MHD_OPTION_END);
  bool is_port = errno == EADDRINUSE || errno == EACCES;
  *error = certificate == NULL || is_port ? errno : -1;
  return daemon;
}

bool reqrun_MHD_supports_tls(void) { return MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES; }

uint16_t reqrun_MHD_bound_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

void reqrun_MHD_reset(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info == NULL) return;
  struct linger none = {1, 0};
  setsockopt(info->connect_fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
  // Linux resets the connection at once; elsewhere it is reset when the library has closed its half.
  struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
  connect(info->connect_fd, &nowhere, sizeof(nowhere));
}

void reqrun_MHD_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}
