extension ImportedAuth {
  /// Reads the short forms of an `Authorization` header; nil for any other.
  ///
  /// - Parameter text: reads the placeholders of a text.
  init?(http header: String, _ remarks: inout [Untranslated], _ text: (String) -> ImportedText) {
    let words = Self.words(header)
    guard let scheme = words.first?.lowercased() else { return nil }
    switch scheme {
    case "basic", "digest":
      var account: (username: ImportedText, password: ImportedText)?
      if words.count == 3 { account = (text(words[1]), text(words[2])) }
      if words.count == 2, let (user, password) = text(words[1]).split(at: ":") { account = (user, password) }
      guard let account else { return nil }
      self = .credentials(
        .account(scheme == "basic" ? .basic : .digest, username: account.username, password: account.password))
    case "aws" where words.count > 2:
      func option(_ name: String) -> ImportedText? {
        words.first { $0.hasPrefix(name + ":") }.map { text(String($0.dropFirst(name.count + 1))) }
      }
      self = .credentials(
        .aws(
          accessKey: text(words[1]), secretKey: text(words[2]), region: option("region"), service: option("service"),
          sessionToken: option("token")))
    case "oauth2", "openid":
      // The flows of httpyac, whose values are variables that begin with a word.
      let prefix = words.count > 2 ? words[2] : "oauth2"
      let oauth = ImportedOAuth(
        grant: words.count > 1 ? words[1] : "client",
        [
          (\.authorizationURL, "authorizationEndpoint"), (\.deviceURL, "deviceCodeEndpoint"),
          (\.tokenURL, "tokenEndpoint"), (\.clientID, "clientId"), (\.clientSecret, "clientSecret"),
          (\.username, "username"), (\.password, "password"),
        ]
      ) { ImportedText(.variable("\(prefix)_\($0)")) }
      self.init(oauth.credentials(source: "oauth2", remarks: &remarks))
    default: return nil
    }
  }

  /// The words of a header, with placeholders whole.
  private static func words(_ value: String) -> [String] {
    var result: [String] = []
    var current = ""
    var rest = value[...]
    while let first = rest.first {
      if rest.hasPrefix("{{"), let end = rest.firstRange(of: "}}") {
        current += rest[..<end.upperBound]
        rest = rest[end.upperBound...]
      } else if first.isWhitespace {
        if !current.isEmpty { result.append(current) }
        current = ""
        rest = rest.dropFirst()
      } else {
        current.append(first)
        rest = rest.dropFirst()
      }
    }
    return current.isEmpty ? result : result + [current]
  }
}
