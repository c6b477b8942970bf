import Values

extension Evaluator {
  func boolean(_ operand: Expression, _ name: String) throws(TemplateError) -> Bool {
    let value = try value(of: operand)
    guard case .bool(let result) = value else {
      throw TemplateError(
        "`\(name)` takes booleans, not \(value.kind.phrase)", at: operand.range,
        help: value.kind == .text ? "compare it: `… == 'true'`" : "compare it: `… != null`")
    }
    return result
  }

  func negation(of operand: Expression) throws(TemplateError) -> Value {
    let value = try value(of: operand)
    guard case .number(let number) = value else {
      throw TemplateError("`-` takes a number, not \(value.kind.phrase)", at: operand.range)
    }
    return .number(number.negated)
  }

  func binary(
    _ binary: BinaryOperator, _ left: Expression, _ right: Expression, _ range: SourceRange
  ) throws(TemplateError) -> Value {
    let a = try value(of: left, comparedBy: binary)
    let b = try value(of: right, comparedBy: binary)
    switch binary {
    case .equal: return .bool(a == b)
    case .notEqual: return .bool(a != b)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .bool(try compare(binary, a, b, range))
    case .in: return .bool(try contains(a, in: b, left.range, right.range))
    case .plus, .minus, .times, .divided, .remainder:
      return try arithmetic(binary, (a, left.range), (b, right.range), range)
    case .and, .or: preconditionFailure("`and` and `or` evaluate their operands themselves")
    }
  }

  /// The value of a comparison's operand. For `==` and `!=` an unset environment variable is null, so that `env.STAGE
  /// == 'test'` works.
  private func value(of operand: Expression, comparedBy binary: BinaryOperator) throws(TemplateError) -> Value {
    if binary == .equal || binary == .notEqual, case .environment(let name) = operand.kind {
      return scope.environmentVariable(name).map { .text($0) } ?? .null
    }
    return try value(of: operand)
  }

  private func compare(
    _ binary: BinaryOperator, _ a: Value, _ b: Value, _ range: SourceRange
  ) throws(TemplateError) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): return ordered(binary, a, b)
    case (.date(let a), .date(let b)): return ordered(binary, a, b)
    case (.text(let a), .text(let b)): return ordered(binary, Bytewise(a.string), Bytewise(b.string))
    default:
      let kinds: Set = [a.kind, b.kind]
      throw TemplateError(
        "`\(binary.rawValue)` compares two numbers, two texts or two dates, not \(a.kind.phrase) with \(b.kind.phrase)",
        at: range, help: kinds == [.number, .text] ? "`to_number` reads a text as a number" : nil)
    }
  }

  /// Returns whether a text is part of a text, a value an item of a list, or a text the name of a member.
  private func contains(
    _ value: Value, in container: Value, _ range: SourceRange, _ containerRange: SourceRange
  ) throws(TemplateError) -> Bool {
    switch (container, value) {
    case (.text(let text), .text(let part)):
      return part.isEmpty || TextSearch(for: Array(part.string.utf8), in: Array(text.string.utf8)).first != nil
    case (.mapping(let mapping), .text(let name)): return mapping[name.string] != nil
    case (.list(let items), _):
      for item in items {
        if meter.isOver() { throw .interruption(of: "`in`", at: range) }
        if item == value { return true }
      }
      return false
    case (.text, _):
      throw TemplateError("`in` looks for a text in a text, not for \(value.kind.phrase)", at: range)
    case (.mapping, _):
      throw TemplateError("`in` looks for a member's name in a mapping, not for \(value.kind.phrase)", at: range)
    default:
      throw TemplateError(
        "`in` looks in a text, a list or a mapping, not in \(container.kind.phrase)", at: containerRange)
    }
  }

  private func ordered<T: Comparable>(_ binary: BinaryOperator, _ a: T, _ b: T) -> Bool {
    switch binary {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .greater: a > b
    default: a >= b
    }
  }

  private func arithmetic(
    _ binary: BinaryOperator, _ left: (value: Value, range: SourceRange), _ right: (value: Value, range: SourceRange),
    _ range: SourceRange
  ) throws(TemplateError) -> Value {
    guard case .number(let a) = left.value, case .number(let b) = right.value else {
      let wrong = left.value.kind == .number ? right : left
      var help: String?
      if wrong.value.kind == .text {
        help =
          binary == .plus
          ? "texts are joined by writing them side by side: `${{ a }}${{ b }}`; `to_number` reads a text as a number"
          : "`to_number` reads a text as a number"
      } else if left.value.kind == .date {
        help = "a date is moved with `plus`: `now | plus(\"-1d\")`"
      } else if wrong.value.kind == .list, binary == .plus {
        help = "`flatten` joins the lists of a list"
      }
      throw TemplateError(
        "`\(binary.rawValue)` takes numbers, not \(wrong.value.kind.phrase)", at: wrong.range, help: help)
    }
    if b.isZero, binary == .divided || binary == .remainder {
      throw TemplateError("`\(binary.rawValue)` cannot divide by zero", at: right.range)
    }
    let result: Number? =
      switch binary {
      case .plus: a + b
      case .minus: a - b
      case .divided: a / b
      case .remainder: a % b
      default: a * b
      }
    guard let result else { throw TemplateError("the result has more than 10,000 digits", at: range) }
    return .number(result)
  }
}

/// A text ordered by its UTF-8, consistent with its equality.
struct Bytewise: Comparable {
  let bytes: String.UTF8View

  init(_ string: String) { bytes = string.utf8 }

  static func == (left: Bytewise, right: Bytewise) -> Bool { left.bytes.elementsEqual(right.bytes) }
  static func < (left: Bytewise, right: Bytewise) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension Number {
  /// The number with the other sign, its digits kept as written.
  var negated: Number {
    if isZero { return self }
    return Number(lexeme: lexeme.hasPrefix("-") ? String(lexeme.dropFirst()) : "-" + lexeme, isSecret: isSecret)
  }
}
