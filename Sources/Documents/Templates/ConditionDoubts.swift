import Values

extension Template {
  /// The reason why a condition is the same whatever the response is, and the fix; nil for any other.
  package var constancy: (message: String, help: String)? { pieces.count == 1 ? wholeExpression?.constancy : nil }

  /// The first two values within that a condition compares, and that look alike but differ in type or letter case.
  package func lookAlikes(in scope: any TemplateScope) -> (left: Value, right: Value)? {
    wholeExpression.flatMap { Evaluator(scope: scope).lookAlikes(in: $0) }
  }

  /// A text with `{{ expression }}`, as other tools write templates, with their values; nil if one has none.
  package static func filled(_ text: String, in scope: any TemplateScope) -> Text? {
    let written = text.replacing("{{", with: "${{")
    let source = SourceText(name: "", text: written)
    return withExtendedLifetime(source) {
      var bag = DiagnosticBag()
      guard let template = parse(written, place: { SourceRange(source, $0) }, into: &bag) else { return nil }
      return (try? template.evaluate(in: scope))?.asText
    }
  }
}

extension Expression {
  fileprivate var constancy: (message: String, help: String)? {
    if isConstant {
      if literal == nil { return ("nothing in this expression could change", "compare with a variable or a capture") }
      return (
        "this expression is a text or a number itself, which never changes", "leave out the quotes around a condition"
      )
    }
    if case .not(let operand) = kind { return operand.constancy }
    guard case .binary(let binary, let left, let right) = kind else { return nil }
    switch binary {
    case .or, .and:
      if [left, right].contains(where: { $0.literal == .bool(binary == .or) }) {
        return ("this is always `\(binary == .or)`", "leave out `\(binary.rawValue) \(binary == .or)`")
      }
      if areExclusive(left, right, in: binary) {
        return binary == .or
          ? ("no value equals both: this is always `true`", "write `and` in place of `or`")
          : ("no value equals both: this is always `false`", "write `or` in place of `and`, or `in` with a list")
      }
      return [left, right].lazy.filter { !$0.isConstant }.compactMap(\.constancy).first
    case .equal, .notEqual:
      if left.range.text == right.range.text, left.isPlain {
        return ("both sides are the same: this never changes", "compare with an earlier capture, or with a value")
      }
      return differentKinds(left.resultKind, right.resultKind)
    case .in: return differentKinds(left.resultKind, right.itemKind)
    case .greaterOrEqual, .less: return boundOfLength(left, right)
    case .lessOrEqual, .greater: return boundOfLength(right, left)
    default: return nil
    }
  }

  /// Indicates whether it calls nothing.
  private var isPlain: Bool { if case .call = kind { false } else { kind.parts.allSatisfy(\.isPlain) } }

  fileprivate var isConstant: Bool {
    switch kind {
    case .literal: true
    case .lookup, .environment, .call: false
    default: kind.parts.allSatisfy(\.isConstant)
    }
  }

  /// `a != 1 or a != 2`, `a == 1 and a == 2`
  private func areExclusive(_ left: Expression, _ right: Expression, in binary: BinaryOperator) -> Bool {
    var left = left
    if case .binary(binary, _, let last) = left.kind { left = last }
    let comparison = binary == .or ? BinaryOperator.notEqual : .equal
    guard case .binary(comparison, let value, let first) = left.kind,
      case .binary(comparison, let other, let second) = right.kind, value.isPlain, !value.isConstant,
      value.range.text == other.range.text, let first = first.literal, let second = second.literal
    else { return false }
    return first != second
  }

  private func differentKinds(_ left: ValueKind?, _ right: ValueKind?) -> (message: String, help: String)? {
    guard let left, let right, left != right, left != .null, right != .null else { return nil }
    return (
      "\(left.phrase) never equals \(right.phrase): this never changes",
      [left, right].contains(.number) && [left, right].contains(.text)
        ? "leave out the quotes around the number, or write `to_number`" : "compare values of one type"
    )
  }

  /// `length(a) >= 0`
  private func boundOfLength(_ value: Expression, _ bound: Expression) -> (message: String, help: String)? {
    guard case .call(let call) = value.kind, call.function.name == "length", case .number(let number)? = bound.literal,
      number <= Number(0)
    else { return nil }
    return ("every length is at least 0: this never changes", "write `> 0`")
  }
}

extension Evaluator {
  fileprivate func lookAlikes(in expression: Expression) -> (left: Value, right: Value)? {
    if case .binary(.or, _, _) = expression.kind, (try? value(of: expression)) == .bool(true) { return nil }
    if case .binary(let binary, let left, let right) = expression.kind, [.equal, .notEqual, .in].contains(binary),
      let a = try? value(of: left), let b = try? value(of: right)
    {
      let hasLiteral = left.literal != nil || right.isConstant
      if case .list(let items) = b, binary == .in {
        if !items.contains(a), let item = items.prefix(100).first(where: { areAlike(a, $0, hasLiteral) }) {
          return (a, item)
        }
      } else if areAlike(a, b, hasLiteral) {
        return (a, b)
      }
    }
    return expression.kind.parts.lazy.compactMap { self.lookAlikes(in: $0) }.first
  }

  /// Returns whether two words of an enumeration differ in letter case alone.
  private func differOnlyInCase(_ left: Text, _ right: Text) -> Bool {
    left.secretRanges.isEmpty && right.secretRanges.isEmpty && left != right && left.string.utf8.count <= 64
      && left.string.utf8.allSatisfy(isWordCharacter) && left.string.lowercased() == right.string.lowercased()
  }

  /// - Parameter hasLiteral: whether one of them is written in the template; otherwise texts may differ on purpose.
  private func areAlike(_ left: Value, _ right: Value, _ hasLiteral: Bool) -> Bool {
    switch (left, right) {
    case (.text(let text), .number(let number)), (.number(let number), .text(let text)):
      Number(parsing: text.string) == number
    case (.text(let text), .bool(let flag)), (.bool(let flag), .text(let text)): text.string == String(flag)
    case (.text(let text), .null), (.null, .text(let text)): ["null", "None", "undefined"].contains(text.string)
    case (.text(let text), .text(let other)): hasLiteral && differOnlyInCase(text, other)
    case (.text, .list(let items)): items.prefix(100).contains(left)
    case (.list(let items), .text): items.prefix(100).contains(right)
    default: false
    }
  }
}
