import Values

/// Splits arguments into options with their values and everything else.
struct ArgumentReader {
  struct Given {
    let option: OptionSpec
    let value: String?
  }

  private(set) var given: [Given] = []
  var positionals: [String] = []

  private let table: CommandTable
  /// The options of the command, the default one until another is named.
  private var own: [OptionSpec]
  /// The command, once it is named.
  private var command: CommandSpec?
  private var rest: ArraySlice<String>

  init(table: CommandTable, arguments: [String]) {
    self.table = table
    own = table.options(of: table.defaultCommand)
    rest = arguments[...]
  }

  /// The options of other commands that have other names.
  private var others: [OptionSpec] {
    table.allOptions.filter { option in !own.contains { $0.long == option.long } }
  }

  private func option(_ matches: (OptionSpec) -> Bool) -> OptionSpec? {
    own.first(where: matches) ?? others.first(where: matches)
  }

  mutating func read() throws(UsageError) {
    while let argument = rest.popFirst() {
      if argument == "--" {
        positionals += rest
        rest = []
      } else if isHelpTopic(argument) {
        positionals.append(argument)
      } else if argument.hasPrefix("--") {
        try readLong(argument.dropFirst(2))
      } else if argument.hasPrefix("-"), argument != "-", !argument.hasPrefix("-:") {
        try readShorts(argument.dropFirst())
      } else {
        if positionals.isEmpty, let command = CommandName(rawValue: argument)?.spec {
          self.command = command
          own = table.options(of: command)
        }
        positionals.append(argument)
      }
    }
  }

  /// Returns whether the argument is an option of other commands after `help`, which it asks about.
  private func isHelpTopic(_ argument: String) -> Bool {
    command?.name == .help && positionals.count == 1 && argument.hasPrefix("-")
      && !own.contains { "--\($0.long)" == argument || $0.short.map { "-\($0)" } == argument }
      && table.isHelpTopic(argument)
  }

  private mutating func readLong(_ text: Substring) throws(UsageError) {
    let equals = text.firstIndex(of: "=")
    let long = String(equals.map { text[..<$0] } ?? text)
    guard let option = option({ $0.long == long }) else { throw unknown(long: long) }
    let value = equals.map { String(text[text.index(after: $0)...]) }
    if option.takesValue {
      try take(option, as: "--\(long)", value)
    } else if value != nil, own.contains(where: { $0.long == long }) {
      throw UsageError("--\(long) takes no value")
    } else if value != nil, command?.foreignOptions[long] != nil {
      // Another tool's option has the name of one of another command.
      throw unknown(long: long)
    } else {
      given.append(Given(option: option, value: nil))
    }
  }

  private mutating func readShorts(_ bundle: Substring) throws(UsageError) {
    if bundle.count > 1, option({ $0.long == bundle }) != nil {
      throw UsageError("unknown option -\(bundle)", help: "did you mean --\(bundle)?")
    }
    var letters = bundle
    while let letter = letters.popFirst() {
      guard let option = option({ $0.short == letter }) else { throw unknown(short: letter, in: bundle) }
      guard option.takesValue else {
        given.append(Given(option: option, value: nil))
        continue
      }
      let attached = letters.first == "=" ? letters.dropFirst() : letters
      try take(option, as: "-\(letter)", letters.isEmpty ? nil : String(attached))
      return
    }
  }

  /// Takes a value: the attached one, or the next argument unless that is an option itself.
  private mutating func take(_ option: OptionSpec, as name: String, _ attached: String?) throws(UsageError) {
    var value = attached
    if value == nil, let next = rest.first, !isOption(next) { value = rest.removeFirst() }
    guard let value else {
      throw UsageError("\(name) needs a value", help: "write \(name) \(option.valueName ?? "")")
    }
    try option.check(value, as: name)
    given.append(Given(option: option, value: value))
  }

  private func isOption(_ argument: String) -> Bool {
    if argument.hasPrefix("--") {
      let long = argument.dropFirst(2).prefix { $0 != "=" }
      return long.isEmpty || option { $0.long == long } != nil
    }
    return argument.count == 2 && argument.hasPrefix("-") && own.contains { $0.short == argument.last }
  }

  private func unknown(long: String) -> UsageError {
    if let command, let advice = command.foreignOptions[long] {
      return UsageError("`\(table.program) \(command.name)` has no --\(long)", help: advice)
    }
    if long.hasPrefix("no-"), own.contains(where: { $0.long == long.dropFirst(3) }) {
      return UsageError("unknown option --\(long)", help: "leave out --\(long.dropFirst(3))")
    }
    let names = (own + others).map(\.long)
    let beginning = names.filter { long.count >= 2 && $0.hasPrefix(long) || $0.count >= 3 && long.hasPrefix($0) }
    let nearest = nearestWord(to: long, among: names) ?? (beginning.count == 1 ? beginning[0] : nil)
    return UsageError(
      "unknown option --\(long)",
      help: nearest.map { "did you mean --\($0)?" } ?? "`\(table.program) help` lists the options")
  }

  private func unknown(short: Character, in bundle: Substring) -> UsageError {
    if let command, let advice = command.foreignOptions[String(short)] {
      return UsageError("`\(table.program) \(command.name)` has no -\(short)", help: advice)
    }
    let place = bundle.count > 1 ? " in -\(bundle)" : ""
    return UsageError("unknown option -\(short)\(place)", help: "`\(table.program) help` lists the options")
  }
}
