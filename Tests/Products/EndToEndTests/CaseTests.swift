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
  @Test("A case does what its golden files say", arguments: zip(cases.indices, cases))
  func golden(_ index: Int, _ folder: CaseFolder) async throws {
    for problem in try await CaseResults.shared.problems(of: index) { Issue.record(Comment(rawValue: problem)) }
  }
}

/// The problems of the cases, each begun before its turn, since `--no-parallel` runs the tests one by one.
private actor CaseResults {
  static let shared = CaseResults()
  private var tasks: [Task<[String], any Error>] = []

  func problems(of index: Int) async throws -> [String] {
    for next in cases[..<min(cases.count, index + ProcessInfo.processInfo.activeProcessorCount)].indices
      .dropFirst(tasks.count)
    {
      tasks.append(Task { try await Self.runner().problems(of: cases[next]) })
    }
    return try await tasks[index].value
  }

  private static func runner() throws -> CaseRunner {
    var runner = CaseRunner(try builtExecutable("reqrun"))
    runner.placeholders["demo"] = { try SharedDemoServer.address() }
    runner.records = ProcessInfo.processInfo.environment["REQRUN_RECORD"] == "1"
    runner.reportCheck = { $0.isSample || cases.count < 20 ? ReportCheck.problems : nil }
    return runner
  }
}
