#ifndef REQRUN_CALLOCATOR_SHIM_H
#define REQRUN_CALLOCATOR_SHIM_H

#include <stdlib.h>

// Glibc's module leaves out <malloc.h>; other C libraries have no such functions.
#ifdef __GLIBC__
#include <malloc.h>

static inline void reqrun_set_allocation_limits(int mapped, int trimmed, int padded) {
  mallopt(M_MMAP_THRESHOLD, mapped);
  mallopt(M_TRIM_THRESHOLD, trimmed);
  mallopt(M_TOP_PAD, padded);
}

static inline void reqrun_share_arena(void) { mallopt(M_ARENA_MAX, 1); }
#else
static inline void reqrun_set_allocation_limits(int mapped, int trimmed, int padded) {
  (void)mapped;
  (void)trimmed;
  (void)padded;
}

static inline void reqrun_share_arena(void) {}
#endif

#endif
