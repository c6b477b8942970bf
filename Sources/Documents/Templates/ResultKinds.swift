import Values

extension Template {
  /// The kind of the value, as far as it is known before variables have values; nil otherwise.
  package var resultKind: ValueKind? { isWhole ? expressions.first?.resultKind : .text }

  /// The kind of an expression's value, as far as it is known; nil too if it has errors.
  package static func resultKind(ofExpression text: String) -> ValueKind? {
    let source = SourceText(name: "", text: text)
    return withExtendedLifetime(source) {
      var bag = DiagnosticBag()
      return parse(expression: text, place: { SourceRange(source, $0) }, into: &bag)?.resultKind
    }
  }

  /// The functions in it whose results differ each time, such as `uuid`, in the order written.
  package var unrepeatableFunctions: [String] { expressions.flatMap(\.unrepeatableFunctions) }

  private var expressions: [Expression] {
    pieces.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }
}

extension Expression {
  var unrepeatableFunctions: [String] {
    let inside = kind.parts.flatMap(\.unrepeatableFunctions)
    guard case .call(let call) = kind, !call.function.isRepeatable else { return inside }
    return [call.function.name] + inside
  }

  var resultKind: ValueKind? {
    switch kind {
    case .literal(let value): value.kind
    case .environment: .text
    case .lookup, .member, .index: nil
    case .call(let call): call.resultKind
    case .fallback(let value, let other), .conditional(let value, _, let other):
      common([value.resultKind, other.resultKind])
    case .negation: .number
    case .not: .boolean
    case .binary(let binary, _, _): binary.precedence > BinaryOperator.in.precedence ? .number : .boolean
    case .list: .list
    case .mapping: .mapping
    }
  }

  /// The kind of the items of a list.
  var itemKind: ValueKind? {
    switch kind {
    case .literal(.list(let values)): common(values.map(\.kind))
    case .list(let items): common(items.map(\.resultKind))
    default: nil
    }
  }
}

extension Expression.Call {
  fileprivate var resultKind: ValueKind? {
    switch function.result {
    case .always(let kind): kind
    case .first: arguments.first?.resultKind
    case .firstItem: arguments.first?.itemKind
    case .by(let decide): decide(arguments.map(\.literalText))
    case .unknown: nil
    }
  }
}

/// The kind that all have; nil if they differ.
private func common(_ kinds: [ValueKind?]) -> ValueKind? { Set(kinds).count == 1 ? kinds[0] : nil }
