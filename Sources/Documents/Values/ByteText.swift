/// Lower-case hexadecimal digits of bytes.
package func hexEncoded(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var result: [UInt8] = []
  for byte in bytes {
    result.append(digits[Int(byte >> 4)])
    result.append(digits[Int(byte & 15)])
  }
  return String(decoding: result, as: UTF8.self)
}

let base64Alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// The value of each byte that is a digit of base64.
private let base64Values: [UInt8?] = {
  var values = [UInt8?](repeating: nil, count: 256)
  for (value, digit) in base64Alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
  return values
}()

/// Base64 with padding (RFC 4648, section 4).
package func base64Encoded(_ bytes: [UInt8]) -> String {
  var result: [UInt8] = []
  result.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
    for digit in 0..<4 {
      result.append(digit <= group.count ? base64Alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
    }
  }
  return String(decoding: result, as: UTF8.self)
}

/// The bytes of a base64 text (RFC 4648, section 4); white space is ignored, any other error gives nil.
package func base64Decoded(_ text: String) -> [UInt8]? {
  var digits = text.utf8.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
  guard digits.count.isMultiple(of: 4) else { return nil }
  for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
  var result: [UInt8] = []
  result.reserveCapacity(digits.count * 3 / 4)
  var bits = 0
  for (index, digit) in digits.enumerated() {
    guard let value = base64Values[Int(digit)] else { return nil }
    bits = (bits << 6 | Int(value)) & 0xFFFF
    // Each digit but the first of four completes a byte.
    if index % 4 > 0 { result.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (index % 4)))) }
  }
  return result
}

/// Base64 in the alphabet for URLs, without padding (RFC 4648, section 5; RFC 7515, section 2).
package func base64URLEncoded(_ bytes: [UInt8]) -> String {
  var digits = Array(base64Encoded(bytes).utf8)
  while digits.last == UInt8(ascii: "=") { digits.removeLast() }
  for index in digits.indices {
    if digits[index] == UInt8(ascii: "+") { digits[index] = UInt8(ascii: "-") }
    if digits[index] == UInt8(ascii: "/") { digits[index] = UInt8(ascii: "_") }
  }
  return String(decoding: digits, as: UTF8.self)
}

/// The bytes of a text as ``base64URLEncoded(_:)`` writes it; nil for any other, also one with padding or spare bits.
package func base64URLDecoded(_ text: some StringProtocol) -> [UInt8]? {
  var digits: [UInt8] = []
  digits.reserveCapacity(text.utf8.count + 2)
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
    case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
    default:
      guard isAlphanumeric(byte) else { return nil }
      digits.append(byte)
    }
  }
  let count = digits.count
  digits += repeatElement(UInt8(ascii: "="), count: (4 - count % 4) % 4)
  guard count % 4 != 1, let bytes = base64Decoded(String(decoding: digits, as: UTF8.self)),
    count % 4 == 0
      || base64URLEncoded(Array(bytes.suffix(count % 4 - 1))).utf8.elementsEqual(text.utf8.suffix(count % 4))
  else { return nil }
  return bytes
}
