import DocumentQueries

/// The credentials of a request of Postman, and what they do to it.
struct PostmanAuth {
  private(set) var credentials: ImportedRequest.Credentials?
  private(set) var headers: [ImportedRequest.Header] = []
  private(set) var query: [ImportedRequest.Pair] = []
  private(set) var settings: ImportedSettings = []
  /// The headers of the request that these credentials replace.
  private(set) var replaced: Set<String> = []
  private(set) var replacedQuery: Set<String> = []
  private(set) var untranslated: [Untranslated] = []

  init(_ node: JSONNode?) {
    guard let node, let type = node.text("type") else { return }
    let own = node[member: type]
    func text(_ name: String) -> ImportedText? { own?.parameter(name).map { ImportedText(postman: $0) } }
    func given(_ name: String) -> ImportedText? { text(name).flatMap { $0.isEmpty ? nil : $0 } }
    switch type {
    case "noauth": break
    case "basic":
      credentials = .basic(username: text("username") ?? ImportedText(), password: text("password") ?? ImportedText())
    case "digest", "ntlm":
      guard var username = given("username") else { return }
      let password = text("password") ?? ImportedText()
      if type == "digest" {
        credentials = .digest(username: username, password: password)
      } else {
        if let domain = given("domain") { username = domain + ImportedText("\\") + username }
        credentials = .ntlm(username: username, password: password)
      }
    case "bearer":
      guard let token = given("token") else { return }
      credentials = .bearer(token)
    case "apikey":
      guard let key = given("key") else { return }
      let value = (text("value") ?? ImportedText()).secret(key.literal ?? "api_key")
      if own?.parameter("in") == "query" {
        query = [ImportedRequest.Pair(name: key, value: value)]
      } else {
        headers = [ImportedRequest.Header(name: key, value: value)]
        if let name = key.literal { replaced.insert(name.lowercased()) }
      }
    case "awsv4":
      guard let accessKey = given("accessKey"), let secretKey = given("secretKey") else { return }
      credentials = .aws(
        accessKey: accessKey, secretKey: secretKey, region: given("region") ?? ImportedText("us-east-1"),
        service: given("service") ?? ImportedText("execute-api"), sessionToken: given("sessionToken"))
      replaced = ["x-amz-date", "x-amz-security-token", "x-amz-content-sha256"]
      if let value = own?.parameter("addAuthDataToQuery"), !["", "false"].contains(value) {
        untranslated.append(Untranslated(reason: "settings of credentials", source: "awsv4 addAuthDataToQuery"))
      }
    case "oauth2": readOAuth(own, given)
    default:
      untranslated.append(Untranslated(reason: "kinds of credentials", source: "auth \(type)"))
    }
    if credentials != nil || settings[.auth] != nil { replaced.insert("authorization") }
  }

  private mutating func readOAuth(_ own: JSONNode?, _ given: (String) -> ImportedText?) {
    if let token = given("accessToken") {
      if own?.parameter("addTokenTo") == "queryParams" {
        query = [ImportedRequest.Pair(name: ImportedText("access_token"), value: token.secret("access_token"))]
        replaced.insert("authorization")
        return
      }
      let prefix = own?.parameter("headerPrefix")?.trimmed ?? "Bearer"
      if prefix == "Bearer" {
        credentials = .bearer(token)
      } else {
        let value = prefix.isEmpty ? token : ImportedText(postman: prefix + " ") + token.secret("access_token")
        headers = [ImportedRequest.Header(name: ImportedText("Authorization"), value: value)]
        replaced.insert("authorization")
      }
      return
    }
    guard let own else { return }
    var oauth = ImportedOAuth(grant: own.parameter("grant_type") ?? "without a token")
    oauth.authorizationURL = given("authUrl")
    oauth.tokenURL = given("accessTokenUrl")
    oauth.clientID = given("clientId")
    oauth.clientSecret = given("clientSecret")
    oauth.sendsClientInBody = own.parameter("client_authentication") == "body"
    oauth.scope = given("scope").map { .text($0) }
    oauth.audience = given("audience")
    oauth.username = given("username")
    oauth.password = given("password")
    oauth.redirectURI = given("redirect_uri")
    var request = ImportedRequest(url: ImportedText())
    oauth.apply(to: &request, source: "auth oauth2")
    settings = request.settings
    untranslated += request.untranslated
  }
}
