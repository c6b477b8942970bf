#ifndef REQRUN_CLIBXML2_SHIM_H
#define REQRUN_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>
// Its headers would pull in the system's ICU, whose names clash with those of Foundation's.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// `xmlFree` is a mutable global, which Swift 6 does not let anyone read.
static inline void reqrun_xml_free(void *memory) { xmlFree(memory); }

#endif
