import ReqrunKit
import Testing

@Suite struct ProgressTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var failures = 0
    var runningFiles = 0
    var rate: Double?
    var left: Duration?
    var transfers: [RunTransfer] = []
    var running: [RunningRequest] = []
    var columns = 120
    let line: String
  }

  private static func transfer(
    _ completed: Int64, of total: Int64? = nil, rate: Double? = nil, left: Duration? = nil, id: Int = 1,
    name: String = "file.iso", direction: RunTransfer.Direction = .download, isFinished: Bool = false
  ) -> RunTransfer {
    RunTransfer(
      id: id, name: name, direction: direction, completedBytes: completed, totalBytes: total, bytesPerSecond: rate,
      timeLeft: left, isFinished: isFinished)
  }

  private static let counts = "… 1 of 3 files, 20 requests"

  static let cases = [
    Case(testDescription: "counts alone", line: counts),
    Case(testDescription: "failures", failures: 2, line: "\(counts), 2 failed"),
    Case(
      testDescription: "all that is known",
      transfers: [transfer(3 << 20, of: 12 << 20, rate: 1_048_576, left: .seconds(9))],
      line: "\(counts) · ↓ file.iso ██░░░░░░░░ 3 MiB of 12 MiB (25 %), 1 MiB/s, 9 s left"),
    Case(
      testDescription: "an upload, a rate that isn't known yet",
      transfers: [transfer(1536, of: 2048, direction: .upload)],
      line: "\(counts) · ↑ file.iso ███████░░░ 1.5 KiB of 2 KiB (75 %)"),
    Case(
      testDescription: "an unknown length", transfers: [transfer(512, rate: 100.4)],
      line: "\(counts) · ↓ file.iso 512 bytes, 100 bytes/s"),
    Case(
      testDescription: "nothing at all", transfers: [transfer(0, of: 0)],
      line: "\(counts) · ↓ file.iso 0 bytes of 0 bytes"),
    Case(
      testDescription: "minutes", transfers: [transfer(1, of: 2, left: .seconds(271))],
      line: "\(counts) · ↓ file.iso █████░░░░░ 1 byte of 2 bytes (50 %), 4 min 31 s left"),
    Case(
      testDescription: "hours", transfers: [transfer(1, of: 2, left: .seconds(7325))],
      line: "\(counts) · ↓ file.iso █████░░░░░ 1 byte of 2 bytes (50 %), 2 h 2 min left"),
    Case(
      testDescription: "the one that has the longest way to go",
      transfers: [
        transfer(5, of: 10, name: "a"), transfer(1, of: 10, id: 2, name: "b"), transfer(2, id: 3, name: "c"),
      ],
      line: "\(counts) · ↓ b █░░░░░░░░░ 1 byte of 10 bytes (10 %) and 2 more"),
    Case(
      testDescription: "not one that is over", transfers: [transfer(5, of: 10, isFinished: true)], line: counts),
    Case(
      testDescription: "a narrow terminal: the transfer alone",
      transfers: [transfer(3 << 20, of: 12 << 20, rate: 1_048_576, name: "a long name of a request")], columns: 60,
      line: "… ↓ a long name of… 3 MiB of 12 MiB (25 %), 1 MiB/s"),
    Case(
      testDescription: "a very narrow one", transfers: [transfer(3 << 20, of: 12 << 20, rate: 1_048_576)], columns: 20,
      line: "… ↓ file.iso 3 MiB …"),
    Case(testDescription: "narrow counts", columns: 12, line: "… 1 of 3 fi…"),
    Case(
      testDescription: "wide characters count twice", transfers: [transfer(5, name: "日本語日本語日本語日本語")], columns: 40,
      line: "… ↓ 日本語日… 5 bytes"),
    Case(
      testDescription: "control characters are shown", transfers: [transfer(5, name: "a\u{1B}[2Jb\r")],
      line: "\(counts) · ↓ a␛[2Jb␍ 5 bytes"),
    Case(
      testDescription: "a request that was just sent",
      running: [RunningRequest(name: "log in", duration: .milliseconds(999))], line: "\(counts) · log in"),
    Case(
      testDescription: "the one that waits the longest, for how long, and how many others",
      running: ["a\u{1B}", "b", "c"].map { RunningRequest(name: $0, duration: .seconds(62)) },
      line: "\(counts) · a␛ 1 min 2 s and 2 more"),
    Case(
      testDescription: "all numbers", failures: 2, runningFiles: 2, rate: 84.6, left: .seconds(75),
      running: [RunningRequest(name: "a", duration: .seconds(9))],
      line: "… 1 of 3 files (2 running), 20 requests, 2 failed, 85/s, 1 min 15 s left · a 9 s"),
    Case(
      testDescription: "without the rate, if there is no room", failures: 2, runningFiles: 2, rate: 8.46,
      left: .seconds(75),
      running: [RunningRequest(name: "a", duration: .seconds(9))], columns: 78,
      line: "… 1 of 3 files (2 running), 20 requests, 2 failed, 1 min 15 s left · a 9 s"),
    Case(
      testDescription: "then without the files that run", runningFiles: 2, rate: 8.46, left: .seconds(75),
      running: [RunningRequest(name: "a", duration: .seconds(9))], columns: 60,
      line: "… 1 of 3 files, 20 requests, 1 min 15 s left · a 9 s"),
    Case(
      testDescription: "then without the time left", rate: 8.46, left: .seconds(75),
      running: [RunningRequest(name: "a", duration: .seconds(9))], columns: 40,
      line: "… 1 of 3 files, 20 requests · a 9 s"),
    Case(
      testDescription: "then without the files", failures: 2, left: .seconds(75),
      running: [RunningRequest(name: "a long name of a request", duration: .seconds(9))], columns: 44,
      line: "… 20 requests, 2 failed · a long name o… 9 s"),
    Case(testDescription: "a low rate, and a file alone", runningFiles: 1, rate: 0.26, line: "\(counts), 0.3/s"),
    Case(
      testDescription: "a poll, with its round", running: [RunningRequest(name: "a", duration: .seconds(9), round: 4)],
      line: "\(counts) · a, round 4 9 s"),
    Case(
      testDescription: "what moves is told before what waits", transfers: [transfer(5)],
      running: [RunningRequest(name: "a", duration: .seconds(9))], line: "\(counts) · ↓ file.iso 5 bytes"),
  ]

  @Test(arguments: cases) func line(_ testCase: Case) {
    var progress = RunProgress(
      finishedFiles: 1, totalFiles: 3, requests: 20, failures: testCase.failures, transfers: testCase.transfers,
      running: testCase.running)
    progress.runningFiles = testCase.runningFiles
    progress.requestsPerSecond = testCase.rate
    progress.timeLeft = testCase.left
    #expect(progress.line(columns: testCase.columns) == testCase.line)
  }

  @Test("one of each") func singular() {
    #expect(
      RunProgress(finishedFiles: 0, totalFiles: 1, requests: 1, failures: 0).line(columns: 80)
        == "… 0 of 1 file, 1 request")
  }
}
