/// Reads scripts for patterns in them: statements that aren't understood are skipped as a whole.
struct JavaScriptReader {
  let bytes: [UInt8]
  var tokens: [JavaScriptToken]
  let root: String
  var index = 0
  var depth = 0

  struct Unknown: Error {}
  static let depthLimit = 60

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

  // MARK: Tokens

  var token: JavaScriptToken { tokens[index] }
  var isAtEnd: Bool { token.kind == .end }
  func isSign(_ sign: String) -> Bool { token.kind == .sign(sign) }
  func isWord(_ word: String) -> Bool { token.kind == .word(word) }

  mutating func advance() { if !isAtEnd { index += 1 } }

  mutating func takes(_ sign: String) -> Bool {
    guard isSign(sign) else { return false }
    advance()
    return true
  }

  mutating func takesWord(_ word: String) -> Bool {
    guard isWord(word) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(Unknown) { if !takes(sign) { throw Unknown() } }

  mutating func name() throws(Unknown) -> String {
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

  func range(from start: Int) -> Range<Int> {
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
    case .word("throw"):
      advance()
      let value = try expression()
      try endStatement()
      return .failure(value)
    case .word("for"): return try loop()
    case .word("function"):
      advance()
      let name = try name()
      guard isSign("("), let parameters = parameterNames() else { throw Unknown() }
      return .declaration([(.name(name), .function(parameters: parameters, body: try block()))])
    case .word("while"), .word("do"), .word("switch"), .word("class"), .word("async"), .word("import"), .word("export"),
      .word("break"), .word("continue"):
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

  mutating func block() throws(Unknown) -> [JavaScriptStatement] {
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

  /// Reads `for (const item of list) …` as `list.forEach(item => …)`.
  private mutating func loop() throws(Unknown) -> JavaScriptStatement.Kind {
    advance()
    try expect("(")
    guard takesWord("const") || takesWord("let") || takesWord("var") else { throw Unknown() }
    let item = try name()
    guard takesWord("of") else { throw Unknown() }
    let list = try expression()
    try expect(")")
    return .expression(.call(.member(list, "forEach"), [.function(parameters: [item], body: try body())]))
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
}
