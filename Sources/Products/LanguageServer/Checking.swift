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
    guard !documents.isEmpty else { return }
    let reading = await read(documents)
    for document in documents { publish(reading, of: document) }
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

  private func json(_ problem: Values.Diagnostic) -> JSONValue {
    let range = problem.range ?? .none
    let notes = problem.notes.compactMap { note -> JSONValue? in
      guard let range = note.range else { return nil }
      return ["location": location(range), "message": .string(note.message)]
    }
    return [
      "range": range.source.range(range.bytes, encoding), "severity": problem.severity == .error ? 1 : 2,
      "source": "reqrun", "message": .string(problem.message + (problem.help.map { "\n\($0)" } ?? "")),
      "relatedInformation": .array(notes),
    ]
  }

  /// A place as the protocol's `Location`.
  func location(_ range: SourceRange) -> JSONValue {
    let source = range.source
    let open = documents.values.first { $0.path == source.name }?.uri
    return ["uri": .string(open ?? uri(ofPath: source.name)), "range": source.range(range.bytes, encoding)]
  }

  /// The changes that problems of a document suggest, in a range.
  mutating func codeActions(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let start = document.text.offset(of: params["range"]?["start"], encoding),
      let end = document.text.offset(of: params["range"]?["end"], encoding)
    else { return .array([]) }
    return .array(
      await reading(of: document).problems(of: document).compactMap { problem in
        guard let edit = problem.edit, let range = problem.range, range.bytes.lowerBound <= end,
          start <= range.bytes.upperBound
        else { return nil }
        let change: JSONValue = [
          "range": edit.range.source.range(edit.range.bytes, encoding), "newText": .string(edit.text),
        ]
        return [
          "title": .string("Change to `\(edit.text)`"), "kind": "quickfix", "isPreferred": true,
          "diagnostics": [json(problem)], "edit": ["changes": .object([document.uri: [change]])],
        ]
      })
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
