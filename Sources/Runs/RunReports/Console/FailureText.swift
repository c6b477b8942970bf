import Matching
import SpecExecution
import Values

/// The text of failures: the spec's line with a mark, the expected and the actual value, and a command to try again.
struct FailureText {
  let renderer: DiagnosticRenderer
  let style: ConsoleStyle

  /// The maximum number of failures of a request that are drawn; the others are only counted.
  private static let drawnLimit = 12
  private static let listedLimit = 20

  func text(of report: StepReport) -> String {
    var result = ""
    if let problem = report.problem { result += block(renderer.render(problem)) }
    // Two more are better than a line about them.
    let drawn = report.failures.prefix(
      report.failures.count <= FailureText.drawnLimit + 2 ? .max : FailureText.drawnLimit)
    for failure in drawn { result += block(text(of: failure)) }
    let listed = report.failures.dropFirst(drawn.count).prefix(FailureText.listedLimit)
    for failure in listed { result += line(failure.message, at: failure.range) }
    let rest = report.failures.count - drawn.count - listed.count
    if rest > 0 { result += block("… and \(counted(rest, "more assertion")) that \(rest == 1 ? "fails" : "fail")") }
    return result + attempts(of: report) + warnings(of: report)
  }

  /// The attempts of a request that was sent more than once.
  private func attempts(of report: StepReport) -> String {
    AttemptText(report).foldedLines.map { block(remark("", $0).map(style.dim).joined(separator: "\n")) }.joined()
  }

  /// Problems that don't fail the request.
  func warnings(of report: StepReport) -> String {
    report.warnings.map { block(text(of: $0, as: .warning)) }.joined()
  }

  /// One line for all problems of a request.
  func summary(of report: StepReport) -> String {
    report.message.map { line($0, at: report.problem?.range ?? report.failures.first?.range) } ?? ""
  }

  private func line(_ message: String, at range: SourceRange?) -> String {
    let lines = remark("error: ", message + (range.map { " (\($0.location))" } ?? ""))
    return block(([style.red("error") + lines[0].dropFirst(5)] + lines.dropFirst()).joined(separator: "\n"))
  }

  private func text(of failure: AssertionReport, as severity: Severity = .error) -> String {
    let title =
      failure.mismatch.predicate.isEmpty ? failure.subject : "\(failure.subject): \(failure.mismatch.predicate)"
    var lines = [renderer.render(Diagnostic(severity, nil, title, at: failure.range, notes: failure.notes)).trimmedEnd]
    let indent = "   "
    if failure.isExplainedByDifferences {
      if let summary = failure.mismatch.summary { lines += remark(indent, summary) }
      for difference in failure.mismatch.differences { lines += differenceLines(difference, indent) }
      if failure.mismatch.moreDifferences > 0 {
        lines.append("\(indent)… and \(counted(failure.mismatch.moreDifferences, "more difference"))")
      }
    } else {
      let mismatch = failure.mismatch
      lines += value("\(indent)expected: ", mismatch.expected, style.green)
      lines += value("\(indent)  actual: ", mismatch.actual, style.red, mark: mismatch.mark)
    }
    if let body = failure.body { lines += value("\(indent)    body: ", body) { $0 } }
    if !failure.dependents.isEmpty {
      lines += remark("\(indent)also fails: ", listed(failure.dependents, limit: 8))
    }
    for hint in failure.mismatch.hint?.split(separator: "\n") ?? [] {
      let hint = remark("\(indent)hint: ", String(hint))
      lines.append(indent + style.bold("hint") + hint[0].dropFirst("\(indent)hint".utf8.count))
      lines += hint.dropFirst()
    }
    if let place = failure.place { lines += remark("\(indent)declared: ", place) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func differenceLines(_ difference: Mismatch<String>.Difference, _ indent: String) -> [String] {
    let times = difference.count > 1 ? "\(difference.count) times" : nil
    let remarks = [times, difference.note.map(clean)].compactMap(\.self)
    let note = remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
    let path = clean(difference.path)
    guard difference.lines.isEmpty else {
      return ["\(indent)\(path)\(note)"] + difference.lines.map { indent + "  " + line($0) }
    }
    switch (difference.expected, difference.actual) {
    case (let expected?, let actual?):
      let (a, b) = (clean(expected), clean(actual))
      if difference.mark == nil, displayWidth(of: path) + displayWidth(of: a) + displayWidth(of: b) <= 60,
        renderer.fits("\(indent)\(path)  - expected \(a)  + actual \(b)\(note)")
      {
        return ["\(indent)\(path)  \(style.green("- expected \(a)"))  \(style.red("+ actual \(b)"))\(note)"]
      }
      return remark(indent, path + note) + value("\(indent)  - expected ", expected, style.green, paintsLabel: true)
        + value("\(indent)  +   actual ", actual, style.red, paintsLabel: true, mark: difference.mark)
    case (let expected?, nil): return oneSided(indent, path, "- missing: expected ", expected, style.green, note)
    case (nil, let actual?): return oneSided(indent, path, "+ unexpected: ", actual, style.red, note)
    case (nil, nil): return remark(indent, path + note)
    }
  }

  /// A value that only one side has: beside its path if both fit in a line, else below it.
  private func oneSided(
    _ indent: String, _ path: String, _ label: String, _ text: String, _ paint: (String) -> String, _ note: String
  ) -> [String] {
    let line = "\(indent)\(path)  \(label)\(clean(text))"
    if renderer.fits(line + note) { return [paint(line) + note] }
    return remark(indent, path + note) + value("\(indent)  \(label)", text, paint, paintsLabel: true)
  }

  private func line(_ line: Mismatch<String>.Line) -> String {
    switch line.side {
    case .same: "  " + clean(line.text)
    case .expected: style.green("- " + clean(line.text))
    case .actual: style.red("+ " + clean(line.text))
    }
  }

  // MARK: Columns

  /// A text after a label, in lines that begin below it.
  private func remark(_ label: String, _ text: String) -> [String] {
    let column = displayWidth(of: label)
    let parts = renderer.wrapped(clean(text), indent: column)
    return [label + parts[0]] + parts.dropFirst().map { String(repeating: " ", count: column) + $0 }
  }

  /// A value after a label, in lines that begin below it, with carets under the relevant part.
  private func value(
    _ label: String, _ text: String, _ paint: (String) -> String, paintsLabel: Bool = false, mark: Mark? = nil
  ) -> [String] {
    let column = displayWidth(of: label)
    let indent = String(repeating: " ", count: column)
    let marked = mark.flatMap { columns(of: $0, in: text) }
    let parts =
      marked == nil
      ? renderer.wrapped(clean(text), indent: column)
      : renderer.broken(clean(text), indent: column)
    var lines: [String] = []
    var start = 0
    for (index, part) in parts.enumerated() {
      let lead = index == 0 ? label : indent
      let isLast = index == parts.count - 1
      lines.append(paintsLabel ? paint(lead + part) : lead + paint(part))
      let end = start + displayWidth(of: part)
      if let marked, start < marked.upperBound || start <= marked.lowerBound, isLast || marked.lowerBound < end {
        let first = max(start, marked.lowerBound)
        // An empty mark has a caret, too; only what ends with the text is longer than its last line.
        let count = max(1, (isLast ? marked.upperBound : min(marked.upperBound, end)) - first)
        let label = isLast || marked.upperBound <= end ? mark?.label : nil
        lines += carets(count, at: column + first - start, label, indent)
      }
      start = end
    }
    return lines
  }

  /// The columns of a part of a text.
  private func columns(of mark: Mark, in text: String) -> Range<Int>? {
    guard mark.range.upperBound <= text.utf8.count else { return nil }
    let bytes = Array(text.utf8)
    let before = displayWidth(of: clean(String(decoding: bytes[..<mark.range.lowerBound], as: UTF8.self)))
    return before..<before + displayWidth(of: clean(String(decoding: bytes[mark.range], as: UTF8.self)))
  }

  private func carets(_ count: Int, at column: Int, _ label: String?, _ indent: String) -> [String] {
    let carets = String(repeating: " ", count: column) + style.red(String(repeating: "^", count: count))
    guard let label = label.map(clean) else { return [carets] }
    if renderer.fits(String(repeating: " ", count: column + count + 1) + label) { return ["\(carets) \(label)"] }
    return [carets] + renderer.wrapped(label, indent: indent.utf8.count).map { indent + $0 }
  }

  private func clean(_ text: String) -> String { sanitizedForTerminal(text) }

  /// Indented by four columns, under the request's line.
  private func block(_ text: String) -> String {
    text.trimmedEnd.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
  }
}

extension String {
  /// Without the line breaks at its end.
  var trimmedEnd: String {
    var text = self[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
