#ifndef REQRUN_CMALLOC_SHIM_H
#define REQRUN_CMALLOC_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// The number of arenas that glibc may make; other C libraries have none to limit.
static inline void reqrun_limit_arenas(int count) {
#ifdef __GLIBC__
  (void)mallopt(M_ARENA_MAX, count);
#else
  (void)count;
#endif
}

#endif
