import Values

/// A parsed `Set-Cookie` line (RFC 6265bis, section 5.6), before a jar decides whether to accept it.
package struct SetCookie: Sendable, Hashable {
  package var name: String
  package var value: String
  /// The date in `Expires`.
  package var expires: Timestamp?
  /// `Max-Age` in seconds; wins over ``expires``.
  package var maxAge: Int64?
  /// The domain in lower case, without one leading dot.
  package var domain: String?
  /// The path, if it begins with `/`.
  package var path: String?
  package var isSecure = false
  package var isHTTPOnly = false
  package var sameSite: Cookie.SameSite?
  /// Indicates whether the line was read as ISO 8859-1.
  package var isLatin1: Bool

  /// Nil for lines that are ignored: with control characters, more than 4096 bytes of name and value, neither of the
  /// two, or a value that would be read as a prefixed name.
  package init?(parsing line: String, isLatin1: Bool = false) {
    self.isLatin1 = isLatin1
    let bytes = line.utf8.prefix { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    guard !bytes.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let pair = parts.first else { return nil }
    if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
      name = trimmed(pair[..<equals])
      value = trimmed(pair[pair.index(after: equals)...])
    } else {
      (name, value) = ("", trimmed(pair))
    }
    let size = isLatin1 ? name.unicodeScalars.count + value.unicodeScalars.count : name.utf8.count + value.utf8.count
    guard 1...4096 ~= size else { return nil }
    if name.isEmpty, ["__secure-", "__host-"].contains(where: value.lowercased().hasPrefix) { return nil }
    for part in parts.dropFirst() { read(attribute: part) }
  }

  private mutating func read(attribute: Substring.UTF8View) {
    let equals = attribute.firstIndex(of: UInt8(ascii: "=")) ?? attribute.endIndex
    let text = equals == attribute.endIndex ? "" : trimmed(attribute[attribute.index(after: equals)...])
    guard text.utf8.count <= 1024 else { return }
    switch trimmed(attribute[..<equals]).lowercased() {
    case "expires": expires = cookieDate(text) ?? expires
    case "max-age": maxAge = SetCookie.seconds(text) ?? maxAge
    case "domain":
      let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
      if !name.isEmpty { domain = name.lowercased() }
    case "path": path = text.hasPrefix("/") ? text : nil
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = Cookie.SameSite(rawValue: text.lowercased())
    default: break
    }
  }

  /// A number of seconds, clamped; nil if it isn't one.
  private static func seconds(_ text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    let limit: Int64 = 1 << 40
    return text.hasPrefix("-") ? -1 : min(Int64(String(decoding: digits, as: UTF8.self)) ?? limit, limit)
  }

  /// The time at which the cookie expires; nil for a session cookie.
  package func expiry(now: Timestamp) -> Timestamp? {
    guard let maxAge else { return expires }
    return Timestamp(seconds: maxAge <= 0 ? .min : now.seconds + maxAge)
  }
}

private func trimmed(_ bytes: Substring.UTF8View) -> String { trimmingBlanks(Substring(bytes)) }
