extension CommandTable {
  /// The help on a topic; `format` is how files are written, not the command that formats them.
  package func helpText(on topic: String?, width: Int = 80, isStyled: Bool = false) -> String {
    let name = topic.flatMap { CommandName(rawValue: $0) }
    if let topic, name == nil || topic == formatTopic,
      let text = topicHelp(for: topic, width: max(40, width), isStyled: isStyled)
    {
      return text
    }
    return helpText(for: name, width: width)
  }

  /// The help for a command, or the overview: all commands, then the default command's options, then all pages.
  package func helpText(for name: CommandName? = nil, width: Int = 80) -> String {
    let width = max(40, width)
    let command = name?.spec ?? defaultCommand
    var lines: [String] = []
    if name == nil {
      lines += folded("\(program) \(version): \(summary)", width: width)
    } else {
      lines += folded("\(program) \(command.name): \(command.summary)", width: width)
    }
    lines += [""] + folded("Usage: \(usage(of: command))", width: width, indent: 9, firstIndent: 0)
    if name == nil {
      lines += folded("\(program) COMMAND [OPTION…] [ARGUMENT…]", width: width, indent: 7)
    } else {
      lines += [""] + folded(command.description, width: width)
    }
    if name == nil {
      lines += ["", "Commands:"]
      for command in shownCommands { lines += entry(command.name.rawValue, command.summary, width: width) }
    }
    for group in groups(options(of: command)) {
      lines += ["", "\(group.name):"]
      for option in group.options { lines += entry(synopsis(of: option), option.fullHelp, width: width) }
    }
    lines += [""] + folded(environmentHint(command), width: width)
    if !command.examples.isEmpty {
      lines += ["", "Examples:"]
      for example in command.examples {
        lines += folded(example.explanation, width: width, indent: 2) + ["    " + example.command]
      }
    }
    if command.name == defaultCommand.name, !exitStatuses.isEmpty {
      lines += ["", "Exit status:"]
      for (status, meaning) in exitStatuses { lines += entry(status, meaning, width: width, column: 10) }
    }
    if name == nil {
      lines += pageList(width: width)
      lines += [""] + folded("`\(program) help COMMAND` shows the help of a command", width: width)
      lines += folded("`\(program) help \(formatTopic)` describes the format of the files", width: width)
    } else {
      lines += guideLines(command.name.rawValue, width: width)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line: the program, the command, its arguments.
  func usage(of command: CommandSpec) -> String {
    let name = command.name == defaultCommand.name ? "[\(command.name)]" : command.name.rawValue
    let arguments = command.arguments.usage
    return "\(program) \(name) [OPTION…]" + (arguments.isEmpty ? "" : " \(arguments)")
  }

  /// `-j, --jobs N`
  func synopsis(of option: OptionSpec, indent: String = "    ") -> String {
    let short = option.short.map { "-\($0), " } ?? indent
    return "\(short)--\(option.long)" + (option.valueName.map { " \($0)" } ?? "")
  }

  /// The options of the default command as the README has them: a header and rows.
  package var optionTable: [[String]] {
    [["option", "meaning"]]
      + groups(options(of: defaultCommand)).flatMap(\.options).map {
        ["`\(synopsis(of: $0, indent: ""))`", $0.fullHelp]
      }
  }

  /// The other commands as the documentation has them: a header and rows.
  package var commandTable: [[String]] {
    [["command", "purpose"]]
      + shownCommands.filter { $0.name != defaultCommand.name }.map { command in
        let arguments = command.arguments.usage
        return ["`\(command.name)\(arguments.isEmpty ? "" : " \(arguments)")`", command.summary]
      }
  }

  private func environmentHint(_ command: CommandSpec) -> String {
    let example = options(of: command).lazy.compactMap { environmentName(of: $0) }.first ?? ""
    return """
      Options can also be set in the environment, as \(example) and so on: a flag by 1 or 0, several values on a line \
      each. The command line wins.
      """
  }

  /// A term, and its explanation in the column beside it, or below if the term is too long.
  func entry(_ term: String, _ text: String, width: Int, column: Int = 26) -> [String] {
    let column = min(column, width / 3)
    let explanation = folded(text, width: width, indent: column)
    guard term.count + 4 <= column, let first = explanation.first else { return ["  " + term] + explanation }
    let gap = String(repeating: " ", count: column - term.count - 2)
    return ["  " + term + gap + first.dropFirst(column)] + explanation.dropFirst()
  }
}

/// The words of a text in lines of at most that many characters; a longer word has its own line.
func folded(_ text: String, width: Int, indent: Int = 0, firstIndent: Int? = nil) -> [String] {
  var lines: [String] = []
  var line = String(repeating: " ", count: firstIndent ?? indent)
  var isEmpty = true
  for word in text.split(separator: " ") {
    if !isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = String(repeating: " ", count: indent)
      isEmpty = true
    }
    line += (isEmpty ? "" : " ") + word
    isEmpty = false
  }
  return isEmpty ? lines : lines + [line]
}
