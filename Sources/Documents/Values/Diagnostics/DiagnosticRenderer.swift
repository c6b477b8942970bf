/// Draws diagnostics for a terminal or a log: the message, the line, a mark under the relevant part, and advice.
package struct DiagnosticRenderer: Sendable {
  package enum Style: Sendable, Hashable { case plain, colored }

  private let style: Style
  private let width: Int
  /// Indicates whether messages also fit into the width: not if the width is unknown, such as in a file.
  private let wraps: Bool

  /// Lines of the source are cut to the width, 120 columns by default; messages are wrapped.
  package init(style: Style, width: Int? = nil) {
    self.style = style
    self.width = max(width ?? 120, 40)
    wraps = width != nil
  }

  /// The diagnostics, separated by blank lines; without a line break at the end.
  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(render).joined(separator: "\n\n")
  }

  /// One diagnostic; without a line break at the end.
  package func render(_ diagnostic: Diagnostic) -> String {
    let places = [diagnostic.range] + diagnostic.notes.map(\.range)
    let lastLine = places.compactMap { $0?.owner == nil ? nil : $0?.start.line }.max()
    let gutter = lastLine.map { String($0).utf8.count } ?? 0
    let color: Color = diagnostic.severity == .error ? .red : .yellow
    var lines = headline(diagnostic.severity.rawValue, color, diagnostic.message)
    if let range = diagnostic.range { lines += drawing(of: range, gutter: gutter, mark: "^", color) }
    let remarks =
      diagnostic.notes.filter { $0.range == nil }.map { ("note", $0.message) }
      + (diagnostic.help.map { [("help", $0)] } ?? [])
    if !remarks.isEmpty, let range = diagnostic.range, hasExcerpt(range) { lines.append(bar(gutter)) }
    for (label, text) in remarks { lines += remark(label, text, gutter: gutter) }
    for note in diagnostic.notes {
      guard let range = note.range else { continue }
      lines += headline("note", .green, note.message)
      lines += drawing(of: range, gutter: gutter, mark: "-", .blue)
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Lines

  private func headline(_ label: String, _ color: Color, _ message: String) -> [String] {
    let indent = label.count + 2
    let lines = wrapped(sanitizedForTerminal(message), indent: indent)
    return [painted(label, color) + painted(": " + lines[0], .bold)]
      + lines.dropFirst().map { String(repeating: " ", count: indent) + painted($0, .bold) }
  }

  private func remark(_ label: String, _ text: String, gutter: Int) -> [String] {
    let sign = painted("=", .blue) + " \(painted(label, .bold)): "
    let indent = gutter + label.count + 6
    let lines = wrapped(sanitizedForTerminal(text), indent: indent)
    return [String(repeating: " ", count: gutter + 2) + sign + lines[0]]
      + lines.dropFirst().map { String(repeating: " ", count: indent) + $0 }
  }

  /// A text in lines that fit after that many columns, at least one.
  package func wrapped(_ text: String, indent: Int) -> [String] {
    wraps ? wrappedLines(text, width: room(after: indent)) : [text]
  }

  /// A text in lines that fill the columns after that many, at least one.
  package func broken(_ text: String, indent: Int) -> [String] {
    wraps ? brokenLines(text, width: room(after: indent), keepsWords: true) : [text]
  }

  /// Returns whether a line fits in the columns.
  package func fits(_ line: String) -> Bool { !wraps || displayWidth(of: line) <= width }

  private func room(after indent: Int) -> Int { max(width - indent, 20) }

  /// Returns whether a source has text to show: one that was too large to read has none.
  private func hasExcerpt(_ range: SourceRange) -> Bool { !range.source.utf8.isEmpty }

  private func drawing(of range: SourceRange, gutter: Int, mark: String, _ color: Color) -> [String] {
    guard range.owner != nil else { return [] }
    let indent = String(repeating: " ", count: gutter + 1)
    var lines = [indent + painted("-->", .blue) + " " + sanitizedForTerminal(range.location)]
    guard hasExcerpt(range) else { return lines }
    let excerpt = SourceExcerpt(range, width: width - gutter - 4)
    let number = String(excerpt.lineNumber)
    let label = " " + String(repeating: " ", count: gutter - number.utf8.count) + number + " |"
    lines.append(bar(gutter))
    lines.append(painted(label, .blue) + (excerpt.text.isEmpty ? "" : " " + excerpt.text))
    var marks = String(repeating: mark, count: excerpt.markWidth)
    if let last = excerpt.lastLineNumber { marks += " to line \(last)" }
    lines.append(bar(gutter) + String(repeating: " ", count: excerpt.markStart + 1) + painted(marks, color))
    return lines
  }

  private func bar(_ gutter: Int) -> String {
    String(repeating: " ", count: gutter + 2) + painted("|", .blue)
  }

  // MARK: Colors

  /// Select Graphic Rendition parameters (ECMA-48).
  private enum Color: String {
    case bold = "1"
    case red = "1;31"
    case green = "1;32"
    case yellow = "1;33"
    case blue = "1;34"
  }

  private func painted(_ text: String, _ color: Color) -> String {
    style == .colored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
