import RequestSpecs
import Values

extension CommandTable {
  /// Parses a command line, without the program's name.
  ///
  /// Options may be anywhere before `--`. The default command may be omitted; an argument similar to a command is
  /// rejected unless it is an existing path. Options that the command line doesn't set come from the environment.
  package func parse(
    _ arguments: [String], environment: (String) -> String? = { _ in nil },
    isExistingPath: (String) -> Bool = { _ in false }
  ) throws(UsageError) -> ParsedCommand {
    var reader = ArgumentReader(table: self, arguments: arguments)
    try reader.read()
    let count = reader.positionals.count
    let command = try takeCommand(&reader.positionals, isExistingPath)
    let isNameGiven = reader.positionals.count < count
    let allowed = options(of: command)
    var settings: [String: [String]] = [:]
    for given in reader.given {
      guard allowed.contains(where: { $0.long == given.option.long }) else {
        throw misplaced(given.option, command)
      }
      settings[given.option.long, default: []].append(given.value ?? "")
    }
    for option in allowed where settings[option.long] == nil {
      guard let name = environmentName(of: option), let text = environment(name), !text.isEmpty else { continue }
      settings[option.long] = try environmentValues(option, name, text)
    }
    let isAskingForHelp = settings["help"] != nil || settings["version"] != nil
    if !isAskingForHelp {
      let areReplaced = command.arguments.replacingOption.map { settings[$0] != nil } ?? false
      // In a project, all of it runs.
      if count == 0, !areReplaced, projectFileNames.contains(where: isExistingPath) { reader.positionals = ["."] }
      try check(reader.positionals, of: command, mayBeMissing: areReplaced)
    }
    return ParsedCommand(
      name: command.name, isNameGiven: isNameGiven, arguments: reader.positionals, settings: settings)
  }

  private func takeCommand(
    _ positionals: inout [String], _ isExistingPath: (String) -> Bool
  ) throws(UsageError) -> CommandSpec {
    guard let first = positionals.first else { return defaultCommand }
    if let command = CommandName(rawValue: first)?.spec {
      positionals.removeFirst()
      return command
    }
    guard !isExistingPath(first) else { return defaultCommand }
    let looksLikeCommand = first.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
    if looksLikeCommand, let nearest = nearestWord(to: first, among: commands.map(\.name.rawValue)) {
      throw UsageError("unknown command \"\(first)\", and there is no such file", help: "did you mean \"\(nearest)\"?")
    }
    return defaultCommand
  }

  private func misplaced(_ option: OptionSpec, _ command: CommandSpec) -> UsageError {
    let owners = commands.filter { $0.options.contains { $0.long == option.long } }.map { "`\(program) \($0.name)`" }
    return UsageError(
      "`\(program) \(command.name)` doesn't take --\(option.long)",
      help: command.foreignOptions[option.long] ?? "it is an option of \(owners.joined(separator: ", "))")
  }

  private func check(
    _ positionals: [String], of command: CommandSpec, mayBeMissing: Bool
  ) throws(UsageError) {
    let spec = command.arguments
    let name = "`\(program) \(command.name)`"
    let help = "`\(program) help \(command.name)` shows how to use it"
    guard positionals.count >= spec.count.lowerBound || mayBeMissing else {
      throw UsageError("\(name) needs \(spec.usage)", help: help)
    }
    guard positionals.count <= spec.count.upperBound else {
      let extra = positionals[spec.count.upperBound]
      throw UsageError("\(name) doesn't take the argument \"\(extra)\"", help: help)
    }
    if command.name == .help, let topic = positionals.first, !isHelpTopic(topic) { throw unknownHelpTopic(topic) }
    guard !spec.choices.isEmpty else { return }
    for argument in positionals where !spec.choices.contains(argument) {
      throw notAmong(spec.choices, argument, of: name)
    }
  }

  private func environmentValues(
    _ option: OptionSpec, _ name: String, _ text: String
  ) throws(UsageError) -> [String] {
    guard option.takesValue else {
      switch text.lowercased() {
      case "1", "true", "yes": return [""]
      case "0", "false", "no": return []
      default: break
      }
      if option.isRepeatable, let count = Int(text), (0...9).contains(count) {
        return Array(repeating: "", count: count)
      }
      throw UsageError(
        "the environment variable \(name) is \"\(text)\"", help: "it is 1, true or yes, or else 0, false or no")
    }
    let values = option.isRepeatable ? text.split(whereSeparator: \.isNewline).map(String.init) : [text]
    for value in values { try option.check(value, as: "the environment variable \(name)") }
    return values
  }
}

extension OptionSpec {
  /// Validates a value by the choices and the rule; `name` is the option as the user wrote it.
  func check(_ value: String, as name: String) throws(UsageError) {
    if !choices.isEmpty, !choices.contains(value) {
      throw notAmong(choices, value, of: name)
    }
    switch rule {
    case .any: break
    case .integer(let range):
      if let number = Int(value), range.contains(number) { return }
      let limits =
        range.upperBound == .max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("\(name) takes a whole number \(limits), not \"\(value)\"")
    case .pair(let keys):
      guard let sign = value.firstIndex(of: "="), sign > value.startIndex else {
        // It may be a secret whose name was forgotten, so it isn't shown.
        throw UsageError(
          "\(name) takes \(valueName ?? ""), but its value has no name followed by \"=\"",
          help: "write \(name) \(valueName ?? "NAME=VALUE")")
      }
      guard keys.isEmpty || keys.contains(String(value[..<sign])) else {
        throw notAmong(keys, String(value[..<sign]), of: "\(name) \(valueName ?? "")")
      }
    }
  }
}

private func notAmong(_ choices: [String], _ value: String, of name: String) -> UsageError {
  let list = choices.count == 1 ? "only \(choices[0])" : "one of \(choices.joined(separator: ", "))"
  let nearest = nearestWord(to: value, among: choices).map { "did you mean \"\($0)\"?" }
  return UsageError("\(name) takes \(list), not \"\(value)\"", help: nearest)
}
