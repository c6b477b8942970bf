import DocumentQueries
import Values

/// The approximate number of characters of an operand in a title; the file's line below it shows the rest.
private let titleWidth = 60

/// The predicate in one short line for reports: `contains "admin"`.
package func describe(_ predicate: Predicate, unit: String = "") -> Text {
  let name = Text(predicate.kind.name)
  let operand: Text
  switch predicate.operand {
  case .value(let value): operand = rendered(value, unit: unit, width: titleWidth)
  case .values(let values): operand = rendered(.list(values), unit: unit, width: titleWidth)
  case .bounds(let low, let high): operand = rendered(low, unit: unit) + " and " + rendered(high, unit: unit)
  case .distance(let number, let tolerance):
    operand = rendered(.number(number), unit: unit) + " within " + rendered(.number(tolerance), unit: unit)
  case .text(let text): operand = quoted(text, limit: titleWidth)
  case .pattern(let expression): operand = pattern(expression)
  case .kind(let kind): operand = Text(kind.rawValue)
  case .flag(true): return name
  case .flag(false): operand = "false"
  case .order(let order): operand = Text(order.rawValue)
  case .predicates(let inner):
    operand = described(
      inner, unit: predicate.kind.operand == .count ? "" : unit,
      shortensEquals: predicate.kind.operand != .predicates)
  case .shape(let shaped):
    operand = rendered(shaped.shape, unit: unit) + Text(shaped.isUnordered ? ", in any order" : "")
  }
  return name + " " + operand
}

/// One predicate without braces, several with; `equals` by its value, as in a spec.
private func described(_ predicates: [Predicate], unit: String, shortensEquals: Bool = true) -> Text {
  if predicates.count == 1, let only = predicates.first {
    if shortensEquals, let value = only.value(of: .equals) { return rendered(value, unit: unit, width: titleWidth) }
    return describe(only, unit: unit)
  }
  return Text("{") + joined(predicates.map { describe($0, unit: unit) }, by: ", ") + Text("}")
}

/// The description of a matching value, for the line `expected`.
///
/// - Parameter kind: the type of the actual value, if it is known to be suitable.
func expectation(
  _ predicate: Predicate, of kind: ValueKind? = nil, unit: String = "", namesTypes: Bool = false
) -> Text {
  if case .shape(let operand) = predicate.operand { return expectation(operand, unit: unit) }
  return predicate.kind.expectation(predicate, ExpectationWording(kind: kind, unit: unit, namesTypes: namesTypes))
}

/// The combined expectation of several predicates.
func expectation(
  of predicates: [Predicate], kind: ValueKind? = nil, unit: String = "", namesTypes: Bool = false
) -> Text {
  joined(predicates.map { expectation($0, of: kind, unit: unit, namesTypes: namesTypes) }, by: " and ")
}

private func expectation(_ operand: ShapedPredicate, unit: String) -> Text {
  let shape = phrase(operand.shape, unit: unit)
  switch operand.use {
  case .equals: return (operand.isNegated ? "anything but " : "") + shape + (operand.isUnordered ? " in any order" : "")
  case .includes: return Text(operand.shape.requiredKind.map(typePhrase) ?? "something") + " that includes " + shape
  case .contains: return (operand.isNegated ? "an array that does not contain " : "an array that contains ") + shape
  case .oneOf: return "one of " + rendered(operand.shape, unit: unit)
  }
}

/// `2 items`, `at least 3 characters`.
func sizeExpectation(_ predicates: [Predicate], noun: String) -> Text {
  if predicates.count == 1, case .number(let number)? = predicates.first?.value(of: .equals) {
    return rendered(.number(number)) + Text(" \(noun)\(number == Number(1) ? "" : "s")")
  }
  return joined(predicates.map { expectation($0) }, by: " and ") + Text(" \(noun)s")
}

/// The pattern between slashes.
func pattern(_ expression: RegularExpression) -> Text {
  Text("/\(Excerpt(expression.pattern, limit: textLimit))/")
}

func joined(_ texts: [Text], by separator: String) -> Text {
  var result = Text("")
  for (index, text) in texts.enumerated() {
    if index > 0 { result.append(separator) }
    result.append(text)
  }
  return result
}
