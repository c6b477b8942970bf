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
      errors="\(counts.transportErrors + counts.specErrors + broken)" time="\(shortSeconds(summary.duration))">

      """
  }

  /// The end, with the warnings about files and options in a suite without cases.
  static func closing(_ summary: RunSummary) -> String {
    let end = "</testsuites>\n"
    let text = summary.warnings.map { "\(escaped($0.placedMessage))\n" }.joined()
    if text.isEmpty { return end }
    return """
        <testsuite name="warnings" tests="0" failures="0" errors="0" skipped="0" time="0.000">
          <system-err>\(text)</system-err>
        </testsuite>

      """ + end
  }

  /// The attributes and properties of all suites of a run.
  struct RunPlace: Sendable {
    fileprivate let host: String
    fileprivate let properties: String

    init(_ origin: RunOrigin) {
      host = origin.host.map { " hostname=\"\(attribute($0))\"" } ?? ""
      let all: [(String, String?)] = [
        ("version", origin.version), ("seed", origin.seed.map { String($0) }), ("environment", origin.environment),
        ("shard", origin.shard),
      ]
      let lines = all.map { name, value in
        value.map { "      <property name=\"\(name)\" value=\"\(attribute($0))\"/>\n" } ?? ""
      }
      properties = "    <properties>\n\(lines.joined())    </properties>\n"
    }
  }

  static func suiteOpening(_ file: FileReport, in run: RunPlace) -> String {
    let counts = file.counts
    let iteration = (file.variant.map { " (\($0))" } ?? "") + (file.iteration > 1 ? " (run \(file.iteration))" : "")
    // The schema's timestamps are without a time zone; these are UTC.
    let timestamp = Timestamp(seconds: file.start.seconds).iso8601.dropLast()
    return """
        <testsuite name="\(attribute(file.path + iteration))" file="\(attribute(file.path))" \
      tests="\(counts.requests)" failures="\(counts.failed)" errors="\(counts.transportErrors + counts.specErrors)" \
      skipped="\(counts.skipped + counts.notSent)" time="\(shortSeconds(file.duration))" timestamp="\(timestamp)"\(run.host)>

      """ + run.properties
  }

  static let suiteClosing = "  </testsuite>\n"

  /// The attribute for the file of a case; empty if it is outside the repository.
  static func file(_ path: String, in repository: Workspace) -> String {
    let place = repository.place(WorkflowCommand.Place(path: path, line: nil))
    return place.map { " file=\"\(attribute($0.path))\"" } ?? ""
  }

  /// The suite of a file that did not run: one case with its errors, so that the rest isn't mistaken for all.
  static func suite(of file: BrokenFile, in repository: Workspace?) -> String {
    let renderer = DiagnosticRenderer(style: .plain)
    let path = attribute(file.path)
    let message = attribute(file.errors.first?.message ?? "")
    let line = file.errors.first?.range.map { " line=\"\($0.start.line)\"" } ?? ""
    let place = repository.map { self.file(file.path, in: $0) }.map { $0.isEmpty ? "" : $0 + line } ?? ""
    return """
        <testsuite name="\(path)" file="\(path)" tests="1" failures="0" errors="1" skipped="0" time="0.000">
          <testcase name="\(path)" classname="\(attribute(className(file.path)))"\(place) time="0.000000">
            <error message="\(message)" type="spec">\(lines(renderer.render(file.errors)))</error>
          </testcase>
        </testsuite>

      """
  }

  /// - Parameters:
  ///   - name: the step's name, after those of the groups around it.
  ///   - path: the path of the file that runs.
  ///   - file: the attribute for its file; empty without one.
  package static func testCase(_ report: StepReport, _ name: String, in path: String, file: String = "") -> String {
    let content = content(of: report)
    let place = file.isEmpty ? "" : "\(file) line=\"\(report.line)\""
    return """
          <testcase name="\(attribute(name))" classname="\(attribute(className(report.path ?? path)))"\(place) \
      time="\(secondsText(report.duration))"\(content.isEmpty ? "/>\n" : ">\n\(content)    </testcase>\n")
      """
  }

  private static func content(of report: StepReport) -> String {
    let details = FailureText(renderer: DiagnosticRenderer(style: .plain), style: ConsoleStyle(isColored: false))
    switch report.outcome {
    case .passed:
      let attempts = AttemptText(report).lines.map { "\(sanitizedForTerminal($0))\n" }.joined()
      return retries(of: report, "flaky") + output(attempts + skipped(of: report) + details.warnings(of: report))
    case .notSent: return "      <skipped message=\"--dry-run\"/>\n"
    case .skipped(let reason): return "      <skipped message=\"\(attribute(reason))\"/>\n"
    case .failed, .transportError, .specError:
      let element = report.outcome == .failed ? "failure" : "error"
      let message = attribute(report.message ?? "failed")
      return """
              <\(element) message="\(message)" type="\(type(of: report.outcome))">\(lines(details.text(of: report)))</\(element)>
        \(retries(of: report, "rerun"))\(output(skipped(of: report) + command(of: report)))
        """
    }
  }

  private static func skipped(of report: StepReport) -> String {
    report.skippedAssertions.map { "\(sanitizedForTerminal($0.message))\n" }.joined()
  }

  private static func type(of outcome: RequestOutcome) -> String {
    switch outcome {
    case .transportError: "transport"
    case .specError: "spec"
    case .failed, .passed, .skipped, .notSent: "assertion"
    }
  }

  private static func output(_ text: String) -> String {
    text.isEmpty ? "" : "      <system-out>\(lines(text))</system-out>\n"
  }

  private static func command(of report: StepReport) -> String {
    report.curlCommand.map { "try it: \(sanitizedForTerminal($0))\n" } ?? ""
  }

  /// The attempts that a later one replaced, as Surefire reports them.
  private static func retries(of report: StepReport, _ word: String) -> String {
    report.attempts.dropLast().filter { $0.round == nil }.map { attempt in
      let element = word + (attempt.outcome == .transportError ? "Error" : "Failure")
      let line = AttemptText(report).line(of: attempt.number) ?? ""
      return """
              <\(element) message="\(attribute(attempt.reason ?? "failed"))" type="\(type(of: attempt.outcome))">
                <stackTrace>\(lines(sanitizedForTerminal(line)))</stackTrace>
              </\(element)>

        """
    }.joined()
  }

  /// The path as a class name: folders are packages.
  private static func className(_ path: String) -> String {
    var name = path
    for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    return name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: ".")
  }

  /// Suites have three digits after the point: more are not valid.
  private static func shortSeconds(_ duration: Duration) -> String { String(secondsText(duration).dropLast(3)) }

  /// Text of several lines, each sanitized.
  private static func lines(_ text: String) -> String { escaped(withoutWorkflowCommands(text)) }

  /// Text for an attribute, where line breaks and tabs would be read as spaces.
  package static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

  /// Text for XML 1.0, without control sequences: a report may be read in a terminal. Characters that XML discourages
  /// become U+FFFD.
  package static func escaped(_ text: String) -> String { escaped(text, isAttribute: false) }

  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    var clean = sanitizedForTerminal(text, keepingLineBreaks: true)
    guard clean.withUTF8({ bytes in bytes.contains { isSpecial($0) } }) else { return clean }
    var result = String.UnicodeScalarView()
    for scalar in clean.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      case ">": result += "&gt;".unicodeScalars
      case "\"": result += "&quot;".unicodeScalars
      case "\n" where isAttribute: result += "&#10;".unicodeScalars
      case "\t" where isAttribute: result += "&#9;".unicodeScalars
      default: result.append(isNoncharacter(scalar.value) ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }

  /// Returns whether a byte must be escaped, or may begin a sequence that must.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0x0A, 0x09, 0xEF...0xF4: true
    default: false
    }
  }

  /// U+FDD0 to U+FDEF, and the last two of each plane.
  private static func isNoncharacter(_ value: UInt32) -> Bool {
    (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }
}
