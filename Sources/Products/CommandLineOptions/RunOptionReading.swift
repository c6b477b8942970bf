import OperatingSystem
import ReqrunKit
import Values

/// An option set by a command line or the environment, validated by its rule.
struct GivenOption {
  let long: String
  /// Its values in order; for a flag one for each time that it is given.
  let all: [String]
  /// The command that it was given to.
  let command: CommandName

  var last: String { all.last ?? "" }
  var flag: Bool { !all.isEmpty }
  var count: Int { all.count }
  /// The value of an option whose rule is `integer`.
  var integer: Int { Int(last) ?? 0 }

  /// The words of a comma-separated list.
  var words: [String] { commaSeparatedWords(all) }

  /// The values of an option whose rule is `pair`.
  var pairs: [(name: String, value: String)] {
    all.map { text in
      let name = text.prefix { $0 != "=" }
      return (String(name), String(text[name.endIndex...].dropFirst()))
    }
  }

  /// The same by name; of the same name, the last counts.
  var texts: [String: String] { Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }) }

  /// The values of `--var` by name; of the same name, the last counts.
  var variables: [String: RunOptions.VariableValue] {
    get throws(UsageError) {
      var variables: [String: RunOptions.VariableValue] = [:]
      for text in all {
        let (name, value) = try variable(text)
        variables[name] = value
      }
      return variables
    }
  }

  var duration: Duration {
    get throws(UsageError) {
      if let duration = RunOptions.duration(last) { return duration }
      // In HTTPie and curl these are seconds.
      if command == .send, let duration = RunOptions.duration("\(last)s") { return duration }
      throw UsageError("--\(long) \(last) is not a duration", help: "write a number with its unit: 500ms, 10s, 2m")
    }
  }

  var shard: Shard {
    get throws(UsageError) {
      if let shard = Shard(last) { return shard }
      throw UsageError(
        "--\(long) \(last) is not a shard", help: "write I/N with I from 1 to N, such as 1/4, 2/4, 3/4 and 4/4")
    }
  }

  /// The number in `slowest=N`.
  var slowest: Int {
    get throws(UsageError) {
      if let number = pairs.last.flatMap({ Int($0.value) }), (1...1000).contains(number) { return number }
      throw UsageError("--\(long) \(last) has no number of requests", help: "write one from 1 to 1000: slowest=10")
    }
  }

  var size: Int64 {
    get throws(UsageError) {
      if let size = RunOptions.size(last) { return size }
      throw UsageError(
        "--\(long) \(last) is not a size", help: "write bytes, or a number with its unit: 64KiB, 10MB, 1GiB")
    }
  }
}

func commaSeparatedWords(_ lists: [String]) -> [String] {
  lists.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " } }
}

extension CommandTable {
  /// The options of the run that a command line sets.
  package func runOptions(_ command: ParsedCommand) throws(UsageError) -> RunOptions {
    var result = RunOptions()
    if command.name != .send { result.specs = command.arguments.map { .path($0) } }
    if command.name == .export { try takeKind(command, &result) }
    result.userAgent = "\(program)/\(version)"
    for option in self.options(of: command.name.spec) where command.flag(option.long) {
      if let other = option.excludedOption, command.flag(other) {
        throw UsageError("--\(option.long) and --\(other) exclude each other", help: "give one of them")
      }
      if let other = option.neededOption, !command.flag(other) {
        throw UsageError("--\(option.long) goes with --\(other)", help: "give both")
      }
      try option.read(
        &result, GivenOption(long: option.long, all: command.values(of: option.long), command: command.name))
    }
    if command.name == .run, command.flag("watch") { try checkWatched(result, command) }
    if result.outputPaths.count(where: isStandardOutput) > 1 {
      throw UsageError(
        "standard output takes one report or cookie jar, not several", help: "write the others to files")
    }
    return result
  }
}

/// Checks the first argument of an export, which is its kind.
private func takeKind(_ command: ParsedCommand, _ options: inout RunOptions) throws(UsageError) {
  let names = ExportFormat.allCases.map(\.rawValue)
  guard let name = command.arguments.first, names.contains(name) else {
    throw UsageError(
      "`reqrun export` takes one of \(names.joined(separator: ", ")), not \"\(command.arguments.first ?? "")\"",
      help: command.arguments.first.flatMap { nearestWord(to: $0, among: names) }.map { "did you mean `\($0)`?" }
        ?? "write the kind before the files: `reqrun export \(names[0]) tests -o DIRECTORY`")
  }
  guard command.value(of: "directory") != nil else {
    throw UsageError("`reqrun export \(name)` needs a directory", help: "give one with -o DIRECTORY")
  }
  options.specs.removeFirst()
}

/// Rejects input and output that there is only once.
private func checkWatched(_ options: RunOptions, _ command: ParsedCommand) throws(UsageError) {
  if command.arguments.contains("-") {
    throw UsageError("--watch cannot read standard input again", help: "give the name of a file in place of -")
  }
  if options.outputPaths.contains(where: isStandardOutput) {
    throw UsageError(
      "--watch writes reports after each change, so none can go to standard output", help: "write it to a file")
  }
}

extension RunOptions {
  /// The files that the run writes for other programs.
  package var outputPaths: [String] { reports.compactMap(\.path) + (cookieJar.map { [$0] } ?? []) }
}

/// The path of an output file; `-` is standard output.
func outputPath(_ text: String) -> String { text == "-" ? "/dev/stdout" : text }

/// `name=text`, or `name:=json`.
private func variable(_ text: String) throws(UsageError) -> (name: String, value: RunOptions.VariableValue) {
  guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
    throw UsageError("--var takes name=text or name:=json")
  }
  let value = String(text[text.index(after: equals)...])
  let beforeEquals = text.index(before: equals)
  guard text[beforeEquals] == ":" else { return (String(text[..<equals]), .text(value)) }
  return (String(text[..<beforeEquals]), .json(value))
}

func refuseInCI(_ option: GivenOption) throws(UsageError) {
  let isSet = { (name: String) in
    environmentSetting(name).map { !["", "0", "false"].contains($0.lowercased()) } ?? false
  }
  guard option.flag, let variable = ["CI", "GITHUB_ACTIONS", "TF_BUILD"].first(where: isSet) else { return }
  throw UsageError(
    "--\(option.long) is refused in CI (\(variable) is set)", help: "logs are read by others; leave it out")
}

extension ReqrunOptions {
  /// The options of one command, without those of all.
  static func options(of command: CommandName) -> [OptionSpec] { all.filter { $0.commands.contains(command) } }

  /// The options of every command.
  static let global = all.filter(\.commands.isEmpty)
}
