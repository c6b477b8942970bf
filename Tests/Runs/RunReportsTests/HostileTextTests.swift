import APIContracts
import DocumentQueries
import HTTPSemantics
import Matching
import ReqrunKit
import RequestSpecs
import RunReports
import SpecExecution
import Synchronization
import Testing
import Values

/// A hostile text in every field of every event, through every report.
@Suite("Hostile text in reports")
struct HostileTextTests {
  private static let noncharacters = [0xFFFE, 0xFDD0, 0x1FFFF].compactMap { (value: UInt32) in
    Unicode.Scalar(value).map { String(Character($0)) }
  }.joined()

  /// What a terminal or a CI runner would obey; the number tells the fields apart.
  private static func hostile(_ number: Int) -> String {
    "::error::field-\(number).\u{1B}]0;x\u{7}\u{1B}[35;7m\r\n::set-output name=x::y\n\t ::add-mask::y\u{85}::a::\u{2028}::b::"
      + "##[group]c ##vso[task]d ##teamcity[e]\u{202E}\u{2066}\u{200E}\u{200F}\u{61C}\u{9B}2J\u{FEFF}\u{200B}\u{0}\u{7F}"
      + noncharacters + "\nsection_start:1:f\r\u{1B}[0K\r::debug::g]]>&<"
  }

  /// Why a report may not hold a text; own colours and line breaks are left out.
  private static func problems(in text: String, isXML: Bool = false) -> [String] {
    let bare = text.replacing(/\u{1B}\[(0|1|2|31|32|33|1;3[1-4])m/, with: "")
    var problems: [String] = []
    for scalar in bare.unicodeScalars where scalar != "\n" {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
        problems.append("U+\(String(scalar.value, radix: 16))")
      case 0xFDD0...0xFDEF where isXML, 0xFFFE where isXML, 0x1FFFF where isXML:
        problems.append("U+\(String(scalar.value, radix: 16))")
      default: break
      }
    }
    for line in bare.split(whereSeparator: { $0.isNewline }) {
      let start = line.drop { $0.isWhitespace }
      if start.hasPrefix("::") || start.hasPrefix("section_") { problems.append("begins: \(start.prefix(20))") }
      if line.contains(/##[A-Za-z]*\[/) { problems.append("command: \(line.prefix(60))") }
    }
    return problems
  }

  private static func expectNoProblems(in text: String, isXML: Bool = false) {
    #expect(
      Set(problems(in: text, isXML: isXML)).sorted() == [],
      "foreign text has to pass sanitizedForTerminal, and lines of a report withoutWorkflowCommands")
  }

  @Test("the check itself finds what is wrong")
  func checkCanFail() {
    #expect(Self.problems(in: Self.hostile(1), isXML: true).count > 20)
    #expect(Self.problems(in: "\u{1B}[1mfine\u{1B}[0m\n  a::b ## c\n").isEmpty)
  }

  /// Every field of a report holds a hostile text with a number of its own.
  private final class Numbers {
    var last = 0
    var next: String {
      last += 1
      return HostileTextTests.hostile(last)
    }
  }

  private static func source(_ next: String) -> SourceRange {
    let source = SourceText(name: next, text: next + "\n" + next)
    return SourceRange(source, 3..<source.utf8.count)
  }

  private static func diagnostic(_ numbers: Numbers) -> Values.Diagnostic {
    .error(
      .invalidValue, numbers.next, at: source(numbers.next),
      notes: [
        Values.Diagnostic.Note(numbers.next), Values.Diagnostic.Note(numbers.next, at: source(numbers.next)),
      ],
      help: numbers.next)
  }

  private static func assertion(_ numbers: Numbers, by differences: [Mismatch<String>.Difference]) -> AssertionReport {
    let actual = numbers.next
    var report = AssertionReport(
      subject: numbers.next, range: source(numbers.next), predicate: numbers.next,
      expected: numbers.next, actual: actual, mark: Mark(range: 2..<9, label: numbers.next),
      summary: numbers.next, differences: differences, moreDifferences: 2, place: numbers.next, body: numbers.next,
      hint: numbers.next)
    report.notes = [
      Values.Diagnostic.Note(numbers.next), Values.Diagnostic.Note(numbers.next, at: source(numbers.next)),
    ]
    report.dependents = [numbers.next]
    return report
  }

  private static func differences(_ numbers: Numbers) -> [Mismatch<String>.Difference] {
    let actual = numbers.next
    typealias Difference = Mismatch<String>.Difference
    var differences = [
      Difference(path: numbers.next, kind: .changed, expected: numbers.next, actual: actual),
      Difference(path: numbers.next, kind: .missing, expected: numbers.next),
      Difference(path: numbers.next, kind: .unexpected, actual: numbers.next),
      Difference(path: numbers.next, kind: .changed), Difference(path: numbers.next, kind: .changed),
    ]
    differences[0].mark = Mark(range: 2..<9, label: numbers.next)
    differences[0].note = numbers.next
    differences[3].note = numbers.next
    differences[4].lines = [.same, .expected, .actual].map { Mismatch<String>.Line($0, numbers.next) }
    for index in differences.indices { differences[index].expectedPath = numbers.next }
    return differences
  }

  private static let step = StepID(file: 0, number: 1)

  private static func report(_ outcome: RequestOutcome, _ numbers: Numbers) -> StepReport {
    var report = StepReport(
      id: step, parent: nil, name: numbers.next, line: 1,
      transport: TransportDecision(kind: .curl, reason: numbers.next))
    report.outcome = outcome
    report.status = 200
    report.path = numbers.next
    report.problem = diagnostic(numbers)
    report.failures = [
      assertion(numbers, by: []), assertion(numbers, by: differences(numbers)),
    ]
    report.tags = [numbers.next]
    report.passedAssertions = [
      PassedAssertion(subject: numbers.next, predicate: numbers.next, range: source(numbers.next))
    ]
    report.warnings = [assertion(numbers, by: [])]
    report.transfer = TransferReport(summary: numbers.next)
    report.transfer?.details = [numbers.next]
    report.snapshotChange = SnapshotChange(kind: .written, path: numbers.next)
    report.curlCommand = numbers.next
    report.openCurlCommand = numbers.next
    report.captures = [CapturedValue(name: numbers.next, value: numbers.next)]
    return report
  }

  private static func hop(_ numbers: Numbers) -> HopReport {
    func body() -> BodyReference {
      let text = numbers.next
      return BodyReference(size: 1, wireSize: 2, excerpt: { BodyExcerpt(text: text) })
    }
    func cookies() -> [HopCookie] {
      var cookie = HopCookie(name: numbers.next)
      (cookie.path, cookie.domain) = (numbers.next, numbers.next)
      return [cookie]
    }
    var request = SentRequest(
      method: numbers.next, scheme: numbers.next, authority: numbers.next, target: numbers.next,
      httpVersion: numbers.next, proxy: numbers.next, headers: [(numbers.next, numbers.next)], body: body())
    var response = ReceivedResponse(
      status: 200, reason: numbers.next, httpVersion: numbers.next, headers: [(numbers.next, numbers.next)],
      body: body())
    (request.cookies, response.cookies) = (cookies(), cookies())
    var hop = HopReport(
      step: step, attempt: 1, number: 1, start: Timestamp(seconds: 0), request: request, response: response,
      timings: ExchangeTimings(), remoteAddress: numbers.next, localAddress: numbers.next, cache: .hit,
      note: numbers.next)
    hop.problem = numbers.next
    return hop
  }

  private static func events(_ numbers: Numbers) -> [FileEvent] {
    let outcomes: [RequestOutcome] = [
      .failed, .transportError, .specError, .passed, .notSent, .skipped(reason: numbers.next),
    ]
    let time = Timestamp(seconds: 0)
    let start = FileStart(
      position: 0, path: numbers.next, name: numbers.next, iteration: 2, variant: numbers.next, time: time)
    let steps: [FileEvent] = outcomes.flatMap { outcome in
      [.hopFinished(hop(numbers)), .stepFinished(report(outcome, numbers))] as [FileEvent]
    }
    // So many of a kind are told in a line each.
    let alike: [FileEvent] = (0..<8).map { _ in .stepFinished(report(.failed, numbers)) }
    let end = FileReport(
      path: numbers.next, iteration: 2, variant: numbers.next, counts: OutcomeCounts(), start: time,
      duration: .seconds(1))
    return [.started(start)] + steps + alike + [.finished(end)]
  }

  private static func origin(_ numbers: Numbers) -> RunOrigin {
    var origin = RunOrigin()
    origin.version = numbers.next
    (origin.host, origin.shard, origin.environment) = (numbers.next, numbers.next, numbers.next)
    return origin
  }

  private static func summary(_ numbers: Numbers) throws -> RunSummary {
    var summary = RunSummary()
    summary.origin = origin(numbers)
    summary.start = Timestamp(seconds: 0)
    summary.counts.failed = 1
    summary.minCoverage = 50
    summary.origin.version = numbers.next
    summary.origin.host = numbers.next
    summary.origin.shard = numbers.next
    summary.origin.environment = numbers.next
    summary.diagnostics = [[diagnostic(numbers)]]
    summary.brokenFiles = [BrokenFile(path: numbers.next, errors: [diagnostic(numbers), diagnostic(numbers)])]
    summary.unusedSnapshots = [numbers.next]
    summary.contracts = try [contract(exercises: true), contract(exercises: false)]
    return summary
  }

  /// A document with hostile names.
  private static func contract(exercises: Bool) throws -> ContractCoverage {
    // NUL and what is not a character stands in no document.
    let text = hostile(0).filter { $0 != "\0" }.utf16.filter { $0 < 0xFDD0 && !(0xD800..<0xE000).contains($0) }.map {
      unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
    let document = """
      {"openapi": "3.1.0", "info": {"title": "\(text)", "version": "\(text)"}, "paths": {
        "/\(text)": {"get": {"operationId": "\(text)", "responses": {"200": {"description": "\(text)"}}}}}}
      """
    let contract = try APIContract(
      DocumentSet(main: DocumentBytes(Array(document.utf8), name: hostile(0), location: "/docs/a.json")) {
        (_, _) throws(ContractReadingProblem) in throw ContractReadingProblem("there is none")
      })
    return contract.coverage { $0 }
  }

  /// All texts within a value, by the names of their fields; those that are nil are listed, too.
  private static func texts(in value: Any, label: String = "") -> [(label: String, text: String?)] {
    if let text = value as? String { return [(label, text)] }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, mirror.children.isEmpty, type(of: value) == Optional<String>.self {
      return [(label, nil)]
    }
    if value is SourceRange || value is ContractCoverage { return [] }
    return mirror.children.flatMap { texts(in: $0.value, label: $0.label ?? label) }
  }

  @Test("no field is forgotten here")
  func allFields() throws {
    let numbers = Numbers()
    let summary: Any = try Self.summary(numbers)
    let texts = Self.events(numbers).flatMap { Self.texts(in: $0) } + Self.texts(in: summary)
    #expect(texts.count > 200)
    for (label, text) in texts where label != "unsetName" {
      guard let text else {
        // The kinds of differences have no other.
        #expect(["expected", "actual", "note", "label"].contains(label), "\(label) is nil")
        continue
      }
      #expect(text.contains("field-"), "\(label) holds \(text.prefix(20))")
    }
  }

  private static func write(_ report: any RunReports.Reporter) throws {
    let numbers = Numbers()
    try report.prepare()
    try report.open()
    report.start(RunStart(time: Timestamp(seconds: 0), fileRuns: 1, origin: origin(numbers)))
    let sink = report.sink(at: 0)
    report.receive([diagnostic(numbers)])
    for event in events(numbers) { sink?.receive(event) }
    try report.finish(try summary(numbers))
  }

  @Test(
    "the console, at each level of detail",
    arguments: [ConsoleOptions.Detail.quiet, .normal, .heads, .bodies], [false, true])
  func console(_ detail: ConsoleOptions.Detail, _ isColored: Bool) throws {
    let output = Mutex<[UInt8]>([])
    var options = ConsoleOptions()
    options.detail = detail
    options.style = ConsoleStyle(isColored: isColored)
    options.showsCurl = true
    options.showsTransport = true
    let write: @Sendable ([UInt8]) -> Void = { bytes in output.withLock { $0 += bytes } }
    try Self.write(ConsoleReport(options: options, output: write, errorOutput: write))
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    Self.expectNoProblems(in: text)
    #expect(text.contains("field-"))
    if detail == .bodies { #expect(Set(text.matches(of: /field-\d+\./).map { String($0.0) }).count > 150) }
  }

  @Test("files of reports", arguments: ReportKind.allCases.map(\.rawValue) + ["coverage.txt"])
  func files(_ name: String) throws {
    let path = temporaryPath(name)
    defer { removeTemporary(path) }
    let kind = try #require(ReportKind.allCases.first { name == $0.rawValue || name.hasPrefix("\($0.rawValue).") })
    try Self.write(kind.make(path))
    let text = try contents(of: path)
    #expect(text.contains("field-"))
    Self.expectNoProblems(in: text, isXML: name == "junit")
    switch name {
    case "junit": #expect(isWellFormed(text))
    case "json": #expect(try reportProblems(in: text) == [])
    case "jsonl": #expect(try eventProblems(in: text) == [])
    case "markdown": #expect(!MarkdownTests.interpreted(text).contains("field-"))
    case "har": _ = try JSONDocument(parsing: text)
    default: break
    }
  }

  @Test("annotations: a command in each line, and no other") func annotations() throws {
    let output = Mutex<[UInt8]>([])
    try Self.write(AnnotationReport(workspace: nil) { bytes in output.withLock { $0 += bytes } })
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 10)
    for line in lines {
      #expect(line.contains(/^::(error|warning|notice) (file=[^:]*,)?title=[^:]*::/))
      Self.expectNoProblems(in: "x" + line.replacing("\t", with: " "))
    }
  }

  @Test("the line of progress", arguments: [20, 40, 80, 200])
  func progress(_ columns: Int) {
    let transfer = RunTransfer(
      id: 1, name: Self.hostile(1), direction: .upload, completedBytes: 1, totalBytes: 2, bytesPerSecond: 1,
      timeLeft: .seconds(1))
    let line = RunProgress(finishedFiles: 1, totalFiles: 2, requests: 3, failures: 4, transfers: [transfer])
      .line(columns: columns)
    Self.expectNoProblems(in: line)
    #expect(!line.contains("\n"))
  }
}
