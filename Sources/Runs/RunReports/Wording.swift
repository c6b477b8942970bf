import Values

/// Seconds with six decimals, for reports that machines read.
package func secondsText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let digits = String(attoseconds / 1_000_000_000_000)
  return "\(seconds)." + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
}

/// A duration in milliseconds, with three digits after the point.
func millisecondsText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let microseconds = attoseconds / 1_000_000_000_000
  return "\(seconds * 1000 + microseconds / 1000).\(String(1000 + microseconds % 1000).dropFirst())"
}

/// A text cut to that many columns, with an ellipsis in place of the rest.
package func elided(_ text: String, to columns: Int) -> String {
  guard displayWidth(of: text) > columns else { return text }
  var result = ""
  var width = 1
  for character in text {
    width += displayWidth(of: character)
    if width > columns { break }
    result.append(character)
  }
  return result + "…"
}

/// Lines of a report, colours included, in as many columns as there are; the rest of a line is indented deeper.
func wrapped(_ text: String, to width: Int?) -> String {
  guard let width else { return text }
  return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    if line.utf8.count <= width { return String(line) }
    let indent = String(line.prefix { $0 == " " })
    let rest = indent + "  "
    let lines = wrappedLines(String(line.dropFirst(indent.utf8.count)), width: max(20, width - rest.utf8.count))
    return indent + lines.joined(separator: "\n" + rest)
  }.joined(separator: "\n")
}

extension [(name: String, value: String)] {
  /// The value of a header's first line; nil without one.
  func value(of name: String) -> String? { first { equalsIgnoringCase($0.name, name) }?.value }
}
