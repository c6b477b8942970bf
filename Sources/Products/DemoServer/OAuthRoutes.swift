import LocalServer
import Cryptography
import DocumentQueries
import HTTPSemantics
import Values

/// An authorization server (RFC 6749), and a resource that needs its tokens.
let oauthRoutes: [Route] = [
  Route(
    "POST", "/oauth2/token",
    "A token for the client reqrun with the secret reqrun-secret, or for the client public; ?expires_in= in seconds"
  ) { call in
    TokenEndpoint(call: call).response
  },
  Route("GET", "/oauth2/resource", "200 with a token of /oauth2/token, and what it is for; 401 without") { call in
    guard let token = bearerToken(call.request) else {
      return .problem(401, "the Authorization header holds no bearer token").with("WWW-Authenticate", "Bearer")
    }
    guard let grant = call.state.withContents({ $0.oauth.grant(token) }) else {
      return ServerResponse.problem(401, "the token is unknown, revoked or expired")
        .with("WWW-Authenticate", "Bearer error=\"invalid_token\", error_description=\"The access token expired\"")
    }
    return .json(grant.value)
  },
  Route("POST", "/oauth2/introspect", "Whether the form's token is active, and what it is for (RFC 7662)") { call in
    let form = formParameters(String(decoding: call.request.body, as: UTF8.self))
    let token = form.first { $0.name == "token" }?.value ?? ""
    guard let grant = call.state.withContents({ $0.oauth.grant(token) }) else {
      return .json(.object([("active", .bool(false))]))
    }
    return .json(.object([("active", .bool(true))] + grant.members))
  },
  Route("POST", "/oauth2/revoke", "Revokes the form's token, or all tokens of its client_id (RFC 7009)") { call in
    let form = formParameters(String(decoding: call.request.body, as: UTF8.self))
    call.state.withContents { contents in
      for (name, value) in form where name == "token" { contents.oauth.tokens[value] = nil }
      for (name, value) in form where name == "client_id" {
        contents.oauth.tokens = contents.oauth.tokens.filter { $0.value.client != value }
      }
    }
    return ServerResponse(status: 200)
  },
  Route("GET", "/oauth2/issued/{scope}", "How many tokens of that scope were issued") { call in
    .json(.object([("count", .integer(call.state.withContents { $0.oauth.counts[call["scope"]] ?? 0 }))]))
  },
  Route("GET", "/oauth2/authorize", "Signs ann in, and redirects to the query's redirect_uri (RFC 6749, RFC 7636)") {
    call in
    authorize(call)
  },
  Route("POST", "/oauth2/device", "The codes to sign in on another device (RFC 8628)") { call in
    let form = formParameters(String(decoding: call.request.body, as: UTF8.self))
    let code = OAuthState.randomToken()
    let scope = form.first { $0.name == "scope" }?.value ?? ""
    let client = form.first { $0.name == "client_id" }?.value ?? ""
    call.state.withContents { $0.oauth.add(OAuthState.Code(client: client, scope: scope), named: code) }
    return .json(
      .object([
        ("device_code", .text(code)), ("user_code", .text(String(code.prefix(8)).uppercased())),
        ("verification_uri", .text(call.request.baseURL + "/oauth2/device")), ("expires_in", .integer(60)),
        ("interval", .number(Number(lexeme: "0.2"))),
      ]))
  },
  Route("GET", "/oauth2/device/{code}", "Signs ann in on the device with that code for users") { call in
    let isKnown = call.state.withContents { contents in
      let names = contents.oauth.codes.keys.filter { $0.prefix(8).uppercased() == call["code"] }
      for name in names { contents.oauth.codes[name]?.isApproved = true }
      return !names.isEmpty
    }
    return isKnown ? .json(.object([("approved", .bool(true))])) : .problem(404, "there is no such code")
  },
  Route("GET", "/.well-known/oauth-authorization-server", "The authorization server's metadata (RFC 8414)") { call in
    let base = call.request.baseURL
    return .json(
      .object([
        ("issuer", .text(base)), ("token_endpoint", .text(base + "/oauth2/token")),
        ("authorization_endpoint", .text(base + "/oauth2/authorize")),
        ("device_authorization_endpoint", .text(base + "/oauth2/device")),
        ("introspection_endpoint", .text(base + "/oauth2/introspect")),
        ("revocation_endpoint", .text(base + "/oauth2/revoke")),
        (
          "grant_types_supported",
          .list(
            [
              "client_credentials", "password", "refresh_token", "authorization_code",
              "urn:ietf:params:oauth:grant-type:jwt-bearer", "urn:ietf:params:oauth:grant-type:device_code",
            ].map { .text($0) })
        ),
      ]))
  },
]

/// The tokens of the authorization server.
struct OAuthState: Sendable {
  struct Grant: Sendable {
    let client: String
    let user: String?
    let scope: String
    let audience: String?
    let end: ContinuousClock.Instant?

    var members: [(String, Value)] {
      var members: [(String, Value)] = [("client_id", .text(client)), ("scope", .text(scope))]
      if let user { members.append(("username", .text(user))) }
      if let audience { members.append(("aud", .text(audience))) }
      return members
    }

    var value: Value { .object(members) }
  }

  /// A code that can be redeemed for a token.
  struct Code: Sendable {
    let client: String
    let scope: String
    var redirectURI: String?
    var challenge: String?
    /// Indicates whether the user has signed in.
    var isApproved = false
  }

  var codes: [String: Code] = [:]
  var tokens: [String: Grant] = [:]
  var refreshTokens: [String: Grant] = [:]
  /// The number of issued tokens for each scope.
  var counts: [String: Int] = [:]

  mutating func add(_ code: Code, named name: String) {
    if codes.count >= DemoState.nameLimit { codes = [:] }
    codes[name] = code
  }

  static func randomToken() -> String { hexEncoded((0..<16).map { _ in UInt8.random(in: .min ... .max) }) }

  func grant(_ token: String) -> Grant? {
    guard let grant = tokens[token], grant.end.map({ ContinuousClock.now < $0 }) ?? true else { return nil }
    return grant
  }
}

/// Sends the browser back to where it came from, with a code.
private func authorize(_ call: RouteCall) -> ServerResponse {
  let request = call.request
  guard let target = request.parameter("redirect_uri"), target.hasPrefix("http://127.0.0.1:") else {
    return .problem(400, "`redirect_uri` is a URL of the loopback")
  }
  func back(_ parameters: [(String, String)]) -> ServerResponse {
    let all = parameters + [("state", request.parameter("state") ?? "")]
    return .redirect(
      to: target + "?" + all.map { "\($0)=\(percentEncoded($1, allowed: .unreserved))" }.joined(separator: "&"))
  }
  guard request.parameter("response_type") == "code", request.parameter("code_challenge_method") == "S256",
    let challenge = request.parameter("code_challenge"), request.parameter("client_id") == "public"
  else { return back([("error", "invalid_request"), ("error_description", "a code with PKCE, by S256, for public")]) }
  if request.parameter("scope") == "denied" { return back([("error", "access_denied")]) }
  let code = OAuthState.randomToken()
  call.state.withContents { contents in
    contents.oauth.add(
      OAuthState.Code(
        client: "public", scope: request.parameter("scope") ?? "", redirectURI: target, challenge: challenge),
      named: code)
  }
  return back([("code", code)])
}

/// The token endpoint.
private struct TokenEndpoint {
  private let call: RouteCall
  private let form: [(name: String, value: String)]

  init(call: RouteCall) {
    self.call = call
    form = formParameters(String(decoding: call.request.body, as: UTF8.self))
  }

  private func parameter(_ name: String) -> String? { form.first { $0.name == name }?.value }

  var response: ServerResponse {
    guard let client = authenticatedClient else {
      return error("invalid_client", "the client is unknown, or its secret is wrong", status: 401)
        .with("WWW-Authenticate", "Basic realm=\"demo\"")
    }
    switch parameter("grant_type") {
    case "client_credentials": return issued(client, user: nil)
    case "password":
      guard let user = parameter("username"), parameter("password") == "secret-password" else {
        return error("invalid_grant", "the password is wrong")
      }
      return issued(client, user: user)
    case "refresh_token":
      let token = parameter("refresh_token") ?? ""
      guard let old = call.state.withContents({ $0.oauth.refreshTokens.removeValue(forKey: token) }),
        old.client == client
      else { return error("invalid_grant", "the refresh token is unknown or was used") }
      return issued(client, user: old.user, scope: old.scope)
    case "authorization_code":
      guard let code = call.state.withContents({ $0.oauth.codes.removeValue(forKey: parameter("code") ?? "") }),
        code.client == client, code.redirectURI == parameter("redirect_uri"), let verifier = parameter("code_verifier"),
        code.challenge == base64URLEncoded(DigestAlgorithm.sha256.digest(of: verifier))
      else { return error("invalid_grant", "the code is unknown, was used, or its verifier is wrong") }
      return issued(client, user: "ann", scope: code.scope)
    case "urn:ietf:params:oauth:grant-type:device_code":
      let name = parameter("device_code") ?? ""
      guard let code = call.state.withContents({ $0.oauth.codes[name] }), code.client == client else {
        return error("expired_token", "the device code is unknown or was used")
      }
      guard code.isApproved else { return error("authorization_pending", "nobody has signed in yet") }
      call.state.withContents { $0.oauth.codes[name] = nil }
      return issued(client, user: "ann", scope: code.scope)
    case "urn:ietf:params:oauth:grant-type:jwt-bearer":
      guard let claims = claims(of: parameter("assertion") ?? "") else {
        return error(
          "invalid_grant", "the assertion is not signed with the secret of the client, is late or not for here")
      }
      var user: String?
      if case .text(let subject)? = claims["sub"] { user = subject.string }
      return issued(client, user: user)
    case nil: return error("invalid_request", "`grant_type` is missing")
    case let other?: return error("unsupported_grant_type", "`\(other.prefix(80))` is not supported")
    }
  }

  private var authenticatedClient: String? {
    var (client, secret) = (parameter("client_id"), parameter("client_secret"))
    if let basic = credentials(call.request, scheme: "basic").flatMap({ base64Decoded($0) }) {
      let parts = String(decoding: basic, as: UTF8.self).split(separator: ":", maxSplits: 1).map { percentDecoded($0) }
      guard parts.count == 2, client == nil, secret == nil else { return nil }
      (client, secret) = (parts[0], parts[1])
    }
    if let proof = parameter("client_assertion") {
      guard case .text(let subject)? = claims(of: proof)?["sub"], subject.string == "reqrun" else { return nil }
      return "reqrun"
    }
    switch client {
    case "reqrun": return secret == "reqrun-secret" ? client : nil
    case "public": return secret == nil ? client : nil
    default: return nil
    }
  }

  private func issued(_ client: String, user: String?, scope: String? = nil) -> ServerResponse {
    let seconds = call.request.parameter("expires_in").map { Int($0) ?? 3600 } ?? 3600
    let scope = scope ?? parameter("scope") ?? ""
    let token = OAuthState.randomToken()
    let refreshToken = user == nil ? nil : OAuthState.randomToken()
    let grant = OAuthState.Grant(
      client: client, user: user, scope: scope, audience: parameter("audience"), end: .now + .seconds(seconds))
    call.state.withContents { contents in
      if contents.oauth.tokens.count >= DemoState.nameLimit { contents.oauth = OAuthState() }
      contents.oauth.tokens[token] = grant
      if let refreshToken { contents.oauth.refreshTokens[refreshToken] = grant }
      contents.oauth.counts[scope, default: 0] += 1
    }
    var members: [(String, Value)] = [
      ("access_token", .text(token)), ("token_type", .text("Bearer")), ("expires_in", .integer(seconds)),
    ]
    if let refreshToken { members.append(("refresh_token", .text(refreshToken))) }
    if !scope.isEmpty { members.append(("scope", .text(scope))) }
    return ServerResponse.json(.object(members)).with("Cache-Control", "no-store")
  }

  /// The claims of a token for this endpoint that is signed with the client's secret.
  private func claims(of token: String) -> Mapping? {
    guard let signature = try? JSONWebSignature(reading: token),
      let key = try? SigningKey(secret: Array(TokenEndpoint.signingSecret.utf8)),
      (try? signature.verify(with: key, algorithms: [.hs256])) != nil,
      case .mapping(let claims)? = (try? JSONDocument(parsing: signature.payload))?.root.value,
      case .number(let end)? = claims["exp"], let seconds = end.int, seconds > secondsSince1970,
      case .text(let audience)? = claims["aud"], audience.string == call.request.url
    else { return nil }
    return claims
  }

  private static let signingSecret = "the-signing-secret-of-the-demo-client-reqrun"

  private func error(_ code: String, _ description: String, status: Int = 400) -> ServerResponse {
    .json(.object([("error", .text(code)), ("error_description", .text(description))]), status: status)
  }
}
