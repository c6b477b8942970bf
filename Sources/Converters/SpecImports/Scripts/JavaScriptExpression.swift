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
    case failure(JavaScriptExpression)
    case empty
    /// A loop with a condition, a class, or a statement that isn't understood.
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

extension JavaScriptExpression {
  /// The expression with others in place of its parts.
  ///
  /// - Parameter replacement: what stands in place of an expression; nil looks at its parts.
  func replacing(_ replacement: (JavaScriptExpression) -> JavaScriptExpression?) -> JavaScriptExpression {
    func replaced(_ expression: JavaScriptExpression) -> JavaScriptExpression { expression.replacing(replacement) }
    if let found = replacement(self) { return found }
    switch self {
    case .call(let callee, let arguments): return .call(replaced(callee), arguments.map(replaced))
    case .member(let base, let name): return .member(replaced(base), name)
    case .item(let base, let index): return .item(replaced(base), replaced(index))
    case .template(let texts, let values): return .template(texts, values.map(replaced))
    case .list(let items): return .list(items.map(replaced))
    case .object(let members): return .object(members.map { ($0.key, replaced($0.value)) })
    case .new(let value): return .new(replaced(value))
    case .function(let parameters, let body):
      return .function(parameters: parameters, body: body.replacing(replacement))
    case .prefix(let sign, let operand): return .prefix(sign, replaced(operand))
    case .infix(let sign, let left, let right): return .infix(sign, replaced(left), replaced(right))
    case .choice(let condition, let one, let other):
      return .choice(replaced(condition), replaced(one), replaced(other))
    case .assignment(let target, let sign, let value): return .assignment(replaced(target), sign, replaced(value))
    case .name, .number, .text, .bool, .null, .undefined, .regex: return self
    }
  }
}

extension JavaScriptExpression: ExpressibleByStringLiteral {
  /// The chain of names such as `pm.response.json`, which a call may end.
  init(stringLiteral path: String) {
    let isCall = path.hasSuffix("()")
    let names = (isCall ? path.dropLast(2) : path[...]).split(separator: ".").map(String.init)
    let chain = names.dropFirst().reduce(JavaScriptExpression.name(names.first ?? "")) { .member($0, $1) }
    self = isCall ? .call(chain, []) : chain
  }
}

extension [JavaScriptStatement] {
  /// The statements with other expressions in place of theirs.
  func replacing(_ replacement: (JavaScriptExpression) -> JavaScriptExpression?) -> [JavaScriptStatement] {
    map { statement in
      JavaScriptStatement(kind: statement.kind.replacing(replacement), range: statement.range)
    }
  }
}

extension JavaScriptStatement.Kind {
  fileprivate func replacing(
    _ replacement: (JavaScriptExpression) -> JavaScriptExpression?
  ) -> JavaScriptStatement.Kind {
    switch self {
    case .declaration(let declared):
      .declaration(declared.map { ($0.pattern, $0.value.map { $0.replacing(replacement) }) })
    case .expression(let value): .expression(value.replacing(replacement))
    case .condition(let condition, let then, let otherwise):
      .condition(
        condition.replacing(replacement), then: then.replacing(replacement), otherwise: otherwise.replacing(replacement)
      )
    case .attempt(let body, let failure):
      .attempt(body.replacing(replacement), failure: failure.replacing(replacement))
    case .block(let body): .block(body.replacing(replacement))
    case .result(let value): .result(value.map { $0.replacing(replacement) })
    case .failure(let value): .failure(value.replacing(replacement))
    case .empty, .other: self
    }
  }
}
