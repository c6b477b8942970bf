/// Expressions.
extension JavaScriptReader {
  mutating func expression() throws(Unknown) -> JavaScriptExpression {
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
  mutating func parameterNames() -> [String]? {
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
