// Bytes of ASCII text (RFC 20), and text made of them.

@inlinable package func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

@inlinable package func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

package func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && isDigit(UInt8(scalar.value)) }

package func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && isLetter(UInt8(scalar.value)) }

@inlinable package func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

/// Returns whether a byte may be part of a name in many languages: a letter, a digit or `_`.
@inlinable package func isWordCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
    UInt8(ascii: "a")...UInt8(ascii: "z"):
    true
  default: false
  }
}

@inlinable package func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66
}

/// Returns whether a byte is a space or a tab (`WSP` of RFC 5234).
@inlinable package func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Returns whether a byte is white space of C: a blank, or a control character that breaks a line.
@inlinable package func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

@inlinable package func lowercasedASCII(_ byte: UInt8) -> UInt8 {
  byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}

/// The value of a hexadecimal digit of either case.
@inlinable package func hexDigitValue(_ byte: UInt8) -> UInt8? {
  isHexDigit(byte) ? (byte <= 0x39 ? byte & 15 : byte & 15 + 9) : nil
}

/// Hexadecimal digits of a number in lower case, with leading zeros.
package func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

/// Returns whether two ASCII texts, such as header names, are equal without regard to case.
package func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
  guard left.utf8.count == right.utf8.count else { return false }
  // By contiguous bytes if possible, which is nearly always: every header look-up comes here.
  let isEqual = left.utf8.withContiguousStorageIfAvailable { left in
    right.utf8.withContiguousStorageIfAvailable { right in equalsIgnoringCase(left, right) }
  }
  return isEqual.flatMap { $0 } ?? equalsIgnoringCase(left.utf8, right.utf8)
}

@inline(__always)
private func equalsIgnoringCase(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
  zip(left, right).allSatisfy { $0 == $1 || lowercasedASCII($0) == lowercasedASCII($1) }
}

/// The text without surrounding spaces and tabs (`OWS` of RFC 9110, section 5.6.3).
package func trimmingBlanks(_ text: Substring) -> String {
  String(Substring(text.utf8.trimming(while: isBlank)))
}

extension BidirectionalCollection {
  /// The part between the elements at both ends for which a condition holds.
  @inlinable package func trimming(while isOuter: (Element) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isOuter($0) }), let last = lastIndex(where: { !isOuter($0) }) else {
      return self[endIndex...]
    }
    return self[first...last]
  }
}

/// The bytes of a text in ISO 8859-1; other characters become question marks.
package func latin1Octets(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { $0.value < 0x100 ? UInt8($0.value) : UInt8(ascii: "?") }
}

/// The text whose bytes in ISO 8859-1 are those.
package func latin1Text(_ octets: some Sequence<UInt8>) -> String {
  var text = String.UnicodeScalarView()
  for octet in octets { text.append(Unicode.Scalar(octet)) }
  return String(text)
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns whether a text stands at an index.
  @inlinable package func has(_ text: StaticString, at index: Int) -> Bool {
    guard endIndex - index >= text.utf8CodeUnitCount else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { self[index + $0] == text.utf8Start[$0] }
  }
}
