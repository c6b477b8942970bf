import Foundation
import TestSupport
import Testing

/// The cases that are run: all of them, or those whose name has the text of `REQRUN_CASE` in it.
private let cases: [CaseFolder] = {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Cases").path
  let all = CaseFolder.all(in: root)
  guard let wanted = ProcessInfo.processInfo.environment["REQRUN_CASE"] else { return all }
  return all.filter { $0.name.contains(wanted) }
}()

@Suite("reqrun, from its command line to its reports")
struct CaseTests {
  @Test("A case does what its golden files say", arguments: cases)
  func golden(_ folder: CaseFolder) async throws {
    var runner = CaseRunner(try builtExecutable("reqrun"))
    runner.placeholders["demo"] = { try SharedDemoServer.address() }
    runner.records = ProcessInfo.processInfo.environment["REQRUN_RECORD"] == "1"
    runner.reportCheck = { $0.isSample || cases.count < 20 ? ReportCheck.problems : nil }
    for problem in try await runner.problems(of: folder) { Issue.record(Comment(rawValue: problem)) }
  }
}
