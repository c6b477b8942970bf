import Foundation
import ReqrunKit
import Synchronization
import Testing

@Suite("Files that others need", .timeLimit(.minutes(10)))
struct NeedTests {
  private final class Server: Sendable {
    let requests = Mutex<[String]>([])
    let loggedIn = Mutex(false)
  }

  @Test("64 files that need one login fetch it once, start when it is there, and see its cookies", arguments: [1, 64])
  func oneLogin(jobs: Int) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("needs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try """
    requests: [{name: log in, url: "http://h/login", capture: {token: $.token}}]
    teardown: [{name: log out, url: "http://h/logout"}]
    """.write(to: folder.appendingPathComponent("_login.yaml"), atomically: true, encoding: .utf8)
    for number in 0..<64 {
      try """
      needs: [{use: _login.yaml, share_cookies: true}]
      requests: [{name: "file \(number)", url: "http://h/\(number)?${{ token }}"}]
      """.write(to: folder.appendingPathComponent("\(number + 100).yaml"), atomically: true, encoding: .utf8)
    }
    try "requests: [{name: free, url: 'http://h/free'}]"
      .write(to: folder.appendingPathComponent("999.yaml"), atomically: true, encoding: .utf8)
    let server = Server()
    let stub = StubTransport { request in
      server.requests.withLock { $0.append(String(request.url.dropFirst("http://h/".count))) }
      guard request.url.hasSuffix("login") else {
        let isFree = request.url.hasSuffix("free")
        let isKnown = request.headers["Cookie"] == "sid=1" && server.loggedIn.withLock { $0 }
        return TransportResponse(status: isFree || isKnown ? 200 : 401)
      }
      // What needs nothing doesn't wait, if there is a job for it.
      let end = ContinuousClock.now + .seconds(60)
      while jobs > 1, !server.requests.withLock({ $0.contains("free") }), .now < end {
        try? await Task.sleep(for: .milliseconds(10))
      }
      server.loggedIn.withLock { $0 = true }
      var response = TransportResponse(json: #"{"token": "t1"}"#)
      response.headers.append("Set-Cookie", "sid=1")
      return response
    }
    var runner = Runner(specs: [.path(folder.path)])
    runner.options.jobs = jobs
    runner.options.transport = .custom(stub)
    let result = await runner.run()
    #expect(result.diagnostics.isEmpty)
    #expect(result.exitCode == 0)
    #expect(result.passed == 67)
    let requests = server.requests.withLock { $0 }
    #expect(requests.count { $0 == "login" } == 1)
    #expect(requests.last == (jobs == 1 ? "free" : "logout"))
    #expect(requests.count { $0.hasSuffix("?t1") } == 64)
    let free = requests.firstIndex(of: "free") ?? 0
    let first = requests.firstIndex { $0.hasSuffix("?t1") } ?? 0
    #expect(jobs == 1 || free < first)
    let names = result.requests.map(\.name)
    #expect(names == ["log in"] + (0..<64).map { "file \($0)" } + ["log out", "free"])
  }
}
