import Values

/// Puts words for environment variables in place of secrets that stand in specs, by the names that they have there.
package struct LiteralSecrets {
  /// Returns whether a secret part of a text has a word already.
  private let hasWord: (Substring) -> Bool
  /// Makes the word for a secret with its name.
  private let makeWord: (_ secret: String, _ name: String) -> String

  package init(
    hasWord: @escaping (Substring) -> Bool, makeWord: @escaping (_ secret: String, _ name: String) -> String
  ) {
    (self.hasWord, self.makeWord) = (hasWord, makeWord)
  }

  /// The value of a header.
  package func header(_ name: String, _ value: String) -> String {
    if name.lowercased() == "cookie" { return cookies(value) }
    guard isMaskedHeader(name) || isSecretName(name), !hasWord(value[...]) else { return value }
    // The scheme of credentials is none.
    if isMaskedHeader(name), let match = value.wholeMatch(of: /([A-Za-z][A-Za-z0-9-]*) +(\S.*)/) {
      return "\(match.output.1) \(word(String(match.output.2), name))"
    }
    return word(value, name)
  }

  /// The value of a `Cookie` header.
  package func cookies(_ value: String) -> String {
    value.split(separator: "; ", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "="), !hasWord(pair) else { return String(pair) }
      let name = String(pair[..<equals])
      return "\(name)=\(word(String(pair[pair.index(after: equals)...]), "cookie \(name)"))"
    }.joined(separator: "; ")
  }

  /// A query or the body of a form.
  package func parameters(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
      let name = percentDecoded(String(pair[..<equals]))
      guard isSecretName(name), !hasWord(pair[equals...]) else { return String(pair) }
      let value = percentDecoded(pair[pair.index(after: equals)...].replacing("+", with: " "))
      return "\(pair[..<equals])=\(word(value, name))"
    }.joined(separator: "&")
  }

  /// The URL with its query.
  package func url(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let end = url[mark...].firstIndex(of: "#") ?? url.endIndex
    return url[...mark] + parameters(String(url[url.index(after: mark)..<end])) + url[end...]
  }

  /// A text in JSON.
  package func json(_ text: String) -> String {
    text.replacing(/"((?:[^"\\]|\\.)+)"(\s*:\s*)(?:"((?:[^"\\]|\\.)+)"|(-?[0-9][0-9.eE+-]*))/) { match in
      let (name, value) = (String(match.output.1), match.output.3 ?? match.output.4 ?? "")
      guard isSecretName(name), !hasWord(value) else { return String(match.output.0) }
      let quote = match.output.3 == nil ? "" : "\""
      return "\"\(name)\"\(match.output.2)\(quote)\(word(String(value), name))\(quote)"
    }
  }

  /// The parts of a form in `multipart/form-data`.
  package func multipart(_ text: String) -> String {
    text.replacing(/( name="([^"\r\n]*)"(?:[^\r\n]*\r\n)+\r\n)([^\r\n]+)\r\n/) { match in
      let (name, value) = (String(match.output.2), match.output.3)
      guard isSecretName(name), !hasWord(value) else { return String(match.output.0) }
      return "\(match.output.1)\(word(String(value), name))\r\n"
    }
  }

  /// The word for a secret; nothing for nothing.
  private func word(_ secret: String, _ name: String) -> String {
    secret.isEmpty ? "" : makeWord(secret, name)
  }
}
