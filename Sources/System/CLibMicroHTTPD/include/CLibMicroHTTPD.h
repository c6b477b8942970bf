#ifndef REQRUN_CLIBMICROHTTPD_H
#define REQRUN_CLIBMICROHTTPD_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Loads libmicrohttpd, which everything else here needs; false if it isn't installed. Must be called once, and first.
// Only runs that start the demo server wait until it is loaded with its dependencies.
bool reqrun_load_libmicrohttpd(void);

// Returns whether the library is built with TLS.
bool reqrun_MHD_supports_tls(void);

// MHD_start_daemon is variadic, which Swift cannot call. Listens on 127.0.0.1 only; NULL and errno if it cannot. With a
// certificate and its key, which are PEM, it speaks TLS; the passphrase may be NULL, and the error is -1 if they are wrong.
struct MHD_Daemon *reqrun_MHD_start_loopback(
    uint16_t port, unsigned int threads, size_t memory_per_connection, MHD_AccessHandlerCallback handler,
    void *(*begin)(void *cls, const char *uri, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback completed, void *cls, const char *certificate, const char *key,
    const char *passphrase, int *error);

// The port that was bound; 0 if unknown.
uint16_t reqrun_MHD_bound_port(struct MHD_Daemon *daemon);

// Resets the connection, which the library then has to close.
void reqrun_MHD_reset(struct MHD_Connection *connection);

// Closes the socket of an upgraded connection; MHD_upgrade_action is variadic.
void reqrun_MHD_close_upgraded(struct MHD_UpgradeResponseHandle *handle);

#endif
