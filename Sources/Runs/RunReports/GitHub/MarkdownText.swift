import HTTPSemantics
import SpecExecution
import Values

/// The summary of a run as GitHub Flavored Markdown, short enough for a comment of a pull request.
///
/// Foreign text is in code spans and code blocks alone: there neither Markdown nor HTML has a meaning, and nobody is
/// mentioned.
package struct MarkdownText {
  static let failureLimit = 20
  static let slowestLimit = 5
  /// GitHub's limit for a comment is 65,536 characters.
  private static let byteLimit = 65_536
  /// The space for what follows the failures.
  private static let restLimit = 16_384
  private static let detailLimit = 4000
  private static let spanLimit = 200
  private static let shownOperations = 20
  private static let shownContracts = 20

  let summary: RunSummary
  let failures: ProblemDigest<String>
  let slowest: SlowestRequests

  var text: String {
    let plain = SummaryText(summary: summary, style: ConsoleStyle(isColored: false))
    var text = "## \(title)\n"
    if summary.start != nil { text += "\n\(plain.line)\n" }
    for line in plain.shortfalls + [CoverageText.shortfall(summary)].compactMap(\.self) { text += "\n\(line)\n" }
    addFailures(to: &text)
    add("Warnings", summary.warnings.prefix(Self.failureLimit).map { Self.code($0.placedMessage) }, to: &text)
    add("Slowest requests", slowestLines, to: &text)
    add("Coverage", coverageLines, to: &text)
    return text
  }

  private var title: String {
    let counts = summary.counts
    let bad = counts.allFailed
    if bad > 0 { return "❌ \(bad) of \(counted(counts.requests, "request")) failed" }
    let broken = max(summary.unreadableFiles, summary.brokenFiles.count)
    if broken > 0 { return "❌ \(counted(broken, "file")) did not run" }
    if summary.exceededTime != nil || summary.interruptedBy != nil { return "❌ The run did not finish" }
    if summary.coverageIsTooLow { return "❌ The coverage is too low" }
    if summary.skippedAll { return "❌ Every request was skipped" }
    if !summary.forbidden.isEmpty { return "❌ The run fails by --fail-on" }
    if summary.start == nil { return "❌ Nothing ran" }
    return counts.passed > 0 ? "✅ \(counted(counts.passed, "request")) passed" : "⚪ Nothing was sent"
  }

  // MARK: Failures

  private func addFailures(to text: inout String) {
    let (entries, rest) = failures.entries()
    guard !entries.isEmpty else { return }
    text += "\n### Failures\n"
    var left = rest
    for entry in entries {
      let part = Self.failure(entry)
      if text.utf8.count + part.utf8.count <= Self.byteLimit - Self.restLimit {
        text += part
      } else {
        left += 1 + entry.alike
      }
    }
    if left > 0 { text += "\n… and \(left) more\n" }
  }

  private static func failure(_ entry: ProblemDigest<String>.Entry) -> String {
    let problem = entry.problem
    let name = problem.name.map { " \(code($0))" } ?? ""
    let others = entry.others(code).map { "\n… \($0)\n" } ?? ""
    return "\n\(code(problem.place))\(name)\n\n\(block(problem.detail))\(others)"
  }

  /// The failures of a request as in the console, without colours.
  static func details(of report: StepReport) -> String {
    let failures = FailureText(renderer: DiagnosticRenderer(style: .plain), style: ConsoleStyle(isColored: false))
    var text = failures.text(of: report)
    if let command = report.curlCommand { text += "    try it: \(sanitizedForTerminal(command))\n" }
    return shortened(unindented(text))
  }

  /// The errors of a file that did not run.
  static func details(of file: BrokenFile) -> String {
    shortened(DiagnosticRenderer(style: .plain).render(Array(file.errors.prefix(10))))
  }

  private static func unindented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }.joined(separator: "\n")
  }

  /// A text without the lines that exceed its limit.
  private static func shortened(_ text: String) -> String {
    let text = text.trimmedEnd
    guard text.utf8.count > detailLimit else { return text }
    var result = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = elided(String(line), to: detailLimit / 4)
      guard result.utf8.count + line.utf8.count < detailLimit else { break }
      result += line + "\n"
    }
    return result + "…"
  }

  // MARK: Lists

  private func add(_ heading: String, _ lines: [String], to text: inout String) {
    guard !lines.isEmpty else { return }
    text += "\n### \(heading)\n\n"
    for line in lines where text.utf8.count + line.utf8.count + 3 <= Self.byteLimit { text += "- \(line)\n" }
  }

  private var slowestLines: [String] {
    let all = slowest.all
    guard all.count > 1 else { return [] }
    return all.map { "\(roundedDurationText($0.duration)): \(Self.code($0.place)) \(Self.code($0.name))" }
  }

  private var coverageLines: [String] {
    summary.contracts.prefix(Self.shownContracts).map { contract in
      let open = contract.unexercised
      let names = listed(open.map { Self.code($0.label) }, limit: Self.shownOperations)
      return "\(Self.code(contract.document)): \(CoverageText.numbers(contract))"
        + (open.isEmpty ? "" : "; not exercised: \(names)")
    }
  }

  // MARK: Foreign text

  /// Foreign text in a line, as a code span.
  package static func code(_ text: String) -> String {
    let clean = sanitizedForTerminal(elided(text, to: spanLimit))
    guard clean.contains(where: { $0 != " " }) else { return "(empty)" }
    let fence = String(repeating: "`", count: longestRun(in: clean) + 1)
    // One space on each side is removed.
    let pad = clean.hasPrefix("`") || clean.hasSuffix("`") || clean.hasPrefix(" ") && clean.hasSuffix(" ") ? " " : ""
    return "\(fence)\(pad)\(clean)\(pad)\(fence)"
  }

  /// Text of several lines, as a code block.
  package static func block(_ text: String) -> String {
    let fence = String(repeating: "`", count: max(3, longestRun(in: text) + 1))
    return "\(fence)text\n\(withoutWorkflowCommands(text))\n\(fence)\n"
  }

  /// The length of the longest run of backticks.
  private static func longestRun(in text: String) -> Int {
    text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
  }
}
