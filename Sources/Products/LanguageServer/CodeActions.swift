import JSONRPC
import OperatingSystem
import ReqrunKit
import RequestSpecs
import Templates
import Values

extension LanguageServer {
  /// The changes that problems of a document suggest, in a range, and those of what is selected.
  mutating func codeActions(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    guard let start = document.text.offset(of: params["range"]?["start"], encoding),
      let end = document.text.offset(of: params["range"]?["end"], encoding)
    else { return .array([]) }
    let reading = await reading(of: document)
    guard reading.isSpec(document) else { return .array([]) }
    var actions: [JSONValue] = []
    let problems = reading.problems(of: document)
    var trials = EditTrials(readingOptions, of: document.text, known: problems.map(\.message))
    for problem in problems {
      guard let range = problem.range, range.bytes.lowerBound <= end, start <= range.bytes.upperBound else { continue }
      for edit in await trials.edits(solving: problem) {
        let title =
          edit.range.bytes.isEmpty
          ? "Add `\(edit.text)`"
          : edit.text.isEmpty ? "Remove `\(edit.range.firstLine.text)`" : "Change to `\(edit.text)`"
        actions.append(action(title, [edit], in: document, fixing: problem))
      }
      let unknown = reading.names.uses.first { $0.origin == nil && $0.reference.range == range }?.reference.name
      if let unknown, problem.severity == .error {
        actions += await declarations(of: unknown, in: document, fixing: problem)
      }
    }
    // Clients ask at each movement of the cursor (LSP 3.17, "CodeActionTriggerKind": 2).
    if params["context"]?["triggerKind"] == 2 { return .array(actions) }
    for change in Refactoring.all(start..<max(start, end), in: document) {
      guard await trials.newProblems(after: change.edits).isEmpty else { continue }
      actions.append(action(change.title, change.edits, in: document, kind: change.kind))
    }
    return .array(actions)
  }

  /// The ways in which an unknown name can get a value: by a file that captures it, or as a variable.
  private mutating func declarations(
    of name: String, in document: OpenDocument, fixing problem: Values.Diagnostic
  ) async -> [JSONValue] {
    let variable = action(
      "Declare the variable `\(name)`",
      [document.insertion(of: "  \(name): \"\"\n", under: "variables")].compactMap(\.self),
      in: document, fixing: problem)
    guard !folders.isEmpty, !document.hasTopLevel("needs") else { return [variable] }
    let specs = await workspaceReading().inspection.specs.filter { $0.id == nil }
    let files = specs.map(\.file).filter { file in
      file.path != document.path
        && (file.setup + file.requests).contains { $0.settings.capture.entries.contains { $0.key.text == name } }
    }
    let needs = files.prefix(5).compactMap { file -> JSONValue? in
      guard let path = document.relativePath(of: file.path),
        let edit = document.insertion(of: "  - \(path)\n", under: "needs")
      else { return nil }
      return action("Take `\(name)` from \(path)", [edit], in: document, fixing: problem)
    }
    return needs + [variable]
  }

  private func action(
    _ title: String, _ edits: [TextEdit], in document: OpenDocument, fixing problem: Values.Diagnostic? = nil,
    kind: String = "quickfix"
  ) -> JSONValue {
    let changes: [JSONValue] = edits.map {
      ["range": document.text.range($0.range.bytes, encoding), "newText": .string($0.text)]
    }
    var action: [String: JSONValue] = [
      "title": .string(title), "kind": .string(kind), "edit": ["changes": .object([document.uri: .array(changes)])],
    ]
    if let problem {
      action["diagnostics"] = [json(problem)]
      action["isPreferred"] = .bool(problem.edit != nil && edits.first?.text == problem.edit?.text)
    }
    return .object(action)
  }
}

extension OpenDocument {
  func hasTopLevel(_ key: String) -> Bool { lineStart(of: key) != nil }

  /// The offset of a top-level key.
  private func lineStart(of key: String) -> Int? {
    let wanted = Array("\(key):".utf8)
    return (0...text.lineIndex(at: text.utf8.count)).lazy.map { text.lineBytes($0) }
      .first { text.utf8[$0].starts(with: wanted) }?.lowerBound
  }

  /// The edit that adds a line to a top-level key in block style, which is added if there is none.
  func insertion(of line: String, under key: String) -> TextEdit? {
    guard let start = lineStart(of: key) else {
      // Comments at the beginning are the file's.
      let first = (0...text.lineIndex(at: text.utf8.count)).lazy.map { text.lineBytes($0) }.first { bytes in
        let first = text.utf8[bytes].first
        return first != nil && first != UInt8(ascii: "#") && first != UInt8(ascii: "-") && first != 0x20
      }
      guard let place = first?.lowerBound else { return nil }
      return edit(place..<place, "\(key):\n\(line)")
    }
    let bytes = self.line(at: start)
    let rest = text.text(in: start + key.utf8.count + 1..<bytes.upperBound).prefix { $0 != "#" }
    guard rest.allSatisfy({ $0 == " " }), bytes.upperBound < text.utf8.count else { return nil }
    return edit(bytes.upperBound + 1..<bytes.upperBound + 1, line)
  }

  func edit(_ bytes: Range<Int>, _ text: String) -> TextEdit {
    TextEdit(range: SourceRange(self.text, bytes), text: text)
  }

  /// The path of a file from the document's directory.
  func relativePath(of path: String) -> String? {
    let (from, to) = (directory.split(separator: "/"), path.split(separator: "/"))
    guard path.hasPrefix("/"), directory.hasPrefix("/") else { return nil }
    let common = zip(from, to).prefix { $0 == $1 }.count
    return (from.dropFirst(common).map { _ in ".." } + to.dropFirst(common)).joined(separator: "/")
  }
}
