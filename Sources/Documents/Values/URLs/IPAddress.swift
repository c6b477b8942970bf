/// An IPv4 or IPv6 address by its octets, so that all its notations are equal.
package struct IPAddress: Sendable, Hashable {
  /// The 4 or 16 octets; an IPv4-mapped address (`::ffff:192.0.2.1`) has 4.
  package let octets: [UInt8]

  /// Reads an address without brackets; an IPv4 address consists of four decimal numbers.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    if let address = dottedDecimal(bytes) {
      octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) }
    } else if let address = IPv6Address(bytes) {
      let isMapped = address.pieces[..<5].allSatisfy { $0 == 0 } && address.pieces[5] == 0xFFFF
      octets = address.pieces[(isMapped ? 6 : 0)...].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    } else {
      return nil
    }
  }

  package var isLoopback: Bool {
    octets.count == 4 ? octets[0] == 127 : octets.dropLast().allSatisfy { $0 == 0 } && octets.last == 1
  }

  /// Returns whether that number of leading bits equals those of another address of the same family.
  package func sharesPrefix(of bits: Int, with other: IPAddress) -> Bool {
    guard octets.count == other.octets.count else { return false }
    let whole = bits / 8
    guard octets.prefix(whole) == other.octets.prefix(whole) else { return false }
    guard bits % 8 > 0, whole < octets.count else { return true }
    let shift = UInt8(8 - bits % 8)
    return octets[whole] >> shift == other.octets[whole] >> shift
  }
}

/// The IPv4 address of four decimal numbers, the only notation that needs no URL parser; nil for others.
package func dottedDecimal(_ text: some Sequence<UInt8>) -> UInt32? {
  var address: UInt32 = 0
  var numbers = 1
  var digits = 0
  var value: UInt32 = 0
  for byte in text {
    if byte == UInt8(ascii: ".") {
      guard digits > 0, numbers < 4 else { return nil }
      address = address << 8 | value
      numbers += 1
      (digits, value) = (0, 0)
    } else {
      guard isDigit(byte), digits == 0 || value > 0 else { return nil }
      digits += 1
      value = value * 10 + UInt32(byte - 0x30)
      guard value < 256 else { return nil }
    }
  }
  return numbers == 4 && digits > 0 ? address << 8 | value : nil
}
