#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// generated: pages
static const unsigned char Adding[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Adding.md"
};
static const unsigned char Agents[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Agents.md"
};
static const unsigned char Architecture[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Architecture.md"
};
static const unsigned char Bodies[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Bodies.md"
};
static const unsigned char CapturesAndTemplates[] = {
#embed "../ReqrunKit/ReqrunKit.docc/CapturesAndTemplates.md"
};
static const unsigned char Collections[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Collections.md"
};
static const unsigned char Command[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Command.md"
};
static const unsigned char Comparison[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Comparison.md"
};
static const unsigned char Connections[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Connections.md"
};
static const unsigned char ContinuousIntegration[] = {
#embed "../ReqrunKit/ReqrunKit.docc/ContinuousIntegration.md"
};
static const unsigned char Contracts[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Contracts.md"
};
static const unsigned char Diagnostics[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Diagnostics.md"
};
static const unsigned char Editors[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Editors.md"
};
static const unsigned char Expectations[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Expectations.md"
};
static const unsigned char Export[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Export.md"
};
static const unsigned char FileTransfers[] = {
#embed "../ReqrunKit/ReqrunKit.docc/FileTransfers.md"
};
static const unsigned char Format[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Format.md"
};
static const unsigned char FromHTTPie[] = {
#embed "../ReqrunKit/ReqrunKit.docc/FromHTTPie.md"
};
static const unsigned char FromHurl[] = {
#embed "../ReqrunKit/ReqrunKit.docc/FromHurl.md"
};
static const unsigned char FromKarate[] = {
#embed "../ReqrunKit/ReqrunKit.docc/FromKarate.md"
};
static const unsigned char FromPostman[] = {
#embed "../ReqrunKit/ReqrunKit.docc/FromPostman.md"
};
static const unsigned char Import[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Import.md"
};
static const unsigned char KeyIndex[] = {
#embed "../ReqrunKit/ReqrunKit.docc/KeyIndex.md"
};
static const unsigned char Mocks[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Mocks.md"
};
static const unsigned char Predicates[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Predicates.md"
};
static const unsigned char Protection[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Protection.md"
};
static const unsigned char Recording[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Recording.md"
};
static const unsigned char Reports[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Reports.md"
};
static const unsigned char ReqrunKit[] = {
#embed "../ReqrunKit/ReqrunKit.docc/ReqrunKit.md"
};
static const unsigned char Requests[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Requests.md"
};
static const unsigned char Schemas[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Schemas.md"
};
static const unsigned char Secrets[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Secrets.md"
};
static const unsigned char Send[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Send.md"
};
static const unsigned char SpecFiles[] = {
#embed "../ReqrunKit/ReqrunKit.docc/SpecFiles.md"
};
static const unsigned char Tour[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Tour.md"
};
static const unsigned char Transfers[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Transfers.md"
};
static const unsigned char Transports[] = {
#embed "../ReqrunKit/ReqrunKit.docc/Transports.md"
};
static const unsigned char UsingReqrunKit[] = {
#embed "../ReqrunKit/ReqrunKit.docc/UsingReqrunKit.md"
};
#define PAGES PAGE(Adding) PAGE(Agents) PAGE(Architecture) PAGE(Bodies) PAGE(CapturesAndTemplates) PAGE(Collections) PAGE(Command) PAGE(Comparison) PAGE(Connections) PAGE(ContinuousIntegration) PAGE(Contracts) PAGE(Diagnostics) PAGE(Editors) PAGE(Expectations) PAGE(Export) PAGE(FileTransfers) PAGE(Format) PAGE(FromHTTPie) PAGE(FromHurl) PAGE(FromKarate) PAGE(FromPostman) PAGE(Import) PAGE(KeyIndex) PAGE(Mocks) PAGE(Predicates) PAGE(Protection) PAGE(Recording) PAGE(Reports) PAGE(ReqrunKit) PAGE(Requests) PAGE(Schemas) PAGE(Secrets) PAGE(Send) PAGE(SpecFiles) PAGE(Tour) PAGE(Transfers) PAGE(Transports) PAGE(UsingReqrunKit)
// /generated

// Its newest version, with the date of the manual.
static const unsigned char CHANGELOG[] = {
#embed "../../../CHANGELOG.md" limit(200)
};

#define PAGE(name) {#name, name, sizeof name},
static const struct reqrun_page pages[] = {PAGES PAGE(CHANGELOG)};

const struct reqrun_page *reqrun_page(size_t index) {
  return index < sizeof pages / sizeof *pages ? pages + index : NULL;
}
