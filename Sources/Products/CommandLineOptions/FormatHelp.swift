import Values

extension CommandTable {
  /// The help on a topic other than commands: the format, its sections, and the entries in their tables; codes of
  /// diagnostics; pages.
  func topicHelp(for topic: String, width: Int, isStyled: Bool = false) -> String? {
    let reference = FormatReference.shared
    let options = optionLines(topic, width: width)
    var lines: [String]
    if topic == formatTopic, let page = reference.section(topic) {
      lines = sectionLines(page, width: width, isStyled: isStyled)
      lines += ["", "Sections, each by `\(program) help SECTION`:"]
      for section in reference.sections where section.name != topic {
        lines += (section.isPage ? [""] : []) + entry(section.name, section.title, width: width)
      }
      lines += [""] + folded("`\(program) help KEY` explains a key, a predicate or a function", width: width)
    } else if let section = reference.section(topic) {
      lines = sectionLines(section, width: width, isStyled: isStyled)
    } else if let rows = rowLines(reference.rows(of: topic), width: width) {
      lines = rows
    } else if let code = codeLines(topic, width: width, isStyled: isStyled) {
      lines = code
    } else if let page = page(on: topic) {
      lines = pageLines(page, width: width, isStyled: isStyled)
    } else if let section = reference.section(naming: topic) {
      lines = sectionLines(section, width: width, isStyled: isStyled)
    } else if !options.isEmpty {
      lines = []
    } else {
      return nil
    }
    lines += (lines.isEmpty || options.isEmpty ? [] : [""]) + options
    return lines.joined(separator: "\n") + "\n"
  }

  private func sectionLines(_ section: FormatReference.Section, width: Int, isStyled: Bool) -> [String] {
    var lines = [heading(section.title, isStyled: isStyled), ""]
    lines += textLines(section.blocks, width: width, isStyled: isStyled)
    if !section.parts.isEmpty {
      let parts = section.parts.map { "`\(program) help \($0)`" }.joined(separator: ", ")
      lines += [""] + folded("More: \(parts)", width: width)
    }
    return lines + guideLines(section.name, width: width)
  }

  /// Nil if there are none.
  private func rowLines(_ rows: [(section: FormatReference.Section, row: [String])], width: Int) -> [String]? {
    if rows.isEmpty { return nil }
    let entries = rows.map { section, row in
      [section.title + ":"] + entry(row[0], withTopics(row.dropFirst().joined(separator: " · ")), width: width)
        + ["", "More: `\(program) help \(section.name)`"]
    }
    return Array(entries.joined(separator: [""]))
  }

  /// The options with that name, with dashes or without, and their commands.
  private func optionLines(_ topic: String, width: Int) -> [String] {
    let isShort = topic.count == 2 && topic.hasPrefix("-")
    func isMeant(_ option: OptionSpec) -> Bool {
      isShort ? option.short == topic.last : option.long == topic || "--\(option.long)" == topic
    }
    var entries: [(option: OptionSpec, commands: [String])] = globalOptions.filter(isMeant).map {
      ($0, ["all commands"])
    }
    for command in shownCommands {
      for option in command.options where isMeant(option) {
        let name = "`\(program) \(command.name)`"
        if let index = entries.firstIndex(where: {
          synopsis(of: $0.option) == synopsis(of: option) && $0.option.fullHelp == option.fullHelp
        }) {
          entries[index].commands.append(name)
        } else {
          entries.append((option, [name]))
        }
      }
    }
    if entries.isEmpty { return [] }
    return ["Options:"]
      + entries.flatMap { option, commands in
        entry(
          synopsis(of: option, indent: ""), "\(option.fullHelp) · \(commands.joined(separator: ", "))", width: width)
      }
  }

  /// The completions for `help`.
  var helpTopics: [String] {
    shownCommands.map(\.name.rawValue)
      + FormatReference.shared.sections.map(\.name)
      + HelpPage.groups.flatMap(\.pages).map(topic).filter { FormatReference.shared.section($0) == nil }
      + DiagnosticCode.allCases.map(\.rawValue)
  }

  func isHelpTopic(_ topic: String) -> Bool {
    CommandName(rawValue: topic) != nil || !optionLines(topic, width: 80).isEmpty
      || topicHelp(for: topic, width: 80) != nil
  }

  func unknownHelpTopic(_ topic: String) -> UsageError {
    let nearest = nearestWord(to: topic, among: helpTopics + FormatReference.shared.words + allOptions.map(\.long))
    return UsageError(
      "there is no help on \"\(topic)\"",
      help: nearest.map { "did you mean `\(program) help \($0)`?" }
        ?? "`\(program) help` lists the commands, and `\(program) help \(formatTopic)` the sections on the format")
  }

  func textLines(_ blocks: [ReferenceDocument.Block], width: Int, isStyled: Bool) -> [String] {
    var lines: [String] = []
    var isInList = false
    for block in blocks {
      let isItem = if case .item = block { true } else { false }
      if !lines.isEmpty, !(isItem && isInList) { lines.append("") }
      isInList = isItem
      switch block.mapText(withTopics) {
      case .heading(_, let text): lines.append(heading(text, isStyled: isStyled))
      case .paragraph(let text): lines += folded(text, width: width)
      case .item(let text): lines += folded("- " + text, width: width, indent: 2, firstIndent: 0)
      case .code(let code): lines += code.map { $0.isEmpty ? "" : "    " + $0 }
      case .table(let header, let rows) where header.count < 3 && rows.allSatisfy { $0[0].count + 2 <= width }:
        for row in [header] + rows {
          lines += entry(row.first ?? "", row.dropFirst().joined(separator: " · "), width: width)
        }
      case .table(let header, let rows): lines += tableLines([header] + rows, width: width)
      }
    }
    return lines
  }

  func heading(_ text: String, isStyled: Bool) -> String { isStyled ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}

/// The overview topic of the format.
let formatTopic = "format"
