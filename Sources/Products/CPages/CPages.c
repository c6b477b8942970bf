#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// generated: pages
static const unsigned char Adding[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Adding.md"
};
static const unsigned char Architecture[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Architecture.md"
};
static const unsigned char Command[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Command.md"
};
static const unsigned char Comparison[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Comparison.md"
};
static const unsigned char ContinuousIntegration[] = {
#embed "../ReqrunKit/ReqrunKit.docc/ContinuousIntegration.md"
};
static const unsigned char Export[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Export.md"
};
static const unsigned char Format[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Format.md"
};
static const unsigned char Import[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Import.md"
};
static const unsigned char Protection[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Protection.md"
};
static const unsigned char Reports[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Reports.md"
};
static const unsigned char ReqrunKit[] = {
#embed "../ReqrunKit/ReqrunKit.docc/ReqrunKit.md"
};
static const unsigned char Send[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Send.md"
};
static const unsigned char Tour[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Tour.md"
};
static const unsigned char Transports[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Transports.md"
};
static const unsigned char UsingReqrunKit[] = {
#embed "../ReqrunKit/ReqrunKit.docc/UsingReqrunKit.md"
};
#define PAGES PAGE(Adding) PAGE(Architecture) PAGE(Command) PAGE(Comparison) PAGE(ContinuousIntegration) PAGE(Export) PAGE(Format) PAGE(Import) PAGE(Protection) PAGE(Reports) PAGE(ReqrunKit) PAGE(Send) PAGE(Tour) PAGE(Transports) PAGE(UsingReqrunKit)
// /generated

#define PAGE(name) {#name, name, sizeof name},
static const struct reqrun_page pages[] = {PAGES};

const struct reqrun_page *reqrun_page(size_t index) {
  return index < sizeof pages / sizeof *pages ? pages + index : NULL;
}
