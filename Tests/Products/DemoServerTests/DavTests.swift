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

    init(_ method: String, _ path: String, body: String = "", _ status: Int) {
      self.init(method, path, [], body: body, status)
    }

    init(_ method: String, _ path: String, _ headers: [(String, String)], body: String = "", _ status: Int) {
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
    Step("MKCOL", "/dav/a/", 201), Step("PUT", "/dav/a/x", body: "x", 201), Step("MKCOL", "/dav/a/b", 201),
    Step("PUT", "/dav/a/b/y", body: "y", 201),
  ]

  static let cases = [
    Case(
      testDescription: "nothing without its collection",
      steps: [Step("PUT", "/dav/no/x", body: "1", 409), Step("MKCOL", "/dav/no/x", 409), Step("GET", "/dav/no", 404)]),
    Case(
      testDescription: "collections are not files",
      steps: filled + [
        Step("GET", "/dav/a/", 403), Step("PUT", "/dav/a", body: "1", 405), Step("MKCOL", "/dav/a/x", 405),
        Step("MKCOL", "/dav/c", body: "<x/>", 415), Step("DELETE", "/dav/", 403),
      ]),
    Case(
      testDescription: "a collection goes with all that is in it",
      steps: filled + [
        Step("MOVE", "/dav/a", [("Destination", "/dav/c/")], 201), Step("GET", "/dav/c/b/y", 200),
        Step("GET", "/dav/a/x", 404), Step("DELETE", "/dav/c", 204), Step("GET", "/dav/c/b/y", 404),
      ]),
    Case(
      testDescription: "a copy without its members",
      steps: filled + [
        Step("COPY", "/dav/a", [("Destination", "/dav/c"), ("Depth", "0")], 201), Step("GET", "/dav/c/x", 404),
        Step("PROPFIND", "/dav/c", [("Depth", "0")], 207),
      ]),
    Case(
      testDescription: "destinations",
      steps: filled + [
        Step("COPY", "/dav/a", 400), Step("COPY", "/dav/a", [("Destination", "http://other.example/dav/c")], 400),
        Step("COPY", "/dav/a", [("Destination", "/dav/a/b/c")], 403),
        Step("MOVE", "/dav/a/x", [("Destination", "/dav/a")], 403),
        Step("MOVE", "/dav/a/x", [("Destination", "/dav/no/x")], 409),
        Step("COPY", "/dav/a/x", [("Destination", "/dav/a/b/y"), ("Overwrite", "F")], 412),
        Step("COPY", "/dav/a/x", [("Destination", "/dav/a/b/y")], 204),
      ]),
    Case(
      testDescription: "conditions",
      steps: filled + [
        Step("PUT", "/dav/a/x", [("If-None-Match", "*")], body: "2", 412),
        Step("PUT", "/dav/a/new", [("If-Match", "*")], body: "2", 412),
        Step("PUT", "/dav/a/x", [("If-Match", "*")], body: "2", 204),
      ]),
    Case(
      testDescription: "no depth without end",
      steps: filled + [
        Step("PROPFIND", "/dav/a", 403), Step("PROPFIND", "/dav/a", [("Depth", "infinity")], 403),
        Step("PROPFIND", "/dav/no", [("Depth", "0")], 404),
      ]),
  ]

  @Test("keeps a tree", arguments: cases) func tree(_ testCase: Case) async throws {
    let server = try DemoAPI.start()
    defer { server.stop() }
    for step in testCase.steps {
      let response = try await send(
        step.method, server.address + step.path, headers: step.headers, body: Array(step.body.utf8))
      #expect(response.status == step.status, "\(step.method) \(step.path)")
    }
  }

  @Test("tells properties, with names escaped") func properties() async throws {
    let server = try DemoAPI.start()
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
