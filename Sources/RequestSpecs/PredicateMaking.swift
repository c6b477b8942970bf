import Matching
import RegularExpressions
import Values

/// A predicate from its name and operand: the one place that knows what each takes.
func makePredicate(
  _ name: PredicateName, operand written: Value, unit: OperandUnit
) throws(DecodingProblem) -> Predicate {
  let operand = try measured(written, unit, name)
  switch name {
  case .equals: return .equals(operand)
  case .notEquals: return .notEquals(operand)
  case .greaterThan: return .greaterThan(try comparable(operand, name))
  case .atLeast: return .atLeast(try comparable(operand, name))
  case .lessThan: return .lessThan(try comparable(operand, name))
  case .atMost: return .atMost(try comparable(operand, name))
  case .between: return try between(operand)
  case .closeTo: return try closeTo(operand, unit)
  case .contains: return .contains(try part(operand, name))
  case .notContains: return .notContains(try part(operand, name))
  case .startsWith: return .startsWith(try text(operand, name))
  case .endsWith: return .endsWith(try text(operand, name))
  case .matches: return .matches(try compilePattern(try text(operand, name)))
  case .notMatches: return .notMatches(try compilePattern(try text(operand, name)))
  case .isKind: return .isKind(try kind(operand))
  case .isNotKind: return .isNotKind(try kind(operand))
  case .exists: return .exists(try flag(operand, name))
  case .oneOf:
    guard case .list(let values) = operand, !values.isEmpty else { throw wrongOperand(name, operand) }
    return .oneOf(values)
  case .includes: return .includes(try included(operand))
  case .unique: return .unique(try flag(operand, name))
  case .sorted: return .sorted(try order(operand))
  case .before: return .before(try instant(operand, name))
  case .after: return .after(try instant(operand, name))
  case .count, .every, .any, .none, .not:
    // Their operands are predicates, which only a file can write.
    throw wrongOperand(name, operand)
  }
}

// MARK: Units

/// The operand as the subject's values are: only of predicates that compare with these.
private func measured(_ operand: Value, _ unit: OperandUnit, _ name: PredicateName) throws(DecodingProblem) -> Value {
  switch (unit, name) {
  case (.text, .equals), (.text, .notEquals), (.text, .oneOf), (.text, .contains), (.text, .notContains),
    (.text, .startsWith), (.text, .endsWith):
    return try measured(operand, unit)
  case (.duration, .equals), (.duration, .notEquals), (.duration, .oneOf), (.duration, .greaterThan),
    (.duration, .atLeast), (.duration, .lessThan), (.duration, .atMost), (.duration, .between), (.size, .equals),
    (.size, .notEquals), (.size, .oneOf), (.size, .greaterThan), (.size, .atLeast), (.size, .lessThan),
    (.size, .atMost), (.size, .between):
    return try measured(operand, unit)
  default: return operand
  }
}

/// A value as the subject's values are.
func measured(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Value {
  switch unit {
  case .plain: operand
  case .text: textual(operand)
  case .duration, .size: try number(operand, unit)
  }
}

/// Numbers, `true` and `false` beside a text mean their text.
private func textual(_ operand: Value) -> Value {
  switch operand {
  case .number, .bool: .text(operand.asText)
  case .list(let items): .list(items.map(textual))
  default: operand
  }
}

private func number(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Value {
  if case .list(let items) = operand {
    var result: [Value] = []
    for item in items { result.append(try number(item, unit)) }
    return .list(result)
  }
  switch unit {
  case .duration: return .number(milliseconds(try ValueDecoder<Duration>.duration.decode(operand)))
  case .size: return .integer(try ValueDecoder<Int64>.size.decode(operand))
  case .plain, .text: return operand
  }
}

/// A duration as an exact number of milliseconds, down to microseconds.
package func milliseconds(_ duration: Duration) -> Number {
  let (seconds, attoseconds) = duration.components
  let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
  if rest == 0 { return Number(whole) }
  var digits = String(rest + 1000).dropFirst()
  while digits.last == "0" { digits.removeLast() }
  return Number(lexeme: "\(whole).\(digits)")
}

// MARK: Operands

/// A number or a date; a text that is a date is read as one.
private func comparable(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Value {
  switch operand {
  case .number, .date: return operand
  case .text(let text):
    if let date = Matching.instant(text) { return .date(date) }
    if !text.isSecret, Number(parsing: text.string) != nil {
      throw DecodingProblem(
        "`\(name.rawValue)` takes \(name.operandPhrase), found the text \"\(text.string)\"", help: "remove the quotes")
    }
    throw wrongOperand(name, operand)
  default: throw wrongOperand(name, operand)
  }
}

private func between(_ operand: Value) throws(DecodingProblem) -> Predicate {
  guard case .list(let bounds) = operand, bounds.count == 2 else { throw wrongOperand(.between, operand) }
  let low = try comparable(bounds[0], .between)
  let high = try comparable(bounds[1], .between)
  let isReversed: Bool
  switch (low, high) {
  case (.number(let low), .number(let high)): isReversed = high < low
  case (.date(let low), .date(let high)): isReversed = high < low
  default: throw DecodingProblem("`between` takes two numbers or two dates, found one of each")
  }
  if isReversed {
    throw DecodingProblem(
      "nothing lies between these: the first is greater than the second", help: "write the lower one first")
  }
  return .between(low, high)
}

private func closeTo(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Predicate {
  guard case .mapping(let mapping) = operand, mapping.count == 2, let value = mapping["value"],
    let within = mapping["within"]
  else { throw wrongOperand(.closeTo, operand) }
  guard case .number(let centre) = try number(value, unit), case .number(let distance) = try number(within, unit) else {
    throw wrongOperand(.closeTo, operand)
  }
  if distance < Number(0) { throw DecodingProblem("`within` is a distance, and never negative") }
  return .closeTo(value: centre, within: distance)
}

/// What may be part of something: an empty text is part of every text.
private func part(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Value {
  if case .text(let text) = operand, text.isEmpty { throw emptyText(name) }
  return operand
}

private func text(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Text {
  switch operand {
  case .text(let text):
    if text.isEmpty { throw emptyText(name) }
    return text
  case .number(let number) where !number.isSecret:
    throw DecodingProblem(
      "`\(name.rawValue)` takes text, found the number \(number)", help: "quote it: \"\(number)\"")
  default: throw wrongOperand(name, operand)
  }
}

private func emptyText(_ name: PredicateName) -> DecodingProblem {
  DecodingProblem(
    "`\(name.rawValue)` with an empty text checks nothing", help: "write `{is: empty}` for a text that must be empty")
}

private func included(_ operand: Value) throws(DecodingProblem) -> Value {
  switch operand {
  case .mapping(let mapping) where mapping.count > 0: return operand
  case .list(let items) where !items.isEmpty: return operand
  case .mapping, .list:
    throw DecodingProblem("everything includes an empty \(operand.kind.rawValue): this checks nothing")
  default:
    throw DecodingProblem(
      "`includes` takes \(PredicateName.includes.operandPhrase), found \(operand.phrase)",
      help: "write `contains` for one item or a part of a text")
  }
}

/// `is: null` is written without quotes.
private func kind(_ operand: Value) throws(DecodingProblem) -> MatchKind {
  if case .null = operand { return .null }
  if case .text(let text) = operand, !text.isSecret, ["not null", "not_null", "notnull"].contains(text.string) {
    throw DecodingProblem("`is` has no \"\(text.string)\"", help: "write `is_not: null`")
  }
  return try ValueDecoder<MatchKind>.word(instead: kindWord).decode(operand)
}

private func order(_ operand: Value) throws(DecodingProblem) -> SortOrder {
  switch operand {
  case .bool(true): return .ascending
  case .text(let text):
    if let order = SortOrder(rawValue: text.string) { return order }
    throw unknownWord(text, among: SortOrder.allCases.map(\.rawValue))
  default: throw wrongOperand(.sorted, operand)
  }
}

private func flag(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Bool {
  if case .bool(let value) = operand { return value }
  let problem = wrongOperand(name, operand)
  guard case .text(let text) = operand, !text.isSecret else { throw problem }
  throw DecodingProblem(problem.message, help: booleanAdvice[text.string])
}

private func instant(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Timestamp {
  switch operand {
  case .date(let date): return date
  case .text(let text):
    if let date = Matching.instant(text) { return date }
    throw wrongOperand(name, operand)
  default: throw wrongOperand(name, operand)
  }
}

private func wrongOperand(_ name: PredicateName, _ operand: Value) -> DecodingProblem {
  let found =
    switch operand {
    case .list(let items): items.isEmpty ? "an empty list" : "a list of \(items.count)"
    default: operand.phrase
    }
  return DecodingProblem("`\(name.rawValue)` takes \(name.operandPhrase), found \(found)")
}
