import Values

extension TemplateFunction {
  static let listFunctions = [
    TemplateFunction(
      "join", ["list", "separator?"], takes: "a list of texts, numbers, booleans, dates, data",
      yields: "one text of the items", fails: "null, a list or a mapping in the list", result: .always(.text),
      .tracking(join)),
    TemplateFunction(
      "first", ["list"], mayBeAbsent: true, takes: "a list", yields: "an item of a list", fails: "an empty list",
      result: .firstItem, .tracking(first)),
    TemplateFunction("last", ["list"], mayBeAbsent: true, result: .firstItem, .tracking(last)),
    TemplateFunction(
      "length", ["value"], takes: "a text, a list, a mapping, data",
      yields: "the number of Unicode scalars, items, members, bytes", result: .always(.number), .tracking(length)),
    TemplateFunction(
      "flatten", ["list"], takes: "a list", yields: "the items of lists within a list, side by side",
      result: .always(.list), .tracking(flatten)),
    TemplateFunction(
      "concat", ["values…"], takes: "lists, or texts", yields: "one list, or one text, of all of them",
      fails: "lists together with texts", result: .first, .tracking(concat)),
    TemplateFunction(
      "reverse", ["list"], takes: "a list", yields: "the items from the last on", result: .always(.list),
      .tracking(reverse)),
    TemplateFunction(
      "unique", ["list"], takes: "a list", yields: "each item once, where it comes first; `1` and `1.0` are the same",
      result: .always(.list), .tracking(unique)),
    TemplateFunction(
      "range", ["from", "to?", "step?"], takes: "whole numbers",
      yields: "a list of the numbers from the first on, without the last; `range(3)` is `[0, 1, 2]`",
      fails: "a step of 0, more than 1,000,000 numbers", result: .always(.list), .whole(range)),
  ]
}

private func join(_ call: FunctionCall) throws(TemplateError) -> Value {
  let separator = call.count > 1 ? try call.text(1) : Text("")
  var result = Text("")
  for (index, item) in try call.list(0).enumerated() {
    switch item {
    case .text, .number, .bool, .date, .data:
      let text = item.asText
      let added = text.string.utf8.count + (index > 0 ? separator.string.utf8.count : 0)
      try ResultLimit.check(size: result.string.utf8.count + added, at: call.range)
      if index > 0 { result.append(separator) }
      result.append(text)
    case .null, .list, .mapping:
      throw call.problem(
        "`join` joins texts, and item \(index) is \(item.kind.phrase)", at: 0,
        help: item.kind == .list ? "`flatten` joins the lists of a list" : nil)
    }
  }
  return .text(result)
}

private func first(_ call: FunctionCall) throws(TemplateError) -> Value {
  guard let item = try call.list(0).first else { throw empty(call) }
  return item
}

private func last(_ call: FunctionCall) throws(TemplateError) -> Value {
  guard let item = try call.list(0).last else { throw empty(call) }
  return item
}

private func empty(_ call: FunctionCall) -> TemplateError { call.absence("the list is empty") }

/// Counts the Unicode scalars of a text, like JSON Schema, the bytes of data, the items of a list, the members of a
/// mapping.
private func length(_ call: FunctionCall) throws(TemplateError) -> Value {
  var count: Number
  switch call.value(0) {
  case .text(let text): count = Number(text.string.unicodeScalars.count)
  case .data(let data): count = Number(data.bytes.count)
  case .list(let items): return .integer(items.count)
  case .mapping(let mapping): return .integer(mapping.count)
  case .null, .bool, .number, .date: throw call.wrongKind(0, "a text, data, a list or a mapping")
  }
  count.isSecret = call.value(0).isSecret
  return .number(count)
}

/// Returns the items of a list's lists in one list, one level deep; other items stay.
private func flatten(_ call: FunctionCall) throws(TemplateError) -> Value {
  var result: [Value] = []
  for item in try call.list(0) {
    let added = if case .list(let inner) = item { inner } else { [item] }
    try ResultLimit.check(size: (result.count + added.count) * MemoryLayout<Value>.stride, at: call.range)
    result += added
  }
  return .list(result)
}

private func concat(_ call: FunctionCall) throws(TemplateError) -> Value {
  guard case .list = call.value(0) else {
    var text = Text("")
    for index in 0..<call.count {
      if case .list = call.value(index) {
        throw call.problem("`concat` joins lists or texts, not a text with a list", at: index)
      }
      let part = try call.text(index)
      try ResultLimit.check(size: text.string.utf8.count + part.string.utf8.count, at: call.range)
      text.append(part)
    }
    return .text(text)
  }
  var items: [Value] = []
  for index in 0..<call.count {
    let added = try call.list(index)
    try ResultLimit.check(size: (items.count + added.count) * MemoryLayout<Value>.stride, at: call.range)
    items += added
  }
  return .list(items)
}

private func reverse(_ call: FunctionCall) throws(TemplateError) -> Value { .list(try call.list(0).reversed()) }

private func unique(_ call: FunctionCall) throws(TemplateError) -> Value {
  var seen: Set<DistinctValue> = []
  var result: [Value] = []
  for item in try call.list(0) {
    if call.meter.isOver(after: 4) { throw call.interruption }
    if seen.insert(DistinctValue(value: item)).inserted { result.append(item) }
  }
  return .list(result)
}

/// A value whose hash has all of its parts: that of ``Mapping`` has the names alone.
private struct DistinctValue: Hashable {
  let value: Value

  func hash(into hasher: inout Hasher) { DistinctValue.hash(value, into: &hasher) }

  private static func hash(_ value: Value, into hasher: inout Hasher) {
    switch value {
    case .list(let items):
      hasher.combine(items.count)
      for item in items { hash(item, into: &hasher) }
    case .mapping(let mapping):
      hasher.combine(mapping.count)
      // Equal mappings may have their members in another order, but not the values of one name.
      for member in mapping.members.sorted(by: { Bytewise($0.key.string) < Bytewise($1.key.string) }) {
        hasher.combine(member.key)
        hash(member.value, into: &hasher)
      }
    default: hasher.combine(value)
    }
  }
}

private func range(_ call: FunctionCall) throws(TemplateError) -> Value {
  let start = call.count > 1 ? try call.integer(0) : 0
  let end = try call.integer(call.count > 1 ? 1 : 0)
  let step = call.count > 2 ? try call.integer(2) : 1
  guard step != 0 else { throw call.problem("the step is zero", at: 2) }
  let span = Int128(end) - Int128(start)
  let count =
    (span.signum() == Int128(step).signum())
    ? (span.magnitude + Int128(step).magnitude - 1) / Int128(step).magnitude : 0
  guard count <= longestRange else {
    throw call.problem("`range` makes at most 1,000,000 numbers, not \(count)")
  }
  return .list((0..<Int(count)).map { .integer(Int128(start) + Int128($0) * Int128(step)) })
}

private let longestRange = 1_000_000
