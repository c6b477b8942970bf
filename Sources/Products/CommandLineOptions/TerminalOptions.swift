import OperatingSystem
import ReqrunKit

/// The options of a run from the command line, and from the terminal that it is for.
package func runOptions(_ command: ParsedCommand) throws(UsageError) -> RunOptions {
  var options = try CommandTable.reqrun.runOptions(command)
  options.isTerminal = consoleStream(of: options).isTerminal
  // What goes to a file is searched in, so lines stay whole.
  let columns = options.isTerminal ? terminalWidth() : nil
  options.height = options.isTerminal ? terminalHeight() : nil
  options.width = columns ?? environmentValue("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 10_000) : nil }
  options.foldsFiles = environmentValue("GITLAB_CI") == "true" && !isDumbTerminal
  options.repository = repository
  options.isColored = usesColor(command, on: consoleStream(of: options))
  return options
}

/// The stream for the console report: not standard output if a report is written there.
package func consoleStream(of options: RunOptions) -> StandardStream {
  options.outputPaths.contains(where: isStandardOutput) ? .error : .output
}

/// `--color`, else whether the output is a terminal and nothing disables colours.
package func usesColor(_ command: ParsedCommand, on stream: StandardStream) -> Bool {
  switch command.value(of: "color") ?? "auto" {
  case "always": return true
  case "never": return false
  default: break
  }
  if environmentSetting("NO_COLOR") != nil { return false }
  if let value = environmentSetting("CLICOLOR_FORCE"), value != "0" { return true }
  return stream.isTerminal && !isDumbTerminal
}

/// The directory of the repository of a CI service whose readers of JUnit reports take the file of a test case from the
/// case itself: GitLab, CircleCI, and actions of GitHub. Empty leaves paths as they are.
private var repository: String? {
  if environmentValue("GITLAB_CI") == "true" { return environmentSetting("CI_PROJECT_DIR") ?? "" }
  if isGitHub { return environmentSetting("GITHUB_WORKSPACE") ?? "" }
  // It compares them with the paths that it was given to split.
  return environmentValue("CIRCLECI") == "true" ? "" : nil
}

/// Indicates whether GitHub Actions reads the output.
package var isGitHub: Bool { environmentValue("GITHUB_ACTIONS") == "true" }

/// Indicates whether the terminal doesn't support escape sequences.
package var isDumbTerminal: Bool { environmentValue("TERM") == "dumb" }

/// `--progress`, else whether a person watches the terminal.
package func showsProgressLine(_ command: ParsedCommand) -> Bool {
  guard !command.flag("quiet") else { return false }
  switch command.value(of: "progress") ?? "auto" {
  case "always": return true
  case "never": return false
  default:
    return StandardStream.error.isTerminal && StandardStream.output.isTerminal && environmentValue("CI") == nil
      && !isDumbTerminal
  }
}

extension CommandTable {
  /// Parses the command line of this process, with the options that its environment sets.
  package func parseCommandLine() throws(UsageError) -> ParsedCommand {
    try parse(
      Array(CommandLine.arguments.dropFirst()), environment: environmentValue,
      isExistingPath: { pathKind($0) != .nothing })
  }
}

extension [Diagnostic] {
  /// The diagnostics as standard error shows them: for GitHub Actions with annotations.
  package func text(_ options: RunOptions) -> String {
    if isEmpty { return "" }
    let annotations = isGitHub ? annotations(workspace: environmentSetting("GITHUB_WORKSPACE")) : ""
    return annotations + drawn(isColored: options.isColored, width: options.width)
  }
}
