import Values

/// A token of an expression; the range counts the UTF-8 of the scalar's text.
struct Token: Sendable {
  enum Kind: Sendable, Equatable {
    case name(String)
    /// A number in JSON's grammar.
    case number(String)
    case text(String)
    case symbol(String)
    /// `}}`
    case close
    /// Another `${{`.
    case open
    case end
  }

  let kind: Kind
  let bytes: Range<Int>

  /// The token for messages.
  var wording: String {
    switch kind {
    case .name(let text), .number(let text), .symbol(let text): "`\(text)`"
    case .text: "this text"
    case .close: "`}}`"
    case .open: "`${{`"
    case .end: "the end of the text"
    }
  }
}

/// Reads the tokens of an expression, up to the `}}` that closes it.
struct ExpressionLexer {
  private let bytes: [UInt8]
  private(set) var position: Int
  /// The number of open braces: inside them, a brace closes a mapping, not the template.
  private var braces = 0

  /// Returns whether as many templates are closed as are opened in what follows a position.
  func hasInnerTemplate(after start: Int) -> Bool {
    // Each of many templates may be open.
    let end = min(bytes.count, start + 512)
    var (opened, closed, index) = (0, 0, start)
    while index + 1 < end {
      if bytes[index] == UInt8(ascii: "}"), bytes[index + 1] == UInt8(ascii: "}") {
        closed += 1
        index += 2
      } else if bytes[index] == UInt8(ascii: "$"), bytes[index...].starts(with: "${{".utf8) {
        opened += 1
        index += 3
      } else {
        index += 1
      }
    }
    return opened == closed
  }

  init(bytes: [UInt8], position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Returns whether the text is a letter or `_`, then letters, digits and `_`.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isNameStart(first) else { return false }
    return text.unicodeScalars.allSatisfy(isNamePart)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func next() throws(SyntaxProblem) -> Token {
    while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    let start = position
    guard let scalar = scalar(at: position) else { return Token(kind: .end, bytes: start..<start) }
    if ExpressionLexer.isNameStart(scalar) { return Token(kind: .name(name()), bytes: start..<position) }
    if isDigit(scalar) { return try number() }
    if scalar == "'" || scalar == "\"" {
      var reader = StringLiteralReader(bytes: bytes, start: start)
      let text = try reader.read()
      position = reader.position
      return Token(kind: .text(text), bytes: start..<position)
    }
    return try symbol(scalar)
  }

  private mutating func name() -> String {
    let start = position
    while let scalar = scalar(at: position), ExpressionLexer.isNamePart(scalar) {
      position += UTF8.width(scalar)
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func number() throws(SyntaxProblem) -> Token {
    let start = position
    func isPart(_ byte: UInt8, after previous: UInt8) -> Bool {
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { return previous | 0x20 == UInt8(ascii: "e") }
      // `1.` and `1..` are part of an invalid number, as is a name after the point.
      return byte == UInt8(ascii: ".") || byte >= 0x80 || ExpressionLexer.isNamePart(Unicode.Scalar(byte))
    }
    position += 1
    // In `0xe+1` the `+` does not follow an exponent.
    let isHexadecimal = peek().map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    while let byte = peek(), isPart(byte, after: isHexadecimal ? 0 : bytes[position - 1]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard Number(parsing: text) != nil else {
      let isZeroed = text.utf8.first == 0x30 && text.utf8.dropFirst().first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
      throw SyntaxProblem(
        "`\(text)` is not a number", at: start..<position,
        help: isZeroed ? "write it without leading zeros, or in quotes as a text" : "put texts in quotes: '\(text)'")
    }
    return Token(kind: .number(text), bytes: start..<position)
  }

  private mutating func symbol(_ scalar: Unicode.Scalar) throws(SyntaxProblem) -> Token {
    let start = position
    func has(_ text: String) -> Bool { bytes[start...].starts(with: text.utf8) }
    if scalar == "}", braces > 0 {
      braces -= 1
      position += 1
      return Token(kind: .symbol("}"), bytes: start..<position)
    }
    if has("}}") {
      position += 2
      return Token(kind: .close, bytes: start..<position)
    }
    if has("${{") {
      position += 3
      return Token(kind: .open, bytes: start..<position)
    }
    for (mistake, help) in ExpressionLexer.mistakes where has(mistake) {
      throw SyntaxProblem("`\(mistake)` is not an operator here", at: start..<start + mistake.utf8.count, help: help)
    }
    for text in ExpressionLexer.symbols where has(text) {
      position += text.utf8.count
      if text == "{" { braces += 1 }
      return Token(kind: .symbol(text), bytes: start..<position)
    }
    let width = UTF8.width(scalar)
    if scalar == "}" {
      throw SyntaxProblem("a template ends with `}}`, not with one `}`", at: start..<start + width, help: "write `}}`")
    }
    let variables = scalar == "$" ? dynamicVariables + [("processEnv", "env.NAME")] : []
    if let dynamic = variables.first(where: { has("$\($0.name)") }) {
      let name = "$\(dynamic.name)"
      throw SyntaxProblem(
        "`\(name)` has no meaning in an expression", at: start..<start + name.utf8.count,
        help: "write `\(dynamic.instead)`")
    }
    let help: String? =
      switch scalar {
      case "=": "write `==`"
      case "!": "write `not`, or `!=`"
      case "~", "&": "texts are joined by writing templates side by side"
      case "$": "names are written without it"
      case "`": "put texts in '…' or \"…\""
      default: nil
      }
    throw SyntaxProblem("`\(scalar)` has no meaning in an expression", at: start..<start + width, help: help)
  }

  /// Symbols, longer ones first.
  private static let symbols = [
    "==", "!=", "<=", ">=", "<", ">", "(", ")", "[", "]", ".", ",", "|", "+", "-", "*", "/", "%", "{", ":",
  ]

  private static let mistakes: [(String, String)] = [
    ("===", "write `==`"), ("!==", "write `!=`"), ("&&", "write `and`"), ("||", "write `or`"),
    ("?", "write `a if condition else b`, or `default(…)` for what is unset or null"),
    ("<>", "write `!=`"), ("=~", "use `match(text, pattern)`, or `matches` in `expect`"),
    ("**", "write the product out"), ("//", "write `floor(a / b)`"),
  ]

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private func scalar(at position: Int) -> Unicode.Scalar? {
    guard position < bytes.count else { return nil }
    if bytes[position] < 0x80 { return Unicode.Scalar(bytes[position]) }
    return String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: !scalar.isASCII && scalar.properties.isXIDStart
    }
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_", "0"..."9": true
    default: !scalar.isASCII && scalar.properties.isXIDContinue
    }
  }
}

/// Variables that other tools make anew each time.
private let dynamicVariables: [(name: String, instead: String)] = [
  ("randomInt", "random_int(0, 1000)"), ("random.integer", "random_int(0, 1000)"), ("guid", "uuid"),
  ("randomUUID", "uuid"), ("random.uuid", "uuid"), ("uuid", "uuid"), ("timestamp", "now | format('unix')"),
  ("isoTimestamp", "now"), ("datetime", "now"), ("randomEmail", "fake('email')"), ("randomFullName", "fake('name')"),
  ("randomFirstName", "fake('name')"),
]

extension Template {
  /// The expression for a variable of other tools such as `$guid`, in any letter case.
  package static func expression(forDynamicVariable name: String) -> String? {
    dynamicVariables.first { equalsIgnoringCase("$" + $0.name, name) }?.instead
  }
}
