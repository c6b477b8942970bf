#include "CArguments.h"

#include <stdlib.h>

// Swift reads its arguments from /proc, which a chroot or a container may lack, and Glibc passes them here, too.
#if defined(__linux__) && defined(__GLIBC__)
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

__attribute__((constructor)) static void take(int count, char **arguments) {
  _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}
#endif
