extension CommandTable {
  /// Works with bash 3.2 too, the one of macOS.
  var bashCompletion: String {
    let commands = shownCommands.map(\.name.rawValue)
    var lines = ["# bash completion for \(program) \(version)", functions(PackageResources.completion_bash)]
    lines += [
      "_\(program)() {",
      "  local line=${COMP_LINE:0:COMP_POINT} text option value before= command= options= arguments= i",
      "  COMPREPLY=()",
      "  text=${line##*[[:space:]]}",
      "  # A value stands behind its option, or after its \"=\".",
      "  case $text in",
      "    --*=*) option=${text%%=*} value=${text#*=} before=$option= ;;",
      "    *)",
      "      line=${line%\"$text\"} line=${line%\"${line##*[![:space:]]}\"}",
      "      option=${line##*[[:space:]]} value=$text",
      "      ;;",
      "  esac",
      "  for ((i = 1; i < COMP_CWORD; i++)); do",
      "    case ${COMP_WORDS[i]} in",
      "      \(commands.joined(separator: "|"))) command=${COMP_WORDS[i]}; break ;;",
      "    esac",
      "  done",
      "  case ${command:-\(defaultCommand.name)}:$option in",
    ]
    let valued = allOptions.filter(\.takesValue)
    let pattern = { (options: [OptionSpec]) in options.flatMap { patterns($0) }.joined(separator: "|") }
    for option in valued where !option.choices.isEmpty {
      lines.append("    \(pattern([option]))) _\(program)_offer < \(list(option.choices)); return ;;")
    }
    for option in valued where !option.keys.isEmpty {
      lines.append(
        "    \(pattern([option]))) [[ $value == *=* ]] || _\(program)_offer < \(list(option.keys.map { $0 + "=" })); return ;;"
      )
    }
    let own: [(OptionSpec.Suggestion, String)] = [
      (.directories, "COMPREPLY=($(compgen -d -- \"$value\")); return"),
      (.files, "return"),
      (.names, "_\(program)_offer < <(_\(program)_candidates names \"$1\"); return"),
      (.environments, "_\(program)_offer < <(_\(program)_candidates environments \"$1\"); return"),
      (
        .tags,
        "before+=${value%\"${value##*,}\"} value=${value##*,}; _\(program)_offer < <(_\(program)_candidates tags \"$1\"); return"
      ),
      (.nothing, "compopt +o default 2>/dev/null; return"),
    ]
    for (suggestion, action) in own {
      let options = valued.filter { $0.choices.isEmpty && $0.keys.isEmpty && $0.suggestion == suggestion }
      if !options.isEmpty { lines.append("    \(pattern(options))) \(action) ;;") }
    }
    lines += ["  esac", "  case ${command:-\(defaultCommand.name)} in"]
    for command in shownCommands {
      let all = options(of: command).flatMap { names($0) }.joined(separator: " ")
      let arguments = choices(of: command).joined(separator: " ")
      lines.append("    \(command.name)) options=\(singleQuoted(all)) arguments=\(singleQuoted(arguments)) ;;")
    }
    lines += [
      "  esac",
      "  if [[ $text == -* ]]; then",
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$text\"))",
      "  elif [[ -z $command ]]; then",
      "    # Where no command fits, bash offers files.",
      "    COMPREPLY=($(compgen -W \(singleQuoted(commands.joined(separator: " "))) -- \"$text\"))",
      "  elif [[ -n $arguments ]]; then",
      "    COMPREPLY=($(compgen -W \"$arguments\" -- \"$text\"))",
      "  fi",
      "}",
      "complete -o default -F _\(program) \(program)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func list(_ words: [String]) -> String {
    "<(printf '%s\\n' \(words.map(singleQuoted).joined(separator: " ")))"
  }

  /// The words before values of the option with their commands, which matter where another option has the same name.
  private func patterns(_ option: OptionSpec) -> [String] {
    names(option).flatMap { name in
      let isAmbiguous = allOptions.count { names($0).contains(name) } > 1
      return isAmbiguous ? option.commands.map { "\($0):\(name)" } : ["*:\(name)"]
    }
  }

  private func names(_ option: OptionSpec) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
  }
}
