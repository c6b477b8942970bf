import RequestSpecs
import Templates
import Values
import YAMLNodes

/// A change of what is selected, which no problem asks for.
struct Refactoring {
  let title: String
  /// The kind of code action.
  let kind: String
  let edits: [TextEdit]

  /// Those of a selection; they have to be tried.
  static func all(_ selection: Range<Int>, in document: OpenDocument) -> [Refactoring] {
    let place = RefactoredPlace(selection, in: document)
    return [place?.extraction, place?.quoting, Refactoring(moving: selection, in: document)].compactMap(\.self)
  }
}

/// A value, or a part of one, in one line of a request and without templates.
private struct RefactoredPlace {
  let document: OpenDocument
  let key: String
  let part: Range<Int>
  let isWhole: Bool
  let isInFlow: Bool
  let isAfterBlank: Bool
  let isInRequest: Bool

  init?(_ selection: Range<Int>, in document: OpenDocument) {
    self.document = document
    let utf8 = document.text.utf8
    let context = CursorContext.at(selection.lowerBound, in: utf8)
    let keys = context.keys
    guard context.kind == .value, context.template == nil, let key = keys.last else { return nil }
    let line = document.line(at: selection.lowerBound)
    let before = utf8[line.lowerBound..<max(line.lowerBound, context.word.lowerBound)]
    isInFlow = before.count { "{[".utf8.contains($0) } > before.count { "}]".utf8.contains($0) }
    isAfterBlank = before.last == 0x20
    let end = utf8[context.word.lowerBound..<line.upperBound].lastIndex { $0 != 0x20 }.map { $0 + 1 }
    let whole = context.word.lowerBound..<(isInFlow ? context.word.upperBound : end ?? context.word.upperBound)
    part = selection.isEmpty ? whole : selection
    isWhole = part == whole
    let value = document.text.text(in: part)
    guard !value.isEmpty, part.upperBound <= line.upperBound, !value.contains(where: { "${}[],#\"'|>&*!".contains($0) })
    else { return nil }
    self.key = key
    isInRequest =
      ["requests", "flows", "setup", "teardown"].contains(keys[0]) && !keys.contains("variables")
  }

  private var value: String { document.text.text(in: part) }

  /// Makes a variable of the file.
  var extraction: Refactoring? {
    let base = key == "url" ? "base" : String(key.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let name = base.first?.isNumber == false ? base : "value"
    let utf8 = document.text.utf8
    guard isInRequest, Template.isName(name), !document.text.text(in: 0..<utf8.count).contains("${{ \(name) }}"),
      let insertion = document.insertion(of: "  \(name): \(value)\n", under: "variables")
    else { return nil }
    // Braces need quotes in flow style, which only a whole value can have.
    if isInFlow, !isWhole || !isAfterBlank { return nil }
    return Refactoring(
      title: "Extract the variable `\(name)`", kind: "refactor.extract",
      edits: [insertion, document.edit(part, isInFlow ? "\"${{ \(name) }}\"" : "${{ \(name) }}")])
  }

  /// Makes a text of a plain scalar.
  var quoting: Refactoring? {
    guard isWhole, isAfterBlank else { return nil }
    return Refactoring(
      title: "Quote the value", kind: "refactor.rewrite", edits: [document.edit(part, yamlQuoted(value))])
  }
}

extension Refactoring {
  /// The maximum number of requests that a setting is taken from, each of which takes a search for its place.
  private static let moveLimit = 100

  /// Makes a setting of a request one of the file's defaults; requests that have the same lose it.
  fileprivate init?(moving selection: Range<Int>, in document: OpenDocument) {
    let text = document.text
    let lines = text.entryLines(at: selection.lowerBound)
    let entry = text.text(in: lines)
    let indentation = entry.prefix { $0 == " " }.count
    let key = entry.dropFirst(indentation).prefix { $0 != ":" }
    let path = document.path(ofKeyAt: lines.lowerBound + indentation)
    guard indentation > 0, entry.hasSuffix("\n"), key.allSatisfy({ $0.isLetter || $0 == "_" }), path.last == .item,
      let top = path.first, [.key("requests"), .key("flows")].contains(top)
    else { return nil }
    let equal = text.ranges(of: entry).lazy.filter {
      document.path(ofKeyAt: $0.lowerBound + indentation) == path && text.entryLines(at: $0.lowerBound) == $0
    }
    let dedented = entry.split(separator: "\n").map { "  \($0.dropFirst(indentation))\n" }.joined()
    guard let insertion = document.insertion(of: dedented, under: "defaults") else { return nil }
    self.init(
      title: "Move `\(key)` to the defaults", kind: "refactor.rewrite",
      edits: [insertion] + equal.prefix(Refactoring.moveLimit).map { document.edit($0, "") })
  }
}

extension OpenDocument {
  fileprivate func path(ofKeyAt offset: Int) -> [CursorContext.Step] {
    let context = CursorContext.at(offset, in: text.utf8)
    return context.kind == .key ? context.path : []
  }
}

extension SourceText {
  /// The ranges at which whole lines are these.
  fileprivate func ranges(of lines: String) -> [Range<Int>] {
    let wanted = Array(lines.utf8)
    return (0...lineIndex(at: utf8.count)).lazy.map { self.lineBytes($0).lowerBound }
      .filter { [utf8] in utf8[$0...].starts(with: wanted) }.map { $0..<$0 + wanted.count }
  }
}
