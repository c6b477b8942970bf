import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  /// The open documents that a change in one of them affects: itself, and those that use it.
  func affected(by uri: String) -> [String] {
    guard let changed = documents[uri]?.key else { return [uri] }
    let users = used.users(of: [changed], among: Set(documents.values.map(\.key)))
    return documents.values.filter { $0.uri == uri || users.contains($0.key) }.map(\.uri)
  }

  /// Checks the documents that changes affect, and publishes what is wrong with them.
  mutating func check() async {
    let documents = unchecked.compactMap { self.documents[$0] }
    unchecked = []
    if !documents.isEmpty {
      let reading = await read(documents)
      for document in documents { publish(reading, of: document) }
    }
    await checkClosed(Set(documents.map(\.key)))
  }

  /// Checks the files of the workspace that aren't open and use one of these.
  private mutating func checkClosed(_ changed: Set<String>) async {
    guard !folders.isEmpty else { return }
    guard let known = closedSpecs else {
      // Now that what is open is checked.
      let specs = await read(folders.map { .path($0) }, noting: used).inspection.specs
      closedSpecs = Set(specs.filter { $0.id == nil }.map { canonicalPath($0.file.path) ?? $0.file.path })
      return
    }
    let users = used.users(of: changed, among: known).subtracting(documents.values.map(\.key))
    guard !users.isEmpty else { return }
    let problems = await read(users.sorted().map { .path($0) }).inspection.diagnostics
    let grouped = Dictionary(grouping: problems) { $0.range?.source.name ?? "" }
    for path in users where grouped[path] != nil || brokenClosed.contains(path) {
      if grouped[path] == nil { brokenClosed.remove(path) } else { brokenClosed.insert(path) }
      publish((grouped[path] ?? []).map(json), for: uri(ofPath: path))
    }
  }

  /// Shows the problems of a document, and what failed in its last run if it is as it was then.
  func publish(_ reading: Reading, of document: OpenDocument) {
    let failed = results[document.uri].flatMap { $0.version == document.version ? $0.problems : nil } ?? []
    publish(reading.problems(of: document).map(json) + failed, for: document.uri, version: document.version)
  }

  func publish(_ problems: [JSONValue], for uri: String, version: Int? = nil) {
    var params: [String: JSONValue] = ["uri": .string(uri), "diagnostics": .array(problems)]
    if let version { params["version"] = .number(String(version)) }
    connection.notify("textDocument/publishDiagnostics", .object(params))
  }

  func json(_ problem: Values.Diagnostic) -> JSONValue {
    let range = problem.range ?? .none
    let notes = problem.notes.compactMap { note -> JSONValue? in
      guard let range = note.range else { return nil }
      return ["location": location(range), "message": .string(note.message)]
    }
    return [
      "range": range.source.range(range.bytes, encoding), "severity": problem.severity == .error ? 1 : 2,
      "source": "reqrun", "code": .string(problem.code?.rawValue ?? ""),
      "message": .string(problem.message + (problem.help.map { "\n\($0)" } ?? "")), "relatedInformation": .array(notes),
    ]
  }

  /// A place as the protocol's `Location`.
  func location(_ range: SourceRange) -> JSONValue {
    let source = range.source
    return ["uri": .string(uriOfOpen(source.name)), "range": source.range(range.bytes, encoding)]
  }

  /// The changes that format a document; none if it has errors.
  mutating func formatting(_ document: OpenDocument) async -> JSONValue {
    guard await reading(of: document).isSpec(document),
      let formatted = formattedSpec(document.text.utf8, name: document.path),
      formatted != document.text.utf8
    else { return .array([]) }
    return [
      [
        "range": document.text.range(0..<document.text.utf8.count, encoding),
        "newText": .string(String(decoding: formatted, as: UTF8.self)),
      ]
    ]
  }
}
