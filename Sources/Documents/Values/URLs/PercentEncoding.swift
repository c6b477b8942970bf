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
  let allowed = AllowedCharacters.requestLine
  return percentEncoded(bytes, allowed: further.isEmpty ? allowed : allowed.removing(further))
}

/// The text with every other byte as `%XX`; secrets stay marked.
package func percentEncoded(_ text: Text, allowed: AllowedCharacters) -> Text {
  text.mapRuns { percentEncoded($0, allowed: allowed) }
}

/// The text with every other byte as `%XX`.
package func percentEncoded(_ string: String, allowed: AllowedCharacters) -> String {
  string.utf8.allSatisfy(allowed.contains) ? string : percentEncoded(string.utf8, allowed: allowed)
}

/// The bytes, with `%XX` for every one that isn't allowed.
package func percentEncoded(_ bytes: some Collection<UInt8>, allowed: AllowedCharacters) -> String {
  if bytes.allSatisfy(allowed.contains) { return String(decoding: bytes, as: UTF8.self) }
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    if allowed.contains(byte) {
      result.append(byte)
    } else {
      result.append(UInt8(ascii: "%"))
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
  }
  return String(decoding: result, as: UTF8.self)
}
