import HTTPSemantics
import SpecExecution
import Values

/// The numbers of a run in words.
struct SummaryText {
  let summary: RunSummary
  let style: ConsoleStyle

  /// `3 requests in 1 file: 2 passed, 1 failed · 5 assertions, 1 failed · 12 ms`
  var line: String {
    let counts = summary.counts
    var text = "\(counted(counts.requests, "request")) in \(counted(summary.files, "file")): \(outcomes)"
    text += " · " + counted(counts.assertions, "assertion")
    if counts.failedAssertions > 0 { text += ", \(style.red("\(counts.failedAssertions) failed"))" }
    if counts.skippedAssertions > 0 { text += ", \(style.yellow("\(counts.skippedAssertions) skipped"))" }
    let warnings = counts.warnings + summary.warnings.count
    if warnings > 0 { text += " · " + style.yellow(counted(warnings, "warning")) }
    return text + " · \(roundedDurationText(summary.duration))"
  }

  private var outcomes: String {
    let counts = summary.counts
    var parts: [String] = []
    if counts.passed > 0 { parts.append(style.green("\(counts.passed) passed")) }
    if counts.failed > 0 { parts.append(style.red("\(counts.failed) failed")) }
    if counts.transportErrors > 0 { parts.append(style.red("\(counts.transportErrors) without a whole response")) }
    if counts.specErrors > 0 { parts.append(style.red("\(counts.specErrors) with a spec error")) }
    if counts.notSent > 0 { parts.append("\(counts.notSent) not sent") }
    if counts.skipped > 0 { parts.append(style.yellow("\(counts.skipped) skipped")) }
    return parts.isEmpty ? "nothing was sent" : parts.joined(separator: ", ")
  }

  /// The reasons why not all of it ran: files with errors, the time limit, a signal.
  var shortfalls: [String] {
    var lines: [String] = []
    let broken = summary.unreadableFiles
    if broken > 0 {
      let errors = summary.brokenFiles.reduce(0) { $0 + $1.errors.count }
      let have = broken == 1 ? "has" : "have"
      lines.append(
        style.red(
          "\(counted(broken, "file")) \(have) \(errors > 0 ? counted(errors, "error") : "errors") and did not run"))
    }
    if let longest = summary.exceededTime {
      lines.append(style.red("the run was ended after \(roundedDurationText(longest)) (--max-time)"))
    }
    if summary.skippedAll { lines.append(style.red("nothing ran: every request was skipped")) }
    for problem in summary.forbidden { lines.append(style.red("the run fails, since \(problem) (--fail-on)")) }
    if summary.interruptedBy != nil { lines.append(style.yellow("the run was interrupted")) }
    return lines
  }
}
