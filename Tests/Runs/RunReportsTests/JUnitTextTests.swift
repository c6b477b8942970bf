import Foundation
import RequestSpecs
import RunReports
import SpecExecution
import Testing
import Values

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("JUnit")
struct JUnitTextTests {
  private static func report(_ name: String, _ outcome: RequestOutcome) -> StepReport {
    var report = StepReport(
      id: StepID(file: 0, number: 1), parent: nil, name: name, line: 7,
      transport: TransportDecision(kind: .curl, reason: ""))
    report.outcome = outcome
    return report
  }

  @Test(
    "any text makes well-formed XML",
    arguments: [
      "plain", "<&>\"'", "]]>", "\u{0}\u{8}\u{B}\u{1B}", "\u{FFFE}\u{FFFF}", "a\r\nb\tc", "\u{85}\u{2028}", "日本 👩‍💻",
    ])
  func wellFormed(_ text: String) throws {
    var report = Self.report(text, .failed)
    report.failures = [AssertionReport(subject: text, range: nil, expected: text, actual: text, hint: text)]
    report.curlCommand = text
    let xml = JUnitText.testCase(report, report.name, in: text)
    let parser = XMLParser(data: Data(xml.utf8))
    #expect(parser.parse(), "\(xml)")
  }

  @Test("an attribute keeps its line breaks and tabs")
  func attributes() {
    #expect(JUnitText.attribute("a\nb\tc\"d") == "a&#10;b&#9;c&quot;d")
  }

  @Test("a case has its class; a skipped one its reason")
  func cases() {
    let passed = JUnitText.testCase(
      Self.report("one", .passed), "one", in: "./api/users.yaml")
    #expect(passed.contains(#"name="one" classname="api.users" time="0.000000""#))
    #expect(passed.hasSuffix("/>\n"))
    let skipped = JUnitText.testCase(
      Self.report("two", .skipped(reason: "not <now>")), "two", in: "a.yml")
    #expect(skipped.contains(#"<skipped message="not &lt;now&gt;"/>"#))
  }

  @Test("attempts are listed with their times and reasons, and folded under a failure")
  func attempts() {
    var report = Self.report("one", .passed)
    let start = Timestamp(seconds: 1_714_557_600)
    for number in 1...120 {
      report.attemptCount += 1
      report.add(
        AttemptReport(
          step: report.id, number: number, start: start.advanced(by: .milliseconds(200 * (number - 1))) ?? start,
          duration: .milliseconds(20), outcome: number < 120 ? .failed : .passed, status: number < 120 ? 503 : 200,
          reason: number < 120 ? "status 503" : nil))
    }
    #expect(report.attempts.count == 100 && report.attempts[49].number == 50 && report.attempts[50].number == 71)
    let passed = JUnitText.testCase(report, report.name, in: "a.yml")
    #expect(
      passed.contains("<flakyFailure message=\"status 503\" type=\"assertion\">\n        <stackTrace>attempt 1 ("))
    #expect(passed.matches(of: /<flakyFailure/).count == 99)
    #expect(
      passed.contains("<system-out>attempt 1 (at 0.0 ms, in 20 ms): status 503\nattempt 2 (at 200 ms, in 20 ms):"))
    #expect(passed.contains("attempt 120 (at 23.80 s, in 20 ms): status 200\n</system-out>"))
    report.outcome = .failed
    let failed = JUnitText.testCase(report, report.name, in: "a.yml")
    #expect(failed.contains("attempts 1–119 (from 0.0 ms): status 503\n"))
    #expect(failed.matches(of: /<rerunFailure/).count == 99 && !failed.contains("flaky"))
  }

  @Test(
    "a retry is Surefire's kind of rerun; a round of a poll is none",
    arguments: [
      (RequestOutcome.passed, RequestOutcome.failed, nil, "<flakyFailure"),
      (.passed, .transportError, nil, "<flakyError"),
      (.failed, .failed, nil, "<rerunFailure"), (.transportError, .transportError, nil, "<rerunError"),
      (.passed, .failed, 1, nil), (.failed, .failed, 1, nil),
    ] as [(RequestOutcome, RequestOutcome, Int?, String?)])
  func reruns(_ outcome: RequestOutcome, _ first: RequestOutcome, _ round: Int?, _ element: String?) {
    var report = Self.report("one", outcome)
    report.attemptCount = 2
    for number in 1...2 {
      report.add(
        AttemptReport(
          step: report.id, number: number, start: Timestamp(seconds: 0), duration: .zero,
          outcome: number == 1 ? first : outcome, status: nil, round: round, reason: number == 1 ? "not yet" : nil))
    }
    report.curlCommand = "curl http://x/?a&b"
    let xml = JUnitText.testCase(report, "one", in: "a.yaml")
    #expect(isWellFormed(xml))
    let found = xml.matches(of: /<(flaky|rerun)[A-Za-z]+/).map { String($0.output.0) }
    #expect(found == (element.map { [$0] } ?? []))
    #expect(xml.contains("try it: curl http://x/?a&amp;b\n</system-out>") == outcome.isFailure)
  }

  @Test(
    "what was not met is a failure, what went wrong an error",
    arguments: [
      (RequestOutcome.failed, "<failure ", "assertion"), (.transportError, "<error ", "transport"),
      (.specError, "<error ", "spec"),
    ])
  func kinds(_ outcome: RequestOutcome, _ element: String, _ type: String) {
    var report = Self.report("one", outcome)
    report.problem = .error(.invalidValue, "it went wrong", at: nil)
    let xml = JUnitText.testCase(report, report.name, in: "a.yaml")
    #expect(xml.contains(element + #"message="it went wrong" type="\#(type)""#))
  }
}
