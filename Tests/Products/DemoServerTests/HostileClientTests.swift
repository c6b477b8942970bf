import DemoServer
import Foundation
import Testing

private let edges = [
  "-9223372036854775808", "-3", "-1", "0", "9223372036854775807", "9223372036854775808", "18446744073709551615",
  "1e999", "nan",
]

@Suite("A hostile client ends nothing and fills nothing")
struct HostileClientTests {
  /// Wherever a client says a number.
  private static let targets = [
    "/delay/N", "/status/N", "/bytes/N?seed=N", "/bytes/8?seed=N", "/stream-bytes/9?chunk_size=N&seed=N",
    "/stream-bytes/N",
    "/stream/N", "/range/N", "/links/N/N", "/links/N", "/redirect/N", "/cache/N", "/redirect-to?url=/get&status_code=N",
    "/digest-auth/auth/u/p/MD5/N", "/events/N", "/events/9?interval=0&each=N", "/events/9?each=1&interval=N",
    "/api/users?page=N&limit=N",
    "/api/users/N", "/api/jobs/N", "/api/flaky?fail=N&key=N", "/hls/low/N.mp3", "/hls/high/N.mp3",
    "/response-headers?Content-Length=N",
    "/base64/N",
  ]

  private static func form(_ fields: [(String, String)]) -> [UInt8] {
    let parts = fields.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
    return Array(
      (parts.joined() + "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\nabc\r\n--b--\r\n")
        .utf8)
  }

  @Test("whatever numbers it says", arguments: edges)
  func numbers(_ number: String) async throws {
    let server = try DemoAPI.start()
    func ask(
      _ method: String, _ target: String, _ headers: [(String, String)] = [], _ body: [UInt8] = [], _ note: String = ""
    ) async throws {
      let response = try await send(method, server.address + target, headers: headers, body: body)
      #expect((200..<1000).contains(response.status), "\(target) \(headers) \(note)")
    }
    // So many seconds are 10.
    let isDelay = Double(number).map { $0 > 0 } ?? false
    for target in Self.targets where !(isDelay && target.hasPrefix("/delay")) {
      try await ask("GET", target.replacing("N", with: number))
    }
    for target in ["/events/9?interval=0", "/range/10"] {
      try await ask("GET", target, [("Last-Event-ID", number), ("Range", "bytes=\(number)-\(number)")])
      try await ask("GET", target, [("Range", "bytes=-\(number)")])
      try await ask("GET", target, [("Range", "bytes=\(number)-")])
    }
    try await ask("PROPFIND", "/dav/", [("Depth", number)])
    for range in ["bytes \(number)-\(number)/\(number)", "bytes 0-\(number)/\(number)", "bytes \(number)-2/3"] {
      try await ask("PUT", "/upload/a", [("Content-Range", range)], Array("abc".utf8))
    }
    try await ask("PUT", "/upload/a?incomplete=\(number)&fail=0", [("Content-Range", "bytes 0-2/9")], Array("abc".utf8))
    try await ask("PUT", "/upload/b?fail=\(number)", [], Array("abc".utf8))
    let type = [("Content-Type", "multipart/form-data; boundary=b")]
    for fields in [
      [("dzchunkbyteoffset", number), ("dztotalfilesize", number)], [("dzchunkbyteoffset", number)],
      [("dztotalfilesize", number)],
      [("dzchunkbyteoffset", number), ("dztotalfilesize", "9")],
      [("resumableChunkNumber", number), ("resumableChunkSize", number)],
      [("resumableChunkNumber", number), ("resumableChunkSize", "3"), ("resumableTotalSize", number)],
      [("resumableChunkNumber", "3"), ("resumableChunkSize", number), ("resumableTotalSize", "9")],
    ] {
      try await ask("POST", "/upload/c", type, Self.form(fields), "\(fields)")
    }
    #expect(try await send("GET", server.address + "/get").status == 200)
  }

  @Test("A listener of a topic says what it had last", arguments: ["-3", "-9223372036854775808", "0", "x"])
  func topics(_ last: String) async throws {
    let server = try DemoAPI.start()
    for _ in 0..<2 {
      #expect(try await send("POST", server.address + "/api/topics/t", json: "{}").status == 202)
    }
    let listener = Task {
      try await send("GET", server.address + "/api/topics/t", headers: [("Last-Event-ID", last)])
    }
    try await Task.sleep(for: .milliseconds(50))
    #expect(try await send("GET", server.address + "/get").status == 200)
    // Its response is cut where the server ends.
    server.stop()
    _ = await listener.result
  }

  @Test("All files that it sends together, all it publishes, and all names have a limit")
  func storage() async throws {
    let server = try DemoAPI.start()
    let half = [("Content-Range", "bytes 0-2/\(200 << 20)")]
    #expect(try await send("PUT", server.address + "/upload/a", headers: half, body: Array("abc".utf8)).status == 202)
    #expect(try await send("PUT", server.address + "/upload/b", headers: half, body: Array("abc".utf8)).status == 507)
    #expect(try await send("DELETE", server.address + "/upload/a").status == 204)
    #expect(try await send("PUT", server.address + "/upload/b", headers: half, body: Array("abc".utf8)).status == 202)
    let message = "\"" + String(repeating: "x", count: 6 << 20) + "\""
    var statuses: [Int] = []
    for topic in ["a", "b", "c"] {
      statuses.append(try await send("POST", server.address + "/api/topics/\(topic)", json: message).status)
    }
    #expect(statuses == [202, 202, 507])
    let long = String(repeating: "n", count: 2000)
    for target in ["/api/jobs/\(long)", "/api/flaky?key=\(long)"] {
      #expect(try await send("GET", server.address + target).status == 414)
    }
    #expect(try await send("PUT", server.address + "/upload/\(long)", body: [1]).status == 414)
    #expect(try await send("PUT", server.address + "/dav/\(long)", body: [1]).status == 414)
    #expect(try await send("MKCOL", server.address + "/dav/\(long)").status == 414)
  }
}
