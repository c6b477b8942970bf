#ifndef REQRUN_CLIBXML2_SHIM_H
#define REQRUN_CLIBXML2_SHIM_H

#include <dlfcn.h>

#include <libxml/xmlversion.h>
// Its headers would include the system's ICU, whose names clash with those in Foundation.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/valid.h>

// 2.14 has another name, since it removed functions; those used here, and the layout of structures, are the same in both.
// The library of these headers comes first: a program that is linked with it must not load the other one beside it.
#if LIBXML_VERSION < 21400
#define REQRUN_LIBXML2_NAME "libxml2.so.2"
#define REQRUN_LIBXML2_OTHER_NAME "libxml2.so.16"
#else
#define REQRUN_LIBXML2_NAME "libxml2.so.16"
#define REQRUN_LIBXML2_OTHER_NAME "libxml2.so.2"
#endif

// The functions used from the library, which is opened at run time, with the types of its headers.
#define REQRUN_LIBXML2_FUNCTIONS(FUNCTION) \
  FUNCTION(htmlCtxtReadMemory) \
  FUNCTION(htmlFreeParserCtxt) \
  FUNCTION(htmlNewParserCtxt) \
  FUNCTION(xmlCtxtGetLastError) \
  FUNCTION(xmlCtxtReadMemory) \
  FUNCTION(xmlDocGetRootElement) \
  FUNCTION(xmlFreeDoc) \
  FUNCTION(xmlFreeParserCtxt) \
  FUNCTION(xmlGetID) \
  FUNCTION(xmlInitParser) \
  FUNCTION(xmlNewParserCtxt) \
  FUNCTION(xmlSAX2GetLineNumber) \
  FUNCTION(xmlSearchNs) \
  FUNCTION(xmlStopParser)

struct reqrun_libxml2 {
#define FUNCTION(name) __typeof__(&name) _Nonnull name;
  REQRUN_LIBXML2_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

#ifdef __APPLE__

// The functions of the library that the program is linked with: by their names, those of another version could be found.
static inline const struct reqrun_libxml2 *_Nullable reqrun_load_libxml2(void *_Nonnull library) {
  static struct reqrun_libxml2 functions;
  (void)library;
#define FUNCTION(name) functions.name = &name;
  REQRUN_LIBXML2_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return &functions;
}

#else

// NULL if the library lacks one of them; called once.
static inline const struct reqrun_libxml2 *_Nullable reqrun_load_libxml2(void *_Nonnull library) {
  static struct reqrun_libxml2 functions;
#define FUNCTION(name) \
  void *name##_address = dlsym(library, #name); \
  if (name##_address == NULL) return NULL; \
  functions.name = (__typeof__(&name))name##_address;
  REQRUN_LIBXML2_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return &functions;
}

#endif

#endif
