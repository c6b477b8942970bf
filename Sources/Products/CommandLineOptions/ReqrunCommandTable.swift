import ReqrunKit

extension CommandTable {
  /// The command line of reqrun.
  package static let reqrun = CommandTable(
    program: "reqrun", version: Runner.version,
    summary: "runs HTTP requests that YAML files describe, and checks the responses",
    commands: CommandName.allCases.map(\.spec),
    defaultCommand: CommandName.run.spec,
    globalOptions: ReqrunOptions.global,
    exitStatuses: [
      ("0", "All requests passed"),
      ("1", "An expectation failed, the run took too long, a file is not formatted, or reports differ"),
      ("2", "The command line or a request file is wrong"),
      ("3", "Only the network failed: name lookup, connection, TLS or a timeout"),
      ("4", "Nothing was selected"),
      ("5", "A report or the output could not be written, or a report could not be read"),
      ("130", "Interrupted; 143 by SIGTERM, 129 by SIGHUP"),
    ])
}

extension CommandName {
  /// The arguments besides options.
  var arguments: ArgumentsSpec {
    let files = "FILE-OR-DIRECTORY…"
    return switch self {
    // They can take the files of an earlier run.
    case .run, .list: ArgumentsSpec(files, count: 1...Int.max, or: "rerun-failed")
    case .check, .format: ArgumentsSpec(files, count: 1...Int.max)
    case .send: ArgumentsSpec("[METHOD] URL [ITEM…]", count: 1...Int.max)
    case .`init`: ArgumentsSpec("[DIRECTORY]", count: 0...1)
    case .import: ArgumentsSpec("[KIND] \(files)", count: 1...Int.max)
    case .export: ArgumentsSpec("KIND \(files)", count: 2...Int.max)
    case .show: ArgumentsSpec("REPORT", count: 1...1)
    case .mergeReports: ArgumentsSpec("REPORT…", count: 1...Int.max)
    case .diff: ArgumentsSpec("OLD-REPORT NEW-REPORT", count: 2...2)
    case .mock: ArgumentsSpec("SOURCE…", count: 1...Int.max)
    case .demo, .record, .doctor, .lsp, .mcp: ArgumentsSpec("", count: 0...0)
    case .completions: ArgumentsSpec("bash|zsh|fish", count: 1...1, choices: CompletionShell.allCases.map(\.rawValue))
    case .man: ArgumentsSpec("[format]", count: 0...1, choices: [formatTopic])
    case .schema: ArgumentsSpec("[report|events|check]", count: 0...1, choices: ["report", "events", "check"])
    case .help: ArgumentsSpec("[COMMAND|SECTION|KEY|TOPIC]", count: 0...1)
    case .candidates: ArgumentsSpec("tags|names|environments \(files)", count: 2...Int.max)
    }
  }
}
