// SwiftPM needs a source; all of it is in the header.
#include "shim.h"
