import Diagnostics
import SpecExecution

/// How failures read: the spec's line and caret, what was expected, what was there, and the request to try again.
struct FailureText {
  let renderer: DiagnosticRenderer
  let style: ConsoleStyle

  func text(of report: RequestReport) -> String {
    var result = ""
    if let problem = report.problem { result += block(renderer.render(problem)) }
    for failure in report.failures { result += block(text(of: failure)) }
    return result
  }

  private func text(of failure: AssertionReport) -> String {
    let title = failure.predicate.isEmpty ? failure.subject : "\(failure.subject): \(failure.predicate)"
    var lines = [renderer.render(.error(title, at: failure.range)).trimmedEnd]
    let indent = "   "
    if !failure.differences.isEmpty, failure.differences.count > 1 || failure.differences[0].path != "$" {
      for difference in failure.differences {
        lines += differenceLines(difference, indent)
        if let note = difference.note { lines.append(style.dim("\(indent)    \(clean(note))")) }
      }
      if failure.moreDifferences > 0 {
        lines.append("\(indent)… and \(count(failure.moreDifferences, "more difference"))")
      }
    } else {
      lines.append("\(indent)expected: \(style.green(clean(failure.expected)))")
      lines.append("\(indent)  actual: \(style.red(clean(failure.actual)))")
    }
    if let hint = failure.hint { lines.append("\(indent)\(style.bold("hint")): \(clean(hint))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func differenceLines(_ difference: DifferenceReport, _ indent: String) -> [String] {
    let path = clean(difference.path)
    switch (difference.expected, difference.actual) {
    case (let expected?, let actual?):
      return [
        "\(indent)\(path)", style.green("\(indent)  - expected \(clean(expected))"),
        style.red("\(indent)  +   actual \(clean(actual))"),
      ]
    case (let expected?, nil): return [style.green("\(indent)\(path)  - missing: expected \(clean(expected))")]
    case (nil, let actual?): return [style.red("\(indent)\(path)  + unexpected: \(clean(actual))")]
    case (nil, nil): return ["\(indent)\(path)"]
    }
  }

  private func clean(_ text: String) -> String { sanitizedForTerminal(text) }

  /// Set in by four columns, under the request's line.
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
