import DemoServer
import Foundation
import Testing

@Suite struct EndpointTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var method = "GET"
    let path: String
    var headers: [(String, String)] = []
    let status: Int
    var sent: [(String, String)] = []
    var body: String?
    var testDescription: String { "\(method) \(path) \(headers.map { "\($0.0): \($0.1)" })" }
  }

  static let cases = [
    Case(path: "/status/418", status: 418, body: ""),
    Case(path: "/status/503,200", status: 503),
    Case(path: "/status/204", status: 204, body: ""),
    Case(path: "/status/301", status: 301, sent: [("Location", "/redirect/1")]),
    Case(path: "/status/401", status: 401, sent: [("WWW-Authenticate", "Basic realm=\"demo\"")]),
    Case(path: "/status/abc", status: 400),
    Case(path: "/status/100", status: 400),
    Case(path: "/redirect/3", status: 302, sent: [("Location", "/redirect/2")]),
    Case(path: "/relative-redirect/1", status: 302, sent: [("Location", "/get")]),
    Case(method: "POST", path: "/redirect-to?url=%2Fpost&status_code=307", status: 307, sent: [("Location", "/post")]),
    Case(path: "/redirect/0", status: 400),
    Case(path: "/cookies", headers: [("Cookie", "a=1; b=x=y")], status: 200, body: cookieBody),
    Case(path: "/cookies/set?a=1", status: 302, sent: [("Location", "/cookies"), ("Set-Cookie", "a=1; Path=/")]),
    Case(path: "/cookies/set/n/v", status: 302, sent: [("Set-Cookie", "n=v; Path=/")]),
    Case(
      path: "/cookies/delete?a", status: 302,
      sent: [("Set-Cookie", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/")]),
    Case(path: "/basic-auth/ann/p%20w", headers: [("Authorization", "Basic YW5uOnAgdw==")], status: 200),
    Case(path: "/basic-auth/ann/pw", headers: [("Authorization", "Basic YW5uOnAgdw==")], status: 401),
    Case(path: "/basic-auth/ann/pw", status: 401, sent: [("WWW-Authenticate", "Basic realm=\"demo\"")]),
    Case(path: "/hidden-basic-auth/ann/pw", status: 404),
    Case(path: "/bearer", headers: [("Authorization", "Bearer t")], status: 200),
    Case(path: "/bearer", headers: [("Authorization", "Basic t")], status: 401),
    Case(path: "/digest-auth/auth/ann/pw", status: 401),
    Case(
      path: "/digest-auth/auth/ann/pw/SHA-256",
      headers: [("Authorization", "Digest username=\"ann\", realm=\"demo\", nonce=\"x\", response=\"y\"")], status: 401),
    Case(path: "/digest-auth/auth/ann/pw/SHA-1", status: 400),
    Case(path: "/digest-auth/auth/ann/pw/MD5/0", status: 400),
    Case(path: "/delay/0", status: 200),
    Case(path: "/delay/x", status: 400),
    Case(path: "/html", status: 200, sent: [("Content-Type", "text/html; charset=utf-8")]),
    Case(path: "/xml", status: 200, sent: [("Content-Type", "application/xml")]),
    Case(path: "/base64/SGkg8J-Ygg", status: 200, body: "Hi 😂"),
    Case(path: "/base64/!", status: 400),
    Case(path: "/bytes/0", status: 200, body: ""),
    Case(path: "/bytes/-1", status: 400),
    Case(path: "/response-headers?X-A=1&X-A=2", status: 200, sent: [("X-A", "1")]),
    Case(
      path: "/response-headers?Content-Type=text/plain", status: 200, sent: [("Content-Type", "text/plain")]),
    Case(path: "/response-headers?bad%20name=1", status: 400),
    Case(path: "/response-headers?X-A=a%0D%0AX-B:1", status: 400),
    Case(path: "/cache", status: 200, sent: [("ETag", "\"c0ffee\"")]),
    Case(path: "/cache", headers: [("If-None-Match", "\"c0ffee\"")], status: 304, body: ""),
    Case(path: "/cache/60", status: 200, sent: [("Cache-Control", "public, max-age=60")]),
    Case(path: "/etag/x", headers: [("If-None-Match", "\"y\", W/\"x\"")], status: 304, sent: [("ETag", "\"x\"")]),
    Case(path: "/etag/x", headers: [("If-Match", "\"y\"")], status: 412),
    Case(path: "/range/30", status: 200, sent: [("Accept-Ranges", "bytes")], body: "abcdefghijklmnopqrstuvwxyzabcd"),
    Case(
      path: "/range/30", headers: [("Range", "bytes=2-4")], status: 206, sent: [("Content-Range", "bytes 2-4/30")],
      body: "cde"),
    Case(path: "/range/30", headers: [("Range", "bytes=28-")], status: 206, body: "cd"),
    Case(path: "/range/30", headers: [("Range", "bytes=-1")], status: 206, body: "d"),
    Case(path: "/range/30", headers: [("Range", "bytes=-\(Int.max)")], status: 206),
    Case(path: "/range/30", headers: [("Range", "bytes=0-\(Int.max)")], status: 206),
    Case(
      path: "/range/30", headers: [("Range", "bytes=30-")], status: 416, sent: [("Content-Range", "bytes */30")]),
    Case(path: "/links/2/0", status: 200),
    Case(path: "/links/2", status: 302, sent: [("Location", "/links/2/0")]),
  ]

  private static let cookieBody = """
    {
      "cookies": {
        "a": "1",
        "b": "x=y"
      }
    }

    """

  @Test("answers as its summary says", arguments: cases) func endpoint(_ testCase: Case) async throws {
    let server = try DemoAPI.start()
    let response = try await send(testCase.method, server.address + testCase.path, headers: testCase.headers)
    #expect(response.status == testCase.status)
    for (name, value) in testCase.sent { #expect(response.header(name) == value) }
    if let body = testCase.body { #expect(response.text == body) }
  }

  @Test("an absolute redirect names the host") func absoluteRedirect() async throws {
    let server = try DemoAPI.start()
    let response = try await send("GET", "\(server.address)/absolute-redirect/2")
    #expect(response.header("Location") == "\(server.address)/absolute-redirect/1")
  }

  @Test("response headers are repeated, and the body tells its own length") func responseHeaders() async throws {
    let server = try DemoAPI.start()
    let response = try await send("GET", "\(server.address)/response-headers?X-A=1&X-A=2")
    #expect(response.headers.filter { $0.name == "X-A" }.map(\.value) == ["1", "2"])
    #expect(response.value("Content-Length") == response.header("Content-Length"))
    #expect(response.value("X-A") == #"["1","2"]"#)
  }

  @Test("compressed responses are what other programs undo", arguments: ["gzip", "deflate"])
  func coding(_ name: String) async throws {
    let server = try DemoAPI.start()
    let response = try await send("GET", "\(server.address)/\(name)")
    #expect(response.header("Content-Encoding") == name)
    if name == "deflate" { #expect(Array(response.body.prefix(2)) == [0x78, 0x01]) }
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    curl.arguments = ["curl", "--silent", "--fail", "--compressed", "\(server.address)/\(name)"]
    let output = Pipe()
    curl.standardOutput = output
    try curl.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    curl.waitUntilExit()
    #expect(curl.terminationStatus == 0)
    #expect(text.contains(name == "gzip" ? "\"gzipped\": true" : "\"deflated\": true"))
  }

  @Test("random bytes are the same for the same seed, whole or chunked") func bytes() async throws {
    let server = try DemoAPI.start()
    let whole = try await send("GET", "\(server.address)/bytes/5000?seed=7")
    let chunked = try await send("GET", "\(server.address)/stream-bytes/5000?seed=7&chunk_size=999")
    let other = try await send("GET", "\(server.address)/bytes/5000?seed=8")
    #expect(whole.body.count == 5000)
    #expect(chunked.isChunked && chunked.body == whole.body)
    #expect(other.body != whole.body)
  }

  @Test("a stream is lines of JSON, chunked") func stream() async throws {
    let server = try DemoAPI.start()
    let response = try await send("GET", "\(server.address)/stream/3")
    #expect(response.isChunked)
    let lines = response.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last?.hasSuffix(#""id":2}"#) == true)
  }

  @Test("UUIDs are of version 4 and differ") func uuid() async throws {
    let server = try DemoAPI.start()
    let values = [
      try await send("GET", "\(server.address)/uuid").value("uuid"),
      try await send("GET", "\(server.address)/uuid").value("uuid"),
    ]
    #expect(values[0] != values[1])
    #expect(values.compactMap { $0.flatMap(UUID.init(uuidString:)) }.count == 2)
    #expect(Array(values[0] ?? "").dropFirst(14).first == "4")
  }
}
