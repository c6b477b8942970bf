extension StringProtocol {
  /// The texts before and after the first separator, without blanks at their ends; nil without one.
  func pair(at separator: Character) -> (name: String, value: String)? {
    firstIndex(of: separator).map { (self[..<$0].trimmed, self[index(after: $0)...].trimmed) }
  }

  /// The texts between separators that stand outside of quotes, without the quotes. A backslash within quotes takes the
  /// next character as it is.
  func splitOutsideQuotes(whereSeparator isSeparator: (Character) -> Bool) -> [String] {
    var result = [""]
    var quote: Character?
    var rest = self[...]
    while let character = rest.popFirst() {
      if character == quote {
        quote = nil
      } else if quote != nil {
        result[result.count - 1].append(character == "\\" ? rest.popFirst() ?? character : character)
      } else if character == "'" || character == "\"" {
        quote = character
      } else if isSeparator(character) {
        result.append("")
      } else {
        result[result.count - 1].append(character)
      }
    }
    return result
  }
}

extension ImportedText {
  /// The parts before and after the first of a separator in what is known; all of it and nil without one.
  func halves(at separator: Character) -> (before: ImportedText, after: ImportedText?) {
    split(at: separator).map { ($0.before, $0.after) } ?? (self, nil)
  }
}
