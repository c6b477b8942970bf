import Values

extension CommandTable {
  /// The manual page in mdoc(7), section 1.
  package func manPage() -> String {
    var page = [
      ".Dd \(date)", ".Dt \(program.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(program)", ".Nd \(escaped(summary))",
      ".Sh SYNOPSIS",
    ]
    for command in commands where !command.isHidden {
      page += [
        ".Nm", command.name == defaultCommand.name ? ".Op Cm \(command.name)" : ".Cm \(command.name)",
        ".Op Ar option ...",
      ]
      if !command.arguments.usage.isEmpty { page.append(".Ar \(argument(command.arguments.usage))") }
    }
    page.append(".Sh DESCRIPTION")
    page += text(defaultCommand.description) + [".Pp", "The commands are:", ".Bl -tag -width Ds"]
    for command in commands where !command.isHidden {
      page +=
        [".It Cm \(command.name)"] + text(command.name == defaultCommand.name ? command.summary : command.description)
    }
    page += [
      ".El", ".Sh OPTIONS", "Options may stand anywhere; if one that takes a single value is given twice, the last",
    ]
    page += ["wins.", "A lone", ".Ql \\-\\-", "ends the options."]
    for command in commands where !command.options.isEmpty {
      page += [".Ss Options of \(command.name)"] + list(command.options)
    }
    page += [".Ss Options of every command"] + list(globalOptions)
    page += environment + exitStatus + examples
    page += [".Sh SEE ALSO", ".Xr \(program)-format 5"]
    return page.joined(separator: "\n") + "\n"
  }

  private func list(_ options: [OptionSpec]) -> [String] {
    var lines = [".Bl -tag -width Ds"]
    for option in options {
      let short = option.short.map { "Fl \($0) , " } ?? ""
      let value = option.valueName.map { " Ar \(argument($0))" } ?? ""
      lines += [".It \(short)Fl \\-\(argument(option.long))\(value)"] + text(option.fullHelp)
    }
    return lines + [".El"]
  }

  private var environment: [String] {
    var lines = [".Sh ENVIRONMENT"]
    lines += text(
      "Each option can be set by a variable, and the command line wins. A flag is set by 1, true or yes, and not by 0, false or no. Several values of one option stand on a line each"
    )
    lines += [".Bl -tag -width Ds"]
    for option in allOptions {
      guard let name = environmentName(of: option) else { continue }
      lines += [".It Ev \(name)", ".Fl \\-\(argument(option.long))"]
    }
    return lines + [".El"]
  }

  private var exitStatus: [String] {
    guard !exitStatuses.isEmpty else { return [] }
    var lines = [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    for (status, meaning) in exitStatuses { lines += [".It \(argument(status))"] + text(meaning) }
    return lines + [".El"]
  }

  private var examples: [String] {
    let all = commands.flatMap(\.examples)
    guard !all.isEmpty else { return [] }
    var lines = [".Sh EXAMPLES"]
    for (index, example) in all.enumerated() {
      if index > 0 { lines.append(".Pp") }
      lines += text(example.explanation, end: ":") + [".Dl \(argument(example.command))"]
    }
    return lines
  }

  /// A paragraph, with each sentence on its own line, as mdoc requires.
  func text(_ paragraph: String, end: String = ".") -> [String] {
    var lines: [String] = []
    var rest = escaped(paragraph)[...]
    while let stop = rest.firstRange(of: ". ") {
      lines.append(String(rest[..<stop.lowerBound]) + ".")
      rest = rest[stop.upperBound...]
    }
    lines.append(String(rest) + (rest.hasSuffix(end) ? "" : end))
    return lines.map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : $0 }
  }

  /// Text for a macro's line: no word of it may be taken for a macro or a delimiter.
  func argument(_ text: String) -> String {
    escaped(text).split(separator: " ").map { word in
      word.count <= 3 ? "\\&" + word : String(word)
    }.joined(separator: " ").replacing("\"", with: "\\(dq")
  }

  func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "`": result += "\\(ga"
      case "…": result += "..."
      case _ where !scalar.isASCII: result += "\\[u\(hexadecimal(scalar.value, digits: 4).uppercased())]"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
