#include "CWithoutProc.h"

#include <stdlib.h>

// A chroot or a container may have no /proc, from which Swift reads the arguments, and libdispatch the states of threads.
#if defined(__linux__) && defined(__GLIBC__)
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

// Glibc passes the arguments to constructors.
__attribute__((constructor)) static void take(int count, char **arguments) {
  _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}

// In place of Glibc's, for libdispatch, which ends the process if it can't open the file of a thread's state: such a file
// is empty then.
int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  int file = openat(AT_FDCWD, path, flags, mode);
  if (file >= 0 || errno != ENOENT || strncmp(path, "/proc/", 6) != 0) return file;
  size_t length = strlen(path);
  if (length < 11 || strcmp(path + length - 5, "/stat") != 0) return file;
  return (int)syscall(SYS_memfd_create, "stat", 1u);
}
#endif
