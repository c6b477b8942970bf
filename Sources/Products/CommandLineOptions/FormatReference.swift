/// The reference of the format, in pages and their sections; all of it is part of the program.
struct FormatReference: Sendable {
  /// A page, or a section of one, that `help` shows separately.
  struct Section: Sendable {
    /// The name on the command line.
    let name: String
    let title: String
    fileprivate(set) var blocks: [ReferenceDocument.Block] = []
    let isPage: Bool
    /// The names of the sections of a page.
    fileprivate(set) var parts: [String] = []
  }

  static let shared = FormatReference(
    HelpPage.groups.map(\.pages).first { $0.contains { $0.topic == formatTopic } } ?? [])

  /// The sections, and the words of their tables.
  static let topics = Set(shared.sections.map(\.name) + shared.words)

  /// Each page, followed by its sections.
  let sections: [Section]

  init(_ pages: [HelpPage]) {
    sections = pages.flatMap { page in
      var sections = [Section(name: page.topic, title: page.title, isPage: true)]
      for block in page.blocks {
        if case .heading(_, let title) = block {
          let name = FormatReference.name(of: title)
          sections[0].parts.append(name)
          sections.append(Section(name: name, title: title, isPage: false))
        } else {
          sections[sections.count - 1].blocks.append(block)
        }
      }
      return sections
    }
  }

  func section(_ name: String) -> Section? { sections.first { $0.name == name } }

  /// The only section with a word in its name.
  func section(naming word: String) -> Section? {
    let near = sections.filter { $0.name.split(separator: "-").contains { $0 == word } }
    return near.count == 1 ? near[0] : nil
  }

  /// The rows of tables about a word of the format, each with its section; those of the index if there are no others.
  func rows(of word: String) -> [(section: Section, row: [String])] {
    let rows: [(section: Section, row: [String])] = sections.flatMap { section in
      section.blocks.flatMap { block -> [(section: Section, row: [String])] in
        // A row of a matrix means nothing without its header.
        guard case .table(let header, let rows) = block, header.count < 5 else { return [] }
        return rows.filter { $0[0].contains(word) && FormatReference.words(in: $0[0]).contains(word) }.map {
          (section: section, row: $0)
        }
      }
    }
    let described = rows.filter { $0.section.name != "all-keys" }
    return described.isEmpty ? rows : described
  }

  /// The words in the first columns of tables.
  var words: [String] {
    sections.flatMap(\.blocks).flatMap { block -> [String] in
      guard case .table(_, let rows) = block else { return [] }
      return rows.flatMap { FormatReference.words(in: $0[0]) }
    }
  }

  /// The words between backticks, without their operands: `sum` of `sum(list)`.
  private static func words(in cell: String) -> [String] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { index in
      String(parts[index].prefix { $0.isLetter || $0.isNumber || "_-.!$".contains($0) })
    }.filter { !$0.isEmpty }
  }

  /// The name for the command line of a title or an anchor: `files-and-forms` of `Files and forms`, `request` of `A
  /// request` and `A-request`. It has letters, digits and hyphens alone.
  static func name(of title: String) -> String {
    let plain = title.filter { $0.isLetter || $0.isNumber || " -".contains($0) }
    var words = plain.lowercased().split { " -".contains($0) }
    if words.count > 1, words[0] == "a" { words.removeFirst() }
    return words.joined(separator: "-")
  }
}
