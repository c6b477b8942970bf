import Values

/// The text with its percent-encoded octets decoded; invalid UTF-8 becomes U+FFFD, a bare `%` stays.
package func percentDecoded(_ text: some StringProtocol) -> String {
  String(decoding: percentDecodedBytes(text.utf8), as: UTF8.self)
}

/// A text of a query or a form as a server reads it: `+` is a space, and percent-encoded octets are decoded.
package func formDecoded(_ text: some StringProtocol) -> String {
  let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
  return String(decoding: percentDecodedBytes(bytes), as: UTF8.self)
}

/// The decoded pairs of a query or a form.
package func formPairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
  text.split(separator: "&").map { pair in
    let name = pair.prefix { $0 != "=" }
    return (formDecoded(name), formDecoded(pair[name.endIndex...].dropFirst()))
  }
}

/// The bytes with percent-encoded octets decoded; a bare `%` stays.
package func percentDecodedBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  let input = Array(bytes)
  var result: [UInt8] = []
  var index = 0
  while index < input.count {
    if input[index] == UInt8(ascii: "%"), index + 2 < input.count, let high = hexDigitValue(input[index + 1]),
      let low = hexDigitValue(input[index + 2])
    {
      result.append(high << 4 | low)
      index += 3
    } else {
      result.append(input[index])
      index += 1
    }
  }
  return result
}

/// Encodes bytes that a request line can't contain; everything else, `%` too, stays as it is.
package func percentEncoded(_ bytes: ArraySlice<UInt8>, also further: String = "") -> String {
  func isSendable(_ byte: UInt8) -> Bool { isInRequestLine(byte) && !further.utf8.contains(byte) }
  if bytes.allSatisfy(isSendable) { return String(decoding: bytes, as: UTF8.self) }
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  for byte in bytes {
    if isSendable(byte) {
      result.append(byte)
    } else {
      result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: result, as: UTF8.self)
}

private func isInRequestLine(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
    UInt8(ascii: "`"),
    UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
    false
  default: byte > 0x20 && byte < 0x7F
  }
}
