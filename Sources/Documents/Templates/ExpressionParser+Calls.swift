import Values

/// Filters, calls and lookups.
extension ExpressionParser {
  mutating func parseFilters(of primary: Expression) throws(SyntaxProblem) -> Expression {
    var value = try parseLookups(in: primary)
    while token.kind == .symbol("|") {
      try advance()
      guard case .name(let name) = token.kind else {
        throw unexpected("the name of a function is expected after `|`")
      }
      let nameBytes = token.bytes
      try advance()
      var arguments = [value]
      var end = nameBytes.upperBound
      if token.kind == .symbol("(") { arguments += try parseArguments(end: &end) }
      value = try call(
        name, nameBytes, arguments, value.bytes.lowerBound..<end, nameBytes.lowerBound..<end, isFilter: true)
      value = try parseLookups(in: value)
    }
    return value
  }

  mutating func parsePrimary() throws(SyntaxProblem) -> Expression {
    let first = token
    switch first.kind {
    case .text(let text):
      try advance()
      return try node(.literal(.text(text)), first.bytes)
    case .number(let lexeme):
      try advance()
      return try node(.literal(.number(Number(lexeme: lexeme))), first.bytes)
    case .symbol("("):
      try advance()
      let inner = try parseExpression()
      guard token.kind == .symbol(")") else { throw unclosedBracket(first, ")") }
      let bytes = first.bytes.lowerBound..<token.bytes.upperBound
      try advance()
      return Expression(inner.kind, bytes: bytes, range: inner.range)
    case .symbol("["): return try parseList(first)
    case .symbol("{"): return try parseMapping(first)
    case .name(let name):
      try advance()
      return try parseName(name, first.bytes)
    default: throw unexpected("a value is expected here")
    }
  }

  mutating func parseName(_ name: String, _ bytes: Range<Int>) throws(SyntaxProblem) -> Expression {
    if token.kind == .symbol("("), !ExpressionParser.words.contains(name) {
      var end = bytes.upperBound
      let arguments = try parseArguments(end: &end)
      return try call(
        name, bytes, arguments, bytes.lowerBound..<end, bytes.lowerBound..<end, isFilter: false)
    }
    switch name {
    case "true", "false": return try node(.literal(.bool(name == "true")), bytes)
    case "null": return try node(.literal(.null), bytes)
    case _ where ExpressionParser.words.contains(name):
      throw SyntaxProblem(
        "a value is expected here, not `\(name)`", at: bytes,
        help: name == "if" ? "write `a if condition else b`" : nil)
    case "env": return try parseEnvironment(bytes)
    default:
      if let function = TemplateFunction.named[name], function.standsAlone {
        return try call(name, bytes, [], bytes, bytes, isFilter: false)
      }
      return try node(.lookup(name), bytes)
    }
  }

  /// Words that are operators, or parts of them.
  private static let words: Set<String> = ["and", "or", "not", "in", "if", "else"]

  mutating func parseEnvironment(_ bytes: Range<Int>) throws(SyntaxProblem) -> Expression {
    let help = "write `env.NAME`"
    if token.kind == .symbol(".") {
      try advance()
      guard case .name(let name) = token.kind else {
        throw unexpected("the name of an environment variable is expected after `env.`")
      }
      let end = token.bytes.upperBound
      try advance()
      return try node(.environment(name), bytes.lowerBound..<end)
    }
    if token.kind == .symbol("[") {
      let bracket = token
      try advance()
      if case .text(let name) = token.kind {
        try advance()
        guard token.kind == .symbol("]") else { throw unclosedBracket(bracket, "]") }
        let end = token.bytes.upperBound
        try advance()
        return try node(.environment(name), bytes.lowerBound..<end)
      }
    }
    throw SyntaxProblem("`env` is the environment as a whole, which is not a value", at: bytes, help: help)
  }

  mutating func parseLookups(in base: Expression) throws(SyntaxProblem) -> Expression {
    var value = base
    while true {
      let start = value.bytes.lowerBound
      if token.kind == .symbol(".") {
        try advance()
        let member = token
        guard case .name(let name) = member.kind else {
          if case .number(let digits) = member.kind {
            throw SyntaxProblem("a member's name is expected after `.`", at: member.bytes, help: "write `[\(digits)]`")
          }
          throw unexpected("a member's name is expected after `.`")
        }
        try advance()
        if token.kind == .symbol("(") {
          throw method(name, member.bytes, of: value)
        }
        value = try node(
          .member(value, name, nameRange: place(member.bytes)), start..<member.bytes.upperBound)
      } else if token.kind == .symbol("[") {
        let bracket = token
        try advance()
        let index = try parseExpression()
        guard token.kind == .symbol("]") else { throw unclosedBracket(bracket, "]") }
        value = try node(.index(value, index), start..<token.bytes.upperBound)
        try advance()
      } else {
        return value
      }
    }
  }

  /// The problem of `s.toUpperCase()` and `jwt.sign(…)`, at the parenthesis, with the function to write.
  private mutating func method(_ name: String, _ bytes: Range<Int>, of value: Expression) -> SyntaxProblem {
    let start = token.bytes.lowerBound
    var end = token.bytes.upperBound
    let arguments = (try? parseArguments(end: &end)) ?? []
    let written = arguments.isEmpty ? "" : text(start..<end)
    let base = text(value.bytes)
    let joined = "\(base)_\(name)"
    func problem(_ bytes: Range<Int>, _ help: String) -> SyntaxProblem {
      SyntaxProblem("a member can't be called", at: bytes, help: help)
    }
    let whole = value.bytes.lowerBound..<end
    if TemplateFunction.named[joined] != nil { return problem(whole, "write `\(joined)\(written)`") }
    if let function = foreignFunction(joined) {
      return problem(whole, "write `\(function)\(function.hasSuffix(")") ? "" : written)`")
    }
    guard let function = TemplateFunction.named[name] == nil ? foreignFunction(name) : name,
      TemplateFunction.named[function] != nil
    else { return problem(bytes, "functions are filters: `value | \(name)`") }
    return problem(whole, "write `\(base) | \(function)\(written)`")
  }

  /// Parses arguments from the opening parenthesis, the current token, to after the closing one.
  mutating func parseArguments(end: inout Int) throws(SyntaxProblem) -> [Expression] {
    let bracket = token
    try advance()
    var arguments: [Expression] = []
    while token.kind != .symbol(")") {
      arguments.append(try parseExpression())
      try parseSeparator(bracket, ")", "an argument is expected after `,`")
    }
    end = token.bytes.upperBound
    try advance()
    return arguments
  }

  mutating func call(
    _ name: String, _ nameBytes: Range<Int>, _ arguments: [Expression], _ bytes: Range<Int>, _ callBytes: Range<Int>,
    isFilter: Bool
  ) throws(SyntaxProblem) -> Expression {
    guard let function = TemplateFunction.named[name] else {
      let nearest = nearestWord(to: name, among: TemplateFunction.named.keys.sorted())
      problems.append(
        SyntaxProblem(
          "there is no function `\(name)`", at: nameBytes,
          help: foreignFunction(name).map { "write `\($0)`" }
            ?? nearest.map { "did you mean `\($0)`?" }
            ?? "among the functions are upper, lower, trim, base64, json, sha256, now and uuid"))
      return try node(.literal(.null), bytes)
    }
    let prepared: (any Sendable)?
    do {
      prepared = try function.prepared(arguments, callBytes: callBytes, isFilter: isFilter)
    } catch {
      problems.append(error)
      return try node(.literal(.null), bytes)
    }
    if case .fallback = function.body { return try node(.fallback(arguments[0], arguments[1]), bytes) }
    let call = Expression.Call(function: function, arguments: arguments, range: place(callBytes), prepared: prepared)
    return try node(.call(call), bytes)
  }
}
