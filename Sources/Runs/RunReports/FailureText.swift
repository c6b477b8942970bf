import Diagnostics
import Matching
import RunEvents
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
    for failure in listed { result += block(line(of: failure)) }
    let rest = report.failures.count - drawn.count - listed.count
    if rest > 0 { result += block("… and \(counted(rest, "more assertion")) that \(rest == 1 ? "fails" : "fail")") }
    return result + attempts(of: report) + warnings(of: report)
  }

  /// The attempts of a request that was sent more than once.
  private func attempts(of report: StepReport) -> String {
    AttemptText(report).foldedLines.map { block(style.dim(clean($0))) }.joined()
  }

  /// Problems that don't fail the request.
  func warnings(of report: StepReport) -> String {
    report.warnings.map { block(text(of: $0, as: .warning)) }.joined()
  }

  /// One line for all problems of a request.
  func summary(of report: StepReport) -> String {
    let place = (report.problem?.range ?? report.failures.first?.range).map { " (\(clean($0.location)))" } ?? ""
    return block(report.message.map { "\(style.red("error")): \(clean($0))\(place)" } ?? "")
  }

  private func line(of failure: AssertionReport) -> String {
    let place = failure.range.map { " (\(clean($0.location)))" } ?? ""
    return "\(style.red("error")): \(clean(failure.message))\(place)"
  }

  private func text(of failure: AssertionReport, as severity: Severity = .error) -> String {
    let title =
      failure.mismatch.predicate.isEmpty ? failure.subject : "\(failure.subject): \(failure.mismatch.predicate)"
    var lines = [renderer.render(Diagnostic(severity, title, at: failure.range, notes: failure.notes)).trimmedEnd]
    let indent = "   "
    if failure.isToldByDifferences {
      if let summary = failure.mismatch.summary { lines.append("\(indent)\(clean(summary))") }
      for difference in failure.mismatch.differences { lines += differenceLines(difference, indent) }
      if failure.mismatch.moreDifferences > 0 {
        lines.append("\(indent)… and \(counted(failure.mismatch.moreDifferences, "more difference"))")
      }
    } else {
      lines.append("\(indent)expected: \(style.green(clean(failure.mismatch.expected)))")
      lines.append("\(indent)  actual: \(style.red(clean(failure.mismatch.actual)))")
      lines += markLine(
        failure.mismatch.mark, under: failure.mismatch.actual, startingAt: indent.utf8.count + "expected: ".utf8.count)
    }
    if let body = failure.body { lines.append("\(indent)    body: \(clean(body))") }
    if !failure.dependents.isEmpty {
      let shown = failure.dependents.prefix(8).joined(separator: ", ")
      let rest = failure.dependents.count - 8
      lines.append("\(indent)also fails: \(clean(shown))\(rest > 0 ? " and \(rest) more" : "")")
    }
    for hint in failure.mismatch.hint?.split(separator: "\n") ?? [] {
      let label = "\(indent)\(style.bold("hint")): "
      let column = indent.count + "hint: ".count
      let parts = renderer.wrapped(clean(String(hint)), indent: column)
      lines.append(label + parts[0])
      lines += parts.dropFirst().map { String(repeating: " ", count: column) + $0 }
    }
    if let place = failure.place { lines.append("\(indent)declared: \(clean(place))") }
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
      if difference.mark == nil, displayWidth(of: path) + displayWidth(of: a) + displayWidth(of: b) <= 60 {
        return ["\(indent)\(path)  \(style.green("- expected \(a)"))  \(style.red("+ actual \(b)"))\(note)"]
      }
      return [
        "\(indent)\(path)\(note)", style.green("\(indent)  - expected \(a)"), style.red("\(indent)  +   actual \(b)"),
      ] + markLine(difference.mark, under: actual, startingAt: indent.utf8.count + "  - expected ".utf8.count)
    case (let expected?, nil): return [style.green("\(indent)\(path)  - missing: expected \(clean(expected))") + note]
    case (nil, let actual?): return [style.red("\(indent)\(path)  + unexpected: \(clean(actual))") + note]
    case (nil, nil): return ["\(indent)\(path)\(note)"]
    }
  }

  private func line(_ line: Mismatch<String>.Line) -> String {
    switch line.side {
    case .same: "  " + clean(line.text)
    case .expected: style.green("- " + clean(line.text))
    case .actual: style.red("+ " + clean(line.text))
    }
  }

  /// Carets under the relevant part of a text, with a remark.
  private func markLine(_ mark: Mark?, under text: String, startingAt column: Int) -> [String] {
    guard let mark, mark.range.upperBound <= text.utf8.count else { return [] }
    let bytes = Array(text.utf8)
    let before = displayWidth(of: clean(String(decoding: bytes[..<mark.range.lowerBound], as: UTF8.self)))
    let width = displayWidth(of: clean(String(decoding: bytes[mark.range], as: UTF8.self)))
    let carets = String(repeating: "^", count: max(1, width))
    return [
      String(repeating: " ", count: column + before) + style.red(carets) + (mark.label.map { " " + clean($0) } ?? "")
    ]
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
