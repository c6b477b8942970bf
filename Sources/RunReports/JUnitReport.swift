import Diagnostics
import RequestSpecs
import SpecExecution
import Synchronization

/// JUnit XML: a suite per file, a case per request; valid by Jenkins' xUnit schema (junit-10.xsd).
package final class JUnitReport: RunReport {
  private let path: String
  private let spool: OrderedSpool
  private let body: JUnitBody

  package init(path: String) {
    self.path = path
    let body = JUnitBody()
    self.body = body
    spool = OrderedSpool { body.append(String(decoding: $0, as: UTF8.self)) }
  }

  package func sink(at position: Int) -> any FileEventSink {
    JUnitSink(position: position, spool: spool)
  }

  /// Writes beside, then renames: a report is whole or not there.
  package func finish(_ summary: RunSummary) throws(ReportProblem) {
    let (descriptor, temporary, problem) = createFile(beside: path)
    if let problem { throw ReportProblem(message: "the JUnit report \(path) cannot be written: \(problem)") }
    var isWritten = true
    func put(_ bytes: [UInt8]) {
      if !bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) { isWritten = false }
    }
    let counts = summary.counts
    put(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="reqrun" tests="\(counts.requests)" failures="\(counts.failed)" \
        errors="\(counts.transportErrors + counts.specErrors)" time="\(secondsText(summary.duration))">

        """.utf8))
    body.copy(to: put)
    put(Array("</testsuites>\n".utf8))
    closeDescriptor(descriptor)
    guard isWritten, !body.isIncomplete else {
      removeFile(temporary)
      throw ReportProblem(message: "the JUnit report \(path) cannot be written: the disk takes no more")
    }
    if let problem = moveFile(temporary, to: path) {
      removeFile(temporary)
      throw ReportProblem(message: "the JUnit report \(path) cannot be written: \(problem)")
    }
  }
}

/// The suites written so far.
private final class JUnitBody: Sendable {
  private let buffer = Mutex(SpillBuffer())

  func append(_ text: String) { buffer.withLock { $0.append(text) } }
  func copy(to body: ([UInt8]) -> Void) { buffer.withLock { $0.copy(to: body) } }
  var isIncomplete: Bool { buffer.withLock { $0.lost } }
}

/// One file's suite: its cases wait until its counts are known.
private final class JUnitSink: FileEventSink {
  private struct State: ~Copyable {
    var start: FileStart?
    var cases = SpillBuffer()
  }

  private let position: Int
  private let spool: OrderedSpool
  private let state = Mutex(State())

  init(position: Int, spool: OrderedSpool) {
    self.position = position
    self.spool = spool
  }

  func receive(_ event: FileEvent) async {
    switch event {
    case .started(let start): state.withLock { $0.start = start }
    case .requestFinished(let report):
      state.withLock { state in state.cases.append(JUnitText.testCase(report, path: state.start?.path ?? "")) }
    case .finished(let file): finish(file)
    }
  }

  private func finish(_ file: FileReport) {
    state.withLock { state in
      let counts = file.counts
      let iteration = file.iteration > 1 ? " (run \(file.iteration))" : ""
      spool.write(
        """
          <testsuite name="\(JUnitText.escaped(file.path + iteration))" file="\(JUnitText.escaped(file.path))" \
        tests="\(counts.requests)" failures="\(counts.failed)" errors="\(counts.transportErrors + counts.specErrors)" \
        skipped="\(counts.skipped)" time="\(secondsText(file.duration))" timestamp="\(timestampNow())">

        """, at: position)
      state.cases.copy { spool.write(String(decoding: $0, as: UTF8.self), at: position) }
      spool.write("  </testsuite>\n", at: position)
    }
    spool.finish(position)
  }
}

/// JUnit's elements.
enum JUnitText {
  static func testCase(_ report: RequestReport, path: String) -> String {
    let line = report.range.start.line
    var text = """
          <testcase name="\(escaped(report.name))" classname="\(escaped(className(path)))" file="\(escaped(path))" \
      line="\(line)" assertions="\(report.assertionCount)" time="\(secondsText(report.duration))"
      """
    let content = content(of: report)
    text += content.isEmpty ? "/>\n" : ">\n\(content)    </testcase>\n"
    return text
  }

  private static func content(of report: RequestReport) -> String {
    let details = FailureText(renderer: DiagnosticRenderer(style: .plain), style: ConsoleStyle(isColored: false))
    switch report.outcome {
    case .passed: return ""
    case .skipped(let reason): return "      <skipped message=\"\(escaped(reason))\"/>\n"
    case .failed, .transportError, .specError:
      let element = report.outcome == .failed ? "failure" : "error"
      let type =
        switch report.outcome {
        case .failed: "assertion"
        case .transportError: "transport"
        default: "spec"
        }
      var body = details.text(of: report)
      if let command = report.curlCommand { body += "\ntry it: \(command)\n" }
      return
        "      <\(element) message=\"\(escaped(message(report)))\" type=\"\(type)\">\(escaped(body))</\(element)>\n"
    }
  }

  private static func message(_ report: RequestReport) -> String {
    if let problem = report.problem { return problem.message }
    guard let first = report.failures.first else { return "failed" }
    let more = report.failures.count > 1 ? " (and \(report.failures.count - 1) more)" : ""
    return "\(first.subject): expected \(first.expected), found \(first.actual)\(more)"
  }

  /// The path as a class name: folders are packages.
  private static func className(_ path: String) -> String {
    var name = path
    for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { name.removeLast(ending.count) }
    return name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: ".")
  }

  /// Text for XML 1.0: what it cannot carry at all becomes U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\r": result += "&#13;"
      case "\u{00}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
