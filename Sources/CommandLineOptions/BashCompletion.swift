extension CommandTable {
  /// Works with bash 3.2 too, the one of macOS.
  var bashCompletion: String {
    let words = commands.map(\.name)
    var lines = [
      "# bash completion for \(program) \(version)",
      "_\(program)() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word= options= arguments= i",
      "  COMPREPLY=()",
      "  # --option=value comes as three words.",
      "  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi",
      "  for ((i = 1; i < COMP_CWORD; i++)); do",
      "    case ${COMP_WORDS[i]} in",
      "      \(words.joined(separator: "|"))) word=${COMP_WORDS[i]}; break ;;",
      "    esac",
      "  done",
      "  case $prev in",
    ]
    for option in allOptions where !option.choices.isEmpty {
      lines.append("    \(names(option).joined(separator: "|"))) \(reply(option.choices)); return ;;")
    }
    let directories = allOptions.filter { $0.takesValue && $0.choices.isEmpty && $0.suggestion == .directories }
    if !directories.isEmpty {
      let pattern = directories.flatMap { names($0) }.joined(separator: "|")
      lines.append("    \(pattern)) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;")
    }
    let others = allOptions.filter { $0.takesValue && $0.choices.isEmpty && $0.suggestion != .directories }
    if !others.isEmpty {
      lines.append("    \(others.flatMap { names($0) }.joined(separator: "|"))) return ;;")
    }
    lines += ["  esac", "  case ${word:-\(defaultWord)} in"]
    for command in commands {
      let all = options(of: command).flatMap { names($0) }.joined(separator: " ")
      let arguments = command.arguments.choices.joined(separator: " ")
      lines.append("    \(command.name)) options=\(singleQuoted(all)) arguments=\(singleQuoted(arguments)) ;;")
    }
    lines += [
      "  esac",
      "  if [[ $cur == -* ]]; then",
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))",
      "  elif [[ -z $word ]]; then",
      "    # Where no word fits, bash offers files.",
      "    \(reply(words))",
      "  elif [[ -n $arguments ]]; then",
      "    COMPREPLY=($(compgen -W \"$arguments\" -- \"$cur\"))",
      "  fi",
      "}",
      "complete -o default -F _\(program) \(program)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func reply(_ choices: [String]) -> String {
    "COMPREPLY=($(compgen -W \(singleQuoted(choices.joined(separator: " "))) -- \"$cur\"))"
  }

  private func names(_ option: OptionSpec) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
  }
}
