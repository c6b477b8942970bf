import Diagnostics
import Matching
import RegularExpressions
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// What is expected of a subject: a written mapping is predicates, anything else is `equals`.
  mutating func predicates(_ node: YAMLNode, unit: OperandUnit = .plain, of subject: String) -> [PredicateSpec]? {
    guard let members = node.members else {
      return predicate(.equals, node, unit: unit, of: subject).map { [$0] }
    }
    if members.isEmpty {
      bag.error("an empty mapping checks nothing", at: node.range, help: "write `{equals: {}}` or `{exists: true}`")
      return nil
    }
    var result: [PredicateSpec] = []
    var isWhole = true
    for member in members {
      guard let name = PredicateName(rawValue: member.key) else {
        unknownPredicate(member, in: members)
        isWhole = false
        continue
      }
      if let spec = predicate(name, member.value, unit: unit, of: subject) {
        result.append(spec)
      } else {
        isWhole = false
      }
    }
    return isWhole ? result : nil
  }

  private mutating func unknownPredicate(_ member: YAMLMember, in members: [YAMLMember]) {
    let words = PredicateName.allCases.map(\.rawValue)
    if let nearest = suggestion(member.key, among: words) {
      bag.error("unknown predicate `\(jsonEscaped(member.key))`", at: member.keyRange, help: nearest)
    } else {
      bag.error(
        "`\(jsonEscaped(member.key))` is no predicate: a mapping under `expect` is read as predicates",
        at: member.keyRange,
        help: "to compare with a mapping, write it under `includes` (these members, others may be there) or `equals`")
    }
  }

  private mutating func predicate(
    _ name: PredicateName, _ node: YAMLNode, unit: OperandUnit, of subject: String
  ) -> PredicateSpec? {
    switch name {
    case .every, .any, .none:
      guard let nested = predicates(node, of: name.rawValue) else { return nil }
      return fixedIfConstant(name, nested)
    case .not:
      guard node.members != nil else {
        bag.error("`not` takes predicates, found \(node.kindPhrase)", at: node.range, help: "write `not_equals`")
        return nil
      }
      guard let nested = predicates(node, unit: unit, of: subject) else { return nil }
      return fixedIfConstant(name, nested)
    case .count:
      guard let nested = predicates(node, unit: subject == "bytes" ? .size : .plain, of: "count") else { return nil }
      return fixedIfConstant(name, nested)
    default: break
    }
    guard let operand = valueTemplate(node) else { return nil }
    guard let literal = operand.literal else { return .operand(name, operand, unit) }
    do {
      return .fixed(try makePredicate(name, operand: literal, unit: unit))
    } catch {
      bag.error(error.message, at: node.range, help: error.help)
      return nil
    }
  }

  private func fixedIfConstant(_ name: PredicateName, _ nested: [PredicateSpec]) -> PredicateSpec {
    var predicates: [Predicate] = []
    for spec in nested {
      guard case .fixed(let predicate) = spec else { return .nested(name, nested) }
      predicates.append(predicate)
    }
    return .fixed(nestedPredicate(name, predicates))
  }
}

func nestedPredicate(_ name: PredicateName, _ predicates: [Predicate]) -> Predicate {
  switch name {
  case .count: .count(predicates)
  case .every: .every(predicates)
  case .any: .any(predicates)
  case .none: .none(predicates)
  default: .not(predicates)
  }
}

/// A predicate from its name and operand: the one place that knows what each takes.
func makePredicate(
  _ name: PredicateName, operand: Value, unit: OperandUnit
) throws(DecodingProblem) -> Predicate {
  let operand = try measured(operand, unit)
  switch name {
  case .equals: return .equals(operand)
  case .notEquals: return .notEquals(operand)
  case .greaterThan: return .greaterThan(try comparable(operand, name))
  case .atLeast: return .atLeast(try comparable(operand, name))
  case .lessThan: return .lessThan(try comparable(operand, name))
  case .atMost: return .atMost(try comparable(operand, name))
  case .between:
    guard case .list(let bounds) = operand, bounds.count == 2 else { throw wrongOperand(name, operand) }
    return .between(try comparable(bounds[0], name), try comparable(bounds[1], name))
  case .closeTo:
    guard case .mapping(let mapping) = operand, mapping.count == 2,
      case .number(let value)? = try mapping["value"].map({ (v) throws(DecodingProblem) in try measured(v, unit) }),
      case .number(let within)? = try mapping["within"].map({ (v) throws(DecodingProblem) in try measured(v, unit) })
    else { throw wrongOperand(name, operand) }
    return .closeTo(value: value, within: within)
  case .contains: return .contains(operand)
  case .notContains: return .notContains(operand)
  case .startsWith: return .startsWith(try text(operand, name))
  case .endsWith: return .endsWith(try text(operand, name))
  case .matches: return .matches(try pattern(operand, name))
  case .notMatches: return .notMatches(try pattern(operand, name))
  case .isKind: return .isKind(try ValueDecoder<MatchKind>.word().decode(kindWord(operand)))
  case .isNotKind: return .isNotKind(try ValueDecoder<MatchKind>.word().decode(kindWord(operand)))
  case .exists: return .exists(try flag(operand, name))
  case .oneOf:
    guard case .list(let values) = operand, !values.isEmpty else { throw wrongOperand(name, operand) }
    return .oneOf(values)
  case .includes: return .includes(operand)
  case .unique: return .unique(try flag(operand, name))
  case .sorted:
    switch operand {
    case .bool(true): return .sorted(.ascending)
    case .text(let text) where text.string == "ascending": return .sorted(.ascending)
    case .text(let text) where text.string == "descending": return .sorted(.descending)
    default: throw wrongOperand(name, operand)
    }
  case .before: return .before(try instant(operand, name))
  case .after: return .after(try instant(operand, name))
  case .count, .every, .any, .none, .not:
    // Their operands are predicates, which only a file can write.
    throw DecodingProblem("`\(name.rawValue)` takes predicates, not a value")
  }
}

/// `is: null` is written without quotes, and so is a null.
private func kindWord(_ operand: Value) -> Value {
  if case .null = operand { .text("null") } else { operand }
}

private func measured(_ operand: Value, _ unit: OperandUnit) throws(DecodingProblem) -> Value {
  guard unit != .plain else { return operand }
  switch operand {
  case .list(let items):
    var result: [Value] = []
    for item in items { result.append(try measured(item, unit)) }
    return .list(result)
  case .mapping: return operand
  default: break
  }
  switch unit {
  case .duration:
    let duration = try ValueDecoder<Duration>.duration.decode(operand)
    return .number(milliseconds(duration))
  case .size: return .integer(try ValueDecoder<Int64>.size.decode(operand))
  case .plain: return operand
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

private func comparable(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Value {
  switch operand {
  case .number, .date, .text: operand
  default: throw wrongOperand(name, operand)
  }
}

private func text(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Text {
  guard case .text(let text) = operand else {
    if case .number(let number) = operand {
      throw DecodingProblem("`\(name.rawValue)` takes text, found a number", help: "quote it: \"\(number.lexeme)\"")
    }
    throw wrongOperand(name, operand)
  }
  return text
}

private func flag(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Bool {
  guard case .bool(let value) = operand else { throw wrongOperand(name, operand) }
  return value
}

private func instant(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> Timestamp {
  switch operand {
  case .date(let date): return date
  case .text(let text):
    guard let date = Timestamp(rfc3339: text.string) else { throw wrongOperand(name, operand) }
    return date
  default: throw wrongOperand(name, operand)
  }
}

func pattern(_ operand: Value, _ name: PredicateName) throws(DecodingProblem) -> RegularExpression {
  try compilePattern(try text(operand, name))
}

/// A regular expression, or why it is none.
func compilePattern(_ text: Text) throws(DecodingProblem) -> RegularExpression {
  do {
    return try RegularExpression(text.string)
  } catch {
    throw DecodingProblem("invalid regular expression: \(error.message) at character \(error.offset + 1)")
  }
}

private func wrongOperand(_ name: PredicateName, _ operand: Value) -> DecodingProblem {
  DecodingProblem("`\(name.rawValue)` takes \(name.operandPhrase), found \(operand.phrase)")
}
