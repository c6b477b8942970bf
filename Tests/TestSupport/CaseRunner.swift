import Foundation

/// Runs the cases of the end-to-end tests against a program.
package struct CaseRunner: Sendable {
  package var executable: String
  /// That of a process run, unless a test sets another.
  package var timeLimit: Duration?
  /// Writes what the program does into the golden files instead of comparing.
  package var records = false
  /// Further placeholders: name and how to get its text, asked only where a case uses it.
  package var placeholders: [String: @Sendable () throws -> String] = [:]

  /// Checks the JSON report of a case's run, whose path it gets; the cases of which that is nil write none.
  package var reportCheck: (@Sendable (CaseFolder) -> ReportCheck?)?
  package typealias ReportCheck =
    @Sendable (_ path: String, _ run: ProcessRun, _ result: ProcessRun.Result) async throws -> [String]

  package init(_ executable: String) {
    self.executable = executable
  }

  /// What the program did otherwise than the case says; empty if it passes.
  package func problems(of folder: CaseFolder) async throws -> [String] {
    let problems = try await outcome(of: folder)
    guard records, problems.isEmpty else { return problems }
    // A number that was measured differs the next time.
    var second = self
    second.records = false
    return try await second.outcome(of: folder).map {
      "a second run differs from what was recorded: write <any> from there to the end of the line: \($0)"
    }
  }

  private func outcome(of folder: CaseFolder) async throws -> [String] {
    let workplace = try TemporaryFolder()
    defer { workplace.remove() }
    try folder.copyInputs(to: workplace.path)
    let other = try folder.text("other-fault").map { try FaultServer.start($0) }
    defer { other?.stop() }
    var addresses = ["tmp": workplace.path, "other": other?.address]
    let faults = try folder.text("fault").map { try FaultServer.start(fill($0, addresses, in: folder)) }
    defer { faults?.stop() }
    addresses["fault"] = faults?.address
    func filled(_ text: String) throws -> String { try fill(text, addresses, in: folder) }

    var arguments = try folder.lines("arguments").map(filled)
    if let transport = folder.transport { arguments = ["--transport", transport] + arguments }
    var run = ProcessRun(executable, arguments, in: workplace.path)
    for line in try folder.lines("environment").map(filled) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw HarnessError("\(folder.name)/environment: NAME=value, not \(line)") }
      run.environment[String(parts[0])] = String(parts[1])
    }
    if let timeLimit { run.timeLimit = timeLimit }
    let reports = try TemporaryFolder()
    defer { reports.remove() }
    let report = reports.path + "/report.json"
    let check = reportCheck?(folder)
    if check != nil { run.environment["REQRUN_REPORT"] = "json=\(report)" }
    run.limits = try ProcessLimits(parsing: folder.text("limits") ?? "")
    let result = try await CaseRunner.gate.run { [run] in try await run.run() }
    let requests = ["requests": faults?.requests ?? [], "other-requests": other?.requests ?? []]
    let problems = try problems(result, requests, folder, workplace)
    guard let check, problems.isEmpty, FileManager.default.fileExists(atPath: report) else { return problems }
    return try await check(report, run, result).map { "\(folder): \($0)" }
  }

  private func problems(
    _ result: ProcessRun.Result, _ requests: [String: [FaultServer.Request]], _ folder: CaseFolder,
    _ workplace: TemporaryFolder
  ) throws -> [String] {
    let mapping = OutputMapping(temporaryFolder: workplace.path)
    var actual = [
      "stdout": mapping.map(String(decoding: result.output, as: UTF8.self)),
      "stderr": mapping.map(String(decoding: result.errorOutput, as: UTF8.self)),
    ]
    var problems: [String] = []
    // How a hanging program ended is never what a case expects.
    if case .killed = result.ending {
      problems.append(
        "\(folder): \(result.ending); until then it wrote:\n\(actual["stdout"] ?? "")\(actual["stderr"] ?? "")")
      return problems
    }
    actual["exit-code"] = "\(result.ending)\n"
    for (name, requests) in requests where try folder.golden(name) != nil {
      // URLSession sends headers in no fixed order.
      let requests = folder.transport == "urlsession" ? requests.map(\.withSortedHeaders) : requests
      actual[name] = mapping.map(requests.map(\.description).joined(separator: "\n"))
    }
    for name in folder.expectedFiles() {
      guard let text = workplace.text(name) else {
        problems.append("\(folder): \(name) was not written")
        continue
      }
      actual["expected/\(name)"] = mapping.map(text)
    }
    for (name, text) in actual.sorted(by: { $0.key < $1.key }) {
      let golden = try folder.golden(name) ?? (name == "exit-code" ? "0\n" : "")
      guard let difference = GoldenText(golden).difference(from: text) else { continue }
      if records {
        try record(GoldenText(golden).recording(text), as: name, in: folder)
      } else {
        problems.append("\(folder)/\(name) differs (- expected, + actual):\n\(difference)")
      }
    }
    return problems
  }

  private func record(_ text: String, as name: String, in folder: CaseFolder) throws {
    var path = "\(folder.path)/\(name)"
    // The first transport's output is what the others' are told apart from.
    if let transport = folder.transport, CaseFolder.goldenFiles.contains(name),
      try folder.lines("transports").first != transport
    {
      path += ".\(transport)"
    } else if text.isEmpty || name == "exit-code" && text == "0\n" {
      return try FileManager.default.removeItem(atPath: path)
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func fill(_ text: String, _ addresses: [String: String?], in folder: CaseFolder) throws -> String {
    var result = text
    for name in ["tmp", "fault", "other"] where result.contains("{{\(name)}}") {
      guard let address = addresses[name] ?? nil else {
        throw HarnessError("\(folder.name) uses {{\(name)}} but has no file for that server")
      }
      result = result.replacingOccurrences(of: "{{\(name)}}", with: address)
    }
    for (name, value) in placeholders where result.contains("{{\(name)}}") {
      result = result.replacingOccurrences(of: "{{\(name)}}", with: try value())
    }
    return result
  }

  /// More programs at once than this would only take each other's time, which is limited.
  private static let gate = AsyncSemaphore(width: max(2, ProcessInfo.processInfo.activeProcessorCount))
}

/// Lets a number of tasks through at a time.
private actor AsyncSemaphore {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) { free = width }

  func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}
