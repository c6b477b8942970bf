internal import RegularExpressions
package import Values

/// About how many characters of an operand a title has; the file's line under it shows the rest.
private let titleWidth = 60

/// The predicate in one short line, as reports name it: `contains "admin"`.
package func describe(_ predicate: Predicate, unit: String = "") -> Text {
  let name = Text(predicate.name.rawValue)
  func with(_ operand: Text) -> Text { name + Text(" ") + operand }
  switch predicate {
  case .equals(let value), .notEquals(let value), .greaterThan(let value), .atLeast(let value),
    .lessThan(let value), .atMost(let value), .contains(let value), .notContains(let value), .includes(let value):
    return with(rendered(value, unit: unit, width: titleWidth))
  case .between(let low, let high): return with(rendered(low, unit: unit) + " and " + rendered(high, unit: unit))
  case .closeTo(let number, let tolerance):
    return with(rendered(.number(number), unit: unit) + " within " + rendered(.number(tolerance), unit: unit))
  case .startsWith(let text), .endsWith(let text): return with(quoted(text, limit: titleWidth))
  case .matches(let expression), .notMatches(let expression): return with(pattern(expression))
  case .isKind(let kind), .isNotKind(let kind): return with(Text(kind.rawValue))
  case .exists(let wanted), .unique(let wanted): return wanted ? name : with("false")
  case .count(let inner): return with(described(inner, unit: ""))
  case .oneOf(let values): return with(rendered(.list(values), unit: unit, width: titleWidth))
  case .every(let inner), .any(let inner), .none(let inner): return with(described(inner, unit: unit))
  case .not(let inner): return with(described(inner, unit: unit, shortensEquals: false))
  case .sorted(let order): return with(Text(order.rawValue))
  case .before(let date), .after(let date): return with(rendered(.date(date)))
  case .shaped(let operand):
    return with(rendered(operand.shape, unit: unit)) + Text(operand.isUnordered ? ", in any order" : "")
  }
}

/// One predicate bare, several in braces; `equals` by its value, as a spec may write it.
private func described(_ predicates: [Predicate], unit: String, shortensEquals: Bool = true) -> Text {
  if predicates.count == 1, let only = predicates.first {
    if shortensEquals, case .equals(let value) = only { return rendered(value, unit: unit, width: titleWidth) }
    return describe(only, unit: unit)
  }
  return Text("{") + joined(predicates.map { describe($0, unit: unit) }, by: ", ") + Text("}")
}

/// What would have been right, for the line `expected`.
///
/// - Parameter kind: of what is there, where that is known to fit.
func expectation(
  _ predicate: Predicate, of kind: ValueKind? = nil, unit: String = "", namesTypes: Bool = false
) -> Text {
  func shown(_ value: Value) -> Text { namesTypes ? typed(value, unit: unit) : rendered(value, unit: unit) }
  func inner(_ predicates: [Predicate]) -> Text { expectation(of: predicates, unit: unit, namesTypes: namesTypes) }
  let items = namesTypes ? "an array, " : ""
  switch predicate {
  case .equals(let value): return shown(value)
  case .notEquals(let value): return "anything but " + shown(value)
  case .greaterThan(let value): return "more than " + shown(value)
  case .atLeast(let value): return "at least " + shown(value)
  case .lessThan(let value): return "less than " + shown(value)
  case .atMost(let value): return "at most " + shown(value)
  case .between(let low, let high): return "from " + shown(low) + " to " + shown(high)
  case .closeTo(let number, let tolerance):
    return (namesTypes ? "a number, " : "") + rendered(.number(number), unit: unit) + " ± "
      + rendered(.number(tolerance), unit: unit)
  case .contains(let value): return containerPhrase(value, kind, namesTypes) + " that contains " + shown(value)
  case .notContains(let value):
    return containerPhrase(value, kind, namesTypes) + " that does not contain " + shown(value)
  case .startsWith(let text): return "a string that starts with " + quoted(text)
  case .endsWith(let text): return "a string that ends with " + quoted(text)
  case .matches(let expression): return "a string that matches " + pattern(expression)
  case .notMatches(let expression): return "a string that does not match " + pattern(expression)
  case .isKind(.empty): return namesTypes ? "an empty string, array or object" : "empty"
  case .isNotKind(.empty): return namesTypes ? "a string, array or object that is not empty" : "not empty"
  case .isKind(let kind): return Text(kind.phrase)
  case .isNotKind(let kind): return Text("anything but \(kind.phrase)")
  case .exists(let wanted): return wanted ? "something" : "nothing"
  case .count(let predicates):
    if namesTypes { return "a string, array or object with " + sizeExpectation(predicates, noun: "item") }
    return "a count of " + joined(predicates.map { expectation($0) }, by: " and ")
  case .oneOf(let values): return "one of " + rendered(.list(values), unit: unit)
  case .includes(let value): return Text("\(typePhrase(value)) that includes ") + rendered(value, unit: unit)
  case .every(let predicates): return Text(items + "every item: ") + inner(predicates)
  case .any(let predicates): return Text(items + "at least one item: ") + inner(predicates)
  case .none(let predicates): return Text(items + "no item: ") + inner(predicates)
  case .unique(let wanted): return Text(items + (wanted ? "no two equal items" : "two equal items"))
  case .sorted(let order): return Text(items + "items in \(order.rawValue) order")
  case .before(let date): return "before " + shown(.date(date))
  case .after(let date): return "after " + shown(.date(date))
  case .not(let predicates): return "not " + expectation(of: predicates, kind: kind, unit: unit, namesTypes: namesTypes)
  case .shaped(let operand): return expectation(operand, unit: unit)
  }
}

/// What several together demand.
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
  if predicates.count == 1, case .equals(.number(let number)) = predicates.first {
    return rendered(.number(number)) + Text(" \(noun)\(number == Number(1) ? "" : "s")")
  }
  return joined(predicates.map { expectation($0) }, by: " and ") + Text(" \(noun)s")
}

private func containerPhrase(_ operand: Value, _ kind: ValueKind?, _ namesTypes: Bool) -> Text {
  switch kind {
  case .text where !namesTypes: return "a string"
  case .list where !namesTypes: return "an array"
  case .mapping where !namesTypes: return "an object"
  case _ where !namesTypes: return "something"
  default: break
  }
  return operand.kind == .text ? "a string, an array or an object" : "an array"
}

/// The pattern between slashes.
private func pattern(_ expression: RegularExpression) -> Text {
  Text("/\(Excerpt(expression.pattern, limit: textLimit))/")
}

private func joined(_ texts: [Text], by separator: String) -> Text {
  var result = Text("")
  for (index, text) in texts.enumerated() {
    if index > 0 { result.append(separator) }
    result.append(text)
  }
  return result
}
