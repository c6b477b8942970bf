import Values

/// Reads a script of bash or another POSIX shell.
struct BashReader {
  private let bytes: [UInt8]
  private var place = 0
  private var script = ShellScript()
  private var command = ShellCommand()
  private var comments: [String] = []
  /// The word that is being read: its finished parts, and the text after them.
  private var word: ImportedText?
  private var text: [UInt8] = []
  private var isQuoted = false
  private var commandStart = 0
  /// The redirection whose word is read.
  private var redirection: Redirection?
  /// The here-documents whose texts begin at the next line.
  private var documents: [HereDocument] = []

  private enum Redirection { case input, output, hereString, hereDocument(dropsTabs: Bool) }

  private struct HereDocument {
    let delimiter: String
    /// Its text is taken as it is.
    let isLiteral: Bool
    let dropsTabs: Bool
    /// The index that its command has in the script.
    let command: Int
  }

  static func read(_ text: String) -> ShellScript {
    var reader = BashReader(Array(text.utf8))
    return reader.read()
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func peek(_ offset: Int = 1) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }

  private func string(from start: Int) -> String {
    String(decoding: bytes[start..<max(start, min(place, bytes.count))], as: UTF8.self)
  }

  private mutating func read() -> ShellScript {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        endWord()
        place += 1
      case UInt8(ascii: "\n"):
        endCommand()
        place += 1
        if !documents.isEmpty { readHereDocuments() }
      case UInt8(ascii: "#") where word == nil: readComment()
      case UInt8(ascii: "&") where peek() == UInt8(ascii: ">"):
        place += 1
        readOutput()
      case UInt8(ascii: "(") where readFunction(): break
      case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "("), UInt8(ascii: ")"):
        endCommand()
        place += 1
      case UInt8(ascii: "|"):
        let isPipe = peek() != UInt8(ascii: "|")
        endCommand(pipes: isPipe)
        place += isPipe && peek() != UInt8(ascii: "&") ? 1 : 2
      case UInt8(ascii: "<"): readInput()
      case UInt8(ascii: ">"): readOutput()
      default: readPiece(byte)
      }
    }
    endCommand()
    return script
  }

  /// The value of one word.
  static func word(_ text: String) -> ImportedText {
    var reader = BashReader(Array(text.utf8))
    while let byte = reader.next { reader.readPiece(byte) }
    reader.flush()
    return reader.word ?? ImportedText()
  }

  // MARK: functions

  /// Reads `name() { … }`; returns whether one begins here.
  private mutating func readFunction() -> Bool {
    guard command.words.isEmpty, redirection == nil, word?.isEmpty ?? false, peek() == UInt8(ascii: ")") else {
      return false
    }
    let name = String(decoding: text, as: UTF8.self)
    var start = place + 2
    while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
    guard !name.isEmpty, start < bytes.count, bytes[start] == UInt8(ascii: "{") else { return false }
    place = start + 1
    skipBody()
    script.functions[name] = String(
      decoding: bytes[(start + 1)..<max(start + 1, min(place - 1, bytes.count))], as: UTF8.self)
    word = nil
    text = []
    comments = []
    return true
  }

  /// Skips what is in braces, with others in it, up to the one that ends it.
  private mutating func skipBody() {
    var depth = 1
    var isAtStart = true
    while let byte = next {
      let wasAtStart = isAtStart
      isAtStart = byte <= 0x20 || ";&|()".utf8.contains(byte)
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "\\"): skipQuoted(byte)
      case UInt8(ascii: "$") where peek() == UInt8(ascii: "{"): skipBraces()
      case UInt8(ascii: "#") where wasAtStart:
        skipLine()
      case UInt8(ascii: "{") where wasAtStart:
        depth += 1
        place += 1
      case UInt8(ascii: "}") where wasAtStart:
        depth -= 1
        place += 1
        if depth == 0 { return }
      default: place += 1
      }
    }
    place = bytes.count + 1
  }

  /// Skips a quote with what it quotes.
  private mutating func skipQuoted(_ quote: UInt8) {
    place += 1
    if quote == UInt8(ascii: "\\") {
      place += 1
      return
    }
    while let byte = next, byte != quote {
      place += byte == UInt8(ascii: "\\") && quote != UInt8(ascii: "'") ? 2 : 1
    }
    place += 1
  }

  /// Skips `${…}`, with quotes and others in it.
  private mutating func skipBraces() {
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): skipQuoted(byte)
      case UInt8(ascii: "{"):
        depth += 1
        place += 1
      case UInt8(ascii: "}"):
        depth -= 1
        place += 1
        if depth == 0 { return }
      default: place += 1
      }
    }
  }

  // MARK: words

  /// Reads a piece of a word outside of double quotes.
  private mutating func readPiece(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"): readBackslash()
    case UInt8(ascii: "'"): readSingleQuotes()
    case UInt8(ascii: "\""): readDoubleQuotes()
    case UInt8(ascii: "$"): readDollar(isInQuotes: false)
    case UInt8(ascii: "`"): readBackquotes()
    default:
      begin()
      text.append(byte)
      place += 1
    }
  }

  private mutating func begin() {
    guard word == nil else { return }
    word = ImportedText()
    text.removeAll(keepingCapacity: true)
    isQuoted = false
    if command.words.isEmpty, redirection == nil { commandStart = place }
  }

  private mutating func add(_ part: ImportedText.Part) {
    begin()
    flush()
    word?.append(part)
  }

  private mutating func flush() {
    if text.isEmpty { return }
    word?.append(String(decoding: text, as: UTF8.self))
    text.removeAll(keepingCapacity: true)
  }

  private mutating func endWord() {
    flush()
    guard let ended = word else { return }
    word = nil
    switch redirection {
    case nil: command.words.append(ended)
    case .input?: command.input = .file(ended)
    case .output?: break
    case .hereString?: command.input = .text(ended + ImportedText("\n"))
    case .hereDocument(let dropsTabs)?:
      documents.append(
        HereDocument(
          delimiter: ended.source, isLiteral: isQuoted, dropsTabs: dropsTabs, command: script.commands.count))
    }
    redirection = nil
  }

  private mutating func endCommand(pipes: Bool = false) {
    endWord()
    redirection = nil
    guard !command.words.isEmpty else { return }
    command.source = string(from: commandStart).trimmed
    command.comments = comments + command.comments
    comments = []
    script.commands.append(command)
    command = ShellCommand()
    if pipes { command.input = .pipe(script.commands.count - 1) }
  }

  /// Skips what is left of the line.
  private mutating func skipLine() {
    while let byte = next, byte != UInt8(ascii: "\n") { place += 1 }
  }

  private mutating func readComment() {
    let start = place + 1
    skipLine()
    let comment = string(from: start).trimmed
    if comment.isEmpty || start == 1 && comment.hasPrefix("!") { return }
    if command.words.isEmpty { comments.append(comment) } else { command.comments.append(comment) }
  }

  // MARK: quotes

  private mutating func readBackslash() {
    place += 1
    guard let escaped = next else { return begin() }
    if skipLineBreak() { return }
    begin()
    isQuoted = true
    text.append(escaped)
    place += 1
  }

  /// Skips a line break after a backslash.
  private mutating func skipLineBreak() -> Bool {
    if next == UInt8(ascii: "\n") {
      place += 1
    } else if next == UInt8(ascii: "\r"), peek() == UInt8(ascii: "\n") {
      place += 2
    } else {
      return false
    }
    return true
  }

  private mutating func readSingleQuotes() {
    begin()
    isQuoted = true
    place += 1
    let end = bytes[min(place, bytes.count)...].firstIndex(of: UInt8(ascii: "'")) ?? bytes.count
    text += bytes[min(place, end)..<end].filter { $0 != UInt8(ascii: "\r") }
    place = end + 1
  }

  private mutating func readDoubleQuotes() {
    begin()
    isQuoted = true
    place += 1
    while let byte = next, byte != UInt8(ascii: "\"") { readQuoted(byte) }
    place += 1
  }

  /// Reads a piece of text within double quotes.
  private mutating func readQuoted(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\\"):
      place += 1
      guard let escaped = next else { return text.append(byte) }
      if skipLineBreak() { return }
      if !"$`\"\\".utf8.contains(escaped) { text.append(byte) }
      text.append(escaped)
      place += 1
    case UInt8(ascii: "$"): readDollar(isInQuotes: true)
    case UInt8(ascii: "`"): readBackquotes()
    case UInt8(ascii: "\r"): place += 1
    default:
      text.append(byte)
      place += 1
    }
  }

  /// Reads `$'…'`, with the escapes of C.
  private mutating func readEscapedQuotes() {
    begin()
    place += 2
    while let byte = next, byte != UInt8(ascii: "'") {
      place += 1
      guard byte == UInt8(ascii: "\\"), let escaped = next else {
        text.append(byte)
        continue
      }
      place += 1
      readEscape(escaped)
    }
    place += 1
  }

  private mutating func readEscape(_ escaped: UInt8) {
    switch escaped {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "e"), UInt8(ascii: "E"): text.append(0x1B)
    case UInt8(ascii: "x"): text.append(UInt8(truncatingIfNeeded: number(radix: 16, upTo: 2)))
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let value = number(radix: 16, upTo: escaped == UInt8(ascii: "u") ? 4 : 8)
      text += Array(String(Unicode.Scalar(value).map { Character($0) } ?? "\u{FFFD}").utf8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      place -= 1
      text.append(UInt8(truncatingIfNeeded: number(radix: 8, upTo: 3)))
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): text.append(escaped)
    default: text += [UInt8(ascii: "\\"), escaped]
    }
  }

  private mutating func number(radix: UInt32, upTo digits: Int) -> UInt32 {
    var value: UInt32 = 0
    var count = 0
    while count < digits, let digit = next.flatMap(hexDigitValue), digit < radix {
      value = value << (radix == 16 ? 4 : 3) | UInt32(digit)
      place += 1
      count += 1
    }
    return value
  }

  // MARK: variables and substitutions

  private mutating func readDollar(isInQuotes: Bool) {
    guard let after = peek() else {
      begin()
      text.append(UInt8(ascii: "$"))
      place += 1
      return
    }
    switch after {
    case UInt8(ascii: "'") where !isInQuotes: readEscapedQuotes()
    case UInt8(ascii: "\"") where !isInQuotes: place += 1
    case UInt8(ascii: "("): readSubstitution()
    case UInt8(ascii: "{"): readBraces()
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "@"), UInt8(ascii: "*"), UInt8(ascii: "#"),
      UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "!"):
      add(.unknown(String(decoding: [UInt8(ascii: "$"), after], as: UTF8.self)))
      place += 2
    case let byte where isShellNameByte(byte):
      begin()
      place += 1
      let start = place
      while let byte = next, isShellNameByte(byte) { place += 1 }
      add(.variable(string(from: start)))
    default:
      begin()
      text.append(UInt8(ascii: "$"))
      place += 1
    }
  }

  /// Reads `${name}`, and `${name:-value}`; with other operators it is unknown.
  private mutating func readBraces() {
    begin()
    let start = place
    skipBraces()
    let source = string(from: start)
    guard source.hasSuffix("}") else { return add(.unknown(source)) }
    let inner = source.dropFirst(2).dropLast()
    let name = inner.prefix { $0.isASCII && isShellNameByte($0.asciiValue ?? 0) }
    let rest = inner[name.endIndex...]
    let fallback = rest.dropFirst(rest.hasPrefix(":") ? 2 : 1)
    if !isShellName(name) {
      add(.unknown(source))
    } else if rest.isEmpty || rest.hasPrefix(":?") || rest.hasPrefix("?") {
      add(.variable(String(name)))
    } else if rest.hasPrefix(":-") || rest.hasPrefix("-") || rest.hasPrefix(":=") || rest.hasPrefix("="),
      !fallback.contains(where: { "$`\"'\\".contains($0) })
    {
      add(.expression("default(env.\(name), '\(fallback)')"))
    } else {
      add(.unknown(source))
    }
  }

  private mutating func readSubstitution() {
    begin()
    let start = place
    place += 1
    skipParentheses()
    add(.unknown(string(from: start)))
  }

  /// Skips what is in parentheses, with others in it and in quotes.
  private mutating func skipParentheses() {
    var depth = 0
    var quote: UInt8?
    while let byte = next {
      place += 1
      if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        place += 1
      } else if quote != nil {
        if byte == quote { quote = nil }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      } else if byte == UInt8(ascii: "(") {
        depth += 1
      } else if byte == UInt8(ascii: ")") {
        depth -= 1
        if depth == 0 { return }
      }
    }
  }

  private mutating func readBackquotes() {
    begin()
    let start = place
    place += 1
    while let byte = next, byte != UInt8(ascii: "`") { place += byte == UInt8(ascii: "\\") ? 2 : 1 }
    place += 1
    add(.unknown(string(from: start)))
  }

  // MARK: redirections

  private mutating func readInput() {
    let isDocument = peek() == UInt8(ascii: "<")
    if peek() == UInt8(ascii: "(") {
      begin()
      let start = place
      place += 1
      skipParentheses()
      return add(.unknown(string(from: start)))
    }
    endWord()
    if isDocument, peek(2) == UInt8(ascii: "<") {
      redirection = .hereString
      place += 3
    } else if isDocument {
      let dropsTabs = peek(2) == UInt8(ascii: "-")
      redirection = .hereDocument(dropsTabs: dropsTabs)
      place += dropsTabs ? 3 : 2
    } else {
      redirection = .input
      place += 1
    }
    skipBlanks()
  }

  private mutating func readOutput() {
    // A number before it is that of the stream.
    if word?.isEmpty ?? false, !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) {
      word = nil
      text = []
    }
    endWord()
    place += 1
    while let byte = next, byte == UInt8(ascii: ">") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "&") {
      place += 1
    }
    redirection = .output
    skipBlanks()
  }

  private mutating func skipBlanks() {
    while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { place += 1 }
  }

  /// Reads the texts of here-documents, which follow the line of their command.
  private mutating func readHereDocuments() {
    for document in documents {
      var content: [UInt8] = []
      while place < bytes.count {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        var line = bytes[place..<end]
        place = min(end + 1, bytes.count)
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        if document.dropsTabs { line = line.drop { $0 == UInt8(ascii: "\t") } }
        if line.elementsEqual(document.delimiter.utf8) { break }
        content += line
        content.append(UInt8(ascii: "\n"))
      }
      guard script.commands.indices.contains(document.command) else { continue }
      let text =
        document.isLiteral ? ImportedText(String(decoding: content, as: UTF8.self)) : Self.expanded(content)
      script.commands[document.command].input = .text(text)
    }
    documents = []
  }

  /// The text of a here-document with variables in it; quotes have no meaning there.
  private static func expanded(_ content: [UInt8]) -> ImportedText {
    var reader = BashReader(content)
    reader.begin()
    while let byte = reader.next {
      if byte == UInt8(ascii: "\\"), reader.peek() == UInt8(ascii: "\"") {
        reader.text += [byte, UInt8(ascii: "\"")]
        reader.place += 2
      } else {
        reader.readQuoted(byte)
      }
    }
    reader.flush()
    return reader.word ?? ImportedText()
  }
}
