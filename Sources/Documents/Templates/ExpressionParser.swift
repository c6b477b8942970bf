import Values

/// Parses one template, from its `${{` to its `}}`, or an expression alone.
///
/// Lowest precedence first: `if else`, `or`, `and`, `not`, comparisons and `in` (which don't chain), `+ -`, `* / %`,
/// unary `-`, `|`, lookups.
struct ExpressionParser {
  /// The position after the template.
  private(set) var end: Int
  /// Problems that don't stop the parser, such as an unknown function.
  var problems: [SyntaxProblem] = []

  /// The place of the `${{`; nil for an expression alone.
  private let opening: Range<Int>?
  let place: (Range<Int>) -> SourceRange
  private var lexer: ExpressionLexer
  var token: Token
  /// The token before the current one; nil at the beginning.
  private var previous: Token?
  private var nesting = 0

  private static let maximumNesting = 32

  /// - Parameter opening: the position of the `${{`; nil for an expression alone.
  init(bytes: [UInt8], opening: Int? = nil, place: @escaping (Range<Int>) -> SourceRange) {
    self.opening = opening.map { $0..<$0 + 3 }
    self.place = place
    end = self.opening?.upperBound ?? 0
    lexer = ExpressionLexer(bytes: bytes, position: end)
    token = Token(kind: .open, bytes: self.opening ?? 0..<bytes.count)
  }

  /// Parses an expression alone.
  mutating func parseAll() throws(SyntaxProblem) -> Expression {
    let whole = token.bytes
    try advance()
    if token.kind == .end {
      throw SyntaxProblem("there is no expression here", at: whole, help: "write such as `length(items)`")
    }
    let expression = try parseExpression()
    guard token.kind == .end else { throw leftOver() }
    return expression
  }

  mutating func parseTemplate() throws(SyntaxProblem) -> Expression {
    try advance()
    if token.kind == .close {
      end = token.bytes.upperBound
      throw SyntaxProblem(
        "this template is empty", at: (opening?.lowerBound ?? 0)..<end,
        help: "write `$${{` for the characters themselves")
    }
    let expression = try parseExpression()
    switch token.kind {
    case .close: end = token.bytes.upperBound
    case .end, .open: throw unclosed()
    default: throw leftOver()
    }
    return expression
  }

  private func leftOver() -> SyntaxProblem {
    let help: String? =
      switch token.kind {
      case .name("not"): "write `not x in y`"
      case .symbol("("): "functions are called by their names alone; `env.NAME` reads the environment"
      case .name: "texts are joined by writing templates side by side; a text stands in quotes"
      default: nil
      }
    return SyntaxProblem("\(token.wording) is left over after the expression", at: token.bytes, help: help)
  }

  // MARK: Operators

  mutating func parseExpression(_ minimum: Int = 0) throws(SyntaxProblem) -> Expression {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= ExpressionParser.maximumNesting else {
      throw SyntaxProblem(
        "the expression is nested too deeply", at: token.bytes, help: "give its parts names under `variables`")
    }
    var left = try parseOperand(minimum)
    while let binary = binaryOperator(), binary.precedence >= minimum {
      try advance()
      let right = try parseExpression(binary.precedence + 1)
      left = try node(.binary(binary, left, right), left.bytes.lowerBound..<right.bytes.upperBound)
      if binary.isComparison, let next = binaryOperator(), next.isComparison {
        throw SyntaxProblem(
          "comparisons don't chain", at: token.bytes, help: "join two of them with `and`")
      }
    }
    guard minimum == 0, token.kind == .name("if") else { return left }
    return try parseConditional(left)
  }

  /// Parses `if condition else other`, after the value.
  private mutating func parseConditional(_ value: Expression) throws(SyntaxProblem) -> Expression {
    let word = token
    try advance()
    let condition = try parseExpression(BinaryOperator.or.precedence)
    guard token.kind == .name("else") else {
      throw SyntaxProblem(
        "this `if` has no `else`", at: word.bytes, help: "write `a if condition else b`; `b` may be `null`")
    }
    try advance()
    let other = try parseExpression()
    return try node(
      .conditional(value, condition: condition, other: other), value.bytes.lowerBound..<other.bytes.upperBound)
  }

  private mutating func parseOperand(_ minimum: Int) throws(SyntaxProblem) -> Expression {
    let start = token.bytes.lowerBound
    if token.kind == .name("not") {
      guard minimum <= BinaryOperator.notPrecedence else {
        throw SyntaxProblem("`not` binds looser than what stands before it", at: token.bytes, help: "write `(not …)`")
      }
      try advance()
      let operand = try parseExpression(BinaryOperator.notPrecedence)
      return try node(.not(operand), start..<operand.bytes.upperBound)
    }
    if token.kind == .symbol("-") {
      try advance()
      if case .number(let lexeme) = token.kind {
        let literal = try node(.literal(.number(Number(lexeme: lexeme).negated)), start..<token.bytes.upperBound)
        try advance()
        return try parseFilters(of: literal)
      }
      let operand = try parseExpression(BinaryOperator.times.precedence + 1)
      return try node(.negation(operand), start..<operand.bytes.upperBound)
    }
    return try parseFilters(of: parsePrimary())
  }

  private func binaryOperator() -> BinaryOperator? {
    switch token.kind {
    case .symbol(let text): BinaryOperator(rawValue: text)
    case .name("and"): .and
    case .name("or"): .or
    case .name("in"): .in
    default: nil
    }
  }

  // MARK: Tokens and problems

  func text(_ bytes: Range<Int>) -> String { lexer.text(bytes) }

  mutating func advance() throws(SyntaxProblem) {
    end = token.bytes.upperBound
    previous = token
    token = try lexer.next()
  }

  func node(_ kind: Expression.Kind, _ bytes: Range<Int>) throws(SyntaxProblem) -> Expression {
    let expression = Expression(kind, bytes: bytes, range: place(bytes))
    guard expression.depth <= Expression.maximumDepth else {
      throw SyntaxProblem("the expression is too long", at: bytes, help: "give its parts names under `variables`")
    }
    return expression
  }

  func unexpected(_ expectation: String) -> SyntaxProblem {
    if opening == nil, token.kind == .end {
      return SyntaxProblem(
        "\(expectation), and the expression ends", at: previous?.bytes ?? token.bytes,
        help: previous.map { "complete it after \($0.wording), or remove that" })
    }
    if token.kind == .end || token.kind == .open { return unclosed() }
    return SyntaxProblem(
      "\(expectation), not \(token.wording)", at: token.bytes,
      help: token.kind == .close
        ? previous.flatMap { $0.kind == .open ? nil : "complete it after \($0.wording), or remove that" }
        : token.kind == .symbol("+") && previous?.kind == token.kind ? "nothing is changed: write `+ 1`" : nil)
  }

  private func unclosed() -> SyntaxProblem {
    if token.kind == .open, lexer.hasInnerTemplate(after: opening?.lowerBound ?? 0) {
      return SyntaxProblem(
        "a template stands within a template", at: token.bytes,
        help: "write what is in it alone, without `${{` and `}}`")
    }
    return SyntaxProblem(
      "this `${{` is never closed", at: opening ?? token.bytes,
      help: "end the template with `}}`, or write `$${{` for a literal `${{`"
    )
  }

  func unclosedBracket(_ bracket: Token, _ closing: String) -> SyntaxProblem {
    token.kind == .end || token.kind == .open || token.kind == .close
      ? SyntaxProblem("\(bracket.wording) is never closed", at: bracket.bytes)
      : SyntaxProblem(
        "`\(closing)` is expected here, not \(token.wording)", at: token.bytes,
        help: token.kind == .symbol(":") && closing == "]"
          ? "a part of a text is `match(text, \"^.{2}\")`, an item of a list `[0]`" : nil)
  }
}
