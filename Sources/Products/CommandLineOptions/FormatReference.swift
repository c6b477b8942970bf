/// The reference of the format, in sections; all of it is part of the program.
struct FormatReference: Sendable {
  /// A section of the reference that `help` shows separately.
  struct Section: Sendable {
    /// The name on the command line.
    let name: String
    let title: String
    let blocks: [ReferenceDocument.Block]
    /// The names of the sections below it.
    fileprivate(set) var parts: [String] = []
  }

  static let shared = FormatReference(HelpPage.text(of: "Format") ?? "")

  /// The sections, and the words of their tables.
  static let topics = Set(shared.sections.map(\.name) + shared.words)

  let title: String
  /// The blocks before the first section.
  let beginning: [ReferenceDocument.Block]
  private(set) var sections: [Section] = []

  init(_ markdown: String) {
    let blocks = ReferenceDocument(parsing: markdown).blocks[...]
    var headings = blocks.indices.filter { if case .heading = blocks[$0] { true } else { false } }
    headings.append(blocks.endIndex)
    var title = ""
    var beginning: [ReferenceDocument.Block] = []
    var parent: Int?
    for (start, end) in zip(headings, headings.dropFirst()) {
      guard case .heading(let level, let text) = blocks[start] else { continue }
      let own = Array(blocks[(start + 1)..<end])
      if level == 1 {
        (title, beginning) = (text, own)
        continue
      }
      let section = Section(name: FormatReference.name(of: text), title: text, blocks: own)
      if level == 2 { parent = sections.count } else if let parent { sections[parent].parts.append(section.name) }
      sections.append(section)
    }
    self.title = title
    self.beginning = beginning
  }

  func section(_ name: String) -> Section? { sections.first { $0.name == name } }

  /// The only section with a word in its name.
  func section(naming word: String) -> Section? {
    let near = sections.filter { $0.name.split(separator: "-").contains { $0 == word } }
    return near.count == 1 ? near[0] : nil
  }

  /// The rows of tables about a word of the format, each with its section.
  func rows(of word: String) -> [(section: Section, row: [String])] {
    sections.flatMap { section in
      section.blocks.flatMap { block -> [(Section, [String])] in
        // A row of a matrix means nothing without its header.
        guard case .table(let header, let rows) = block, header.count < 5 else { return [] }
        return rows.filter { FormatReference.words(in: $0[0]).contains(word) }.map { (section, $0) }
      }
    }
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

  /// `files-and-forms` of `Files and forms`, `request` of `A request`, `yaml` of `YAML, as it is read`. Shells take it as
  /// a word: it has letters, digits and hyphens alone.
  private static func name(of title: String) -> String {
    let plain = title.prefix { $0 != "," && $0 != ":" }.filter { $0.isLetter || $0.isNumber || " -".contains($0) }
    var words = plain.lowercased().split(separator: " ")
    if words.count > 1, words[0] == "a" { words.removeFirst() }
    return words.joined(separator: "-")
  }
}
