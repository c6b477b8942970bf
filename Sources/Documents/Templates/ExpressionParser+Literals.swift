import Values

/// Literals of lists and mappings.
extension ExpressionParser {
  mutating func parseList(_ bracket: Token) throws(SyntaxProblem) -> Expression {
    try advance()
    var items: [Expression] = []
    while token.kind != .symbol("]") {
      items.append(try parseExpression())
      try parseSeparator(bracket, "]", "an item is expected after `,`")
    }
    let bytes = bracket.bytes.lowerBound..<token.bytes.upperBound
    try advance()
    let values = items.compactMap(\.literal)
    return try node(values.count == items.count ? .literal(.list(values)) : .list(items), bytes)
  }

  mutating func parseMapping(_ bracket: Token) throws(SyntaxProblem) -> Expression {
    try advance()
    var members: [Expression.Member] = []
    var names: Set<String> = []
    while token.kind != .symbol("}") {
      let name: String
      switch token.kind {
      case .name(let word): name = word
      case .text(let text): name = text
      default: throw unexpected("a member's name is expected here")
      }
      guard names.insert(name).inserted else {
        throw SyntaxProblem("the mapping has this member twice", at: token.bytes)
      }
      try advance()
      guard token.kind == .symbol(":") else { throw unexpected("`:` is expected after a member's name") }
      try advance()
      members.append(Expression.Member(name: name, value: try parseExpression()))
      try parseSeparator(bracket, "}", "a member's name is expected after `,`")
    }
    let bytes = bracket.bytes.lowerBound..<token.bytes.upperBound
    try advance()
    let values = members.compactMap { member in member.value.literal.map { (member.name, $0) } }
    return try node(values.count == members.count ? .literal(.mapping(Mapping(values))) : .mapping(members), bytes)
  }

  /// Parses the comma after an element, unless the closing bracket follows.
  mutating func parseSeparator(
    _ bracket: Token, _ closing: String, _ expectation: String
  ) throws(SyntaxProblem) {
    if token.kind == .symbol(",") {
      try advance()
      if token.kind == .symbol(closing) { throw unexpected(expectation) }
    } else if token.kind != .symbol(closing) {
      throw unclosedBracket(bracket, closing)
    }
  }
}
