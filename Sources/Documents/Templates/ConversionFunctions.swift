import Values

extension TemplateFunction {
  static let conversionFunctions = [
    TemplateFunction(
      "to_integer", ["value"], takes: "a number, a text of digits",
      yields: "a whole number: `1.0` is 1, `007` is 7", fails: "a fraction", result: .always(.number), .whole(toInteger)
    ),
    TemplateFunction(
      "to_number", ["value"], takes: "a number, a text", yields: "a number as JSON writes it",
      fails: "a text that is none", result: .always(.number), .whole(toNumber)),
    TemplateFunction(
      "to_string", ["value"], takes: "anything", yields: "the text that it is inside text: `null`, JSON for structures",
      result: .always(.text), .tracking(toString)),
    TemplateFunction(
      "default", ["value", "fallback"], takes: "anything",
      yields: "the fallback where the value is unset, absent or null", result: .first, .fallback),
  ]
}

/// Returns integers as they are, `1.0` as `1`, and parses texts of digits, with a sign or leading zeros.
private func toInteger(_ call: FunctionCall) throws(TemplateError) -> Value {
  switch call.value(0) {
  case .number(let number):
    guard let integer = integer(number) else { throw call.problem("this number has a fraction", at: 0) }
    return .number(integer)
  case .text(let text):
    let digits = text.string.hasPrefix("-") || text.string.hasPrefix("+") ? text.string.dropFirst() : text.string[...]
    if !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      let significant = digits.drop { $0 == "0" }
      if significant.isEmpty { return .integer(0) }
      return .number(Number(lexeme: (text.string.hasPrefix("-") ? "-" : "") + significant))
    }
    guard let number = Number(parsing: text.string), let integer = integer(number) else {
      throw call.problem("this text is not a whole number", at: 0)
    }
    return .number(integer)
  case .null, .bool, .date, .data, .list, .mapping: throw call.wrongKind(0, "a number or a text")
  }
}

/// The number without a point or an exponent; nil if it has a fraction or too many digits.
private func integer(_ number: Number) -> Number? {
  if number.lexeme.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || ($0 >= 0x30 && $0 <= 0x39) }) { return number }
  guard number.isInteger else { return nil }
  // Adding nothing normalizes the number.
  return number + Number(0)
}

private func toNumber(_ call: FunctionCall) throws(TemplateError) -> Value {
  switch call.value(0) {
  case .number: return call.value(0)
  case .text(let text):
    guard let number = Number(parsing: text.string) else {
      throw call.problem("this text is not a number", at: 0, help: "numbers are written as in JSON: `-1.5e3`")
    }
    return .number(number)
  case .null, .bool, .date, .data, .list, .mapping: throw call.wrongKind(0, "a number or a text")
  }
}

private func toString(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(call.value(0).asText)
}
