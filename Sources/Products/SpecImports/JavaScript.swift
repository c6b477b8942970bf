/// An expression of a script.
indirect enum JavaScriptExpression: Sendable {
  case name(String)
  case number(String)
  case text(String)
  case bool(Bool)
  case null, undefined
  case template([String], [JavaScriptExpression])
  case regex(pattern: String, flags: String)
  case list([JavaScriptExpression])
  case object([(key: String, value: JavaScriptExpression)])
  case member(JavaScriptExpression, String)
  case item(JavaScriptExpression, JavaScriptExpression)
  case call(JavaScriptExpression, [JavaScriptExpression])
  case new(JavaScriptExpression)
  case function(parameters: [String], body: [JavaScriptStatement])
  case prefix(String, JavaScriptExpression)
  case infix(String, JavaScriptExpression, JavaScriptExpression)
  case choice(JavaScriptExpression, JavaScriptExpression, JavaScriptExpression)
  case assignment(JavaScriptExpression, String, JavaScriptExpression)

  /// The names of a chain such as `pm.response.json`, joined by dots; nil for anything else.
  var path: String? {
    switch self {
    case .name(let name): name
    case .member(let base, let name): base.path.map { $0 + "." + name }
    default: nil
    }
  }
}

struct JavaScriptStatement: Sendable {
  indirect enum Kind: Sendable {
    /// A declared name; the names of members for `const {a, b: c} = …`.
    case declaration([(pattern: JavaScriptPattern, value: JavaScriptExpression?)])
    case expression(JavaScriptExpression)
    case condition(JavaScriptExpression, then: [JavaScriptStatement], otherwise: [JavaScriptStatement])
    case attempt([JavaScriptStatement], failure: [JavaScriptStatement])
    case block([JavaScriptStatement])
    case result(JavaScriptExpression?)
    case empty
    /// A loop, a function, a class, or a statement that isn't understood.
    case other
  }

  let kind: Kind
  /// The bytes of the statement in the script.
  let range: Range<Int>
}

enum JavaScriptPattern: Sendable {
  case name(String)
  case members([(key: String, name: String)])
}

/// Reads scripts for patterns in them: statements that aren't understood are skipped as a whole.
struct JavaScriptReader {
  private let bytes: [UInt8]
  private var tokens: [JavaScriptToken]
  private let root: String
  private var index = 0
  private var depth = 0

  private struct Unknown: Error {}
  private static let depthLimit = 60

  /// Returns the statements of a script.
  ///
  /// - Parameter root: the name of the object that is `pm` in the result.
  static func statements(of script: [UInt8], root: String) -> [JavaScriptStatement] {
    guard let tokens = JavaScriptTokenizer.tokens(of: script, in: 0..<script.count) else {
      return [JavaScriptStatement(kind: .other, range: 0..<script.count)]
    }
    var reader = JavaScriptReader(bytes: script, tokens: tokens, root: root)
    var statements: [JavaScriptStatement] = []
    while !reader.isAtEnd {
      statements.append(reader.statement())
      // An unbalanced bracket belongs to no statement.
      if reader.isSign("}") || reader.isSign(")") || reader.isSign("]") { reader.index += 1 }
    }
    return statements
  }

  private init(bytes: [UInt8], tokens: [JavaScriptToken], root: String, depth: Int = 0) {
    self.bytes = bytes
    self.tokens = tokens
    self.root = root
    self.depth = depth
  }

  // MARK: Tokens

  private var token: JavaScriptToken { tokens[index] }
  private var isAtEnd: Bool { token.kind == .end }
  private func isSign(_ sign: String) -> Bool { token.kind == .sign(sign) }
  private func isWord(_ word: String) -> Bool { token.kind == .word(word) }

  private mutating func advance() { if !isAtEnd { index += 1 } }

  private mutating func takes(_ sign: String) -> Bool {
    guard isSign(sign) else { return false }
    advance()
    return true
  }

  private mutating func takesWord(_ word: String) -> Bool {
    guard isWord(word) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ sign: String) throws(Unknown) { if !takes(sign) { throw Unknown() } }

  private mutating func name() throws(Unknown) -> String {
    guard case .word(let name) = token.kind else { throw Unknown() }
    advance()
    return name
  }

  // MARK: Statements

  private mutating func statement() -> JavaScriptStatement {
    let start = index
    depth += 1
    defer { depth -= 1 }
    do throws(Unknown) {
      guard depth < Self.depthLimit else { throw Unknown() }
      let kind = try statementKind()
      return JavaScriptStatement(kind: kind, range: range(from: start))
    } catch {
      index = start
      skipStatement()
      return JavaScriptStatement(kind: .other, range: range(from: start))
    }
  }

  private func range(from start: Int) -> Range<Int> {
    tokens[start].range
      .lowerBound..<max(tokens[start].range.lowerBound, index > start ? tokens[index - 1].range.upperBound : 0)
  }

  /// Skips to the end of a statement: a semicolon, a block that ends a line, or a line whose brackets are closed.
  private mutating func skipStatement() {
    var depth = 0
    let start = index
    while !isAtEnd {
      if depth == 0, index > start, token.isAfterLineBreak, !isContinued { return }
      switch token.kind {
      case .sign("("), .sign("["), .sign("{"): depth += 1
      case .sign(")"), .sign("]"), .sign("}"):
        if depth == 0 { return }
        depth -= 1
      case .sign(";") where depth == 0:
        advance()
        return
      default: break
      }
      advance()
    }
  }

  /// Indicates that the token continues the line before.
  private var isContinued: Bool {
    switch token.kind {
    case .sign(let sign): ![";", "{", "}", "(", "[", "!", "++", "--"].contains(sign) || previousIsOpen
    case .word(let word): ["else", "catch", "finally", "while", "in", "of"].contains(word) || previousIsOpen
    case .template: false
    default: previousIsOpen
    }
  }

  private var previousIsOpen: Bool {
    guard index > 0, case .sign(let sign) = tokens[index - 1].kind else { return false }
    return ![")", "]", "}", ";", "++", "--"].contains(sign)
  }

  private mutating func statementKind() throws(Unknown) -> JavaScriptStatement.Kind {
    switch token.kind {
    case .sign(";"):
      advance()
      return .empty
    case .sign("{"): return .block(try block())
    case .word("const"), .word("let"), .word("var"): return try declaration()
    case .word("if"): return try condition()
    case .word("try"): return try attempt()
    case .word("return"):
      advance()
      if isSign(";") || isSign("}") || token.isAfterLineBreak || isAtEnd {
        _ = takes(";")
        return .result(nil)
      }
      let value = try expression()
      try endStatement()
      return .result(value)
    case .word("for"), .word("while"), .word("do"), .word("switch"), .word("function"), .word("class"), .word("async"),
      .word("throw"), .word("import"), .word("export"):
      throw Unknown()
    default:
      let value = try expression()
      try endStatement()
      return .expression(value)
    }
  }

  private mutating func endStatement() throws(Unknown) {
    if takes(";") || isSign("}") || isAtEnd || token.isAfterLineBreak { return }
    throw Unknown()
  }

  private mutating func block() throws(Unknown) -> [JavaScriptStatement] {
    try expect("{")
    var statements: [JavaScriptStatement] = []
    while !isSign("}") {
      if isAtEnd || isSign(")") || isSign("]") { throw Unknown() }
      statements.append(statement())
    }
    advance()
    return statements
  }

  private mutating func declaration() throws(Unknown) -> JavaScriptStatement.Kind {
    advance()
    var result: [(pattern: JavaScriptPattern, value: JavaScriptExpression?)] = []
    repeat {
      let pattern = try pattern()
      result.append((pattern, takes("=") ? try expression() : nil))
    } while takes(",")
    try endStatement()
    return .declaration(result)
  }

  private mutating func pattern() throws(Unknown) -> JavaScriptPattern {
    guard takes("{") else { return .name(try name()) }
    var members: [(key: String, name: String)] = []
    while !takes("}") {
      let key = try name()
      members.append((key, takes(":") ? try name() : key))
      if !isSign("}") { try expect(",") }
    }
    return .members(members)
  }

  private mutating func condition() throws(Unknown) -> JavaScriptStatement.Kind {
    advance()
    try expect("(")
    let condition = try expression()
    try expect(")")
    let then = try body()
    return .condition(condition, then: then, otherwise: takesWord("else") ? try body() : [])
  }

  private mutating func body() throws(Unknown) -> [JavaScriptStatement] {
    isSign("{") ? try block() : [statement()]
  }

  private mutating func attempt() throws(Unknown) -> JavaScriptStatement.Kind {
    advance()
    let body = try block()
    var failure: [JavaScriptStatement] = []
    if takesWord("catch") {
      if takes("(") {
        _ = try name()
        try expect(")")
      }
      failure = try block()
    }
    if takesWord("finally") { failure += try block() }
    return .attempt(body, failure: failure)
  }

  // MARK: Expressions

  private mutating func expression() throws(Unknown) -> JavaScriptExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.depthLimit else { throw Unknown() }
    if let function = try arrowFunction() { return function }
    let left = try infix(minimum: 1)
    if takes("?") {
      let then = try expression()
      try expect(":")
      return .choice(left, then, try expression())
    }
    if case .sign(let sign) = token.kind, ["=", "+=", "-=", "||=", "??="].contains(sign) {
      advance()
      return .assignment(left, sign, try expression())
    }
    return left
  }

  /// Reads `x => …`, `(a, b) => …` and `async () => …`; nil if none begins here.
  private mutating func arrowFunction() throws(Unknown) -> JavaScriptExpression? {
    let start = index
    if isWord("async"), index + 1 < tokens.count, tokens[index + 1].kind != .sign("=>") { advance() }
    var parameters: [String] = []
    if case .word(let name) = token.kind, index + 1 < tokens.count, tokens[index + 1].kind == .sign("=>") {
      advance()
      parameters = [name]
    } else if isSign("("), let names = parameterNames() {
      parameters = names
    }
    guard takes("=>") else {
      index = start
      return nil
    }
    if isSign("{") { return .function(parameters: parameters, body: try block()) }
    let bodyStart = index
    let value = try expression()
    return .function(
      parameters: parameters, body: [JavaScriptStatement(kind: .result(value), range: range(from: bodyStart))])
  }

  /// The names in parentheses; nil, without moving on, if there is anything else.
  private mutating func parameterNames() -> [String]? {
    let start = index
    var names: [String] = []
    advance()
    while !takes(")") {
      guard case .word(let name) = token.kind else {
        index = start
        return nil
      }
      names.append(name)
      advance()
      if !isSign(")"), !takes(",") {
        index = start
        return nil
      }
    }
    return names
  }

  private mutating func infix(minimum: Int) throws(Unknown) -> JavaScriptExpression {
    var left = try prefix()
    while let (sign, strength) = infixSign, strength >= minimum {
      advance()
      left = .infix(sign, left, try infix(minimum: strength + 1))
    }
    return left
  }

  private var infixSign: (String, Int)? {
    switch token.kind {
    case .sign(let sign): strengths[sign].map { (sign, $0) }
    case .word("in"): ("in", 7)
    case .word("instanceof"): ("instanceof", 7)
    default: nil
    }
  }

  private mutating func prefix() throws(Unknown) -> JavaScriptExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.depthLimit else { throw Unknown() }
    switch token.kind {
    case .sign(let sign) where ["!", "-", "+", "~"].contains(sign):
      advance()
      return .prefix(sign, try prefix())
    case .word(let word) where ["typeof", "await", "void", "delete"].contains(word):
      advance()
      return .prefix(word, try prefix())
    case .word("new"):
      advance()
      // The first arguments are those of the constructor.
      var callee = try primary()
      while takes(".") { callee = .member(callee, try name()) }
      return try postfix(.new(.call(callee, takes("(") ? try list(until: ")") : [])))
    default: return try postfix(try primary())
    }
  }

  private mutating func postfix(_ start: JavaScriptExpression) throws(Unknown) -> JavaScriptExpression {
    var result = start
    var count = 0
    while true {
      // The chain becomes a tree as deep as it is long.
      count += 1
      guard count < 200 else { throw Unknown() }
      switch token.kind {
      case .sign("."), .sign("?."):
        let isOptional = isSign("?.")
        advance()
        if isOptional, isSign("[") || isSign("(") { continue }
        result = .member(result, try name())
      case .sign("["):
        advance()
        result = .item(result, try expression())
        try expect("]")
      case .sign("("):
        advance()
        result = .call(result, try list(until: ")"))
      case .sign("++"), .sign("--"): throw Unknown()
      default: return result
      }
    }
  }

  private mutating func list(until end: String) throws(Unknown) -> [JavaScriptExpression] {
    var items: [JavaScriptExpression] = []
    while !takes(end) {
      items.append(try expression())
      if !isSign(end) { try expect(",") }
    }
    return items
  }

  private mutating func primary() throws(Unknown) -> JavaScriptExpression {
    let kind = token.kind
    switch kind {
    case .number(let text):
      advance()
      return .number(text)
    case .text(let text):
      advance()
      return .text(text)
    case .regex(let pattern, let flags):
      advance()
      return .regex(pattern: pattern, flags: flags)
    case .template(let texts, let ranges):
      advance()
      var parts: [JavaScriptExpression] = []
      for range in ranges { parts.append(try part(range)) }
      return .template(texts, parts)
    case .sign("("):
      advance()
      let result = try expression()
      try expect(")")
      return result
    case .sign("["):
      advance()
      return .list(try list(until: "]"))
    case .sign("{"): return try object()
    case .word(let word):
      advance()
      switch word {
      case "true", "false": return .bool(word == "true")
      case "null": return .null
      case "undefined": return .undefined
      case "function":
        if case .word = token.kind { advance() }
        guard isSign("("), let parameters = parameterNames() else { throw Unknown() }
        return .function(parameters: parameters, body: try block())
      default: return .name(word == root ? "pm" : word)
      }
    default: throw Unknown()
    }
  }

  /// Reads an expression within a template literal.
  private func part(_ range: Range<Int>) throws(Unknown) -> JavaScriptExpression {
    guard let tokens = JavaScriptTokenizer.tokens(of: bytes, in: range) else { throw Unknown() }
    var reader = JavaScriptReader(bytes: bytes, tokens: tokens, root: root, depth: depth + 1)
    let result = try reader.expression()
    guard reader.isAtEnd else { throw Unknown() }
    return result
  }

  private mutating func object() throws(Unknown) -> JavaScriptExpression {
    try expect("{")
    var members: [(key: String, value: JavaScriptExpression)] = []
    while !takes("}") {
      let key: String
      switch token.kind {
      case .word(let word): key = word
      case .text(let text), .number(let text): key = text
      default: throw Unknown()
      }
      let isWord = if case .word = token.kind { true } else { false }
      advance()
      if takes(":") {
        members.append((key, try expression()))
      } else if isSign("("), let parameters = parameterNames() {
        members.append((key, .function(parameters: parameters, body: try block())))
      } else if isWord, isSign(",") || isSign("}") {
        members.append((key, .name(key)))
      } else {
        throw Unknown()
      }
      if !isSign("}") { try expect(",") }
    }
    return .object(members)
  }
}

private let strengths: [String: Int] = [
  "??": 1, "||": 2, "&&": 3, "|": 4, "^": 4, "&": 5, "==": 6, "!=": 6, "===": 6, "!==": 6, "<": 7, ">": 7, "<=": 7,
  ">=": 7, "<<": 8, ">>": 8, ">>>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "**": 11,
]
