import Testing
import Values

@Suite struct SecretNamesTests {
  @Test(
    "what is secret in a header by its name",
    arguments: [
      ("Accept", "text/html", nil),
      ("Authorization", "Bearer abc", "***"),
      ("Cookie", "sid=abc", "***"),
      ("set-cookie", "sid=abc; Path=/; Secure", "sid=***; Path=/; Secure"),
      ("Set-Cookie", "sid=; Max-Age=0", "sid=; Max-Age=0"),
      ("Set-Cookie", "abc", "***"),
      ("Set-Cookie", "sid=\"a;bc\"; HttpOnly", "sid=***;***; HttpOnly"),
      ("Set-Cookie", "a=b; Path=/, c=d; Path=/", "a=***;***; Path=/"),
      ("Set-Cookie", "a=b; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "a=***; Expires=Wed, 09 Jun 2100 10:18:14 GMT"),
    ] as [(String, String, String?)])
  func headers(_ name: String, _ value: String, _ shown: String?) {
    #expect(markedHeader(name, value)?.masked == shown)
  }
}
