import Diagnostics
import SpecExecution
import Values

/// JUnit's elements.
package enum JUnitText {
  static func opening(_ summary: RunSummary) -> String {
    let counts = summary.counts
    let broken = summary.brokenFiles.count
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="reqrun" tests="\(counts.requests + broken)" failures="\(counts.failed)" \
      errors="\(counts.transportErrors + counts.specErrors + broken)" time="\(secondsText(summary.duration))">

      """
  }

  static let closing = "</testsuites>\n"

  static func suiteOpening(_ file: FileReport, at seconds: Int64) -> String {
    let counts = file.counts
    let iteration = file.iteration > 1 ? " (run \(file.iteration))" : ""
    // The schema's timestamps are without a time zone; these are UTC.
    let timestamp = Timestamp(seconds: seconds).iso8601.dropLast()
    return """
        <testsuite name="\(attribute(file.path + iteration))" file="\(attribute(file.path))" \
      tests="\(counts.requests)" failures="\(counts.failed)" errors="\(counts.transportErrors + counts.specErrors)" \
      skipped="\(counts.skipped)" time="\(secondsText(file.duration))" timestamp="\(timestamp)">

      """
  }

  static let suiteClosing = "  </testsuite>\n"

  /// A file that did not run: one case with its errors, so that nobody takes the rest for all.
  static func suite(of file: BrokenFile) -> String {
    let renderer = DiagnosticRenderer(style: .plain)
    let path = attribute(file.path)
    let message = attribute(file.errors.first?.message ?? "")
    return """
        <testsuite name="\(path)" file="\(path)" tests="1" failures="0" errors="1" skipped="0" time="0.000000">
          <testcase name="\(path)" classname="\(attribute(className(file.path)))" file="\(path)" \
      line="\(file.errors.first?.range?.start.line ?? 1)" assertions="0" time="0.000000">
            <error message="\(message)" type="spec">\(lines(renderer.render(file.errors)))</error>
          </testcase>
        </testsuite>

      """
  }

  package static func testCase(_ report: RequestReport, path: String) -> String {
    var text = """
          <testcase name="\(attribute(report.name))" classname="\(attribute(className(path)))" file="\(attribute(path))" \
      line="\(report.line)" assertions="\(report.assertionCount)" time="\(secondsText(report.duration))"
      """
    let content = content(of: report)
    text += content.isEmpty ? "/>\n" : ">\n\(content)    </testcase>\n"
    return text
  }

  private static func content(of report: RequestReport) -> String {
    let details = FailureText(renderer: DiagnosticRenderer(style: .plain), style: ConsoleStyle(isColored: false))
    switch report.outcome {
    case .passed:
      return report.warnings.isEmpty
        ? "" : "      <system-out>\(lines(details.warnings(of: report)))</system-out>\n"
    case .notSent: return "      <skipped message=\"--dry-run\"/>\n"
    case .skipped(let reason): return "      <skipped message=\"\(attribute(reason))\"/>\n"
    case .failed, .transportError, .specError:
      let element = report.outcome == .failed ? "failure" : "error"
      let type =
        switch report.outcome {
        case .failed: "assertion"
        case .transportError: "transport"
        default: "spec"
        }
      var body = details.text(of: report)
      if let command = report.curlCommand { body += "\ntry it: \(sanitizedForTerminal(command))\n" }
      return
        "      <\(element) message=\"\(attribute(FailureText.message(of: report) ?? "failed"))\" type=\"\(type)\">\(lines(body))</\(element)>\n"
    }
  }

  /// The path as a class name: folders are packages.
  private static func className(_ path: String) -> String {
    var name = path
    for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    return name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: ".")
  }

  /// Text of several lines, all of them clean.
  private static func lines(_ text: String) -> String { escaped(withoutWorkflowCommands(text)) }

  /// Text for an attribute, where line breaks and tabs would be read as spaces.
  package static func attribute(_ text: String) -> String {
    escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }

  /// Text for XML 1.0, without what a terminal would obey: a report may be read in one. What XML should not carry
  /// becomes U+FFFD.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in sanitizedForTerminal(text, keepingLineBreaks: true).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value >= 0xFDD0 && scalar.properties.isNoncharacterCodePoint: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
