import Values

/// The result of reading specs, for programs: editors, linters and test explorers.
package struct ListingReport: Sendable {
  /// A request that would run.
  package struct Request: Sendable {
    package var file: String
    package var line: Int
    package var stage: String
    package var flow: String?
    package var name: String
    /// Nil for a step that uses a file.
    package var method: String?
    package var url: String?
    package var tags: [String]

    package init(
      file: String, line: Int, stage: String, flow: String?, name: String, method: String?, url: String?,
      tags: [String]
    ) {
      (self.file, self.line, self.stage, self.flow, self.name) = (file, line, stage, flow, name)
      (self.method, self.url, self.tags) = (method, url, tags)
    }
  }

  let fileCount: Int
  let requestCount: Int
  /// Empty unless they are listed.
  let requests: [Request]
  let problems: [Problem]

  /// A diagnostic with the changes of which each does what its help says.
  package typealias Problem = (diagnostic: Diagnostic, edits: [TextEdit])

  package init(fileCount: Int, requestCount: Int, requests: [Request], problems: [Problem]) {
    (self.fileCount, self.requestCount, self.requests, self.problems) = (fileCount, requestCount, requests, problems)
  }

  /// One JSON document, of the form that ``schema`` describes.
  package var json: [UInt8] { ListingRecords.listing.json(of: self) + [0x0A] }

  /// The JSON Schema (draft-07) of the document.
  package static let schema: String = {
    var writer = SchemaWriter()
    return writer.document(of: ListingRecords.listing.shape, title: "The result of `reqrun check` and `reqrun list`")
  }()
}

/// The objects of the document: they are only written.
private enum ListingRecords {
  static let listing = ReportRecord<ListingReport>(
    ListingReport(fileCount: 0, requestCount: 0, requests: [], problems: []),
    .derived("version", "The version of the form of this document", .integer(1...1)) { _ in 1 },
    .derived("files", "The number of files that would run", .count) { $0.fileCount },
    .derived("request_count", "The number of requests that would run", .count) { $0.requestCount },
    .derived("diagnostics", "Errors and warnings", list(problem)) { $0.problems },
    .derived("requests", "The requests, in their order: of `list`", list(request), isOptional: true) {
      $0.requests.isEmpty ? nil : $0.requests
    })

  static let request = ReportRecord<ListingReport.Request>(
    ListingReport.Request(file: "", line: 1, stage: "", flow: nil, name: "", method: nil, url: nil, tags: []),
    .derived("file", "The path of the file", .text) { $0.file },
    .derived("line", "The first line, counted from 1", .position) { $0.line },
    .derived("stage", "The part of the file: setup, requests or teardown", .text) { $0.stage },
    .derived("flow", "The name of its flow", .text, isOptional: true) { $0.flow },
    .derived("name", "The name, or method and URL", .text) { $0.name },
    .derived("method", "The method", .text, isOptional: true) { $0.method },
    .derived("url", "The URL as it is written", .text, isOptional: true) { $0.url },
    .derived("tags", "The tags", list(ReportForm<String>.text)) { $0.tags })

  static let problem = ReportRecord<ListingReport.Problem>(
    (Diagnostic(.error, nil, "", at: nil), []),
    .derived("severity", "The seriousness", .word) { $0.diagnostic.severity },
    .derived("code", "The kind of mistake, which `reqrun help CODE` explains", .text, isOptional: true) {
      $0.diagnostic.code?.rawValue
    },
    .derived("message", "The problem in one sentence", .text) { $0.diagnostic.message },
    .derived("place", "Where it is", place.form, isOptional: true) { $0.diagnostic.range },
    .derived("notes", "Explanations", list(note), isOptional: true) {
      $0.diagnostic.notes.isEmpty ? nil : $0.diagnostic.notes
    },
    .derived("help", "How to fix it", .text, isOptional: true) { $0.diagnostic.help },
    .derived("edits", "Changes of which each does what the help says", list(edit), isOptional: true) {
      $0.edits.isEmpty ? nil : $0.edits
    })

  static let note = ReportRecord<Diagnostic.Note>(
    Diagnostic.Note(""), .derived("message", "The explanation", .text) { $0.message },
    .derived("place", "Where it is", place.form, isOptional: true) { $0.range })

  static let edit = ReportRecord<TextEdit>(
    TextEdit(range: .none, text: ""), .derived("place", "What is replaced", place.form) { $0.range },
    .derived("text", "The text in its place", .text) { $0.text })

  static let place = ReportRecord<SourceRange>(
    .none, .derived("file", "The path of the file", .text) { concealingSecrets(in: $0.source.name) },
    .derived("start", "The start", position.form) { ($0.source, $0.bytes.lowerBound) },
    .derived("end", "The end, which isn't part of it", position.form) { ($0.source, $0.bytes.upperBound) })

  static let position = ReportRecord<(SourceText, Int)>(
    (SourceRange.none.source, 0),
    .derived("line", "The line, counted from 1", .position) { $0.position(at: $1).line },
    .derived("column", "The column in characters, counted from 1", .position) { $0.position(at: $1).column },
    .derived("utf8", "The offset in bytes of UTF-8 from the start of the file", .count) { $1 },
    .derived("utf16", "The offset in UTF-16 code units from the start of the file", .count) { $0.utf16Offset(at: $1) })

  /// A list that may be empty.
  private static func list<Item>(_ record: ReportRecord<Item>) -> ReportForm<[Item]> { list(record.form) }

  private static func list<Item>(_ item: ReportForm<Item>) -> ReportForm<[Item]> {
    ReportForm<[Item]>.list(of: item).converted(shape: .list(of: item.shape), { $0 }, { $0 })
  }
}
