import DocumentQueries
import LocalServer
import Testing
import Values

@testable import MockServer

@Suite("A mock plays recordings back") struct RecordingTests {
  /// Lines such as `POST /orders {"a":1} -> 201 {"id":7} Location=/orders/7`; `auth` has credentials, `If-A=b` a header.
  static func mock(_ lines: String) throws -> MockServer {
    var sources = MockSources(contracts: [])
    for line in lines.split(separator: "\n") {
      let sides = line.split(separator: " -> ", maxSplits: 1).map(String.init)
      let words = sides[0].split(separator: " ").map(String.init)
      var (headers, body): ([String], String?) = ([], nil)
      for word in words.dropFirst(2) {
        if word == "auth" {
          headers.append(#"{"name":"Authorization","value":"***"}"#)
        } else if word.hasPrefix("{") || word.hasPrefix("[") {
          body = word
          headers.append(#"{"name":"Content-Type","value":"application/json"}"#)
        } else {
          let pair = word.split(separator: "=", maxSplits: 1)
          headers.append(#"{"name":"\#(pair[0])","value":"\#(pair[1])"}"#)
        }
      }
      let response = sides[1].split(separator: " ").map(String.init)
      let fields = response.dropFirst(2).map { field in
        let pair = field.split(separator: "=", maxSplits: 1)
        return #"{"name":"\#(pair[0])","value":"\#(pair[1])"}"#
      }
      let post = body.map { #","postData":{"mimeType":"application/json","text":\#(quoted($0))}"# } ?? ""
      let entry = """
        {"request":{"method":"\(words[0])","url":"http://api.example:81\(words[1])","headers":[\(headers.joined(separator: ","))]\(post)},
        "response":{"status":\(response[0]),"headers":[\(fields.joined(separator: ","))],"content":{"size":1,"text":\(quoted(response.count > 1 ? response[1] : ""))}}}
        """
      let recorded = try RecordedExchange(try JSONDocument(parsing: entry).root, keepsDelay: false)
      sources.exchanges.append(recorded.exchange)
      sources.hosts.insert(recorded.host)
    }
    return MockServer(sources, MockOptions()) { _ in }
  }

  private static func quoted(_ text: String) -> String { Value.text(Text(text)).jsonText().string }

  struct Playing: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let recording: String
    let calls: [(call: String, response: String)]
  }

  static let cases = [
    Playing(
      testDescription: "by method, path, query in any order, and body",
      recording: """
        GET /a?x=1&y=2 -> 200 one
        GET /a -> 200 two
        POST /a {"n":1,"m":[1,2]} -> 201 three
        """,
      calls: [
        ("GET /a?y=2&x=1", "200 one"), ("GET /a", "200 two"),
        ("GET /a?x=1", "404 the known request has no query"),
        (#"POST /a {"m":[1,2],"n":1}"#, "201 three"),
        (#"POST /a {"m":[1,3],"n":1}"#, "404 the known request has another body: /m/1 differs"),
        (#"POST /a {"n":1}"#, "404 the known request has another body: /m differs"),
        ("DELETE /a", "404 no known request is like this one"), ("GET /b", "404 no known request is like this one"),
      ]),
    Playing(
      testDescription: "what is masked stands for anything",
      recording: """
        POST /login {"user":"ann","password":"***"} -> 200 {"token":"***"}
        GET /me?key=*** auth -> 200 me
        GET /me?key=*** -> 401 who
        GET /t/***/x -> 200 path
        """,
      calls: [
        (#"POST /login {"user":"ann","password":"s3cret"}"#, #"200 {"token":"***"}"#),
        (
          #"POST /login {"user":"bob","password":"s3cret"}"#,
          "404 the known request has another body: /user differs"
        ),
        ("GET /me?key=1 Authorization=Bearer x", "200 me"), ("GET /me?key=2", "401 who"),
        ("GET /t/a%20b/x", "200 path"),
        ("GET /t/a/b/x", "404 no known request is like this one"),
      ]),
    Playing(
      testDescription: "equal requests in turn, and from the beginning where nothing changes what they show",
      recording: "GET /n -> 200 1\nGET /n -> 200 2",
      calls: [("GET /n", "200 1"), ("GET /n", "200 2"), ("GET /n", "200 1")]),
    Playing(
      testDescription: "what a request shows stays until another one changes it",
      recording: """
        GET /cart -> 200 []
        POST /cart/items {"sku":"a"} -> 201 x
        GET /cart -> 200 ["a"]
        DELETE /cart/items/a -> 204
        GET /cart -> 200 []
        """,
      calls: [
        ("GET /cart", "200 []"), ("GET /cart", "200 []"), (#"POST /cart/items {"sku":"a"}"#, "201 x"),
        ("GET /cart", #"200 ["a"]"#), ("GET /cart", #"200 ["a"]"#), ("DELETE /cart/items/a", "204"),
        ("GET /cart", "200 []"), (#"POST /cart/items {"sku":"a"}"#, "201 x"), ("GET /cart", #"200 ["a"]"#),
      ]),
    Playing(
      testDescription: "what was created begins anew when it is created again",
      recording: """
        POST /jobs {} -> 201 {"id":7} Location=http://api.example:81/jobs/7
        GET /jobs/7 -> 200 waiting
        GET /jobs/7 -> 200 done
        DELETE /jobs/7 -> 204
        GET /jobs/7 -> 404 gone
        """,
      calls: [
        ("POST /jobs {}", #"201 {"id":7}|Location=http://127.0.0.1:8080/jobs/7"#), ("GET /jobs/7", "200 waiting"),
        ("GET /jobs/7", "200 done"), ("GET /jobs/7", "200 done"), ("DELETE /jobs/7", "204"),
        ("GET /jobs/7", "404 gone"), ("POST /jobs {}", #"201 {"id":7}|Location=http://127.0.0.1:8080/jobs/7"#),
        ("GET /jobs/7", "200 waiting"),
      ]),
    Playing(
      testDescription: "what equal requests created takes the same course, whoever gets which",
      recording: """
        POST /jobs {} -> 201 {"id":1}
        GET /jobs/1 -> 200 {"id":1,"state":"waiting"}
        POST /jobs {} -> 201 {"id":2}
        GET /jobs/1 -> 200 {"id":1,"state":"done"}
        GET /jobs/2 -> 200 {"id":2,"state":"waiting"}
        GET /jobs/1/log -> 200 /jobs/1
        DELETE /jobs/2 -> 204
        """,
      calls: [
        ("POST /jobs {}", #"201 {"id":1}"#), ("POST /jobs {}", #"201 {"id":2}"#),
        ("GET /jobs/2", #"200 {"id":2,"state":"waiting"}"#), ("GET /jobs/2", #"200 {"id":2,"state":"done"}"#),
        ("GET /jobs/2/log", "200 /jobs/2"), ("GET /jobs/1", #"200 {"id":1,"state":"waiting"}"#),
        ("DELETE /jobs/1", "204"),
        ("GET /jobs/1", #"200 {"id":1,"state":"done"}"#),
      ]),
    Playing(
      testDescription: "headers decide where nothing else does",
      recording: """
        GET /doc Accept=text/html -> 200 page
        GET /doc Accept=application/json -> 200 data
        GET /doc Accept=application/json If-None-Match=v1 -> 304
        """,
      calls: [
        ("GET /doc Accept=application/json", "200 data"), ("GET /doc Accept=text/html", "200 page"),
        ("GET /doc Accept=application/json|If-None-Match=v1", "304"),
      ]),
    Playing(
      testDescription: "requests with other headers have turns of their own",
      recording: """
        GET /r Accept=a -> 200 1
        GET /r Accept=a -> 200 2
        GET /r Accept=b -> 200 3
        """,
      calls: [
        ("GET /r Accept=a", "200 1"), ("GET /r Accept=a", "200 2"), ("GET /r Accept=c", "200 1"),
        ("GET /r Accept=b", "200 3"), ("GET /r", "200 2"),
      ]),
    Playing(
      testDescription: "the hosts of the recording are this server, others are not",
      recording: "GET / -> 200 here",
      calls: [
        ("GET / Host=api.example", "200 here"),
        ("GET / Host=evil.example", #"421 this server is "127.0.0.1" or "localhost", not "evil.example""#),
      ]),
  ]

  @Test("Requests get the responses of those that are like them", arguments: cases) func playing(_ playing: Playing)
    throws
  {
    let mock = try Self.mock(playing.recording)
    for (call, response) in playing.calls { #expect(MockServerTests.send(call, to: mock) == response, "\(call)") }
  }

  @Test(
    "An exchange that can't be played back says why",
    arguments: [
      (#"{"request":{"url":"ftp://a"}}"#, "no URL of HTTP"), (#"{"request":{"url":"http://a"}}"#, "no response"),
      (#"{"request":{"url":"http://a"},"response":{"status":0}}"#, "no response"),
      (
        #"{"request":{"url":"http://a"},"response":{"status":200,"content":{"size":9}}}"#,
        "the recording lacks their bodies"
      ),
      (
        #"{"request":{"url":"http://a"},"response":{"status":200,"body":{"text":"a","cut":true}}}"#,
        "only the beginning of their bodies"
      ),
      (#"{"cache":"hit","request":{"url":"http://a"},"response":{"status":200}}"#, "they were not sent"),
    ])
  func problems(_ entry: String, _ reason: String) throws {
    let node = try JSONDocument(parsing: entry).root
    do {
      _ = try RecordedExchange(node, keepsDelay: false)
      Issue.record("no problem")
    } catch {
      #expect(error.message.contains(reason))
    }
  }

  @Test(
    "Texts are like a pattern, or not",
    arguments: [
      ("", "", true), ("a", "a", true), ("a", "b", false), ("***", "", true), ("***", "abc", true),
      ("a***", "abc", true), ("***c", "abc", true), ("a***c", "ac", true), ("a***c", "ab", false),
      ("a***b***c", "a1b2c", true), ("a***b***c", "a1c", false), ("***b", "bab", true),
      ("mockvalue", "mockvalue", true),
      ("mockvalue1xmockvalue1x", "a", false), ("mockvalue1x-mockvalue1x", "a-a", true),
      ("mockvalue1x-mockvalue1x", "a-b", false), ("mockvalue99999999999999999999x", "a", false),
    ])
  func patterns(_ pattern: String, _ text: String, _ matches: Bool) {
    var bindings = Bindings()
    #expect(TextPattern(pattern).matches(text, &bindings) == matches)
  }
}
