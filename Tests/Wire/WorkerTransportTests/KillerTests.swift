#if os(Linux)
  import HTTPSemantics
  import TestSupport
  import Testing
  import WorkerTransport

  /// Which responses still end a process that reads them by URLSession.
  @Suite(.serialized, .timeLimit(.minutes(10)))
  struct KillerTests {
    struct Killer: Sendable, CustomTestStringConvertible {
      var name: String
      var script: String
      /// In the error.
      var cause: String
      var testDescription: String { name }
    }

    static let killers = [
      Killer(
        name: "trailers",
        script: #"""
          send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
          wait 50ms
          send "0\r\nX-Sum: 1\r\n\r\n"
          """#, cause: "it is one with trailers"),
      Killer(
        name: "cut off inside the headers",
        script: """
          send "HTTP/1.1 200 OK\\r\\nX-A: b\\r\\n"
          close
          """, cause: "it is one that is cut off inside its headers, or has trailers and no body"),
      Killer(
        name: "a Location of an IPv6 literal without scheme",
        script: #"send "HTTP/1.1 302 Found\r\nLocation: //[::1]/x\r\nContent-Length: 0\r\n\r\n""#,
        cause: "it is one with a Location that Foundation can't read, such as //[::1]/"),
      Killer(
        name: "a Content-Length near 2^63",
        script: #"send "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nabc""#,
        cause: "it is one of a kind that traps"),
    ]

    @Test("a response that ends the worker says why, and the transport works on", arguments: killers)
    func killer(_ killer: Killer) async throws {
      let server = try FaultServer.start(
        killer.script + "\n/good\nsend \"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\ngood\"")
      defer { server.stop() }
      let transport = WorkerClient()
      let error = await transport.failure(WireRequest(.get, server, "/bad"))
      #expect(
        error?.kind == .workerEnded,
        """
        Foundation here survives an answer with \(killer.name) (\(error?.message ?? "no error")). Take it out of \
        LinuxURLSession.unsoundness and of these killers; once none is left, set the former to nil, so that \
        `transport: auto` takes URLSession
        """)
      #expect(error?.message.contains(killer.cause) ?? false, "\(error?.message ?? "")")
      #expect(error?.help?.contains("transport: curl") ?? false)
      let sink = CollectingSink()
      #expect(await transport.failure(WireRequest(.get, server, "/good"), into: sink) == nil)
      #expect(sink.text == "good")
    }

    @Test("URLSession counts as unsound as long as a response ends the worker")
    func unsoundness() {
      #expect((LinuxURLSession.unsoundness == nil) == Self.killers.isEmpty)
      #expect(WorkerClient.capabilities.unsoundness == LinuxURLSession.unsoundness)
    }
  }
#endif
