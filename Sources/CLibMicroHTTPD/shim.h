#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

/* MHD_start_daemon is variadic, which Swift cannot call. Listens on 127.0.0.1 only; NULL and errno if it cannot. */
static inline struct MHD_Daemon *
reqrun_MHD_start_loopback (uint16_t port, unsigned int threads, size_t memory_per_connection,
                           MHD_AccessHandlerCallback handler,
                           void *(*begin)(void *cls, const char *uri, struct MHD_Connection *connection),
                           MHD_RequestCompletedCallback completed, void *cls, int *error)
{
  struct sockaddr_in address;
  struct MHD_Daemon *daemon;
  memset (&address, 0, sizeof (address));
  address.sin_family = AF_INET;
  address.sin_port = htons (port);
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  errno = 0;
  daemon = MHD_start_daemon (MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, port,
                             NULL, NULL, handler, cls,
                             MHD_OPTION_SOCK_ADDR, (struct sockaddr *) &address,
                             MHD_OPTION_URI_LOG_CALLBACK, begin, cls,
                             MHD_OPTION_NOTIFY_COMPLETED, completed, cls,
                             MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
                             MHD_OPTION_THREAD_POOL_SIZE, threads,
                             MHD_OPTION_END);
  *error = errno;
  return daemon;
}

/* The port that was bound; 0 if unknown. */
static inline uint16_t
reqrun_MHD_bound_port (struct MHD_Daemon *daemon)
{
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}
