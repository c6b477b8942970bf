extension CommandTable {
  var fishCompletion: String {
    let others = shownCommands.map(\.name).filter { $0 != defaultCommand.name }.map(\.rawValue).joined(separator: " ")
    var lines = ["# fish completion for \(program) \(version)", functions(PackageResources.completion_fish)]
    for command in shownCommands {
      lines.append(
        "complete -c \(program) -n '__fish_use_subcommand' -a \(command.name) -d \(fishQuoted(command.summary))")
    }
    for option in globalOptions { lines.append(line(option, condition: nil)) }
    for command in shownCommands {
      let condition =
        command.name == defaultCommand.name
        ? "not __fish_seen_subcommand_from \(others)" : "__fish_seen_subcommand_from \(command.name)"
      for option in command.options { lines.append(line(option, condition: condition)) }
      let choices = choices(of: command)
      if !choices.isEmpty {
        lines.append("complete -c \(program) -n '\(condition)' -f -a \(fishQuoted(choices.joined(separator: " ")))")
      } else if command.arguments.count.upperBound == 0 {
        lines.append("complete -c \(program) -n '\(condition)' -f")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ option: OptionSpec, condition: String?) -> String {
    var parts = ["complete -c \(program)"]
    if let condition { parts.append("-n '\(condition)'") }
    if let short = option.short { parts.append("-s \(short)") }
    parts.append("-l \(option.long)")
    if option.takesValue {
      if !option.keys.isEmpty {
        parts.append("-r -F -a \(fishQuoted(option.keys.map { $0 + "=" }.joined(separator: " ")))")
      } else if !option.choices.isEmpty {
        parts.append("-x -a \(fishQuoted(option.choices.joined(separator: " ")))")
      } else {
        switch option.suggestion {
        case .files: parts.append("-r -F")
        case .directories: parts.append("-x -a '(__fish_complete_directories)'")
        case .tags: parts.append("-x -a '(__fish_complete_list , \"__\(program)_candidates tags\")'")
        case .names: parts.append("-x -a '(__\(program)_candidates names)'")
        case .environments: parts.append("-x -a '(__\(program)_candidates environments)'")
        case .nothing: parts.append("-x")
        }
      }
    }
    parts.append("-d \(fishQuoted(option.help))")
    return parts.joined(separator: " ")
  }

  /// Fish undoes `\\` and `\'` inside single quotes.
  private func fishQuoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
