import Values

extension TemplateFunction {
  static let orderFunctions = [
    TemplateFunction(
      "sort", ["list"], takes: "a list of numbers, of texts, or of dates",
      yields: "the items in ascending order, texts by their bytes", fails: "items of several kinds, or of others",
      result: .always(.list), .tracking(sort)),
    TemplateFunction(
      "min", ["list"], mayBeAbsent: true, takes: "a list of numbers, of texts, or of dates",
      yields: "the smallest, the largest item", fails: "an empty list; items of several kinds, or of others",
      result: .firstItem, .tracking(min)),
    TemplateFunction("max", ["list"], mayBeAbsent: true, result: .firstItem, .tracking(max)),
    TemplateFunction(
      "shuffle", ["list"], takes: "a list", yields: "the items in a random order, as repeatable",
      result: .always(.list), isRepeatable: false, .tracking(shuffle)),
    TemplateFunction(
      "random_item", ["list"], mayBeAbsent: true, takes: "a list", yields: "one of the items, as repeatable",
      fails: "an empty list", result: .firstItem, isRepeatable: false, .tracking(randomItem)),
  ]
}

private func sort(_ call: FunctionCall) throws(TemplateError) -> Value {
  let items = try comparable(call)
  var isOver = false
  let sorted = items.sorted { left, right in
    if call.meter.isOver() { isOver = true }
    return !isOver && isLess(left, right)
  }
  if isOver { throw call.interruption }
  return .list(sorted)
}

private func min(_ call: FunctionCall) throws(TemplateError) -> Value { try first(call, by: isLess) }

private func max(_ call: FunctionCall) throws(TemplateError) -> Value { try first(call) { isLess($1, $0) } }

/// The item of a list that precedes all others.
private func first(_ call: FunctionCall, by precedes: (Value, Value) -> Bool) throws(TemplateError) -> Value {
  let items = try comparable(call)
  guard var first = items.first else { throw call.absence("the list is empty") }
  for item in items.dropFirst() where precedes(item, first) { first = item }
  return first
}

/// The items of a list, all of one kind that has an order.
private func comparable(_ call: FunctionCall) throws(TemplateError) -> [Value] {
  let items = try call.list(0)
  for (index, item) in items.enumerated() {
    if call.meter.isOver() { throw call.interruption }
    guard [.number, .text, .date].contains(item.kind) else {
      throw call.problem(
        "`\(call.name)` compares numbers, texts or dates, and item \(index) is \(item.kind.phrase)", at: 0,
        help: item.kind == .mapping ? "`map(list, \"$.name\")` takes a member of each" : nil)
    }
    guard item.kind == items[0].kind else {
      throw call.problem(
        "`\(call.name)` compares items of one kind: item 0 is \(items[0].kind.phrase), item \(index) \(item.kind.phrase)",
        at: 0)
    }
  }
  return items
}

private func isLess(_ left: Value, _ right: Value) -> Bool {
  switch (left, right) {
  case (.number(let a), .number(let b)): a < b
  case (.date(let a), .date(let b)): a < b
  case (.text(let a), .text(let b)): Bytewise(a.string) < Bytewise(b.string)
  default: false
  }
}

/// The items in a random order (Durstenfeld's shuffle).
private func shuffle(_ call: FunctionCall) throws(TemplateError) -> Value {
  var items = try call.list(0)
  for last in stride(from: items.count - 1, to: 0, by: -1) {
    if call.meter.isOver() { throw call.interruption }
    items.swapAt(last, Int(call.scope.random(below: UInt64(last + 1))))
  }
  return .list(items)
}

private func randomItem(_ call: FunctionCall) throws(TemplateError) -> Value {
  let items = try call.list(0)
  guard !items.isEmpty else { throw call.absence("the list is empty") }
  return items[Int(call.scope.random(below: UInt64(items.count)))]
}
