import Diagnostics
import Values

/// Reads the entries of a Hurl file.
struct HurlParser {
  private var reader: HurlReader
  private(set) var entries: [HurlEntry] = []
  /// The comments at the beginning, before those of the first entry.
  private(set) var comments: [String] = []
  /// The place and the message of the error that ended reading.
  private(set) var failure: (range: Range<Int>, message: String)?
  private var entry = HurlEntry()
  /// The blank lines and comments that were skipped last, and the number of the entry's comments before them.
  private var lastBlank: (range: Range<Int>, comments: Int)?

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

  private mutating func fail(_ message: String) {
    failure = (reader.position..<max(reader.lineEnd, min(reader.position + 1, reader.bytes.count)), message)
  }

  /// Skips blank lines and comments, and returns the comments in the blocks that blank lines make.
  private mutating func blankLines() -> [[String]] {
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
  private mutating func skipBlankLines() {
    let start = reader.position
    let count = entry.innerComments.count
    entry.innerComments += blankLines().joined().filter { !$0.trimmed.isEmpty }
    if reader.position > start { lastBlank = (start..<reader.position, count) }
  }

  /// Gives blank lines and comments back that were skipped last: they belong to the next entry.
  private mutating func endEntry() {
    guard let (range, count) = lastBlank, range.upperBound == reader.position else { return }
    reader.position = range.lowerBound
    entry.innerComments.removeSubrange(count...)
  }

  /// Skips what is left of a line, which must be a comment.
  private mutating func endLine(_ part: String) {
    if !reader.skipLineEnd() { fail("expected the end of the line after \(part)") }
  }

  // MARK: requests

  private mutating func readEntry() {
    let start = reader.position
    while let byte = reader.byte, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { reader.position += 1 }
    entry.method = reader.text(start..<reader.position)
    let methodEnd = reader.position
    reader.skipBlanks()
    guard !entry.method.isEmpty, entry.method != "HTTP", reader.position > methodEnd, let url = reader.text(.line),
      !url.isEmpty
    else {
      reader.position = start
      return fail("expected a request, such as `GET https://example.org`")
    }
    entry.url = url
    endLine("the URL")
    readRequest()
    skipBlankLines()
    if failure == nil, isAtResponse { readResponse() }
    endEntry()
    entry.names = reader.names
    entries.append(entry)
  }

  private mutating func readRequest() {
    while failure == nil {
      skipBlankLines()
      if isAtResponse { return }
      if let name = sectionName() {
        readRequestSection(name)
      } else if let name = reader.key() {
        entry.headers.append(HurlEntry.Pair(name: name, value: lineText()))
      } else if let body = body() {
        entry.body = body
        return endLine("the body")
      } else {
        return
      }
    }
  }

  private mutating func readRequestSection(_ name: String) {
    switch name {
    case "Query", "QueryStringParams": entry.query += pairs()
    case "Form", "FormParams": entry.form = (entry.form ?? []) + pairs()
    case "Cookies": entry.cookies += pairs()
    case "BasicAuth": entry.account = pairs().first
    case "Multipart", "MultipartFormData":
      var parts = entry.multipart ?? []
      while failure == nil, let name = itemKey() { parts.append(part(name)) }
      entry.multipart = parts
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

  private mutating func part(_ name: ImportedText) -> ImportedRequest.Part {
    reader.skipBlanks()
    guard let path = reader.literalFile() else { return ImportedRequest.Part(name: name, content: .text(lineText())) }
    let type = lineText()
    // Hurl sends the path as the name of the file.
    let filename = path.source.contains("/") ? path : nil
    return ImportedRequest.Part(name: name, content: .file(path), filename: filename, type: type.isEmpty ? nil : type)
  }

  private mutating func pairs() -> [HurlEntry.Pair] {
    var result: [HurlEntry.Pair] = []
    while failure == nil, let name = itemKey() { result.append(HurlEntry.Pair(name: name, value: lineText())) }
    return result
  }

  private mutating func itemKey() -> ImportedText? {
    skipBlankLines()
    return reader.key()
  }

  /// The text up to the end of the line, which is skipped.
  private mutating func lineText() -> ImportedText {
    reader.skipBlanks()
    let text = reader.text(.line) ?? ImportedText()
    endLine("a value")
    return text
  }

  /// The name of a section whose line is at the position, which is skipped.
  private mutating func sectionName() -> String? {
    let start = reader.position
    reader.skipBlanks()
    if reader.skip("[") {
      let name = reader.word()
      if !name.isEmpty, Int(name) == nil, reader.skip("]"), reader.skipLineEnd() { return name }
    }
    reader.position = start
    return nil
  }

  /// Skips the lines of a section that isn't known.
  private mutating func skipSection(_ name: String) {
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
    entry.untranslated.append(Untranslated(reason: "sections", source: lines.joined(separator: "\n")))
  }

  // MARK: responses

  private var isAtResponse: Bool {
    var reader = reader
    return Self.status(&reader) != nil
  }

  /// The version and the status of a response's line.
  private static func status(_ reader: inout HurlReader) -> (version: String?, status: Int?)? {
    reader.skipBlanks()
    guard reader.skip("HTTP") else { return nil }
    var version: String?
    if reader.skip("/") {
      guard let number = reader.number() else { return nil }
      version = number
    }
    guard reader.byte == UInt8(ascii: " ") || reader.byte == UInt8(ascii: "\t") else { return nil }
    reader.skipBlanks()
    if reader.skip("*") { return (version, nil) }
    guard let number = reader.number().flatMap({ Int($0) }) else { return nil }
    return (version, number)
  }

  private mutating func readResponse() {
    guard let (version, status) = Self.status(&reader) else { return }
    var response = HurlResponse(version: version, status: status)
    endLine("the status")
    while failure == nil {
      skipBlankLines()
      if let name = sectionName() {
        switch name {
        case "Captures": while failure == nil, readCapture(&response) {}
        case "Asserts": while failure == nil, readAssert(&response) {}
        default: skipSection(name)
        }
      } else if isAtResponse {
        return fail("expected a request before another response")
      } else if let name = reader.key() {
        response.headers.append(HurlEntry.Pair(name: name, value: lineText()))
      } else if let body = body() {
        if case .graphql(let query, nil) = body, let query = query.literal {
          response.body = .json(ImportedText(Self.request(query: query)))
        } else {
          response.body = body
        }
        endLine("the body")
        break
      } else {
        break
      }
    }
    entry.response = response
  }

  private mutating func readCapture(_ response: inout HurlResponse) -> Bool {
    skipBlankLines()
    let start = reader.position
    guard let name = reader.key() else { return false }
    let source = { (reader: HurlReader) in reader.text(start..<reader.lineEnd).trimmed }
    reader.skipBlanks()
    if let name = name.literal, let query = query(), let filters = HurlFilter.all(&reader) {
      reader.skipBlanks()
      let isSecret = reader.skip("redact")
      let text = source(reader)
      if reader.skipLineEnd() {
        response.captures.append(
          HurlCapture(name: name, query: query, filters: filters, isSecret: isSecret, source: text))
        return true
      }
    }
    reader.position = start
    entry.untranslated.append(Untranslated(reason: "captures", source: source(reader)))
    reader.skipLine()
    return true
  }

  /// Indicates whether the line begins like an assertion.
  private var isAtAssert: Bool {
    var reader = reader
    reader.skipBlanks()
    guard let byte = reader.byte, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) else { return false }
    let word = reader.word()
    if reader.byte == UInt8(ascii: ",") || ["true", "false", "null"].contains(word) { return false }
    return reader.byte == UInt8(ascii: " ") || reader.byte == UInt8(ascii: "\t")
  }

  private mutating func readAssert(_ response: inout HurlResponse) -> Bool {
    skipBlankLines()
    guard isAtAssert else { return false }
    let start = reader.position
    if let query = query(), let filters = HurlFilter.all(&reader), let predicate = predicate() {
      let source = reader.text(start..<reader.position).trimmed
      if reader.skipLineEnd() {
        response.asserts.append(HurlAssert(query: query, filters: filters, predicate: predicate, source: source))
        return true
      }
    }
    reader.position = start
    entry.untranslated.append(
      Untranslated(reason: "assertions", source: reader.text(start..<reader.lineEnd).trimmed))
    reader.skipLine()
    return true
  }

  /// The words of queries, and whether they take a text.
  private static let queries = [
    "body": false, "bytes": false, "certificate": true, "cookie": true, "duration": false, "header": true, "ip": false,
    "jsonpath": true, "md5": false, "rawbytes": false, "redirects": false, "regex": true, "sha256": false,
    "status": false, "url": false, "variable": true, "version": false, "xpath": true,
  ]

  private mutating func query() -> HurlQuery? {
    reader.skipBlanks()
    let word = reader.word()
    guard let takesText = Self.queries[word] else { return nil }
    guard takesText else { return HurlQuery(word: word, argument: nil) }
    reader.skipBlanks()
    if word == "regex", let pattern = reader.regex() { return HurlQuery(word: word, argument: .regex(pattern)) }
    guard reader.skip("\""), let text = reader.text(.quoted) else { return nil }
    return HurlQuery(word: word, argument: .text(text))
  }

  private mutating func predicate() -> HurlPredicate? {
    reader.skipBlanks()
    var start = reader.position
    var word = reader.word()
    let isNegated = word == "not"
    if isNegated {
      reader.skipBlanks()
      start = reader.position
      word = reader.word()
    }
    if word.isEmpty {
      for sign in ["==", "!=", ">=", "<=", ">", "<"]
      where reader.text(start..<min(start + 2, reader.bytes.count)).hasPrefix(sign) {
        reader.position = start + sign.utf8.count
        word = sign
        break
      }
    }
    if word.isEmpty { return nil }
    if word == "exists" || word.hasPrefix("is") { return HurlPredicate(word: word, isNegated: isNegated, operand: nil) }
    reader.skipBlanks()
    guard let operand = operand() else { return nil }
    return HurlPredicate(word: word, isNegated: isNegated, operand: operand)
  }

  private mutating func operand() -> HurlOperand? {
    switch reader.byte {
    case UInt8(ascii: "\""): return reader.skip("\"") ? reader.text(.quoted).map { .text($0) } : nil
    case UInt8(ascii: "/"): return reader.regex().map { .regex($0) }
    case UInt8(ascii: "{"): return reader.placeholder().map { .value(ImportedText($0)) }
    case UInt8(ascii: "`"):
      switch textBody() {
      case .text(let text)?, .json(let text)?, .xml(let text)?: return .text(text)
      case .bytes(let bytes)?: return .bytes(bytes)
      case .graphql(let query, nil)?: return query.literal.map { .text(ImportedText(Self.request(query: $0))) }
      default: return nil
      }
    default: break
    }
    if let bytes = reader.literalBytes() { return .bytes(bytes) }
    if let path = reader.literalFile() { return .file(path) }
    if let number = reader.number() {
      if reader.byte == UInt8(ascii: "e") || reader.byte == UInt8(ascii: "E") { return nil }
      return .number(number)
    }
    switch reader.word() {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return nil
    }
  }

  /// The JSON that Hurl sends for a query of GraphQL.
  private static func request(query: String) -> String { #"{"query":"\#(jsonEscaped(query))"}"# }

  // MARK: bodies

  /// The body at the position; nil, without a change, if there is none.
  private mutating func body() -> HurlBody? {
    reader.skipBlanks()
    let start = reader.position
    if reader.byte == UInt8(ascii: "`") {
      if let body = textBody() { return body }
      fail("expected the end of the text that begins here")
      return nil
    }
    if let bytes = reader.literalBytes() { return .bytes(bytes) }
    if let path = reader.literalFile() { return .file(path) }
    if reader.byte == UInt8(ascii: "<") {
      if let end = HurlBodyEnd.xml(reader.bytes, from: start) {
        reader.position = end
        return .xml(ImportedText(reader.text(start..<end)))
      }
      fail("expected the end of the XML that begins here")
      return nil
    }
    if let text = HurlBodyEnd.json(&reader) { return .json(text) }
    reader.position = start
    return nil
  }

  /// A text in backticks.
  private mutating func textBody() -> HurlBody? {
    guard reader.skip("```") else { return reader.skip("`") ? reader.text(.backtick).map { .text($0) } : nil }
    let end = reader.lineEnd
    let line = reader.text(reader.position..<end)
    if line.contains("```") {
      return reader.text(.multiline(escapes: false, placeholders: true)).map { .text($0) }
    }
    reader.skipLine()
    let words = line.split { $0 == "," || $0.isWhitespace }.map(String.init)
    let isRaw = words.contains("novariable") || words.contains("raw")
    guard var text = reader.text(.multiline(escapes: words.contains("escape"), placeholders: !isRaw)) else {
      return nil
    }
    switch words.first {
    case "json": return .json(text)
    case "xml": return .xml(text)
    case "base64", "hex":
      guard let digits = text.literal else { return .text(text) }
      var literal = HurlReader(bytes: Array("\(words[0]),\(digits);".utf8))
      return literal.literalBytes().map { .bytes($0) } ?? .text(text)
    case "graphql":
      var variables: ImportedText?
      if let (query, rest) = text.divided(atLine: "variables") {
        text = query
        variables = rest
      }
      return .graphql(query: text.trimmed, variables: variables?.trimmed)
    default: return .text(text)
    }
  }
}

extension ImportedText {
  /// The text before and after a line's first word; nil without such a line.
  fileprivate func divided(atLine word: String) -> (ImportedText, ImportedText)? {
    for (index, part) in parts.enumerated() {
      guard case .text(let text) = part else { continue }
      for range in text.ranges(of: "\n\(word)") {
        let rest = text[range.upperBound...].drop(while: \.isWhitespace)
        guard rest.first == "{" else { continue }
        var before = ImportedText()
        for part in parts[..<index] { before.append(part) }
        before.append(String(text[..<range.lowerBound]))
        var after = ImportedText(String(rest))
        for part in parts[(index + 1)...] { after.append(part) }
        return (before, after)
      }
    }
    return nil
  }
}
