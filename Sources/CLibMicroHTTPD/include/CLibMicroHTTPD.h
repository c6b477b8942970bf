#ifndef REQRUN_CLIBMICROHTTPD_H
#define REQRUN_CLIBMICROHTTPD_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// Makes libmicrohttpd ready to be called, of which all else here is a part; false where it isn't installed. To be called
// once, and first. Only who starts the demo server waits until it and all that it needs is loaded.
bool reqrun_load_libmicrohttpd(void);

// MHD_start_daemon is variadic, which Swift cannot call. Listens on 127.0.0.1 only; NULL and errno if it cannot.
struct MHD_Daemon *reqrun_MHD_start_loopback(
    uint16_t port, unsigned int threads, size_t memory_per_connection, MHD_AccessHandlerCallback handler,
    void *(*begin)(void *cls, const char *uri, struct MHD_Connection *connection),
    MHD_RequestCompletedCallback completed, void *cls, int *error);

// The port that was bound; 0 if unknown.
uint16_t reqrun_MHD_bound_port(struct MHD_Daemon *daemon);

#endif
