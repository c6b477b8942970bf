#ifndef REQRUN_CLIBZ_SHIM_H
#define REQRUN_CLIBZ_SHIM_H

#include <zlib.h>

// Swift imports no macros with arguments.

static inline int reqrun_inflate_init(z_stream *stream, int window_bits) { return inflateInit2(stream, window_bits); }

#endif
