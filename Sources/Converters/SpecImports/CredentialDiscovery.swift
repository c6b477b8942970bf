import Values

extension ImportedRequest {
  /// Gives credentials and cookies their own keys.
  mutating func findCredentials() {
    readAuthorization()
    readCookies()
    credentials?.markSecrets()
  }

  /// Takes an `Authorization` header of a known scheme for credentials.
  private mutating func readAuthorization() {
    guard credentials == nil, let value = header("Authorization") else { return }
    if value.hasPrefix("Bearer ") {
      let token = value.dropFirst("Bearer ".count).trimmed
      guard !token.isEmpty else { return }
      credentials = .bearer(token)
    } else if let text = value.literal, text.hasPrefix("Basic "),
      let bytes = base64Decoded(String(text.dropFirst("Basic ".count))),
      let decoded = String(validating: bytes, as: UTF8.self), let colon = decoded.firstIndex(of: ":")
    {
      credentials = .account(
        .basic, username: ImportedText(String(decoded[..<colon])),
        password: ImportedText(String(decoded[decoded.index(after: colon)...])))
    } else {
      return
    }
    _ = takeHeader("Authorization")
  }

  /// Takes a `Cookie` header for cookies if each has a name of its own.
  private mutating func readCookies() {
    guard let header = header("Cookie"), headers.count(where: { $0.name.literal?.lowercased() == "cookie" }) == 1 else {
      return
    }
    var pairs: [Pair] = []
    for pair in header.split(separator: ";").map(\.trimmed) where !pair.isEmpty {
      guard let (name, value) = pair.split(at: "="), let word = name.literal, !word.isEmpty else { return }
      pairs.append(Pair(name: name, value: value))
    }
    guard Set((pairs + cookies).map(\.name)).count == pairs.count + cookies.count else { return }
    cookies = pairs + cookies
    _ = takeHeader("Cookie")
  }
}

extension ImportedText {
  /// The text as a secret if it is literal and not empty.
  func secret(_ name: String) -> ImportedText {
    guard let literal, !literal.isEmpty else { return self }
    return ImportedText(.secret(literal, name: name))
  }

  /// Indicates whether the text is a credential by its form.
  var isCredential: Bool { literal.map(isCredentialValue) ?? false }
}
