import CommandLineOptions
import Foundation
import ReqrunKit
import TestSupport

/// Checks the JSON report of a run: it is valid, and the run can be shown again from it.
enum ReportCheck {
  /// The reasons why a report isn't that of a run.
  static func problems(_ path: String, _ run: ProcessRun, _ result: ProcessRun.Result) async throws -> [String] {
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    return try schemaProblems(of: text, Runner.reportSchema) + (try await replayProblems(path, run, result))
  }

  private static func replayProblems(
    _ path: String, _ run: ProcessRun, _ result: ProcessRun.Result
  ) async throws -> [String] {
    // It is another command with another report, or the output isn't in it; sections of GitLab have names of their own.
    guard !run.arguments.contains(where: { $0.hasPrefix("--report") || $0 == "--show-secrets" }),
      run.arguments.first != "send", result.ending != .exited(5), run.environment["GITLAB_CI"] == nil
    else { return [] }
    var show = run
    show.environment["REQRUN_REPORT"] = nil
    let table = CommandTable.reqrun
    let options = table.commands.first { $0.name == .show }.map(table.options(of:)) ?? []
    show.arguments = ["show", path]
    for (index, argument) in run.arguments.enumerated() {
      let option = options.first { option in
        argument == "--\(option.long)"
          || option.short.map { argument == "-" + String(repeating: $0, count: max(1, argument.count - 1)) } ?? false
      }
      if let option { show.arguments += run.arguments[index...].prefix(option.takesValue ? 2 : 1) }
    }
    let shown = try await show.run()
    var problems: [String] = []
    if shown.ending != result.ending { problems.append("`show` exits with \(shown.ending), not \(result.ending)") }
    for (name, old, new) in [
      ("stdout", result.output, shown.output), ("stderr", result.errorOutput, shown.errorOutput),
    ] {
      guard old != new else { continue }
      let difference = GoldenText(String(decoding: old, as: UTF8.self)).difference(
        from: String(decoding: new, as: UTF8.self))
      problems.append("the \(name) of `show` differs (- run, + show):\n\(difference ?? "")")
    }
    return problems
  }
}

extension CaseFolder {
  /// Indicates whether it is one of a twelfth of all cases, always the same ones.
  var isSample: Bool { name.utf8.reduce(5381 as UInt32) { $0 &* 33 ^ UInt32($1) } % 12 == 0 }
}
