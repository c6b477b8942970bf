import CommandLineOptions
import Testing

/// What `send --session` keeps.
@Suite struct SessionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    var auth: String?
    let expected: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let before =
    #"{"headers": [{"name": "X-A", "value": "1"}], "auth": {"scheme": "basic", "user": "ann", "secret": "s:t"}}"#

  static let cases = [
    Case(arguments: ["ex.org"], expected: "X-A=1 basic ann s:t"),
    Case(arguments: ["ex.org", "x-a:2", "X-B:3", "X-B:4"], expected: "x-a=2 X-B=3 X-B=4 basic ann s:t"),
    Case(arguments: ["ex.org", "X-A:", "X-C;"], expected: "X-C= basic ann s:t"),
    Case(arguments: ["ex.org", "Content-Type:a", "If-Match:b", "Cookie:c=d"], expected: "X-A=1 basic ann s:t"),
    Case(arguments: ["ex.org"], auth: "bearer:tok", expected: "X-A=1 bearer  tok"),
  ]

  @Test(arguments: cases) func update(_ test: Case) throws {
    var line = try SendArguments(test.arguments)
    line.session = try SavedSession(json: Array(Self.before.utf8))
    line.credentials = try test.auth.map { try SendCredentials($0) }
    let updated = try #require(try line.session(SendArguments.Files(home: nil) { _ in [] }))
    // As the next request reads it.
    let session = try SavedSession(json: updated.json)
    let auth = session.credentials.map { "\($0.scheme.rawValue) \($0.user) \($0.secret ?? "")" } ?? ""
    #expect((session.headers.map { "\($0.name)=\($0.value)" } + [auth]).joined(separator: " ") == test.expected)
  }

  static let origins = [
    ("ex.org", "https+ex.org"), ("https://EX.org:443/x", "https+ex.org"), ("http://ex.org", "http+ex.org"),
    ("http://ex.org:443", "http+ex.org+443"), ("localhost:8080", "http+localhost+8080"),
    ("localhost_8080", "https+localhost_8080"), ("http://[::1]:81", "http+%3A%3A1+81"),
    ("http://u@ex.org:80", "http+ex.org"), ("http+unix://%2Frun%2Fx.sock/a", "http%2Bunix+%2Frun%2Fx.sock"),
    ("/a", nil), ("https://${{ host }}/a", nil),
  ]

  @Test("each origin has its own", arguments: origins) func origin(_ url: String, _ expected: String?) throws {
    #expect(try SendArguments([url]).server?.origin == expected)
  }

  @Test(
    "what can't be a session is an error",
    arguments: ["", "{", "[]", "null", #"{"name": "x"}"#, #"{"headers": [{}]}"#, #"{"auth": {"scheme": "x"}}"#])
  func broken(_ text: String) {
    #expect(throws: SendProblem.self) { try SavedSession(json: Array(text.utf8)) }
  }
}
