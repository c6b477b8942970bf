package func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

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

package func lowercasedASCII(_ byte: UInt8) -> UInt8 {
  byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}

/// The text without surrounding spaces and tabs (`OWS` of RFC 9110, section 5.6.3).
package func trimmingBlanks(_ text: Substring) -> String {
  var bytes = text.utf8
  while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
  while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
  return String(Substring(bytes))
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
