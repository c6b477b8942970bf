import Values
import Templates
import YAMLNodes

/// A template in the text of a spec.
package struct WrittenTemplate {
  /// The expression without its braces.
  package let expression: String
  /// The path of the file.
  package let path: String
  package let line: Int
  /// The keys above it, the outermost first; none for the items of a list.
  package let keys: [String]
  /// The text of its scalar before it.
  package let before: String

  /// The place in messages, such as `a.yaml:3`.
  package var place: String { "\(path):\(line)" }

  /// The names that it reads.
  package var names: [String] {
    let bare = expression.replacing(/'[^']*'|"[^"]*"/, with: "''")
    return bare.matches(of: /(?:^|[^.A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)/).map { String($0.output.1) }
  }
}

/// Returns a spec's text with words in place of its templates; nil keeps a template.
package func replacingTemplates(
  in bytes: [UInt8], path: String, _ word: (WrittenTemplate) -> String?
) -> [UInt8] {
  var ignored = DiagnosticBag()
  let (source, root, _) = YAMLReader.readPieces(bytes: bytes, name: path, mayBeEmpty: true, into: &ignored)
  var words: [Int: (end: Int, word: String)] = [:]

  func visit(_ node: YAMLNode, _ keys: [String]) {
    // What an alias stands for is read where its anchor is.
    if node.useSite != nil { return }
    for item in node.items ?? [] { visit(item, keys) }
    for member in node.members ?? [] {
      visit(member.keyNode, keys)
      visit(member.value, keys + [member.key])
    }
    guard let text = node.scalar?.text, Template.isTemplate(text) else { return }
    let place = node.rangesOfText
    for range in Template.ranges(in: text, at: node.range) {
      let written = place(range)
      // Where escapes hide a template, its whole node would be its place.
      guard written.text.hasPrefix("${{"), written.text.hasSuffix("}}"), words[written.bytes.lowerBound] == nil else {
        continue
      }
      let utf8 = Array(text.utf8)
      let expression = trimmed(String(decoding: utf8[range], as: UTF8.self).dropFirst(3).dropLast(2))
      let template = WrittenTemplate(
        expression: expression, path: path, line: written.start.line, keys: keys,
        before: String(decoding: utf8[..<range.lowerBound], as: UTF8.self))
      if let word = word(template) { words[written.bytes.lowerBound] = (written.bytes.upperBound, word) }
    }
  }

  if let root { visit(root, []) }
  if words.isEmpty { return bytes }
  var result: [UInt8] = []
  var position = 0
  for (start, edit) in words.sorted(by: { $0.key < $1.key }) {
    result += source.utf8[position..<start]
    result += edit.word.utf8
    position = edit.end
  }
  return result + source.utf8[position...]
}

private func trimmed(_ text: Substring) -> String {
  String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
}
