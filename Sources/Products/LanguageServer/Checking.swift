import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

extension LanguageServer {
  /// The options for reading what is open in place of what is on disk.
  var readingOptions: RunOptions {
    var options = options
    for document in documents.values { options.openTexts[document.key] = document.text.utf8 }
    return options
  }

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
    var options = readingOptions
    options.usedFiles = used
    for document in documents { used.restart(document.key) }
    options.specs = documents.map(\.source)
    let inspection = await Runner(options).inspect()
    let grouped = Dictionary(grouping: inspection.diagnostics) { $0.range?.source.name ?? "" }
    for document in documents {
      // Files of other tools are their own business.
      let problems = inspection.openSpecs.contains(document.key) ? grouped[document.path] ?? [] : []
      publish(problems, for: document.uri, version: document.version)
    }
  }

  /// Shows the problems of a document in place of those before.
  mutating func publish(_ problems: [Values.Diagnostic], for uri: String, version: Int?) {
    guard !problems.isEmpty || published.contains(uri) || version != nil else { return }
    if problems.isEmpty { published.remove(uri) } else { published.insert(uri) }
    var params: [String: JSONValue] = ["uri": .string(uri), "diagnostics": .array(problems.map(json))]
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
  func codeActions(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let start = document.text.offset(of: params["range"]?["start"], encoding),
      let end = document.text.offset(of: params["range"]?["end"], encoding)
    else { return .array([]) }
    var options = readingOptions
    options.specs = [document.source]
    let inspection = await Runner(options).inspect()
    guard inspection.openSpecs.contains(document.key) else { return .array([]) }
    return .array(
      inspection.diagnostics.compactMap { problem in
        guard let edit = problem.edit, let range = problem.range, range.source.name == document.path,
          range.bytes.lowerBound <= end, start <= range.bytes.upperBound
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
  func formatting(_ document: OpenDocument) -> JSONValue {
    guard document.spec != nil || isProjectName(document.path),
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
