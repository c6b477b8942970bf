import Diagnostics
import Foundation
import RunEvents
import RunPlanning
import RunReports
import SpecExecution
import Testing

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
    let xml = JUnitText.testCase(report, report.name, in: JUnitText.CasePlace(path: text))
    let parser = XMLParser(data: Data(xml.utf8))
    #expect(parser.parse(), "\(xml)")
  }

  @Test("an attribute keeps its line breaks and tabs")
  func attributes() {
    #expect(JUnitText.attribute("a\nb\tc\"d") == "a&#10;b&#9;c&quot;d")
  }

  @Test("a case has its file, line and class; a skipped one its reason")
  func cases() {
    let passed = JUnitText.testCase(
      Self.report("one", .passed), "one", in: JUnitText.CasePlace(path: "./api/users.yaml"))
    #expect(passed.contains(#"name="one" classname="api.users" file="./api/users.yaml" line="7""#))
    #expect(passed.hasSuffix("/>\n"))
    let skipped = JUnitText.testCase(
      Self.report("two", .skipped(reason: "not <now>")), "two", in: JUnitText.CasePlace(path: "a.yml"))
    #expect(skipped.contains(#"<skipped message="not &lt;now&gt;"/>"#))
  }

  @Test(
    "what was not met is a failure, what went wrong an error",
    arguments: [
      (RequestOutcome.failed, "<failure ", "assertion"), (.transportError, "<error ", "transport"),
      (.specError, "<error ", "spec"),
    ])
  func kinds(_ outcome: RequestOutcome, _ element: String, _ type: String) {
    var report = Self.report("one", outcome)
    report.problem = .error("it went wrong", at: nil)
    let xml = JUnitText.testCase(report, report.name, in: JUnitText.CasePlace(path: "a.yaml"))
    #expect(xml.contains(element + #"message="it went wrong" type="\#(type)""#))
  }
}
