extension ImportedAuth {
  /// Reads the short forms of an `Authorization` header; nil for any other.
  init?(http header: ImportedText, _ remarks: inout [Untranslated]) {
    let words = header.split(separator: " ").filter { !$0.isEmpty }
    guard let scheme = words.first?.literal?.lowercased() else { return nil }
    switch scheme {
    case "basic", "digest":
      let account = words.count == 3 ? (words[1], words[2]) : words.count == 2 ? words[1].split(at: ":") : nil
      guard let (username, password) = account else { return nil }
      self = .credentials(.account(scheme == "basic" ? .basic : .digest, username: username, password: password))
    case "aws" where words.count > 2:
      func option(_ name: String) -> ImportedText? {
        words.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1)
      }
      self = .credentials(
        .aws(
          accessKey: words[1], secretKey: words[2], region: option("region"), service: option("service"),
          sessionToken: option("token")))
    case "oauth2", "openid":
      // The flows of httpyac, whose values are variables that begin with a word.
      let prefix = words.count > 2 ? words[2].source : "oauth2"
      let oauth = ImportedOAuth(
        grant: words.count > 1 ? words[1].source : "client",
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
}
