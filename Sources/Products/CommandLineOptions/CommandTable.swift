import ReqrunKit
import Values

/// An option of the command line, with its documentation.
package final class OptionSpec: Sendable {
  /// The rule for a value, checked while parsing.
  package enum ValueRule: Sendable, Hashable {
    case any
    case integer(ClosedRange<Int>)
    /// A name, `=`, and anything: `name=text`. If keys are given, the name is one of them.
    case pair(keys: [String] = [])
  }

  /// The completion of a value in shells.
  package enum Suggestion: Sendable, Hashable {
    case nothing, files, directories
    /// The tags of the files on the command line, separated by commas.
    case tags
    /// The names of the requests in the files on the command line.
    case names
    /// The environments of their projects.
    case environments
  }

  /// The name without the dashes.
  package let long: String
  package let short: Character?
  /// The placeholder of the value, such as `N`; nil for a flag.
  package let valueName: String?
  /// Indicates whether each value counts (or, for a flag, each time it is given); otherwise the last wins.
  package let isRepeatable: Bool
  package let choices: [String]
  package let rule: ValueRule
  package let suggestion: Suggestion
  /// The heading of the option in the help.
  package let group: String
  /// The commands that take it; empty for all.
  package let commands: [CommandName]
  /// An option that cannot be given with it.
  let excludedOption: String?
  /// An option that must be given with it.
  let neededOption: String?
  /// Indicates whether an environment variable can set it.
  package let readsEnvironment: Bool
  /// One or two sentences, without the final period.
  package let help: String
  /// Applies the given values to the options of a run.
  let read: @Sendable (inout RunOptions, GivenOption) throws(UsageError) -> Void

  init(
    _ long: String, short: Character? = nil, value valueName: String? = nil, isRepeatable: Bool = false,
    choices: [String] = [], rule: ValueRule = .any, suggestion: Suggestion = .nothing, group: String,
    of commands: [CommandName] = [.run], readsEnvironment: Bool = true, excludes excludedOption: String? = nil,
    needs neededOption: String? = nil, help: String,
    read: @escaping @Sendable (inout RunOptions, GivenOption) throws(UsageError) -> Void = { _, _ in }
  ) {
    self.long = long
    self.short = short
    self.valueName = valueName
    self.isRepeatable = isRepeatable
    self.choices = choices
    self.rule = rule
    self.suggestion = suggestion
    self.group = group
    self.commands = commands
    self.excludedOption = excludedOption
    self.neededOption = neededOption
    self.read = read
    self.readsEnvironment = readsEnvironment
    self.help = help
  }

  package var takesValue: Bool { valueName != nil }

  /// The valid keys before the `=` of a value.
  var keys: [String] { if case .pair(let keys) = rule { keys } else { [] } }

  var fullHelp: String { choices.isEmpty ? help : "\(help) (\(choices.joined(separator: ", ")))" }
}

/// The arguments of a command besides options.
package struct ArgumentsSpec: Sendable {
  /// The usage, such as `FILE…`; empty for none.
  package let usage: String
  package let count: ClosedRange<Int>
  package let choices: [String]
  /// The option that replaces them.
  package let replacingOption: String?

  package init(_ usage: String, count: ClosedRange<Int>, choices: [String] = [], or replacingOption: String? = nil) {
    self.usage = usage
    self.count = count
    self.choices = choices
    self.replacingOption = replacingOption
  }
}

/// A command, such as `check` in `reqrun check`.
package struct CommandSpec: Sendable {
  package let name: CommandName
  package var arguments: ArgumentsSpec { name.arguments }
  package var options: [OptionSpec] { ReqrunOptions.options(of: name) }

  /// The options of other tools that users of this command know, each with what to write in their place.
  var foreignOptions: [String: String] { name == .send ? ReqrunOptions.foreignToSend : [:] }

  /// Indicates whether it is internal to the program's own scripts, and hidden from people.
  package var isHidden: Bool { name == .candidates }
}

/// The whole command line, from which parsing, help, manual and completions are derived.
package struct CommandTable: Sendable {
  package let program: String
  package let version: String
  /// One line without a final period.
  package let summary: String
  package let commands: [CommandSpec]
  /// The command that may be omitted.
  package let defaultCommand: CommandSpec
  /// Options of every command.
  package let globalOptions: [OptionSpec]
  package let exitStatuses: [(status: String, meaning: String)]

  /// The manual's date, such as `May 1, 2026`: that of the newest version in the changelog.
  var date: Substring {
    let versions = (HelpPage.text(of: "CHANGELOG") ?? "").split(separator: "\n").filter { $0.hasPrefix("## ") }
    return versions.first?.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" } ?? ""
  }

  /// The commands shown to people.
  var shownCommands: [CommandSpec] { commands.filter { !$0.isHidden } }

  /// The completions for a command's arguments.
  func choices(of command: CommandSpec) -> [String] {
    command.name == .help ? helpTopics : command.arguments.choices
  }

  /// The command's own options, then those of every command.
  package func options(of command: CommandSpec) -> [OptionSpec] { command.options + globalOptions }

  /// Every option once. Two commands may have different ones of one name, with values of different kinds.
  package var allOptions: [OptionSpec] {
    var seen: Set<[String?]> = []
    return (commands.flatMap(\.options) + globalOptions).filter { seen.insert([$0.long, $0.valueName]).inserted }
  }

  /// The environment variable that sets the option, such as `REQRUN_DRY_RUN`; nil if none does.
  package func environmentName(of option: OptionSpec) -> String? {
    guard option.readsEnvironment else { return nil }
    let bytes = "\(program)_\(option.long)".utf8.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : isLetter(byte) ? byte & 0xDF : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Groups in the order in which they appear, each with its options.
  func groups(_ options: [OptionSpec]) -> [(name: String, options: [OptionSpec])] {
    var names: [String] = []
    for option in options where !names.contains(option.group) { names.append(option.group) }
    return names.map { name in (name, options.filter { $0.group == name }) }
  }
}
