import DocumentQueries
import Values

/// The approximate number of characters of a shape that are shown.
private let shapeWidth = 160

/// A shape in one line as in a spec, shortened: `{"id": !uuid, "name": "Ann"}`.
func rendered(_ shape: Shape, unit: String = "") -> Text {
  switch shape {
  case .value(let value): rendered(value, unit: unit)
  case .anything, .kind, .pattern, .each, .predicates: tagged(shape, unit: unit)
  case .list(let items): Text("[") + listed(items) { rendered($0, unit: unit) } + Text("]")
  case .object(let members): Text("{") + listed(members) { rendered($0, unit: unit) } + Text("}")
  }
}

/// - Parameter mark: the end of the tag, `?` if it is optional.
private func tagged(_ shape: Shape, mark: String = "", unit: String) -> Text {
  switch shape {
  case .anything: Text("!any\(mark)")
  case .kind(let kind): Text("!\(kind.rawValue)\(mark)")
  case .pattern(let expression): Text("!regex\(mark) \"\(Excerpt(visible(expression.pattern), limit: textLimit))\"")
  case .each(let item):
    Text("!each\(mark) ")
      + (item.isWrittenAsMapping ? rendered(item, unit: unit) : "[" + rendered(item, unit: unit) + "]")
  case .predicates(let predicates):
    Text("!is\(mark) {") + listed(predicates) { member($0, unit: unit) } + Text("}")
  case .value, .list, .object: Text(mark.isEmpty ? "" : "!optional ") + rendered(shape, unit: unit)
  }
}

/// A predicate as a member of a mapping: `at_least: 1`.
private func member(_ predicate: Predicate, unit: String) -> Text {
  let name = predicate.kind.name
  let operand = describe(predicate, unit: unit).dropping(first: name.utf8.count)
  return Text(name + ":") + (operand.isEmpty ? " true" : operand)
}

private func rendered(_ member: Shape.Member, unit: String) -> Text {
  quoted(member.key, limit: 40) + Text(": ") + tagged(member.shape, mark: member.isOptional ? "?" : "", unit: unit)
}

extension Shape {
  fileprivate var isWrittenAsMapping: Bool {
    switch self {
    case .object, .value(.mapping): true
    default: false
    }
  }
}

private func listed<Element>(_ elements: [Element], _ text: (Element) -> Text) -> Text {
  var result = Text("")
  for (index, element) in elements.enumerated() {
    if index > 0 { result.append(", ") }
    if result.string.utf8.count > shapeWidth {
      result.append("…")
      break
    }
    result.append(text(element))
  }
  return result
}

/// The description of a matching value at a place: `a UUID`.
func phrase(_ shape: Shape, unit: String = "") -> Text {
  switch shape {
  case .value(let value): rendered(value, unit: unit)
  case .anything: "anything"
  case .kind(let kind): Text(kind.phrase)
  case .pattern(let expression): expectation(Predicate(.matches, .pattern(expression)))
  case .each(let item): "an array with items, each " + phrase(item, unit: unit)
  case .predicates(let predicates): expectation(of: predicates, unit: unit)
  case .list, .object: rendered(shape, unit: unit)
  }
}
