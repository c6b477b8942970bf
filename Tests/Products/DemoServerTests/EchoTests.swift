import DemoServer
import Testing

@Suite struct EchoTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let method: String
    let path: String
    var headers: [(String, String)] = []
    var body = ""
    let expected: [(String, String)]
  }

  static let cases = [
    Case(
      testDescription: "a GET tells its query, repeated names as a list", method: "GET",
      path: "/get?a=1&b=x%20y+z&a=2&e", headers: [("X-One", "1")],
      expected: [
        ("args.a", #"["1","2"]"#), ("args.b", "x y z"), ("args.e", ""), ("headers.X-One", "1"),
        ("origin", "127.0.0.1"),
      ]),
    Case(
      testDescription: "header names come in title case, repeated lines joined", method: "GET", path: "/headers",
      headers: [("x-tWO", "a"), ("X-Two", "b")], expected: [("headers.X-Two", "a,b")]),
    Case(
      testDescription: "a form body", method: "POST", path: "/post",
      headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "a=1&a=2&name=J%C3%BCrg+X",
      expected: [("form.a", #"["1","2"]"#), ("form.name", "Jürg X"), ("data", ""), ("json", "null")]),
    Case(
      testDescription: "a JSON body", method: "PUT", path: "/put", headers: [("Content-Type", "application/json")],
      body: #"{"b":[1,null],"a":"é"}"#,
      expected: [("json.b", "[1,null]"), ("json.a", "é"), ("data", #"{"b":[1,null],"a":"é"}"#)]),
    Case(
      testDescription: "text that is not JSON", method: "PATCH", path: "/patch", body: "hello",
      expected: [("data", "hello"), ("json", "null")]),
    Case(
      testDescription: "a multipart body", method: "POST", path: "/post",
      headers: [("Content-Type", "multipart/form-data; boundary=\"b-1\"")],
      body: """
        --b-1\r\nContent-Disposition: form-data; name="field"\r\n\r\nvalue\r\n\
        --b-1\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n\
        line\r\n\r\n--b-1--\r\n
        """,
      expected: [("form.field", "value"), ("files.file", "line\r\n")]),
    Case(
      testDescription: "anything with any path", method: "DELETE", path: "/anything/a/b%20c?q=1", body: "x",
      expected: [("method", "DELETE"), ("data", "x"), ("args.q", "1")]),
    Case(
      testDescription: "anything, with headers as received", method: "GET", path: "/anything",
      headers: [("x-tWO", "a"), ("X-Two", "b")],
      expected: [("method", "GET"), ("raw_headers.2", "x-tWO: a"), ("raw_headers.3", "X-Two: b")]),
    Case(
      testDescription: "the user agent", method: "GET", path: "/user-agent", headers: [("User-Agent", "reqrun/1")],
      expected: [("user-agent", "reqrun/1")]),
  ]

  @Test("says back what was sent", arguments: cases) func echo(_ testCase: Case) async throws {
    let server = try DemoAPI.start()
    let response = try await send(
      testCase.method, server.address + testCase.path, headers: testCase.headers, body: Array(testCase.body.utf8))
    #expect(response.status == 200)
    #expect(response.header("Content-Type") == "application/json")
    for (keyPath, expected) in testCase.expected { #expect(response.value(keyPath) == expected, "\(keyPath)") }
  }

  @Test("gives the URL as the client wrote it") func url() async throws {
    let server = try DemoAPI.start()
    let url = "\(server.address)/anything/a%2Fb?x=%20"
    #expect(try await send("GET", url).value("url") == url)
  }

  @Test("bytes that are not UTF-8 come back as a data URL") func binary() async throws {
    let server = try DemoAPI.start()
    let response = try await send("POST", "\(server.address)/post", body: [0xFF, 0x00, 0xFE])
    #expect(response.value("data") == "data:application/octet-stream;base64,/wD+")
  }

  @Test("a large body comes back whole, one beyond the limit is refused") func large() async throws {
    let server = try DemoAPI.start()
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    let response = try await send("POST", "\(server.address)/post", body: text)
    #expect(response.value("data")?.utf8.count == 3 << 20)
    let refused = try await send(
      "POST", "\(server.address)/post", headers: [("Content-Length", String(1 << 30)), ("Expect", "100-continue")])
    #expect(refused.status == 413)
  }
}
