import Foundation

/// Runs the cases of the end-to-end tests against a program.
package struct CaseRunner: Sendable {
  package var executable: String
  package var timeLimit: Duration = .seconds(60)
  /// Writes what the program does into the golden files instead of comparing.
  package var records = false
  /// Further placeholders: name and how to get its text, asked only where a case uses it.
  package var placeholders: [String: @Sendable () throws -> String] = [:]

  package init(_ executable: String) {
    self.executable = executable
  }

  /// What the program did otherwise than the case says; empty if it passes.
  package func problems(of folder: CaseFolder) async throws -> [String] {
    let workplace = try TemporaryFolder()
    defer { workplace.remove() }
    try folder.copyInputs(to: workplace.path)
    let faults = try folder.text("fault").map { try FaultServer.start($0) }
    defer { faults?.stop() }
    func filled(_ text: String) throws -> String { try fill(text, workplace: workplace, faults: faults, in: folder) }

    var run = ProcessRun(executable, try folder.lines("arguments").map(filled), in: workplace.path)
    for line in try folder.lines("environment").map(filled) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw HarnessError("\(folder.name)/environment: NAME=value, not \(line)") }
      run.environment[String(parts[0])] = String(parts[1])
    }
    run.timeLimit = timeLimit
    run.limits = try ProcessLimits(parsing: folder.text("limits") ?? "")
    let result = try await CaseRunner.gate.run { [run] in try await run.run() }
    return try problems(result, folder, workplace)
  }

  private func problems(
    _ result: ProcessRun.Result, _ folder: CaseFolder, _ workplace: TemporaryFolder
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
        "\(folder.name): \(result.ending); until then it wrote:\n\(actual["stdout"] ?? "")\(actual["stderr"] ?? "")")
      return problems
    }
    actual["exit-code"] = "\(result.ending)\n"
    for name in folder.expectedFiles() {
      guard let text = workplace.text(name) else {
        problems.append("\(folder.name): \(name) was not written")
        continue
      }
      actual["expected/\(name)"] = mapping.map(text)
    }
    for (name, text) in actual.sorted(by: { $0.key < $1.key }) {
      let golden = try folder.text(name) ?? (name == "exit-code" ? "0\n" : "")
      guard let difference = GoldenText(golden).difference(from: text) else { continue }
      if records {
        try record(text, as: name, in: folder)
      } else {
        problems.append("\(folder.name)/\(name) differs (- expected, + actual):\n\(difference)")
      }
    }
    return problems
  }

  private func record(_ text: String, as name: String, in folder: CaseFolder) throws {
    let path = "\(folder.path)/\(name)"
    if text.isEmpty || name == "exit-code" && text == "0\n" {
      try FileManager.default.removeItem(atPath: path)
    } else {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private func fill(
    _ text: String, workplace: TemporaryFolder, faults: FaultServer?, in folder: CaseFolder
  ) throws -> String {
    var result = text.replacingOccurrences(of: "{{tmp}}", with: workplace.path)
    if result.contains("{{fault}}") {
      guard let faults else { throw HarnessError("\(folder.name) uses {{fault}} but has no file `fault`") }
      result = result.replacingOccurrences(of: "{{fault}}", with: "http://127.0.0.1:\(faults.port)")
    }
    for (name, value) in placeholders where result.contains("{{\(name)}}") {
      result = result.replacingOccurrences(of: "{{\(name)}}", with: try value())
    }
    return result
  }

  /// More programs at once than this would only take each other's time, which is limited.
  private static let gate = Gate(width: max(2, ProcessInfo.processInfo.activeProcessorCount))
}

/// Lets a number of tasks through at a time.
private actor Gate {
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
