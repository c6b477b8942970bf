import DemoServer
import Testing

@Suite struct DavTests {
  /// Requests in order, each with the status that it gets.
  struct Step: Sendable {
    let method: String
    let path: String
    var headers: [(String, String)] = []
    var body = ""
    let status: Int

    init(_ method: String, _ path: String, _ status: Int, _ headers: [(String, String)] = [], body: String = "") {
      self.method = method
      self.path = path
      self.headers = headers
      self.body = body
      self.status = status
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [Step]
  }

  private static let filled = [
    Step("MKCOL", "/dav/a/", 201), Step("PUT", "/dav/a/x", 201, body: "x"), Step("MKCOL", "/dav/a/b", 201),
    Step("PUT", "/dav/a/b/y", 201, body: "y"),
  ]

  static let cases = [
    Case(
      testDescription: "nothing without its collection",
      steps: [Step("PUT", "/dav/no/x", 409, body: "1"), Step("MKCOL", "/dav/no/x", 409), Step("GET", "/dav/no", 404)]),
    Case(
      testDescription: "collections are no files",
      steps: filled + [
        Step("GET", "/dav/a/", 403), Step("PUT", "/dav/a", 405, body: "1"), Step("MKCOL", "/dav/a/x", 405),
        Step("MKCOL", "/dav/c", 415, body: "<x/>"), Step("DELETE", "/dav/", 403),
      ]),
    Case(
      testDescription: "a collection goes with all that is in it",
      steps: filled + [
        Step("MOVE", "/dav/a", 201, [("Destination", "/dav/c/")]), Step("GET", "/dav/c/b/y", 200),
        Step("GET", "/dav/a/x", 404), Step("DELETE", "/dav/c", 204), Step("GET", "/dav/c/b/y", 404),
      ]),
    Case(
      testDescription: "a copy without its members",
      steps: filled + [
        Step("COPY", "/dav/a", 201, [("Destination", "/dav/c"), ("Depth", "0")]), Step("GET", "/dav/c/x", 404),
        Step("PROPFIND", "/dav/c", 207, [("Depth", "0")]),
      ]),
    Case(
      testDescription: "destinations",
      steps: filled + [
        Step("COPY", "/dav/a", 400), Step("COPY", "/dav/a", 400, [("Destination", "http://other.example/dav/c")]),
        Step("COPY", "/dav/a", 403, [("Destination", "/dav/a/b/c")]),
        Step("MOVE", "/dav/a/x", 403, [("Destination", "/dav/a")]),
        Step("MOVE", "/dav/a/x", 409, [("Destination", "/dav/no/x")]),
        Step("COPY", "/dav/a/x", 412, [("Destination", "/dav/a/b/y"), ("Overwrite", "F")]),
        Step("COPY", "/dav/a/x", 204, [("Destination", "/dav/a/b/y")]),
      ]),
    Case(
      testDescription: "conditions",
      steps: filled + [
        Step("PUT", "/dav/a/x", 412, [("If-None-Match", "*")], body: "2"),
        Step("PUT", "/dav/a/new", 412, [("If-Match", "*")], body: "2"),
        Step("PUT", "/dav/a/x", 204, [("If-Match", "*")], body: "2"),
      ]),
    Case(
      testDescription: "no depth without end",
      steps: filled + [
        Step("PROPFIND", "/dav/a", 403), Step("PROPFIND", "/dav/a", 403, [("Depth", "infinity")]),
        Step("PROPFIND", "/dav/no", 404, [("Depth", "0")]),
      ]),
  ]

  @Test("keeps a tree", arguments: cases) func tree(_ testCase: Case) async throws {
    let server = try DemoHTTPServer.start()
    defer { server.stop() }
    for step in testCase.steps {
      let response = try await send(
        step.method, server.address + step.path, headers: step.headers, body: Array(step.body.utf8))
      #expect(response.status == step.status, "\(step.method) \(step.path)")
    }
  }

  @Test("tells properties, with names escaped") func properties() async throws {
    let server = try DemoHTTPServer.start()
    defer { server.stop() }
    _ = try await send(
      "PUT", server.address + "/dav/a%20%26%20b.txt", headers: [("Content-Type", "text/x")], body: [1, 2])
    let response = try await send("PROPFIND", server.address + "/dav", headers: [("Depth", "1")], body: [])
    #expect(response.status == 207)
    #expect(response.header("Content-Type") == "application/xml; charset=utf-8")
    #expect(response.text.contains("<D:href>/dav/</D:href>"))
    #expect(response.text.contains("<D:href>/dav/a%20%26%20b.txt</D:href>"))
    #expect(response.text.contains("<D:displayname>a &amp; b.txt</D:displayname>"))
    #expect(response.text.contains("<D:getcontentlength>2</D:getcontentlength><D:getcontenttype>text/x"))
  }
}
