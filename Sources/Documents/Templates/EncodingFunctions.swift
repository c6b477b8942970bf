import Cryptography
import Values

extension TemplateFunction {
  static let encodingFunctions = [
    TemplateFunction(
      "base64", ["value"], takes: "a text, data", yields: "base64; in the alphabet for URLs, without padding",
      result: .always(.text), .whole(base64)),
    TemplateFunction("base64url", ["value"], result: .always(.text), .whole(base64URL)),
    TemplateFunction(
      "base64_decode", ["text"], takes: "a text in either alphabet",
      yields: "text where the bytes are UTF-8, otherwise data", fails: "a text that is not base64",
      result: .unknown, .whole(base64Decode)),
    TemplateFunction(
      "url_encode", ["text"], takes: "a text", yields: "everything but letters, digits and `-._~` is encoded",
      result: .always(.text), .tracking(urlEncode)),
    TemplateFunction(
      "url_decode", ["text"], takes: "a text", yields: "the text that it encodes; a `+` stays",
      fails: "a `%` without two digits, bytes that are not UTF-8", result: .always(.text), .whole(urlDecode)),
    TemplateFunction(
      "hex", ["value"], takes: "a text, data", yields: "the bytes in lower-case hexadecimal digits",
      result: .always(.text), .whole(hex)),
    TemplateFunction(
      "from_hex", ["text"], takes: "a text of digits in pairs",
      yields: "text where the bytes are UTF-8, otherwise data",
      fails: "other characters, half a byte", result: .unknown, .whole(fromHex)),
  ]

  static let digestFunctions = [
    TemplateFunction(
      "sha256", ["value"], takes: "a text, data",
      yields: "a hash is data and prints as lower-case hex; `sha256(x) | base64` is the base64 of the bytes",
      result: .always(.data), .whole { call throws(TemplateError) in try digest(call, .sha256) }),
    TemplateFunction(
      "sha1", ["value"], result: .always(.data), .whole { call throws(TemplateError) in try digest(call, .sha1) }),
    TemplateFunction(
      "sha512", ["value"], result: .always(.data), .whole { call throws(TemplateError) in try digest(call, .sha512) }),
    TemplateFunction(
      "md5", ["value"], result: .always(.data), .whole { call throws(TemplateError) in try digest(call, .md5) }),
    TemplateFunction(
      "hmac_sha256", ["message", "key"], takes: "a text, data", yields: "the keyed hash, as above",
      result: .always(.data), .whole { call throws(TemplateError) in try hmac(call, .sha256) }),
    TemplateFunction(
      "hmac_sha1", ["message", "key"], result: .always(.data),
      .whole { call throws(TemplateError) in try hmac(call, .sha1) }),
    TemplateFunction(
      "hmac_sha512", ["message", "key"], result: .always(.data),
      .whole { call throws(TemplateError) in try hmac(call, .sha512) }),
  ]
}

private func base64(_ call: FunctionCall) throws(TemplateError) -> Value {
  let bytes = try call.bytes(0)
  try ResultLimit.check(size: (bytes.count + 2) / 3 * 4, at: call.range)
  return .text(base64Encoded(bytes))
}

/// Reads base64 and base64url (RFC 4648), with padding or without.
private func base64Decode(_ call: FunctionCall) throws(TemplateError) -> Value {
  var text = String(
    try call.text(0).string.filter { !$0.isWhitespace }
      .map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
  if !text.hasSuffix("=") { text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4) }
  guard let bytes = base64Decoded(text) else { throw call.problem("this text is not base64", at: 0) }
  return textOrData(bytes)
}

/// Text if the bytes are UTF-8, otherwise data.
func textOrData(_ bytes: [UInt8]) -> Value {
  if let text = String(validating: bytes, as: UTF8.self) { .text(text) } else { .data(Bytes(bytes)) }
}

/// Percent-encodes everything but unreserved characters (RFC 3986, section 2.3).
private func urlEncode(_ call: FunctionCall) throws(TemplateError) -> Value {
  .text(percentEncoded(try call.text(0), allowed: .unreserved))
}

/// Decodes percent-encoding; a `+` stays, as in a path.
private func urlDecode(_ call: FunctionCall) throws(TemplateError) -> Value {
  let bytes = Array(try call.text(0).string.utf8)
  var result: [UInt8] = []
  var position = 0
  while position < bytes.count {
    if bytes[position] == UInt8(ascii: "%") {
      let digits = bytes[position + 1..<min(position + 3, bytes.count)]
      guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw call.problem("this text has a `%` without two hexadecimal digits", at: 0) }
      result.append(byte)
      position += 3
    } else {
      result.append(bytes[position])
      position += 1
    }
  }
  guard let text = String(validating: result, as: UTF8.self) else {
    throw call.problem("what this text encodes is not UTF-8", at: 0)
  }
  return .text(text)
}

private func hex(_ call: FunctionCall) throws(TemplateError) -> Value {
  let bytes = try call.bytes(0)
  try ResultLimit.check(size: bytes.count * 2, at: call.range)
  return .text(hexEncoded(bytes))
}

private func base64URL(_ call: FunctionCall) throws(TemplateError) -> Value {
  let bytes = try call.bytes(0)
  try ResultLimit.check(size: (bytes.count + 2) / 3 * 4, at: call.range)
  return .text(base64URLEncoded(bytes))
}

private func fromHex(_ call: FunctionCall) throws(TemplateError) -> Value {
  let digits = Array(try call.text(0).string.utf8)
  guard digits.count.isMultiple(of: 2) else {
    throw call.problem("this text has half a byte: an odd number of digits", at: 0)
  }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(digits.count / 2)
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let high = hexDigitValue(digits[index]), let low = hexDigitValue(digits[index + 1]) else {
      throw call.problem("this text has other characters than hexadecimal digits", at: 0)
    }
    bytes.append(high << 4 | low)
  }
  return textOrData(bytes)
}

private func digest(_ call: FunctionCall, _ algorithm: DigestAlgorithm) throws(TemplateError) -> Value {
  .data(Bytes(algorithm.digest(of: try call.bytes(0)), textForm: .hex))
}

private func hmac(_ call: FunctionCall, _ algorithm: DigestAlgorithm) throws(TemplateError) -> Value {
  let message = try call.bytes(0)
  return .data(Bytes(algorithm.hmac(key: try call.bytes(1), message: message), textForm: .hex))
}
