import Values

extension TemplateFunction {
  static let htmlFunctions = [
    TemplateFunction(
      "html_escape", ["text"], takes: "a text", yields: "`& < > \" '` as references", result: .always(.text),
      .tracking(htmlEscape)),
    TemplateFunction(
      "html_unescape", ["text"], takes: "a text",
      yields: "references (those of HTML 4, and numbers) as characters; unknown ones stay", result: .always(.text),
      .whole(htmlUnescape)),
  ]
}

private func htmlEscape(_ call: FunctionCall) throws(TemplateError) -> Value {
  let text = try call.text(0)
  let size = text.string.utf8.reduce(0) { $0 + (htmlReference($1)?.utf8CodeUnitCount ?? 1) }
  try ResultLimit.check(size: size, at: call.range)
  return .text(
    text.mapRuns { run in
      var result: [UInt8] = []
      for byte in run.utf8 {
        if let reference = htmlReference(byte) { result += Array("\(reference)".utf8) } else { result.append(byte) }
      }
      return String(decoding: result, as: UTF8.self)
    })
}

private func htmlReference(_ byte: UInt8) -> StaticString? {
  switch byte {
  case UInt8(ascii: "&"): "&amp;"
  case UInt8(ascii: "<"): "&lt;"
  case UInt8(ascii: ">"): "&gt;"
  case UInt8(ascii: "\""): "&quot;"
  case UInt8(ascii: "'"): "&#39;"
  default: nil
  }
}

private func htmlUnescape(_ call: FunctionCall) throws(TemplateError) -> Value {
  var rest = Array(try call.text(0).string.utf8)[...]
  var result: [UInt8] = []
  while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
    result += rest[..<start]
    rest = rest[start...]
    let name = rest.dropFirst().prefix(longestReference).prefix { isAlphanumeric($0) || $0 == UInt8(ascii: "#") }
    if rest.dropFirst(1 + name.count).first == UInt8(ascii: ";"), let scalar = htmlCharacter(name) {
      result += Array(String(Character(scalar)).utf8)
      rest = rest.dropFirst(name.count + 2)
    } else {
      result.append(UInt8(ascii: "&"))
      rest = rest.dropFirst()
    }
  }
  return .text(String(decoding: result + rest, as: UTF8.self))
}

private let longestReference = 10

/// The character of a reference without its `&` and `;`.
private func htmlCharacter(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
  guard reference.first == UInt8(ascii: "#") else {
    return HTMLReferences.named[String(decoding: reference, as: UTF8.self)]
  }
  let digits = reference.dropFirst()
  let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
  let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
  return UInt32(text, radix: isHexadecimal ? 16 : 10).flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
}
