import DocumentQueries
import Matching
import Values

/// Makes a predicate from its kind and operand: the only place that reads operands.
func makePredicate(
  _ kind: PredicateKind, operand written: Value, unit: OperandUnit
) throws(DecodingProblem) -> Predicate {
  let operand = try readOperand(kind, written, unit)
  if let problem = kind.problem(operand) { throw DecodingProblem(.invalidValue, problem.message, help: problem.help) }
  return Predicate(kind, operand)
}

private func readOperand(
  _ kind: PredicateKind, _ written: Value, _ unit: OperandUnit
) throws(DecodingProblem) -> Predicate.Operand {
  switch kind.operand {
  case .anyValue: return .value(try measured(written, unit))
  case .comparable: return .value(try comparable(try magnitude(written, unit), kind))
  case .number:
    guard case .number(let number) = try magnitude(written, unit) else { throw wrongOperand(kind, written) }
    return .value(.number(number))
  case .date: return .value(.date(try instant(written, kind)))
  case .bounds: return try bounds(try magnitude(written, unit), kind)
  case .distance: return try distance(written, unit, kind)
  case .part: return .value(try part(try textual(written, unit), kind))
  case .members: return .value(try included(try textual(written, unit), kind))
  case .list:
    guard case .list(let values) = try measured(written, unit), !values.isEmpty else {
      throw wrongOperand(kind, written)
    }
    return .values(values)
  case .text: return .text(try text(try textual(written, unit), kind))
  case .pattern: return .pattern(try compilePattern(try text(written, kind)))
  case .kind: return .kind(try matchKind(written))
  case .flag: return .flag(try flag(written, kind))
  case .order: return .order(try order(written, kind))
  case .items, .count, .predicates: throw wrongOperand(kind, written)
  }
}

// MARK: Units

/// A number in the unit of the subject.
private func magnitude(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Value {
  unit == .text ? operand : try measured(operand, unit)
}

/// A text in the form of the subject.
private func textual(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Value {
  unit == .text ? try measured(operand, unit) : operand
}

/// A value in the form of the subject's values.
func measured(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Value {
  switch unit {
  case .plain: operand
  case .text: textual(operand)
  case .duration, .size: try number(operand, unit)
  }
}

/// Numbers, `true` and `false` compared with a text mean their text.
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

/// A duration as an exact number of milliseconds, in steps of microseconds.
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
private func comparable(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Value {
  switch operand {
  case .number, .date: return operand
  case .text(let text):
    if let date = Matching.instant(text) { return .date(date) }
    if !text.isSecret, Number(parsing: text.string) != nil {
      throw DecodingProblem(
        .wrongType, "`\(kind.name)` takes \(kind.operand.phrase), found the text \"\(text.string)\"",
        help: "remove the quotes")
    }
    throw wrongOperand(kind, operand)
  default: throw wrongOperand(kind, operand)
  }
}

private func bounds(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Predicate.Operand {
  guard case .list(let bounds) = operand, bounds.count == 2 else { throw wrongOperand(kind, operand) }
  return .bounds(try comparable(bounds[0], kind), try comparable(bounds[1], kind))
}

private func distance(
  _ operand: Value, _ unit: OperandUnit, _ kind: PredicateKind
) throws(DecodingProblem) -> Predicate.Operand {
  guard case .mapping(let mapping) = operand, mapping.count == 2, let value = mapping["value"],
    let within = mapping["within"], case .number(let centre) = try number(value, unit),
    case .number(let distance) = try number(within, unit)
  else { throw wrongOperand(kind, operand) }
  return .distance(from: centre, within: distance)
}

/// An operand of `contains`: an empty text is rejected, since it is part of every text.
private func part(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Value {
  if case .text(let text) = operand, text.isEmpty { throw emptyText(kind) }
  return operand
}

private func text(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Text {
  switch operand {
  case .text(let text):
    if text.isEmpty { throw emptyText(kind) }
    return text
  case .number(let number) where !number.isSecret:
    throw DecodingProblem(
      .wrongType, "`\(kind.name)` takes text, found the number \(number)", help: "quote it: \"\(number)\"")
  default: throw wrongOperand(kind, operand)
  }
}

private func emptyText(_ kind: PredicateKind) -> DecodingProblem {
  DecodingProblem(
    .emptyValue, "`\(kind.name)` with an empty text checks nothing",
    help: "write `{is: empty}` for a text that must be empty")
}

private func included(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Value {
  switch operand {
  case .mapping(let mapping) where mapping.count > 0: return operand
  case .list(let items) where !items.isEmpty: return operand
  case .mapping, .list:
    throw DecodingProblem(.emptyValue, "everything includes an empty \(operand.kind.rawValue): this checks nothing")
  default:
    throw DecodingProblem(
      .wrongType, "`\(kind.name)` takes \(kind.operand.phrase), found \(operand.phrase)",
      help: "write `contains` for one item or a part of a text")
  }
}

/// The kind of `is`; `is: null` is written without quotes.
private func matchKind(_ operand: Value) throws(DecodingProblem) -> MatchKind {
  if case .null = operand { return .null }
  if case .text(let text) = operand, !text.isSecret, ["not null", "not_null", "notnull"].contains(text.string) {
    throw DecodingProblem(.invalidValue, "`is` has no \"\(text.string)\"", help: "write `is_not: null`")
  }
  return try ValueDecoder<MatchKind>.word(instead: kindWord).decode(operand)
}

private func order(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> SortOrder {
  switch operand {
  case .bool(true): return .ascending
  case .text(let text):
    if let order = SortOrder(rawValue: text.string) { return order }
    throw unknownWord(text, among: SortOrder.allCases.map(\.rawValue))
  default: throw wrongOperand(kind, operand)
  }
}

private func flag(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Bool {
  if case .bool(let value) = operand { return value }
  let problem = wrongOperand(kind, operand)
  guard case .text(let text) = operand, !text.isSecret else { throw problem }
  throw DecodingProblem(problem.code, problem.message, help: booleanAdvice[text.string])
}

private func instant(_ operand: Value, _ kind: PredicateKind) throws(DecodingProblem) -> Timestamp {
  switch operand {
  case .date(let date): return date
  case .text(let text):
    if let date = Matching.instant(text) { return date }
    let problem = wrongOperand(kind, operand)
    guard Matching.instant(text + Text("Z")) != nil else { throw problem }
    throw DecodingProblem(
      problem.code, problem.message, help: "write \(text.masked)Z, or its offset from UTC in place of `Z`")
  default: throw wrongOperand(kind, operand)
  }
}

private func wrongOperand(_ kind: PredicateKind, _ operand: Value) -> DecodingProblem {
  let found =
    switch operand {
    case .list(let items): items.isEmpty ? "an empty list" : "a list of \(items.count)"
    default: operand.phrase
    }
  return DecodingProblem(.wrongType, "`\(kind.name)` takes \(kind.operand.phrase), found \(found)")
}
