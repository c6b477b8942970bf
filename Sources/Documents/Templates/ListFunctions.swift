internal import Values

extension TemplateFunction {
  static let listFunctions = [
    TemplateFunction("join", ["list", "separator?"], documentation: "one text of the items", .tracking(join)),
    TemplateFunction("first", ["list"], documentation: "an item of a list", .tracking(first)),
    TemplateFunction("last", ["list"], .tracking(last)),
    TemplateFunction(
      "length", ["value"], documentation: "Unicode scalars of a text, items, members, bytes", .tracking(length)),
    TemplateFunction(
      "flatten", ["list"], documentation: "the items of lists within a list, side by side", .tracking(flatten)),
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

private func empty(_ call: FunctionCall) -> TemplateError {
  TemplateError("the list is empty", at: call.range, help: "`default` gives it a value", isAbsence: true)
}

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
