import Values

/// Reads a script of bash or another POSIX shell.
struct BashReader {
  let bytes: [UInt8]
  var place = 0
  var script = ShellScript()
  var command = ShellCommand()
  var comments: [String] = []
  /// The word that is being read: its finished parts, and the text after them.
  var word: ImportedText?
  var text: [UInt8] = []
  var isQuoted = false
  var commandStart = 0
  /// The redirection whose word is read.
  var redirection: Redirection?
  /// The here-documents whose texts begin at the next line.
  var documents: [HereDocument] = []

  enum Redirection { case input, output, hereString, hereDocument(dropsTabs: Bool) }

  struct HereDocument {
    let delimiter: String
    /// Its text is taken as it is.
    let isLiteral: Bool
    let dropsTabs: Bool
    /// The index that its command has in the script.
    let command: Int
  }

  static func read(_ text: String) -> ShellScript {
    var reader = BashReader(bytes: Array(text.utf8))
    return reader.read()
  }

  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  func peek(_ offset: Int = 1) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }

  func string(from start: Int) -> String {
    String(decoding: bytes[start..<max(start, min(place, bytes.count))], as: UTF8.self)
  }

  mutating func read() -> ShellScript {
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
    var reader = BashReader(bytes: Array(text.utf8))
    while let byte = reader.next { reader.readPiece(byte) }
    reader.flush()
    return reader.word ?? ImportedText()
  }

  // MARK: words

  /// Reads a piece of a word outside of double quotes.
  mutating func readPiece(_ byte: UInt8) {
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

  mutating func begin() {
    guard word == nil else { return }
    word = ImportedText()
    text.removeAll(keepingCapacity: true)
    isQuoted = false
    if command.words.isEmpty, redirection == nil { commandStart = place }
  }

  mutating func add(_ part: ImportedText.Part) {
    begin()
    flush()
    word?.append(part)
  }

  mutating func flush() {
    if text.isEmpty { return }
    word?.append(String(decoding: text, as: UTF8.self))
    text.removeAll(keepingCapacity: true)
  }

  mutating func endWord() {
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

  mutating func endCommand(pipes: Bool = false) {
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
  mutating func skipLine() {
    while let byte = next, byte != UInt8(ascii: "\n") { place += 1 }
  }

  mutating func readComment() {
    let start = place + 1
    skipLine()
    let comment = string(from: start).trimmed
    if comment.isEmpty || start == 1 && comment.hasPrefix("!") { return }
    if command.words.isEmpty { comments.append(comment) } else { command.comments.append(comment) }
  }

  // MARK: redirections

  mutating func readInput() {
    let isDocument = peek() == UInt8(ascii: "<")
    if peek() == UInt8(ascii: "(") { return readSubstitution() }
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

  mutating func readOutput() {
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

  mutating func skipBlanks() {
    while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { place += 1 }
  }

  /// Reads the texts of here-documents, which follow the line of their command.
  mutating func readHereDocuments() {
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
  static func expanded(_ content: [UInt8]) -> ImportedText {
    var reader = BashReader(bytes: content)
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
