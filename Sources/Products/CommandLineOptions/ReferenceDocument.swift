/// A document of headings, paragraphs, lists, tables and code: the part of Markdown that the reference of the format
/// uses.
struct ReferenceDocument {
  enum Block: Sendable {
    /// A heading with its level; 1 is the title of the document.
    case heading(Int, String)
    case paragraph(String)
    case item(String)
    case code([String])
    case table(header: [String], rows: [[String]])
  }

  private(set) var blocks: [Block] = []
  private var text: [String] = []
  private var isItem = false
  private var rows: [[String]] = []
  private var code: [String]?

  init(parsing markdown: String) {
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) { read(String(line)) }
    endBlock()
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("```") {
      if let code { blocks.append(.code(code)) } else { endBlock() }
      code = code == nil ? [] : nil
    } else if code != nil {
      code?.append(line)
    } else if line.hasPrefix("|") {
      if rows.isEmpty { endBlock() }
      rows.append(ReferenceDocument.cells(line))
    } else if line.isEmpty || line.hasPrefix("<!--") {
      endBlock()
    } else if line.hasPrefix("#") {
      endBlock()
      let level = line.prefix { $0 == "#" }.count
      blocks.append(.heading(level, String(line.dropFirst(level + 1))))
    } else if line.hasPrefix("- ") {
      endBlock()
      isItem = true
      text = [ReferenceDocument.plain(String(line.dropFirst(2)))]
    } else {
      text.append(ReferenceDocument.plain(String(line.drop { $0 == " " })))
    }
  }

  private mutating func endBlock() {
    if !text.isEmpty {
      let joined = text.joined(separator: " ")
      blocks.append(isItem ? .item(joined) : .paragraph(joined))
    }
    // A row of dashes follows the header.
    if rows.count > 2 { blocks.append(.table(header: rows[0], rows: Array(rows[2...]))) }
    (text, rows, isItem) = ([], [], false)
  }

  private static func cells(_ line: String) -> [String] {
    line.dropFirst().replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false).dropLast()
      .map { cell in
        let text = plain(String(cell).replacing("\u{0}", with: "|"))
        return text.split(separator: " ").joined(separator: " ")
      }
  }

  /// The text without the marks of bold text.
  private static func plain(_ text: String) -> String { text.replacing("**", with: "") }
}
