extension CommandTable {
  var zshCompletion: String {
    let words = commands.map(\.name)
    var lines = [
      "#compdef \(program)",
      "# zsh completion for \(program) \(version)",
      "_\(program)_first() {",
      "  local -a words_of_program",
      "  words_of_program=(",
    ]
    lines += commands.map { "    " + singleQuoted("\($0.name):\($0.summary.replacing(":", with: "\\:"))") }
    lines += [
      "  )",
      "  _describe -t commands word words_of_program",
      "  _files",
      "}",
      "_\(program)() {",
      "  local word= i",
      "  for ((i = 2; i < CURRENT; i++)); do",
      "    case ${words[i]} in",
      "      (\(words.joined(separator: "|"))) word=${words[i]}; break ;;",
      "    esac",
      "  done",
      "  case $word in",
    ]
    for command in commands {
      lines.append("    (\(command.name))")
      lines += arguments(of: command, first: "1:word:(\(command.name))")
      lines.append("      ;;")
    }
    if let command = command(defaultWord) {
      lines.append("    (*)")
      lines += arguments(of: command, first: "1:word or file:_\(program)_first")
      lines.append("      ;;")
    }
    lines += [
      "  esac",
      "}",
      "if [ \"$funcstack[1]\" = \"_\(program)\" ]; then _\(program) \"$@\"; else compdef _\(program) \(program); fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func arguments(of command: CommandSpec, first: String) -> [String] {
    var specs = options(of: command).flatMap { option in specifications(option) } + [singleQuoted(first)]
    if !command.arguments.choices.isEmpty {
      specs.append(singleQuoted("*:argument:(\(command.arguments.choices.joined(separator: " ")))"))
    } else if command.arguments.count.upperBound > 0 {
      specs.append(singleQuoted("*:file:_files"))
    }
    return ["      _arguments -s -S : \\"]
      + specs.enumerated().map { index, spec in "        " + spec + (index + 1 < specs.count ? " \\" : "") }
  }

  /// `'(-j --jobs)'-j+'[help]:N:'`, one for each spelling.
  private func specifications(_ option: OptionSpec) -> [String] {
    let spellings = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.long)"]
    let prefix = option.isRepeatable ? "*" : spellings.count > 1 ? "(\(spellings.joined(separator: " ")))" : ""
    let help = option.help.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
    var value = ""
    if let name = option.valueName {
      let action =
        !option.choices.isEmpty
        ? "(\(option.choices.joined(separator: " ")))"
        : option.suggestion == .files ? "_files" : option.suggestion == .directories ? "_files -/" : " "
      value = ":\(name.replacing(":", with: "\\:")):\(action)"
    }
    return spellings.map { spelling in
      let mark = option.takesValue ? (spelling.hasPrefix("--") ? "=" : "+") : ""
      return singleQuoted("\(prefix)\(spelling)\(mark)[\(help)]\(value)")
    }
  }
}
