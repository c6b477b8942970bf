/// Reads `host`, `host:port` or `[address]:port`.
package func parseHostAndPort(_ bytes: ArraySlice<UInt8>) throws(URLProblem) -> (host: String, port: Int?) {
  let colon = UInt8(ascii: ":")
  if bytes.first == UInt8(ascii: "[") {
    guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else {
      throw URLProblem("the bracket of the IPv6 address is never closed", at: bytes.indices)
    }
    let address = bytes[(bytes.startIndex + 1)..<close]
    if let zone = address.firstIndex(of: UInt8(ascii: "%")) {
      throw URLProblem(
        "an IPv6 address with a zone can't stand in a URL here", at: zone..<close,
        help: "use an address that needs no zone")
    }
    guard let host = IPv6Address(address) else {
      throw URLProblem(
        "this is not an IPv6 address", at: address.indices, help: "write it as in [::1] or [2001:db8::1]")
    }
    let rest = bytes[(close + 1)...]
    guard let first = rest.first else { return (host.text, nil) }
    guard first == colon else { throw URLProblem("only a port can follow the IPv6 address", at: rest.indices) }
    return (host.text, try parsePort(rest.dropFirst()))
  }
  guard let first = bytes.firstIndex(of: colon) else { return (try parseHost(bytes), nil) }
  if bytes[(first + 1)...].contains(colon) {
    throw URLProblem(
      "the host has more than one colon", at: bytes.indices, help: "an IPv6 address stands in brackets: http://[::1]/")
  }
  return (try parseHost(bytes[..<first]), try parsePort(bytes[(first + 1)...]))
}

/// Nil for an empty port, as in `http://host:/`.
private func parsePort(_ bytes: ArraySlice<UInt8>) throws(URLProblem) -> Int? {
  guard !bytes.isEmpty else { return nil }
  var port = 0
  for byte in bytes {
    port = port * 10 + Int(byte &- 0x30)
    guard isDigit(byte), port <= 65_535 else {
      throw URLProblem(
        "a port is a number from 0 to 65535", at: bytes.indices,
        help: isDigit(bytes[bytes.startIndex]) && !bytes.allSatisfy(isDigit) ? "a `/` ends the port" : nil)
    }
  }
  return port
}

/// A host name or IPv4 address, in lower case and ASCII.
///
/// Percent-encoded octets are decoded, non-ASCII labels become Punycode. All notations of an IPv4 address (`127.1`,
/// `0x7f000001`) result in its dotted form, as in the WHATWG's URL standard.
func parseHost(_ bytes: ArraySlice<UInt8>) throws(URLProblem) -> String {
  guard !bytes.isEmpty else {
    throw URLProblem("the URL has no host", at: bytes.indices, help: "write http://host/path")
  }
  if bytes.allSatisfy(isLowercaseHostByte) {
    let name = String(decoding: bytes, as: UTF8.self)
    return try checkedHost(name, at: bytes.indices)
  }
  guard let decoded = String(validating: percentDecodedBytes(bytes), as: UTF8.self) else {
    throw URLProblem("the percent-encoded octets of the host are not UTF-8", at: bytes.indices)
  }
  var name = decoded
  if !decoded.utf8.allSatisfy({ $0 < 0x80 }) {
    do {
      name = try internationalHost(decoded)
    } catch {
      throw URLProblem(
        error.message, at: bytes.indices, help: "write the host in its ASCII form, with labels such as xn--bcher-kva")
    }
  }
  name = String(decoding: name.utf8.map { lowercasedASCII($0) }, as: UTF8.self)
  if let bad = name.unicodeScalars.first(where: { !isHostCharacter($0) }) {
    throw URLProblem("\(shown(bad)) can't stand in a host name", at: bytes.indices)
  }
  return try checkedHost(name, at: bytes.indices)
}

/// Returns whether the byte is one of those that most hosts consist of and that need no change.
private func isLowercaseHostByte(_ byte: UInt8) -> Bool {
  byte >= 0x61 && byte <= 0x7A || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
}

/// The host of lower-case ASCII characters: an IPv4 address in its dotted form, or a name with valid labels.
private func checkedHost(_ name: String, at range: Range<Int>) throws(URLProblem) -> String {
  if dottedDecimal(name.utf8) != nil { return name }
  var labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
  if let address = try parseIPv4(labels, at: range) { return address }
  guard labels.allSatisfy({ !$0.isEmpty }) else {
    throw URLProblem("the host name has an empty label", at: range)
  }
  guard labels.allSatisfy({ $0.count <= 63 }), name.utf8.count <= 254 else {
    throw URLProblem("the host name is too long: 63 characters a label and 253 in all is the limit", at: range)
  }
  return name
}

private func isHostCharacter(_ scalar: Unicode.Scalar) -> Bool {
  scalar.isASCII && (isAlphanumeric(UInt8(scalar.value)) || "-._~".unicodeScalars.contains(scalar))
}

func shown(_ scalar: Unicode.Scalar) -> String {
  if scalar == " " { return "a space" }
  return scalar.value > 0x20 && scalar.value < 0x7F ? "\"\(scalar)\"" : codePoint(scalar.value)
}

/// The dotted form of a host that ends in a number; nil if it doesn't, and is a name.
private func parseIPv4(_ parts: [Substring.UTF8View], at range: Range<Int>) throws(URLProblem) -> String? {
  guard let last = parts.last, let first = last.first, isDigit(first), last.allSatisfy(isDigit) || number(last) != nil
  else { return nil }
  let problem = URLProblem(
    "a host that ends in a number must be an IPv4 address", at: range, help: "write four numbers from 0 to 255")
  guard parts.count <= 4 else { throw problem }
  var address: UInt64 = 0
  for (index, part) in parts.enumerated() {
    let isLast = index == parts.count - 1
    let room: UInt64 = isLast ? 1 << UInt64(8 * (5 - parts.count)) : 256
    guard let value = number(part), value < room else { throw problem }
    address |= isLast ? value : value << UInt64(8 * (3 - index))
  }
  return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"

  func number(_ part: Substring.UTF8View) -> UInt64? {
    let isHex = part.starts(with: "0x".utf8)
    let radix: UInt64 = isHex ? 16 : part.count > 1 && part.first == 0x30 ? 8 : 10
    var value: UInt64 = 0
    guard !part.isEmpty else { return nil }
    for byte in part.dropFirst(isHex ? 2 : 0) {
      guard let digit = hexDigitValue(byte), UInt64(digit) < radix else { return nil }
      value = min(value * radix + UInt64(digit), 1 << 40)
    }
    return value
  }
}
