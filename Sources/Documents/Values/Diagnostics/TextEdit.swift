/// A change to a source.
package struct TextEdit: Sendable, Hashable {
  package var range: SourceRange
  /// The text to write in place of the range.
  package var text: String

  package init(range: SourceRange, text: String) { (self.range, self.text) = (range, text) }
}

extension Diagnostic {
  /// The change that does what the help says; nil if a person has to decide, or it would show a secret.
  ///
  /// Help that suggests something in place of the range has one of a few forms.
  package var edit: TextEdit? {
    guard let range, let help, !range.bytes.isEmpty, !range.source.utf8.isEmpty else { return nil }
    let forms: [(start: String, end: String, isAlways: Bool)] = [
      ("did you mean `", "`?", true), ("quote it: `", "`", true), ("quote the whole value: `", "`", true),
      ("quote the key: `", "`", true), ("write `", "`", false),
    ]
    for form in forms where help.hasPrefix(form.start) && help.hasSuffix(form.end) {
      let text = help.dropFirst(form.start.count).dropLast(form.end.count)
      if text.isEmpty || text.contains("`") || text.contains("***") || text.contains("…") { return nil }
      if form.start.hasPrefix("quote"), let quoted = text.first {
        return place(of: text.dropFirst().dropLast().replacing("\(quoted)\(quoted)", with: "\(quoted)")).map {
          TextEdit(range: $0, text: String(text))
        }
      }
      guard form.isAlways || isReplacement(String(text), of: range.text) else { return nil }
      return TextEdit(range: range, text: String(text))
    }
    return nil
  }

  /// The place of a text around the beginning of the range, in its line.
  private func place(of text: String) -> SourceRange? {
    guard let range, !text.isEmpty else { return nil }
    let source = range.source
    let line = source.lineBytes(source.lineIndex(at: range.bytes.lowerBound))
    let wanted = Array(text.utf8)
    let first = max(line.lowerBound, range.bytes.lowerBound - wanted.count)
    let last = min(range.bytes.lowerBound, line.upperBound - wanted.count)
    guard first <= last, let start = (first...last).first(where: { source.utf8[$0...].starts(with: wanted) }) else {
      return nil
    }
    return range.moved(to: start..<start + wanted.count)
  }

  /// Returns whether a text stands for another: a word for a word, or the same words with other signs.
  private func isReplacement(_ text: String, of original: String) -> Bool {
    func isWord(_ text: String) -> Bool {
      text.utf8.first.map(isLetter) ?? false && text.utf8.allSatisfy { isWordCharacter($0) || $0 == UInt8(ascii: ".") }
    }
    if isWord(text), isWord(original) { return true }
    let words = original.filter { $0.isLetter || $0.isNumber }
    return !words.isEmpty && words == text.filter { $0.isLetter || $0.isNumber }
  }
}

/// Returns the number of UTF-16 code units of a text.
package func utf16Count(of utf8: ArraySlice<UInt8>) -> Int {
  utf8.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
}

extension SourceText {
  /// The text after changes that don't overlap.
  package func applying(_ edits: [TextEdit]) -> SourceText {
    var changed = utf8
    for edit in edits.sorted(by: { $0.range.bytes.lowerBound > $1.range.bytes.lowerBound }) {
      changed.replaceSubrange(edit.range.bytes, with: edit.text.utf8)
    }
    return SourceText(name: name, utf8: changed)
  }

  /// The number of UTF-16 code units before an offset.
  package func utf16Offset(at offset: Int) -> Int {
    utf16Count(of: utf8[..<min(offset, utf8.count)])
  }

  /// The line and the column of an offset, counted from 1; columns count Unicode code points.
  package func scalarPosition(at offset: Int) -> SourcePosition {
    let line = lineIndex(at: offset)
    let start = lineBytes(line).lowerBound
    let column = utf8[start..<max(start, min(offset, utf8.count))].count { $0 & 0xC0 != 0x80 }
    return SourcePosition(line: line + 1, column: column + 1)
  }
}
