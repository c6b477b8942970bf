import Values

/// A request method: any token (RFC 9110, section 9.1).
package struct HTTPMethod: Sendable, Hashable {
  package let rawValue: String

  /// Nil if the text isn't a token.
  package init?(_ rawValue: String) {
    guard isToken(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  package static let get = HTTPMethod(known: "GET")
  package static let head = HTTPMethod(known: "HEAD")
  package static let post = HTTPMethod(known: "POST")
  package static let put = HTTPMethod(known: "PUT")
  package static let patch = HTTPMethod(known: "PATCH")
  package static let delete = HTTPMethod(known: "DELETE")
  package static let options = HTTPMethod(known: "OPTIONS")
  private static let trace = HTTPMethod(known: "TRACE")

  /// Indicates whether the method differs from a standard one by letter case only, such as `get` (RFC 9110, section
  /// 9.1).
  ///
  /// Foundation changes these methods to capitals, and no others.
  package var isMiscased: Bool {
    let standard = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]
    return !standard.contains(rawValue) && standard.contains { equalsIgnoringCase($0, rawValue) }
  }

  /// RFC 9110, section 9.2.1.
  package static let safe: Set<HTTPMethod> = [.get, .head, .options, .trace]
  package var isSafe: Bool { HTTPMethod.safe.contains(self) }
  /// RFC 9110, section 9.2.2.
  package static let idempotent: Set<HTTPMethod> = safe.union([.put, .delete])
}

/// Returns whether the text is a token (RFC 9110, section 5.6.2).
package func isToken(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
}

/// Returns whether a token may contain the byte (`tchar`).
package func isTokenByte(_ byte: UInt8) -> Bool {
  // Bit n of the two halves is byte n and 64 + n.
  let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
  return byte < 128 && bits &>> UInt64(byte & 63) & 1 == 1
}
