import Values

/// A scalar with `${{ expression }}` in it, parsed once.
///
/// A scalar that is exactly one template keeps its value's type; inside text the value becomes text. Rendered text is
/// never parsed again. `$${{` is the escape for a literal `${{`.
package struct Template: Sendable {
  enum Piece: Sendable {
    case literal(String)
    case expression(Expression)
  }

  /// The whole scalar.
  package let range: SourceRange
  /// Every variable looked up, in the order written.
  package let references: [TemplateReference]
  let pieces: [Piece]

  init(range: SourceRange, pieces: [Piece]) {
    self.range = range
    self.pieces = pieces
    var references: [TemplateReference] = []
    for case .expression(let expression) in pieces { expression.collectReferences(into: &references) }
    self.references = references
  }

  /// Indicates whether it is an expression whose value is `true` or `false` in any case.
  package var isCondition: Bool {
    switch wholeExpression?.kind {
    case .not: true
    case .binary(let binary, _, _): binary.isComparison || binary == .or || binary == .and
    default: false
    }
  }

  /// Indicates whether the text is exactly one template, so that the value keeps its type.
  package var isWhole: Bool { wholeExpression != nil }

  var wholeExpression: Expression? {
    guard pieces.count == 1, case .expression(let expression) = pieces[0] else { return nil }
    return expression
  }

  /// Returns whether the text contains a template, or the escape of one.
  package static func isTemplate(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      let brace = UInt8(ascii: "{")
      return bytes.count > 2
        && (0..<bytes.count - 2).contains {
          bytes[$0] == UInt8(ascii: "$") && bytes[$0 + 1] == brace && bytes[$0 + 2] == brace
        }
    }
  }

  /// Returns whether the text is a valid variable name: a letter or `_`, then letters, digits and `_`, and not
  /// reserved.
  package static func isName(_ text: String) -> Bool {
    !reservedNames.contains(text) && ExpressionLexer.isName(text)
  }

  /// A function as its users see it.
  package struct FunctionDescription: Sendable {
    package let name: String
    package let parameters: [String]
    /// `replace(text, from, to)`
    package let signature: String
    /// Indicates whether the name alone is a call.
    package let standsAlone: Bool
    /// One line; nil where another function's says it, too.
    package let documentation: String?
  }

  package static let functions = TemplateFunction.all.map { function in
    FunctionDescription(
      name: function.name, parameters: function.parameters, signature: function.signature,
      standsAlone: function.standsAlone,
      documentation: function.row.map { "takes \($0.takes), yields \($0.yields)" })
  }

  package static func hasFunction(_ name: String) -> Bool { TemplateFunction.named[name] != nil }

  /// Names with a meaning of their own in expressions, which variables can't have.
  package static let reservedNames: Set<String> = [
    "true", "false", "null", "and", "or", "not", "in", "if", "else", "env", "uuid", "uuid7", "now",
  ]

  /// The text with a placeholder for each expression, to check the text around them before they have values.
  package func text(standIn: String) -> String {
    pieces.map { if case .literal(let text) = $0 { text } else { standIn } }.joined()
  }

  /// The value: typed if the template is the whole scalar, otherwise a text that knows its secret parts.
  package func evaluate(in scope: any TemplateScope) throws(TemplateError) -> Value {
    if let wholeExpression { return try value(of: wholeExpression, Evaluator(scope: scope)) }
    return .text(try evaluateText(in: scope))
  }

  private func value(of expression: Expression, _ evaluator: Evaluator) throws(TemplateError) -> Value {
    let scope = evaluator.scope
    guard scope.standsIn else { return try evaluator.value(of: expression) }
    if let open = try scope.open(OpenExpression(expression: expression)) { return open }
    let value = try evaluator.value(of: expression)
    if case .lookup = expression.kind { return value }
    var references: [TemplateReference] = []
    expression.collectReferences(into: &references)
    return scope.standIn(for: value, reading: references.map(\.name), at: expression.range)
  }

  package func evaluateText(in scope: any TemplateScope) throws(TemplateError) -> Text {
    try evaluate(in: scope) { $0.asText }
  }

  /// The text with each expression's value as `joining` writes it, such as a literal of a JSONPath.
  package func evaluate(in scope: any TemplateScope, joining: (Value) -> Text) throws(TemplateError) -> Text {
    var result = Text("")
    let evaluator = Evaluator(scope: scope)
    for piece in pieces {
      switch piece {
      case .literal(let text): result.append(text)
      case .expression(let expression):
        let text = joining(try value(of: expression, evaluator))
        try ResultLimit.check(size: result.string.utf8.count + text.string.utf8.count, at: expression.range)
        result.append(text)
      }
    }
    return result
  }
}
