import HTTPSemantics
import Testing
import Values

@Suite("Responses of token endpoints")
struct TokenResponseTests {
  private static func response(_ status: Int, _ body: String, _ headers: [(String, String)] = []) -> TokenResponse {
    TokenResponse(
      ResponseHead(status: status, headers: HeaderFields(headers)), body: Array(body.utf8), from: "http://h/token")
  }

  @Test(
    "A token with its lifetime in seconds",
    arguments: [
      (#"{"access_token": "abc", "token_type": "Bearer", "expires_in": 3600}"#, 3600),
      (#"{"access_token": "abc", "token_type": "bearer", "expires_in": "3600"}"#, 3600),
      (#"{"access_token": "abc", "token_type": "BEARER", "expires_in": 3600.9}"#, 3600),
      (#"{"access_token": "abc", "token_type": null, "expires_in": 0}"#, 0),
      (#"{"access_token": "abc", "token_type": "Bearer"}"#, nil),
      (#"{"access_token": "abc", "token_type": "Bearer", "expires_in": null}"#, nil),
      (#"{"access_token": "abc", "token_type": "Bearer", "expires_in": 9999999999999}"#, nil),
      (#"{"access_token": "abc", "token_type": "Bearer", "expires_in": 1e400}"#, nil),
    ] as [(String, Int64?)])
  func lifetimes(_ body: String, _ seconds: Int64?) throws {
    let token = try Self.response(200, body).token()
    #expect(token.accessToken == "abc")
    #expect(token.lifetime == seconds.map { .seconds($0) })
  }

  @Test(
    "A response without a usable token",
    arguments: [
      (200, #"{"access_token": "a b"}"#, "not printable ASCII", true),
      (200, #"{"access_token": ""}"#, "is empty", true),
      (200, #"{"access_token": null}"#, "is null, not text", true),
      (200, #"{"access_token": {}}"#, "is a mapping, not text", true),
      (200, #"{"access_token": "é"}"#, "not printable ASCII", true),
      (200, #"{"access_token": "abc", "token_type": "DPoP"}"#, "of the type \"DPoP\"", true),
      (200, #"{"access_token": "abc", "token_type": 1}"#, "of the type \"1\"", true),
      (200, #"{"access_token": "abc", "expires_in": "soon"}"#, "`expires_in`", true),
      (200, #"{"access_token": "abc", "expires_in": -1}"#, "`expires_in`", true),
      (200, #"{"access_token": "abc", "expires_in": true}"#, "`expires_in`", true),
      (200, #"{"access_token": "abc", "expires_in": "-0x1"}"#, "`expires_in`", true),
      (200, "{}", "issued no `access_token`", true),
      (200, "", "not with a JSON object", true),
      (200, "access_token=abc&token_type=bearer", "not with a JSON object", true),
      (200, #"{"error": "access_denied"}"#, "rejects the request (status 200): `access_denied`", true),
      (302, "{}", "redirects to \"http://other/\"", true),
      (400, #"{"error": "temporarily_unavailable"}"#, "temporarily_unavailable", false),
      (429, "slow down", "the status 429", false),
      (500, #"{"error": "invalid_client"}"#, "invalid_client", false),
      (503, "", "the status 503", false),
    ])
  func problems(_ status: Int, _ body: String, _ message: String, _ isFinal: Bool) throws {
    let response = Self.response(status, body, [("Location", "http://other/")])
    let problem = try #require(throws: TokenProblem.self) { try response.token() }
    #expect(problem.message.contains(message))
    #expect(problem.isFinal == isFinal)
  }

  @Test("All tokens in a response are secret, whatever else is wrong with it")
  func secrets() {
    let response = Self.response(500, #"{"access_token": "a", "refresh_token": "r", "id_token": "i", "scope": "s"}"#)
    #expect(response.secrets == ["a", "r", "i"])
  }

  @Test(
    "Metadata are where RFC 8414 says, or where OpenID Connect does",
    arguments: [
      (
        "https://h", "https://h/.well-known/oauth-authorization-server", "https://h/.well-known/openid-configuration"
      ),
      (
        "https://h:1/a/b/", "https://h:1/.well-known/oauth-authorization-server/a/b",
        "https://h:1/a/b/.well-known/openid-configuration"
      ),
    ])
  func locations(_ issuer: String, _ standard: String, _ openID: String) throws {
    #expect(ServerMetadata.locations(of: try HTTPURL(parsing: issuer)).map(\.string) == [standard, openID])
  }

  @Test("The issuer of metadata is compared exactly")
  func issuers() throws {
    let head = ResponseHead(status: 200, headers: HeaderFields())
    let body = Array(#"{"issuer": "https://h/", "token_endpoint": "https://h/token"}"#.utf8)
    #expect(try ServerMetadata.read(head, body: body, of: "https://h/", at: "x")?.tokenEndpoint == "https://h/token")
    #expect(throws: TokenProblem.self) { try ServerMetadata.read(head, body: body, of: "https://h", at: "x") }
    #expect(try ServerMetadata.read(head, body: [], of: "https://h", at: "x") == nil)
  }
}
