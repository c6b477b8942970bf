/// A document of headings, paragraphs, lists, tables and code: the part of Markdown that the documentation uses.
struct ReferenceDocument {
  enum Block: Sendable, Hashable {
    /// A heading with its level; 1 is the title of the document.
    case heading(Int, String)
    case paragraph(String)
    case item(String)
    case code([String])
    case table(header: [String], rows: [[String]])

    /// The block with its text, but not its code, transformed.
    func mapText(_ transform: (String) -> String) -> Block {
      switch self {
      case .heading(let level, let text): .heading(level, transform(text))
      case .paragraph(let text): .paragraph(transform(text))
      case .item(let text): .item(transform(text))
      case .code: self
      case .table(let header, let rows): .table(header: header.map(transform), rows: rows.map { $0.map(transform) })
      }
    }
  }

  private(set) var blocks: [Block] = []
  private var text: [String] = []
  private var isItem = false
  private var rows: [[String]] = []
  private var code: [String]?
  /// Indicates whether the lines are HTML or a directive of the site, up to the next empty line.
  private var isSkipped = false

  init(parsing markdown: String) {
    for line in markdown.parts(separatedBy: "\n") { read(String(line)) }
    endBlock()
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("```") {
      if let code { blocks.append(.code(code)) } else { endBlock() }
      code = code == nil ? [] : nil
    } else if code != nil {
      code?.append(line)
    } else if isSkipped {
      isSkipped = !line.isEmpty
    } else if line.hasPrefix("|") {
      if rows.isEmpty { endBlock() }
      rows.append(ReferenceDocument.cells(line))
    } else if line.isEmpty || line.hasPrefix("<!--") {
      endBlock()
    } else if text.isEmpty, ["@", "![", "<"].contains(where: line.hasPrefix), !line.hasPrefix("<doc:") {
      endBlock()
      isSkipped = true
    } else if line.hasPrefix("#") {
      endBlock()
      let level = line.prefix { $0 == "#" }.count
      blocks.append(.heading(level, String(line.dropFirst(level + 1))))
    } else if line.hasPrefix("- ") {
      endBlock()
      isItem = true
      text = [String(line.dropFirst(2))]
    } else {
      text.append(String(line.drop { $0 == " " }))
    }
  }

  private mutating func endBlock() {
    if !text.isEmpty {
      let joined = ReferenceDocument.plain(text.joined(separator: " "))
      blocks.append(isItem ? .item(joined) : .paragraph(joined))
    }
    // A row of dashes follows the header.
    if rows.count > 2 { blocks.append(.table(header: rows[0], rows: Array(rows[2...]))) }
    (text, rows, isItem) = ([], [], false)
  }

  private static func cells(_ line: String) -> [String] {
    let row = line.utf8.contains(UInt8(ascii: "\\")) ? line.replacing("\\|", with: "\u{0}") : line
    return row.utf8.dropFirst().split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).dropLast().map {
      let text = plain($0.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }.joined(separator: " "))
      return row == line ? text : text.replacing("\u{0}", with: "|")
    }
  }

  /// The text without the marks of bold text, symbols and links; the addresses of other sites follow their text.
  private static func plain(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "]") })
    else { return text }
    var rest = text.replacing("**", with: "").replacing("``", with: "`")[...]
    var result = ""
    while let middle = rest.firstRange(of: "]("), let end = rest[middle.upperBound...].firstIndex(of: ")") {
      // Brackets in code belong to no link.
      let start = rest[..<middle.lowerBound].indices.last {
        rest[$0] == "[" && rest[$0..<middle.lowerBound].count { $0 == "`" }.isMultiple(of: 2)
      }
      guard let start else { break }
      let address = rest[middle.upperBound..<end]
      result += rest[..<start] + rest[rest.index(after: start)..<middle.lowerBound]
      if address.hasPrefix("http") { result += " (\(address))" }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
