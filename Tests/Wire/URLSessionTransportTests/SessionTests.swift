import HTTPSemantics
import TestSupport
import Testing
import URLSessionTransport

#if canImport(Glibc)
  import Glibc
#endif

/// The rules by which URLSession is used, in this process: none of these responses may end it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SessionTests {
  static let script = #"""
    send "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    /moved
    send "HTTP/1.1 307 Temporary Redirect\r\nLocation: /ok\r\nContent-Length: 4\r\n\r\nover"
    /lost
    send "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"
    /hang
    hang
    """#

  @Test(
    "a challenge is a response, whatever it asks for",
    arguments: [
      "Basic realm=\"r\"", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", "NTLM", "NTLM TlRMTVNTUAACAAAA",
      "Negotiate",
      "Negotiate oYG2MIGz", "Bearer", "Basic", "Basic realm=\"unclosed", ",,,",
      "Digest realm=r\r\nWWW-Authenticate: Basic",
    ], [401, 407])
  func challenge(_ challenge: String, _ status: Int) async throws {
    let name = status == 401 ? "WWW-Authenticate" : "Proxy-Authenticate"
    let value = challenge.replacing("\"", with: "\\\"").replacing("\r\n", with: "\\r\\n")
    let server = try FaultServer.start(
      "send \"HTTP/1.1 \(status) No\\r\\n\(name): \(value)\\r\\nContent-Length: 2\\r\\n\\r\\nno\"")
    defer { server.stop() }
    let transport = SessionTransport()
    for target in ["/a", "/b"] {
      let sink = CollectingSink()
      let error = await transport.failure(WireRequest(.get, server, target), into: sink)
      #expect(error == nil)
      #expect(sink.head?.status == status)
      #expect(sink.head?.headers.contains(name) ?? false)
      #expect(sink.text == "no")
    }
    #expect(server.requests.map(\.target) == ["/a", "/b"])
  }

  @Test("a redirect is a response, with its body")
  func redirect() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let sink = CollectingSink()
    let error = await SessionTransport().failure(WireRequest(.get, server, "/moved"), into: sink)
    #expect(error == nil)
    #expect(sink.head?.status == 307)
    #expect(sink.text == "over")
    #expect(server.requests.map(\.target) == ["/moved"])
  }

  #if os(Linux)
    @Test("URLSession calls libcurl, not the functions of the same names that load it late")
    func functions() throws {
      let libcurl = try #require(dlopen("libcurl.so.4", RTLD_LAZY))
      #expect(dlsym(nil, "curl_multi_init") == dlsym(libcurl, "curl_multi_init"))
    }

    @Test("a redirect without a Location is lost, and the error says so")
    func lost() async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let error = await SessionTransport().failure(WireRequest(.get, server, "/lost"))
      #expect(error?.kind == .invalidResponse)
      #expect(error?.message.contains("without a usable Location") ?? false)
    }
  #endif

  @Test("each request with a body has a connection of its own; the others share theirs")
  func connections() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = SessionTransport()
    for number in 0..<6 {
      let body: RequestBody = number % 2 == 0 ? .none : .bytes([1])
      #expect(await transport.failure(WireRequest(number % 2 == 0 ? .get : .put, server, "/ok", body: body)) == nil)
    }
    let requests = server.requests
    #expect(Set(requests.filter { $0.method == "GET" }.map(\.connection)).count == 1)
    #expect(Set(requests.filter { $0.method == "PUT" }.map(\.connection)).count == 3)
  }

  @Test("sessions for many sets of options work side by side")
  func pool() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = SessionTransport()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          var request = WireRequest(.get, server, "/ok")
          request.options.maxConnectionsPerHost = 1 + number % 30
          let sink = CollectingSink()
          #expect(await transport.failure(request, into: sink) == nil)
          #expect(sink.text == "hello")
        }
      }
    }
  }

  @Test("deadlines are kept to the millisecond, also shorter ones set after longer ones")
  func deadlines() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = SessionTransport()
    _ = await transport.failure(WireRequest(.get, server, "/ok"))
    await withTaskGroup(of: Void.self) { group in
      for milliseconds in [900, 600, 300, 150, 50, 20] {
        group.addTask {
          let limit = Duration.milliseconds(milliseconds)
          let began = ContinuousClock.now
          let error = await transport.failure(
            WireRequest(.get, server, "/hang", limits: ExchangeLimits(total: limit)))
          let took = ContinuousClock.now - began
          #expect(error?.kind == .timeout(.resource))
          #expect(took >= limit)
          #expect(took < limit + .seconds(30))
        }
      }
    }
  }

  @Test("cancels meet redirects at any moment", arguments: [0, 1])
  func cancels(_ round: Int) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = SessionTransport()
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            let task = Task { await transport.failure(WireRequest(.get, server, "/moved")) }
            try? await Task.sleep(for: .microseconds((number * 37 + lane * 131) % 4000))
            task.cancel()
            let error = await task.value
            #expect(error == nil || error?.kind == .cancelled)
          }
        }
      }
    }
    let sink = CollectingSink()
    #expect(await transport.failure(WireRequest(.get, server, "/ok"), into: sink) == nil)
    #expect(sink.text == "hello")
  }
}
