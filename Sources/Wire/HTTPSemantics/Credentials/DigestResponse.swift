import Values

/// The credentials that answer a Digest challenge (RFC 7616, section 3.4).
package struct DigestResponse: Sendable {
  package var challenge: DigestChallenge
  package var username: String
  package var password: String
  package var method: String
  /// The URI as it is in the request line.
  package var uri: String
  package var clientNonce: String
  /// The number of times the nonce was used, this time included.
  package var count: Int

  package init(
    challenge: DigestChallenge, username: String, password: String, method: String, uri: String, clientNonce: String,
    count: Int
  ) {
    self.challenge = challenge
    self.username = username
    self.password = password
    self.method = method
    self.uri = uri
    self.clientNonce = clientNonce
    self.count = count
  }

  /// The value of the `Authorization` header.
  package var headerValue: String {
    var parts = usernameParts
    parts += [
      "realm=\(quoted(challenge.realm))", "nonce=\(quoted(challenge.nonce))", "uri=\(quoted(uri))",
      "response=\"\(response)\"",
    ]
    if let name = challenge.algorithmName { parts.append("algorithm=\(name)") }
    if let opaque = challenge.opaque { parts.append("opaque=\(quoted(opaque))") }
    if challenge.hasQualityOfProtection { parts += ["qop=auth", "nc=\(countText)"] }
    if challenge.hasQualityOfProtection || challenge.isSession { parts.append("cnonce=\(quoted(clientNonce))") }
    if challenge.hashesUsername { parts.append("userhash=true") }
    return "Digest " + parts.joined(separator: ", ")
  }

  private var usernameParts: [String] {
    if challenge.hashesUsername { return ["username=\"\(hash("\(username):\(challenge.realm)"))\""] }
    // Servers that don't support charsets don't support `username*` either.
    if challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
      return ["username*=UTF-8''\(percentEncoded(username, allowed: .unreserved))"]
    }
    return ["username=\(quoted(username))"]
  }

  private var response: String {
    let base = hash("\(username):\(challenge.realm):\(password)")
    let secret = challenge.isSession ? hash("\(base):\(challenge.nonce):\(clientNonce)") : base
    let request = hash("\(method):\(uri)")
    return challenge.hasQualityOfProtection
      ? hash("\(secret):\(challenge.nonce):\(countText):\(clientNonce):auth:\(request)")
      : hash("\(secret):\(challenge.nonce):\(request)")
  }

  private var countText: String {
    let digits = String(count, radix: 16)
    return String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
  }

  private func hash(_ text: String) -> String { hexEncoded(challenge.algorithm.digest.digest(of: text)) }
}

/// A quoted-string (RFC 9110, section 5.6.4).
private func quoted(_ text: String) -> String {
  var bytes = [UInt8(ascii: "\"")]
  for byte in text.utf8 {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
    bytes.append(byte)
  }
  bytes.append(UInt8(ascii: "\""))
  return String(decoding: bytes, as: UTF8.self)
}
