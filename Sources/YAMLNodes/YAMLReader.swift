import Diagnostics

/// Reads YAML files into nodes.
package enum YAMLReader {
  /// A larger file is refused.
  static let sizeLimit = 256 << 20
  /// Collections may be nested this deep, aliases followed.
  static let depthLimit = 64
  /// Aliases and merge keys may stand for this many nodes in all.
  static let aliasBudget = 1_000_000
  /// A larger document is refused: its nodes would take gigabytes.
  static let nodeLimit = 5_000_000
  /// Further errors of one file are only counted.
  static let errorLimit = 50
  /// So many are kept to choose the first ones from.
  static let collectedErrorLimit = 10_000

  /// Reads one document. The source is UTF-8 with the given name; nil root for a file with nothing in it, or where a
  /// syntax error ends the reading.
  package static func read(
    bytes: [UInt8], name: String, into bag: inout DiagnosticBag
  ) -> (source: SourceText, root: YAMLNode?) {
    guard bytes.count <= sizeLimit else {
      let source = SourceText(name: name, utf8: [])
      bag.error(
        "the file is larger than \(sizeLimit >> 20) MiB", at: SourceRange(source, 0..<0),
        help: "keep large bodies in files of their own, as in `body: {file: …}`")
      return (source, nil)
    }
    let decoded = decodedUTF8(bytes)
    let source = SourceText(name: name, utf8: decoded.utf8)
    var problems = decoded.problems
    if problems.isEmpty { problems = characterProblems(source.utf8) }
    guard problems.isEmpty else {
      for problem in problems {
        bag.error(problem.message, at: SourceRange(source, problem.bytes), help: problem.help)
      }
      return (source, nil)
    }
    var gaps = TagGaps(source.utf8)
    var composer = YAMLComposer(source: source, gaps: gaps)
    var root = composer.composeFile()
    if !composer.wrongGaps.isEmpty {
      gaps.remove(composer.wrongGaps)
      composer = YAMLComposer(source: source, gaps: gaps)
      root = composer.composeFile()
    }
    bag.add(contentsOf: composer.report)
    return (source, root)
  }

  /// The comment that follows a plain scalar on its last line, from its `#`: YAML cuts `a #b` there without a word.
  package static func trailingCommentCut(of node: YAMLNode) -> SourceRange? {
    guard node.scalar?.style == .plain else { return nil }
    let utf8 = node.range.source.utf8
    var position = node.range.bytes.upperBound
    guard position < utf8.count, isBlank(utf8[position]) else { return nil }
    while position < utf8.count, isBlank(utf8[position]) { position += 1 }
    guard position < utf8.count, utf8[position] == UInt8(ascii: "#") else { return nil }
    let line = node.range.source.lineBytes(node.range.source.lineIndex(at: position))
    return SourceRange(node.range.source, position..<max(position + 1, line.upperBound))
  }
}

/// A space or a tab.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// A space, a tab or a line break.
func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
