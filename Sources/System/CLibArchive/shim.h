#ifndef REQRUN_CLIBARCHIVE_SHIM_H
#define REQRUN_CLIBARCHIVE_SHIM_H

#include <dlfcn.h>
#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

#include <archive.h>
#include <archive_entry.h>

// The same for all versions of these headers.
#define REQRUN_LIBARCHIVE_NAME "libarchive.so.13"

// The functions used from the library, which is opened at run time, with the types of its headers.
#define REQRUN_LIBARCHIVE_FUNCTIONS(FUNCTION) \
  FUNCTION(archive_entry_filetype) \
  FUNCTION(archive_entry_hardlink) \
  FUNCTION(archive_entry_is_encrypted) \
  FUNCTION(archive_entry_pathname) \
  FUNCTION(archive_entry_perm) \
  FUNCTION(archive_entry_size) \
  FUNCTION(archive_entry_size_is_set) \
  FUNCTION(archive_error_string) \
  FUNCTION(archive_read_data) \
  FUNCTION(archive_read_free) \
  FUNCTION(archive_read_new) \
  FUNCTION(archive_read_next_header) \
  FUNCTION(archive_read_open_fd) \
  FUNCTION(archive_read_support_format_zip_seekable)

struct reqrun_libarchive {
#define FUNCTION(name) __typeof__(&name) _Nonnull name;
  REQRUN_LIBARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

// NULL if the library lacks one of them; called once.
static inline const struct reqrun_libarchive *_Nullable reqrun_load_libarchive(void *_Nonnull library) {
  static struct reqrun_libarchive functions;
#define FUNCTION(name) \
  void *name##_address = dlsym(library, #name); \
  if (name##_address == NULL) return NULL; \
  functions.name = (__typeof__(&name))name##_address;
  REQRUN_LIBARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return &functions;
}

// The library converts names to the thread's charset, which is ASCII without this. NULL if there is no such locale.
static inline void *_Nullable reqrun_enter_utf8(void) {
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (utf8 == (locale_t)0) utf8 = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
  return utf8 == (locale_t)0 ? NULL : (void *)uselocale(utf8);
}

static inline void reqrun_leave_utf8(void *_Nullable before) {
  if (before != NULL) freelocale(uselocale((locale_t)before));
}

#endif
