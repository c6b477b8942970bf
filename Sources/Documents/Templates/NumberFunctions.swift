import Values

extension TemplateFunction {
  static let numberFunctions = [
    TemplateFunction(
      "sum", ["list"], takes: "a list of numbers", yields: "the exact sum; 0 of an empty list",
      fails: "an item that is not a number", result: .always(.number), .tracking(sum)),
    TemplateFunction(
      "round", ["number", "digits?"], takes: "a number",
      yields: "the nearest whole number, or with that many digits after the point; halves away from zero",
      fails: "digits beyond 1,000", result: .always(.number), .whole(round)),
    TemplateFunction(
      "floor", ["number"], takes: "a number", yields: "the next whole number that is not larger, not smaller",
      result: .always(.number), .whole(floor)),
    TemplateFunction("ceil", ["number"], result: .always(.number), .whole(ceil)),
  ]
}

private func sum(_ call: FunctionCall) throws(TemplateError) -> Value {
  var total = Number(0)
  for (index, item) in try call.list(0).enumerated() {
    guard case .number(let number) = item else {
      throw call.problem(
        "`sum` adds numbers, and item \(index) is \(item.kind.phrase)", at: 0,
        help: item.kind == .mapping ? "`map(list, \"$.name\")` takes a member of each" : nil)
    }
    if call.meter.isOver(after: 1 + number.lexeme.utf8.count / 16) { throw call.interruption }
    guard let next = total + number else { throw tooLong(call) }
    total = next
  }
  return .number(total)
}

private func round(_ call: FunctionCall) throws(TemplateError) -> Value {
  let digits = call.count > 1 ? try call.integer(1) : 0
  guard digits.magnitude <= 1000 else { throw call.problem("`round` keeps at most 1,000 digits", at: 1) }
  return try rounded(call, .halfAwayFromZero, digits)
}

private func floor(_ call: FunctionCall) throws(TemplateError) -> Value { try rounded(call, .floor) }

private func ceil(_ call: FunctionCall) throws(TemplateError) -> Value { try rounded(call, .ceiling) }

private func rounded(
  _ call: FunctionCall, _ rounding: Number.Rounding, _ digits: Int = 0
) throws(TemplateError) -> Value {
  guard let result = try call.number(0).rounded(rounding, digits: digits) else { throw tooLong(call) }
  return .number(result)
}

private func tooLong(_ call: FunctionCall) -> TemplateError {
  call.problem("the result has more than 10,000 digits")
}
