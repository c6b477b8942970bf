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
    for problem in reading.problems(of: document) {
      guard let range = problem.range, range.bytes.lowerBound <= end, start <= range.bytes.upperBound else { continue }
      if let edit = problem.edit {
        actions.append(
          action("Change to `\(edit.text)`", [(edit.range.bytes, edit.text)], in: document, fixing: problem))
      }
      let unknown = reading.names.uses.first { $0.origin == nil && $0.reference.range == range }?.reference.name
      if let unknown, problem.severity == .error {
        actions += await declarations(of: unknown, in: document, fixing: problem)
      }
    }
    if let extracted = Extraction(start..<max(start, end), in: document) {
      actions.append(
        action("Extract the variable `\(extracted.name)`", extracted.edits, in: document, kind: "refactor.extract"))
    }
    return .array(actions)
  }

  /// The ways in which an unknown name can get a value: by a file that captures it, or as a variable.
  private func declarations(
    of name: String, in document: OpenDocument, fixing problem: Values.Diagnostic
  ) async -> [JSONValue] {
    let variable = action(
      "Declare the variable `\(name)`",
      [document.insertion(of: "  \(name): \"\"\n", under: "variables")].compactMap(\.self),
      in: document, fixing: problem)
    guard !folders.isEmpty, !document.hasTopLevel("needs") else { return [variable] }
    let specs = await read(folders.map { .path($0) }).inspection.specs.filter { $0.id == nil }
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
    _ title: String, _ edits: [(bytes: Range<Int>, text: String)], in document: OpenDocument,
    fixing problem: Values.Diagnostic? = nil, kind: String = "quickfix"
  ) -> JSONValue {
    let changes: [JSONValue] = edits.map {
      ["range": document.text.range($0.bytes, encoding), "newText": .string($0.text)]
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

/// A part of a value that becomes a variable of the file.
struct Extraction {
  let name: String
  let edits: [(bytes: Range<Int>, text: String)]

  /// Nil for anything but a value, or a part of one, in one line of a request and without templates.
  init?(_ selection: Range<Int>, in document: OpenDocument) {
    let utf8 = document.text.utf8
    let context = CursorContext.at(selection.lowerBound, in: utf8)
    let keys = context.keys
    guard context.kind == .value, context.template == nil, let key = keys.last, !keys.contains("variables"),
      ["requests", "flows", "setup", "teardown"].contains(keys[0])
    else { return nil }
    let line = document.line(at: selection.lowerBound)
    let before = utf8[line.lowerBound..<max(line.lowerBound, context.word.lowerBound)]
    let isInFlow = before.count { "{[".utf8.contains($0) } > before.count { "}]".utf8.contains($0) }
    let end = utf8[context.word.lowerBound..<line.upperBound].lastIndex { $0 != 0x20 }.map { $0 + 1 }
    let whole = context.word.lowerBound..<(isInFlow ? context.word.upperBound : end ?? context.word.upperBound)
    let part = selection.isEmpty ? whole : selection
    let value = document.text.text(in: part)
    guard !value.isEmpty, part.upperBound <= line.upperBound, !value.contains(where: { "${}[],#\"'|>&*".contains($0) })
    else { return nil }
    let base = key == "url" ? "base" : String(key.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let name = base.first?.isNumber == false ? base : "value"
    guard Template.isName(name), !document.text.text(in: 0..<utf8.count).contains("${{ \(name) }}"),
      let insertion = document.insertion(of: "  \(name): \(value)\n", under: "variables")
    else { return nil }
    // Braces need quotes in flow style, which only a whole value can have.
    if isInFlow, part != whole || before.last != 0x20 { return nil }
    self.name = name
    edits = [insertion, (part, isInFlow ? "\"${{ \(name) }}\"" : "${{ \(name) }}")]
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
  func insertion(of line: String, under key: String) -> (bytes: Range<Int>, text: String)? {
    guard let start = lineStart(of: key) else {
      // Comments at the beginning are the file's.
      let first = (0...text.lineIndex(at: text.utf8.count)).lazy.map { text.lineBytes($0) }.first { bytes in
        let first = text.utf8[bytes].first
        return first != nil && first != UInt8(ascii: "#") && first != UInt8(ascii: "-") && first != 0x20
      }
      guard let place = first?.lowerBound else { return nil }
      return (place..<place, "\(key):\n\(line)")
    }
    let bytes = self.line(at: start)
    let rest = text.text(in: start + key.utf8.count + 1..<bytes.upperBound).prefix { $0 != "#" }
    guard rest.allSatisfy({ $0 == " " }), bytes.upperBound < text.utf8.count else { return nil }
    return (bytes.upperBound + 1..<bytes.upperBound + 1, line)
  }

  /// The path of a file from the document's directory.
  func relativePath(of path: String) -> String? {
    let (from, to) = (directory.split(separator: "/"), path.split(separator: "/"))
    guard path.hasPrefix("/"), directory.hasPrefix("/") else { return nil }
    let common = zip(from, to).prefix { $0 == $1 }.count
    return (from.dropFirst(common).map { _ in ".." } + to.dropFirst(common)).joined(separator: "/")
  }
}
