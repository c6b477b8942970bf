import DocumentQueries

extension ImportedAuth {
  /// Reads credentials of Postman; nil without any.
  init?(postman node: JSONNode?, _ remarks: inout [Untranslated]) {
    guard let node, node.kind == .mapping else { return nil }
    self = node.text("type").flatMap { Self.auth($0, node[member: $0], &remarks) } ?? .nothing
  }

  private static func auth(_ type: String, _ own: JSONNode?, _ remarks: inout [Untranslated]) -> ImportedAuth? {
    func text(_ name: String) -> ImportedText { ImportedText(postman: own?.parameter(name) ?? "") }
    func given(_ name: String) -> ImportedText? { text(name).isEmpty ? nil : text(name) }
    switch type {
    case "noauth": break
    case "basic":
      return .credentials(.account(.basic, username: text("username"), password: text("password")))
    case "digest", "ntlm":
      guard var username = given("username") else { break }
      if type == "ntlm", let domain = given("domain") { username = domain + ImportedText("\\") + username }
      return .credentials(.account(type == "ntlm" ? .ntlm : .digest, username: username, password: text("password")))
    case "bearer": return given("token").map { .credentials(.bearer($0)) }
    case "apikey":
      guard let key = given("key") else { break }
      let value = text("value").secret(key.literal ?? "api_key")
      return own?.parameter("in") == "query" ? inURL(key, value) : .key(key, value: value, .header)
    case "awsv4":
      guard let accessKey = given("accessKey"), let secretKey = given("secretKey") else { break }
      if let value = own?.parameter("addAuthDataToQuery"), !["", "false"].contains(value) {
        remarks.remark("settings of credentials", "awsv4 addAuthDataToQuery")
      }
      return .credentials(
        .aws(
          accessKey: accessKey, secretKey: secretKey, region: given("region") ?? "us-east-1",
          service: given("service") ?? "execute-api", sessionToken: given("sessionToken")))
    case "oauth2":
      guard let token = given("accessToken") else {
        var oauth = ImportedOAuth(
          grant: own?.parameter("grant_type") ?? "without a token",
          [
            (\.authorizationURL, "authUrl"), (\.tokenURL, "accessTokenUrl"), (\.clientID, "clientId"),
            (\.clientSecret, "clientSecret"), (\.scope, "scope"), (\.audience, "audience"),
            (\.username, "username"), (\.password, "password"), (\.redirectURI, "redirect_uri"),
          ], given)
        oauth.sendsClientInBody = own?.parameter("client_authentication") == "body"
        return ImportedAuth(oauth.credentials(source: "auth oauth2", remarks: &remarks))
      }
      if own?.parameter("addTokenTo") == "queryParams" { return inURL("access_token", token.secret("access_token")) }
      let prefix = ImportedText(postman: own?.parameter("headerPrefix")?.trimmed ?? "Bearer")
      return .token(token, prefix: prefix, kind: "access_token")
    default: remarks.remark("kinds of credentials", "auth \(type)")
    }
    return nil
  }

  private static func inURL(_ name: ImportedText, _ value: ImportedText) -> ImportedAuth {
    .key(name.mapText(parameterInPostman), value: value.mapText(parameterInPostman), .url)
  }
}
