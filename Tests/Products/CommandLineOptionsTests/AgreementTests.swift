import CommandLineOptions
import Testing

private let table = CommandTable.reqrun

/// What is told in different places agrees, as all of it comes from the table.
@Suite struct AgreementTests {
  @Test("a name stands for one option, whatever the command; but send has those of HTTPie, --output of check a form")
  func consistency() {
    var longs: [String: String] = [:]
    var shorts: [Character: String] = [:]
    let send = CommandName.send.spec.options
    let ofSend = send.filter { option in table.commands.count { $0.options.contains { $0.long == option.long } } == 1 }
    let names = Set(ofSend.map(\.long) + ["output", "name", "save"])
    for command in table.commands {
      for option in table.options(of: command) where command.name != .send || !names.contains(option.long) {
        let said = "\(option.valueName ?? "") \(option.isRepeatable) \(option.help)"
        let name = option.valueName == "FORMAT" ? "output of a listing" : option.long
        #expect(longs.updateValue(said, forKey: name) ?? said == said, "--\(option.long)")
        if let short = option.short {
          #expect(shorts.updateValue(option.long, forKey: short) ?? option.long == option.long, "-\(short)")
        }
        #expect(!option.help.hasSuffix("."))
      }
    }
    let own = send.compactMap(\.short)
    #expect(Set(own).count == own.count)
    for command in table.commands {
      #expect(!command.summary.isEmpty, "\(command.name)")
    }
  }

  @Test("the examples are understood") func examples() throws {
    for example in table.commands.flatMap(\.examples) where example.command.hasPrefix("reqrun ") {
      let arguments = example.command.split(separator: " ").dropFirst().map(String.init)
      _ = try table.parse(arguments.prefix { $0 != ">" && $0 != "|" }.map { $0 })
    }
  }

  @Test("the help names every option of the command", arguments: CommandName.allCases)
  func help(_ name: CommandName) throws {
    let command = name.spec
    let text = table.helpText(for: name, width: 80)
    for option in table.options(of: command) {
      let value = option.valueName.map { " \($0)" } ?? ""
      #expect(text.contains("--\(option.long)\(value)"), "--\(option.long)")
      for choice in option.choices { #expect(text.contains(choice)) }
    }
  }

  @Test("the overview names every command and the options of the default one") func overview() {
    let text = table.helpText()
    for command in table.commands { #expect(text.contains("\n  \(command.name) ") != command.isHidden) }
    for option in CommandName.run.spec.options { #expect(text.contains("--\(option.long)")) }
    #expect(text.hasPrefix("reqrun \(table.version): "))
  }

  @Test("the help is folded to the width", arguments: [40, 60, 80, 120])
  func folding(_ width: Int) {
    for name in [nil] + CommandName.allCases.map(Optional.some) {
      for line in table.helpText(for: name, width: width).split(separator: "\n") {
        // An example is a command to copy, so it is never folded.
        let isExample = line.hasPrefix("    reqrun") || line.hasPrefix("    source")
        #expect(line.count <= width || isExample, "\(line)")
        #expect(line.last != " ")
      }
    }
  }

  @Test("every shell's completions name every command, option and choice", arguments: CompletionShell.allCases)
  func completions(_ shell: CompletionShell) {
    let text = table.completion(for: shell)
    for command in table.commands { #expect(text.contains(command.name.rawValue)) }
    for option in table.allOptions {
      let spelling = shell == .fish ? "-l \(option.long) " : "--\(option.long)"
      #expect(text.contains(spelling), "--\(option.long)")
      for choice in option.choices { #expect(text.contains(choice)) }
    }
  }

  @Test("the manual names every command, option, variable and exit status") func manual() {
    let text = table.manPage()
    for command in table.commands { #expect(text.contains(".It Cm \(command.name)\n") != command.isHidden) }
    for option in table.allOptions {
      let escaped = option.long.replacingOccurrences(of: "-", with: "\\-")
      #expect(text.contains("Fl \\-\(escaped)") || text.contains("Fl \\-\\&\(escaped)"), "--\(option.long)")
      if let name = table.environmentName(of: option) { #expect(text.contains(".It Ev \(name)\n")) }
    }
    for (_, meaning) in table.exitStatuses { #expect(text.contains(meaning)) }
  }
}
