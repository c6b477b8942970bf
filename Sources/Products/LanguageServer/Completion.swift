import OperatingSystem
import ReqrunKit
import RequestSpecs
import Templates
import Values

/// A completion of the word at the cursor.
struct CompletionItem {
  /// Kinds of the protocol, "CompletionItemKind".
  enum Kind: Int {
    case function = 3, variable = 6, property = 10, value = 12, file = 17
  }

  let label: String
  let kind: Kind
  var detail: String?
  var documentation: String?
  /// The text in place of the word.
  var text: String

  init(_ label: String, _ kind: Kind, text: String? = nil, detail: String? = nil, documentation: String? = nil) {
    (self.label, self.kind, self.detail, self.documentation) = (label, kind, detail, documentation)
    self.text = text ?? label
  }

  func json(replacing range: JSONValue, order: Int) -> JSONValue {
    var item: [String: JSONValue] = [
      "label": .string(label), "kind": .number(String(kind.rawValue)),
      "textEdit": ["range": range, "newText": .string(text)],
      // Indentation is complete: clients must not add to it.
      "insertTextMode": 1, "sortText": .string(String(10_000 + order)), "filterText": .string(label),
    ]
    if let detail { item["detail"] = .string(detail) }
    if let documentation { item["documentation"] = .string(documentation) }
    return .object(item)
  }
}

/// Completions that the format defines.
struct FormatCompletion {
  let context: CursorContext
  let document: OpenDocument

  var items: [CompletionItem] {
    let path = ShapePath(context.path, in: document.shape)
    switch context.kind {
    case .text: return []
    case .key: return keys(of: path) + (context.siblings.isEmpty && !context.hasColon ? words(of: path) : [])
    case .value: return words(of: path) + files
    }
  }

  private func keys(of path: ShapePath) -> [CompletionItem] {
    path.keys.filter { !context.siblings.contains($0.name) }.map { key in
      CompletionItem(
        key.name, .property, text: key.name + (context.hasColon ? "" : ending(of: key)),
        documentation: key.documentation)
    }
  }

  /// The text behind the name of a key: a collection begins in the next line.
  private func ending(of key: SchemaShape.Key) -> String {
    let shapes = key.shape.alternatives
    guard let column = context.column, !shapes.contains(where: \.isScalar) else { return ": " }
    let isList = shapes.allSatisfy { if case .list = $0 { true } else { false } }
    return ":\n" + String(repeating: " ", count: column + 2) + (isList ? "- " : "")
  }

  private func words(of path: ShapePath) -> [CompletionItem] { path.words.map { CompletionItem($0, .value) } }

  /// The files beside the document, where the value names one.
  private var files: [CompletionItem] {
    guard let key = context.keys.last, FormatCompletion.fileKeys.contains(key) else { return [] }
    let typed = document.text.text(in: context.word)
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let directory = document.directory + "/" + folder
    return directoryEntries(directory).filter { !$0.hasPrefix(".") && "\(directory)\($0)" != document.path }.sorted()
      .map { name in
        let isDirectory = pathKind("\(directory)/\(name)") == .directory
        return CompletionItem(folder + name + (isDirectory ? "/" : ""), .file)
      }
  }

  private static let fileKeys: Set = ["use", "needs", "extends", "schema", "openapi", "file", "body_file", "rows"]
}

extension OpenDocument {
  /// The shape of the file: by its name, or the keys that it has.
  var shape: SchemaShape {
    if isProjectName(path) { return FormatSchema.project }
    let hasURL = text.utf8.split(separator: 0x0A, maxSplits: 400).contains { $0.starts(with: "url:".utf8) }
    return hasURL ? FormatSchema.singleRequest : .any([FormatSchema.file, FormatSchema.singleRequest])
  }
}

/// The word at the cursor in a template, and what can stand there.
struct TemplatePosition {
  enum Kind: Equatable {
    /// A name, or a call.
    case operand
    /// Behind `|`.
    case filter
    /// Behind a dot.
    case member(of: String)
    case text
  }

  let kind: Kind
  let word: Range<Int>

  /// - Parameter expression: the bytes between `${{` and the cursor.
  init(_ expression: Range<Int>, in utf8: [UInt8]) {
    var start = expression.upperBound
    while start > expression.lowerBound, isWordCharacter(utf8[start - 1]) { start -= 1 }
    var end = expression.upperBound
    while end < utf8.count, isWordCharacter(utf8[end]) { end += 1 }
    word = start..<end
    let before = utf8[expression.lowerBound..<start]
    let quotes = before.count { $0 == UInt8(ascii: "'") } % 2 + before.count { $0 == UInt8(ascii: "\"") } % 2
    let sign = before.last { $0 != 0x20 }
    if quotes != 0 {
      kind = .text
    } else if sign == UInt8(ascii: "|") {
      kind = .filter
    } else if before.last == UInt8(ascii: ".") {
      let owner = before.dropLast().reversed().prefix { isWordCharacter($0) }.reversed()
      kind = .member(of: String(decoding: owner, as: UTF8.self))
    } else {
      kind = .operand
    }
  }
}

/// Completions of functions of templates.
func functionItems(asFilters: Bool) -> [CompletionItem] {
  Template.functions.filter { !asFilters || !$0.parameters.isEmpty }.map { function in
    let rest = asFilters ? Array(function.parameters.dropFirst()) : function.parameters
    let call = rest.isEmpty && (asFilters || function.standsAlone) ? function.name : "\(function.name)("
    return CompletionItem(
      function.name, .function, text: call, detail: function.signature, documentation: function.documentation)
  }
}
