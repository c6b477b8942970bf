import Values

/// Reads the entries of a Hurl file.
struct HurlParser {
  var reader: HurlReader
  private(set) var entries: [HurlEntry] = []
  /// The comments at the beginning, before those of the first entry.
  private(set) var comments: [String] = []
  /// The place and the message of the error that ended reading.
  private(set) var failure: (range: Range<Int>, message: String, help: String?)?
  /// The place of the name of the section that is read.
  private var section = 0
  var entry = HurlEntry()
  /// The blank lines and comments that were skipped last, and the number of the entry's comments before them.
  var lastBlank: (range: Range<Int>, comments: Int)?

  init(_ bytes: [UInt8]) {
    reader = HurlReader(bytes: bytes)
    while failure == nil {
      let blocks = blankLines()
      // The first block follows the last entry without a blank line.
      let isAtEnd = reader.isAtEnd
      if !entries.isEmpty { entries[entries.count - 1].innerComments += isAtEnd ? blocks.flatMap(\.self) : blocks[0] }
      if isAtEnd { break }
      entry = HurlEntry()
      reader.names = []
      if entries.isEmpty {
        let blocks = blocks.filter { !$0.isEmpty }
        comments = blocks.dropLast().flatMap(\.self)
        entry.comments = blocks.last ?? []
      } else {
        entry.comments = blocks.dropFirst().flatMap(\.self)
      }
      readEntry()
    }
  }

  mutating func fail(_ message: String, help: String? = nil) {
    failure = (reader.position..<max(reader.lineEnd, min(reader.position + 1, reader.bytes.count)), message, help)
  }

  /// Skips blank lines and comments, and returns the comments in the blocks that blank lines make.
  mutating func blankLines() -> [[String]] {
    var blocks: [[String]] = [[]]
    while !reader.isAtEnd {
      let start = reader.position
      reader.skipBlanks()
      if reader.byte == UInt8(ascii: "#") {
        let text = reader.text((reader.position + 1)..<reader.lineEnd)
        blocks[blocks.count - 1].append(text.hasPrefix(" ") ? String(text.dropFirst()) : text)
        reader.skipLine()
      } else if reader.skipLineEnd() {
        if blocks.count == 1 || blocks.last?.isEmpty == false { blocks.append([]) }
      } else {
        reader.position = start
        break
      }
    }
    return blocks
  }

  /// Skips blank lines and comments within an entry.
  mutating func skipBlankLines() {
    let start = reader.position
    let count = entry.innerComments.count
    entry.innerComments += blankLines().joined().filter { !$0.trimmed.isEmpty }
    if reader.position > start { lastBlank = (start..<reader.position, count) }
  }

  /// Gives blank lines and comments back that were skipped last: they belong to the next entry.
  mutating func endEntry() {
    guard let (range, count) = lastBlank, range.upperBound == reader.position else { return }
    reader.position = range.lowerBound
    entry.innerComments.removeSubrange(count...)
  }

  /// Skips what is left of a line, which must be a comment.
  mutating func endLine(_ part: String) {
    if !reader.skipLineEnd() { fail("expected the end of the line after \(part)") }
  }

  // MARK: requests

  mutating func readEntry() {
    let start = reader.position
    while let byte = reader.byte, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { reader.position += 1 }
    let method = reader.text(start..<reader.position)
    let methodEnd = reader.position
    reader.skipBlanks()
    guard !method.isEmpty, method != "HTTP", reader.position > methodEnd, let url = reader.text(.line), !url.isEmpty
    else {
      reader.position = start
      return fail("expected a request, such as `GET https://example.org`")
    }
    entry.request.url = url
    entry.request.method = ImportedText(method)
    endLine("the URL")
    readRequest()
    skipBlankLines()
    if failure == nil, isAtResponse { readResponse() }
    endEntry()
    entry.names = reader.names
    entries.append(entry)
  }

  mutating func readRequest() {
    while failure == nil {
      skipBlankLines()
      if isAtResponse { return }
      if let name = sectionName() {
        readRequestSection(name)
      } else if let name = reader.key() {
        entry.request.headers.append(.init(name: name, value: lineText()))
      } else if let (body, type) = body() {
        entry.request.body = body
        if let type, entry.request.header("Content-Type") == nil {
          entry.request.headers.append(.init(name: "Content-Type", value: type))
        }
        return endLine("the body")
      } else {
        return
      }
    }
  }

  mutating func readRequestSection(_ name: String) {
    switch name {
    case "Query", "QueryStringParams": entry.query += pairs()
    case "Form", "FormParams": entry.form += pairs()
    case "Cookies": entry.request.cookies += pairs()
    case "BasicAuth":
      entry.request.credentials = pairs().first.map { .account(.basic, username: $0.name, password: $0.value) }
    case "Multipart", "MultipartFormData":
      while failure == nil, let name = itemKey() { entry.multipart.append(part(name)) }
    case "Options":
      while failure == nil {
        skipBlankLines()
        let start = reader.position
        let end = reader.lineEnd
        guard let name = reader.key()?.literal else {
          reader.position = start
          return
        }
        let source = reader.text(start..<end).trimmed
        entry.options.append(HurlEntry.Option(name: name, value: lineText(), source: source))
      }
    default: skipSection(name)
    }
  }

  mutating func part(_ name: ImportedText) -> ImportedRequest.Part {
    reader.skipBlanks()
    guard let path = reader.literalFile() else { return ImportedRequest.Part(name: name, content: .text(lineText())) }
    let type = lineText()
    // Hurl sends the path as the name of the file.
    let filename = path.source.contains("/") ? path : nil
    return ImportedRequest.Part(name: name, content: .file(path), filename: filename, type: type.isEmpty ? nil : type)
  }

  mutating func pairs() -> [HurlEntry.Pair] {
    var result: [HurlEntry.Pair] = []
    while failure == nil, let name = itemKey() { result.append(HurlEntry.Pair(name: name, value: lineText())) }
    return result
  }

  mutating func itemKey() -> ImportedText? {
    skipBlankLines()
    return reader.key()
  }

  /// The text up to the end of the line, which is skipped.
  mutating func lineText() -> ImportedText {
    reader.skipBlanks()
    let text = reader.text(.line) ?? ImportedText()
    endLine("a value")
    return text
  }

  /// The name of a section whose line is at the position, which is skipped.
  mutating func sectionName() -> String? {
    let start = reader.position
    reader.skipBlanks()
    section = reader.position
    if reader.skip("[") {
      let name = reader.word()
      if !name.isEmpty, Int(name) == nil, reader.skip("]"), reader.skipLineEnd() { return name }
    }
    reader.position = start
    return nil
  }

  private static let sections = [
    "Asserts", "BasicAuth", "Captures", "Cookies", "Form", "FormParams", "Multipart", "MultipartFormData", "Options",
    "Query", "QueryStringParams",
  ]

  /// Skips the lines of a section that isn't known.
  mutating func skipSection(_ name: String) {
    if let near = nearestWord(to: name, among: Self.sections) {
      reader.position = section
      return fail("there is no section `[\(name)]`", help: "did you mean `[\(near)]`?")
    }
    var lines = ["[\(name)]"]
    while true {
      skipBlankLines()
      let start = reader.position
      if reader.isAtEnd || isAtResponse { break }
      if sectionName() != nil || (reader.key() == nil && !isAtAssert) {
        reader.position = start
        break
      }
      reader.position = start
      lines.append(reader.text(start..<reader.lineEnd))
      reader.skipLine()
    }
    entry.request.remark("sections", lines.joined(separator: "\n"))
  }
}
