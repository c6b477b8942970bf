extension CommandTable {
  var zshCompletion: String {
    let names = shownCommands.map(\.name.rawValue)
    var lines = [
      "#compdef \(program)",
      "# zsh completion for \(program) \(version)",
      functions(PackageResources.completion_zsh),
      "_\(program)_first() {",
      "  local -a commands_of_program",
      "  commands_of_program=(",
    ]
    lines += shownCommands.map { "    " + singleQuoted("\($0.name):\($0.summary.replacing(":", with: "\\:"))") }
    lines += [
      "  )",
      "  _describe -t commands command commands_of_program",
      "  _files",
      "}",
      "_\(program)() {",
      "  local command= i",
      "  for ((i = 2; i < CURRENT; i++)); do",
      "    case ${words[i]} in",
      "      (\(names.joined(separator: "|"))) command=${words[i]}; break ;;",
      "    esac",
      "  done",
      "  case $command in",
    ]
    for command in shownCommands {
      lines.append("    (\(command.name))")
      lines += arguments(of: command, first: "1:command:(\(command.name))")
      lines.append("      ;;")
    }
    lines.append("    (*)")
    lines += arguments(of: defaultCommand, first: "1:command or file:_\(program)_first")
    lines += [
      "      ;;",
      "  esac",
      "}",
      "if [ \"$funcstack[1]\" = \"_\(program)\" ]; then _\(program) \"$@\"; else compdef _\(program) \(program); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func arguments(of command: CommandSpec, first: String) -> [String] {
    var specs = options(of: command).flatMap { option in specifications(option) } + [singleQuoted(first)]
    let choices = choices(of: command)
    if !choices.isEmpty {
      specs.append(singleQuoted("*:argument:(\(choices.joined(separator: " ")))"))
    } else if command.arguments.count.upperBound > 0 {
      specs.append(singleQuoted("*:file:_files"))
    }
    return ["      _arguments -s -S : \\"]
      + specs.enumerated().map { index, spec in "        " + spec + (index + 1 < specs.count ? " \\" : "") }
  }

  private func action(_ option: OptionSpec) -> String {
    if !option.choices.isEmpty { return "(\(option.choices.joined(separator: " ")))" }
    if !option.keys.isEmpty { return " _\(program)_pair \(option.keys.joined(separator: " "))" }
    // A function after a space receives the following, and nothing else.
    return switch option.suggestion {
    case .files: "_files"
    case .directories: "_files -/"
    case .tags: " _\(program)_candidates tags"
    case .names: " _\(program)_candidates names"
    case .environments: " _\(program)_candidates environments"
    case .nothing: " "
    }
  }

  /// `'(-j --jobs)'-j+'[help]:N:'`, one for each spelling.
  private func specifications(_ option: OptionSpec) -> [String] {
    let spellings = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
    let prefix = option.isRepeatable ? "*" : spellings.count > 1 ? "(\(spellings.joined(separator: " ")))" : ""
    let help = option.help.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
    var value = ""
    if let name = option.valueName {
      value = ":\(name.replacing(":", with: "\\:")):\(action(option))"
    }
    return spellings.map { spelling in
      let mark = option.takesValue ? (spelling.hasPrefix("--") ? "=" : "+") : ""
      return singleQuoted("\(prefix)\(spelling)\(mark)[\(help)]\(value)")
    }
  }
}
