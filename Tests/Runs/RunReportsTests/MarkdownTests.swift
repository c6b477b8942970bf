import RequestSpecs
import RunReports
import SpecExecution
import Synchronization
import Testing
import Values

@Suite("Markdown")
struct MarkdownTests {
  @Test(
    "foreign text in a line is a code span",
    arguments: [
      ("plain", "`plain`"), ("a `b` c", "``a `b` c``"), ("a ``b` c", "```a ``b` c```"), ("`", "`` ` ``"),
      ("a`", "`` a` ``"), (" a ", "`  a  `"), ("", "(empty)"), ("  ", "(empty)"), ("a\nb", "`a␊b`"),
      ("<img src=x onerror=alert(1)>", "`<img src=x onerror=alert(1)>`"), ("@octocat #1 a|b", "`@octocat #1 a|b`"),
    ]) func spans(_ text: String, _ markdown: String)
  {
    #expect(MarkdownText.code(text) == markdown)
  }

  @Test(
    "foreign lines are a code block that they cannot end",
    arguments: [
      ("plain", "```text\nplain\n```\n"), ("```\n<b>\n```", "````text\n```\n<b>\n```\n````\n"),
      ("  ````` x", "``````text\n  ````` x\n``````\n"), ("~~~", "```text\n~~~\n```\n"),
    ]) func blocks(_ text: String, _ markdown: String)
  {
    #expect(MarkdownText.block(text) == markdown)
  }

  /// The text outside of code blocks and code spans, by CommonMark's rules.
  static func interpreted(_ markdown: String) -> String {
    var fence: Substring?
    var result = ""
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let ticks = line.prefix { $0 == "`" }
      if let open = fence {
        if ticks.count >= open.count, line.dropFirst(ticks.count).allSatisfy({ $0 == " " }) { fence = nil }
        continue
      }
      if ticks.count >= 3, !line.dropFirst(ticks.count).contains("`") {
        fence = ticks
        continue
      }
      result += withoutSpans(line) + "\n"
    }
    return result
  }

  private static func withoutSpans(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let tick = rest.firstIndex(of: "`") {
      result += rest[..<tick]
      let fence = rest[tick...].prefix { $0 == "`" }
      rest = rest[fence.endIndex...]
      var end = rest.startIndex
      while end < rest.endIndex {
        let run = rest[end...].prefix { $0 == "`" }
        if run.count == fence.count {
          rest = rest[run.endIndex...]
          break
        }
        end = run.isEmpty ? rest.index(after: end) : run.endIndex
      }
    }
    return result + rest
  }

  @Test("the check itself tells code from other text") func checkCanFail() {
    #expect(Self.interpreted("a `b` c\n```text\n@x\n```\n``d ` e`` @f") == "a  c\n @f\n")
  }

  /// Runs of files of which each has a request that fails; their ends arrive in the order of the numbers.
  private static func report(
    _ reporter: any RunReports.Reporter, _ order: [Int], _ name: (Int) -> String, _ actual: (Int) -> String
  ) throws {
    var counts = OutcomeCounts()
    for file in order {
      let sink = reporter.sink(at: file)
      let time = Timestamp(seconds: 0)
      sink?.receive(
        .started(FileStart(position: file, path: "f\(file).yaml", name: nil, iteration: 1, time: time)))
      var report = StepReport(id: StepID(file: file, number: 1), parent: nil, name: name(file), line: 7)
      report.outcome = .failed
      report.failures = [
        AssertionReport(subject: "status", range: nil, expected: "200", actual: actual(file))
      ]
      counts.add(report)
      sink?.receive(.stepFinished(report))
      sink?.receive(
        .finished(FileReport(path: "f\(file).yaml", iteration: 1, counts: counts, start: time, duration: .zero)))
    }
    var summary = RunSummary()
    summary.start = Timestamp(seconds: 0)
    summary.counts = counts
    summary.files = order.count
    try reporter.finish(summary)
  }

  private static func markdown(
    _ order: [Int], _ name: (Int) -> String = { "r\($0)" }, _ actual: (Int) -> String
  ) throws -> String {
    let path = temporaryPath("summary.md")
    defer { removeTemporary(path) }
    try report(MarkdownReport(path: path), order, name, actual)
    return try contents(of: path)
  }

  private static func text(
    _ order: [Int], _ makeReporter: (@escaping @Sendable ([UInt8]) -> Void) -> any RunReports.Reporter
  ) throws -> [Substring] {
    let output = Mutex<[UInt8]>([])
    let reporter = makeReporter { bytes in output.withLock { $0 += bytes } }
    try report(reporter, order, { "r\($0)" }) { $0 < 64 ? "500" : "\($0)" }
    return output.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
  }

  @Test("a comment has at most 65,536 characters, however much fails, and nothing foreign is interpreted")
  func limit() throws {
    let hostile = "x`` ` <img src=x> @octocat | ``` \n````\n# heading\n- [link](http://evil)\n"
    let text = try Self.markdown(Array(0..<500), { "\(hostile)\($0)" }) {
      String(repeating: hostile, count: 100) + "\($0)"
    }
    #expect(text.utf8.count <= 65_536)
    #expect(text.utf8.count > 20_000)
    let interpreted = Self.interpreted(text)
    for word in ["<img", "@octocat", "link", "heading"] { #expect(!interpreted.contains(word)) }
    #expect(text.hasPrefix("## ❌ 500 of 500 requests failed\n"))
    #expect(text.contains(/… and \d+ more\n/))
  }

  @Test("failures alike in many files are one, whatever order they end in", arguments: [false, true])
  func alike(_ isReversed: Bool) throws {
    let order = isReversed ? (0..<100).reversed() : Array(0..<100)
    let text = try Self.markdown(order) { _ in "500" }
    #expect(text.contains("`f0.yaml:7` `r0`\n"))
    #expect(text.contains("… and 99 more like it: `f1.yaml:7`, `f2.yaml:7`, "))
    let console = try Self.text(order) { ConsoleReport(options: ConsoleOptions(), output: $0, errorOutput: { _ in }) }
    let failed = console.filter { $0.hasPrefix("FAILED") }
    #expect(failed.first == "FAILED f0.yaml:7 r0: status: expected 200, actual 500")
    #expect(failed.count == 20)
    #expect(console.contains("… and 17 more failed"))
    #expect(console.last?.hasPrefix("100 requests in 100 files: 100 failed") == true)
    let annotations = try Self.text(order) { AnnotationReport(workspace: nil, output: $0) }
    #expect(annotations.count == 11)
    #expect(
      annotations.first?.hasPrefix(
        "::error file=f0.yaml,line=7,title=r0::status: expected 200, actual 500%0A… and 63 more like it: f1.yaml:7, ")
        == true)
    #expect(
      annotations.last == "::notice title=reqrun::27 more errors of requests: the log and the job summary have more")
  }

  @Test("a few that are alike are named one by one") func few() throws {
    let text = try Self.markdown([2, 0, 1]) { _ in "500" }
    for file in 0..<3 { #expect(text.contains("`f\(file).yaml:7` `r\(file)`\n")) }
    #expect(!text.contains("more like it"))
  }

  @Test("a job summary is appended whole or not at all") func jobSummary() throws {
    let path = temporaryPath("step-summary")
    defer { removeTemporary(path) }
    try write("before\n", to: path)
    let output = Mutex<[UInt8]>([])
    let report = MarkdownReport(jobSummary: path) { bytes in output.withLock { $0 += bytes } }
    try Self.report(report, [0], { "r\($0)" }) { _ in "500" }
    let text = try contents(of: path)
    #expect(text.hasPrefix("before\n## ❌ 1 of 1 request failed\n"))
    #expect(output.withLock { $0.isEmpty })

    let full = String(repeating: "x", count: 1 << 20)
    try write(full, to: path)
    try Self.report(MarkdownReport(jobSummary: path) { bytes in output.withLock { $0 += bytes } }, [0], { "r\($0)" }) {
      _ in "500"
    }
    #expect(try contents(of: path) == full)
    #expect(
      String(decoding: output.withLock { $0 }, as: UTF8.self)
        == "::warning title=reqrun::the job summary \(path) cannot be written: it would exceed 1048576 bytes\n")
  }
}
