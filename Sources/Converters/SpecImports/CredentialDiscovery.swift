import Values

extension ImportedRequest {
  /// Gives credentials and cookies their own keys, and marks literal credentials as secrets.
  mutating func findCredentials() {
    readAuthorization()
    readCookies()
    credentials?.markSecrets()
    for index in headers.indices {
      guard let name = headers[index].name.literal, let value = headers[index].value else { continue }
      if isMaskedHeader(name) {
        headers[index].value = value.secretAfterScheme(name)
      } else if isSecretName(name) || value.isCredential {
        headers[index].value = value.secret(name)
      }
    }
    for index in cookies.indices {
      let name = cookies[index].name.literal ?? "cookie"
      let value = cookies[index].value.literal ?? ""
      // Names of sessions differ; long values are seldom settings.
      if isSecretName(name) || value.utf8.count >= 20 { cookies[index].value = cookies[index].value.secret(name) }
    }
    url = url.withSecretsOfQuery()
    if case .form(var pairs)? = body {
      for index in pairs.indices { pairs[index].markSecret() }
      body = .form(pairs)
    }
    if case .multipart(var parts)? = body {
      for index in parts.indices {
        guard case .text(let text) = parts[index].content, let name = parts[index].name.literal,
          isSecretName(name) || text.isCredential
        else { continue }
        parts[index].content = .text(text.secret(name))
      }
      body = .multipart(parts)
    }
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

extension ImportedRequest.Pair {
  fileprivate mutating func markSecret() {
    if let name = name.literal, isSecretName(name) || value.isCredential { value = value.secret(name) }
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

  /// The value of a header with credentials, without their scheme, as a secret.
  fileprivate func secretAfterScheme(_ name: String) -> ImportedText {
    guard let literal, let space = literal.firstIndex(of: " "), literal[..<space].allSatisfy(\.isLetter) else {
      return secret(name)
    }
    return ImportedText(String(literal[...space])) + ImportedText(String(literal[space...])).trimmed.secret(name)
  }

  /// The URL with the literal values under names of secrets in its query as secrets, as they are written.
  fileprivate func withSecretsOfQuery() -> ImportedText {
    guard let (before, query) = split(at: "?") else { return self }
    let (pairs, fragment) = query.split(at: "#").map { ($0.before, $0.after) } ?? (query, nil)
    let shown = pairs.split(separator: "&").map { pair in
      guard let (name, value) = pair.split(at: "="), let word = name.literal,
        isSecretName(formDecoded(word)) || value.isCredential
      else { return pair }
      return name + "=" + value.secret(formDecoded(word))
    }
    return before + "?" + shown.joined(by: "&") + (fragment.map { "#" + $0 } ?? "")
  }
}
