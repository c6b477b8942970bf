#ifndef REQRUN_CPAGES_H
#define REQRUN_CPAGES_H

#include <stddef.h>

// The pages of the documentation in Markdown, for the help.
struct reqrun_page {
  // The name of its file, such as Tour.
  const char *name;
  const unsigned char *text;
  size_t length;
};

// NULL after the last.
const struct reqrun_page *reqrun_page(size_t index);

#endif
