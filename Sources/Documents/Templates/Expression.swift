import Values

/// A parsed expression with its place; a class, so that stack frames of recursive functions stay small.
final class Expression: Sendable {
  enum Kind: Sendable {
    case literal(Value)
    case lookup(String)
    case environment(String)
    case member(Expression, String, nameRange: SourceRange)
    case index(Expression, Expression)
    case call(Call)
    /// `default(value, fallback)`: its second argument is evaluated only if needed.
    case fallback(Expression, Expression)
    case negation(Expression)
    case not(Expression)
    case binary(BinaryOperator, Expression, Expression)
    /// `value if condition else other`
    case conditional(Expression, condition: Expression, other: Expression)
    case list([Expression])
    case mapping([Member])
  }

  /// A call of a function.
  struct Call: Sendable {
    let function: TemplateFunction
    let arguments: [Expression]
    let range: SourceRange
    /// The result of the function's preparation of literal arguments, such as a compiled pattern.
    let prepared: (any Sendable)?
  }

  /// A member of a mapping's literal.
  struct Member: Sendable {
    let name: String
    let value: Expression
  }

  let kind: Kind
  /// The range in the UTF-8 of the scalar's text.
  let bytes: Range<Int>
  let range: SourceRange
  /// The height of the tree, bounded so that recursion can't exhaust a stack.
  let depth: Int

  static let maximumDepth = 50

  init(_ kind: Kind, bytes: Range<Int>, range: SourceRange) {
    self.kind = kind
    self.bytes = bytes
    self.range = range
    depth = 1 + (kind.parts.map(\.depth).max() ?? 0)
  }

  /// The value, if the expression is a literal.
  var literal: Value? { if case .literal(let value) = kind { value } else { nil } }

  /// The text, if the expression is a literal one.
  var literalText: String? { if case .text(let text)? = literal { text.string } else { nil } }

  /// Indicates whether absence here (an unset variable, a missing member, the first of no items) can be handled by
  /// `default`.
  var admitsAbsence: Bool {
    switch kind {
    case .lookup, .environment, .member, .index: true
    case .call(let call): call.function.mayBeAbsent
    case .literal, .fallback, .negation, .not, .binary, .conditional, .list, .mapping: false
    }
  }

  func collectReferences(hasDefault: Bool = false, member: String? = nil, into references: inout [TemplateReference]) {
    switch kind {
    case .literal: break
    case .lookup(let name):
      references.append(TemplateReference(name: name, member: member, range: range, hasDefault: hasDefault))
    case .environment(let name):
      references.append(TemplateReference(name: "env", member: name, range: range, hasDefault: hasDefault))
    case .member(let base, let name, _):
      base.collectReferences(hasDefault: hasDefault, member: name, into: &references)
    case .index(let base, let index):
      base.collectReferences(hasDefault: hasDefault, member: index.literalText, into: &references)
      index.collectReferences(into: &references)
    case .call(let call):
      for (index, argument) in call.arguments.enumerated() {
        argument.collectReferences(
          hasDefault: hasDefault && admitsAbsence && index == 0 && argument.admitsAbsence, into: &references)
      }
    case .fallback(let value, let fallback):
      value.collectReferences(hasDefault: value.admitsAbsence, into: &references)
      fallback.collectReferences(into: &references)
    case .negation, .not, .binary, .conditional, .list, .mapping:
      for part in kind.parts { part.collectReferences(into: &references) }
    }
  }
}

extension Expression.Kind {
  /// The expressions of which it consists, in the order written.
  var parts: [Expression] {
    switch self {
    case .literal, .lookup, .environment: []
    case .member(let base, _, _): [base]
    case .index(let base, let index): [base, index]
    case .call(let call): call.arguments
    case .fallback(let value, let fallback): [value, fallback]
    case .negation(let operand), .not(let operand): [operand]
    case .binary(_, let left, let right): [left, right]
    case .conditional(let value, let condition, let other): [value, condition, other]
    case .list(let items): items
    case .mapping(let members): members.map(\.value)
    }
  }
}

enum BinaryOperator: String, Sendable {
  case or, and
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case remainder = "%"
  case `in`

  /// The precedence: a higher one binds tighter; `not` is between `and` and the comparisons.
  var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in: 4
    case .plus, .minus: 5
    case .times, .divided, .remainder: 6
    }
  }

  static let notPrecedence = 3

  var isComparison: Bool { precedence == 4 }
}
