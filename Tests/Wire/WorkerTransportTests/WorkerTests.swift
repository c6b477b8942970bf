#if os(Linux)
  import Foundation
  import HTTPSemantics
  import TestSupport
  import Testing
  import WorkerTransport

  /// A response that ends the worker is named, and the others survive it.
  @Suite(.serialized, .timeLimit(.minutes(10)))
  struct WorkerTests {
    static let script = #"""
      /slow
      wait 400ms
      send "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow"
      /killer
      wait 100ms
      send "HTTP/1.1 200 OK\r\nX-A: b\r\n"
      close
      /late-killer
      send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
      wait 200ms
      send "0\r\nX-Sum: 1\r\n\r\n"
      /flood
      send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
      repeat 40000 "x: \r\n"
      send "\r\n"
      /very-slow
      wait 1500ms
      send "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow"
      /bomb
      send "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
      send "\x1f\x8b\x08\0\0\0\0\0\x02\x03\xec\xc1\x01\x01\0\0\0\x80\x90\xfe\xaf\xee\x08\x0a"
      repeat 100000000 "\0"
      /open 1
      send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nsl\r\n"
      hang
      /open
      send "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n0\r\n\r\n"
      /hang
      hang
      """#

    @Test("the culprit is named; safe requests run again", arguments: ["/killer", "/late-killer"])
    func culprit(_ path: String) async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let transport = WorkerClient()
      let results = await withTaskGroup(of: (String, TransportError?, String).self) { group in
        for path in ["/slow", path, "/slow"] {
          group.addTask {
            let sink = CollectingSink()
            return (path, await transport.failure(WireRequest(.get, server, path), into: sink), sink.text)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (name, error, text) in results {
        if name == "/slow" {
          #expect(error == nil)
          #expect(text == "slow")
        } else {
          #expect(error?.kind == .workerEnded)
          #expect(error?.message.hasPrefix("the response ended the URLSession worker process: it is one ") ?? false)
          #expect(error?.message.contains("(signal 4") ?? false)
          #expect(error?.help?.contains("transport: curl") ?? false)
        }
      }
    }

    @Test("an unsafe request, or one whose response had begun for good, fails as a bystander")
    func bystander() async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let transport = WorkerClient()
      _ = try await transport.exchange(WireRequest(.get, server, "/slow"), into: CollectingSink())
      async let post = transport.failure(WireRequest(.post, server, "/hang", body: .bytes([65])))
      let sink = CollectingSink()
      async let open = transport.failure(WireRequest(.get, server, "/open"), into: sink)
      while server.requests.count < 3 || sink.heads.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      let killer = await transport.failure(WireRequest(.get, server, "/killer"))
      let errors = await [killer, post, open]
      #expect(errors.map { $0?.kind } == [.workerEnded, .workerEnded, .workerEnded])
      #expect(errors[0]?.message.hasPrefix("the response ended") ?? false)
      #expect(errors[1]?.message.hasPrefix("was in flight when another response ended") ?? false)
      #expect(errors[2]?.message.hasPrefix("was in flight when another response ended") ?? false)
      #expect(sink.heads.count == 1)
      #expect(server.requests.filter { $0.method == "POST" }.count == 1)
    }

    @Test(
      "a safe request whose response had begun starts over, where the sink can", arguments: ["/killer", "/late-killer"])
    func restart(_ killer: String) async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let transport = WorkerClient()
      _ = try await transport.exchange(WireRequest(.get, server, "/slow"), into: CollectingSink())
      let sink = CollectingSink(restarts: true)
      async let open = transport.failure(WireRequest(.get, server, "/open"), into: sink)
      while sink.heads.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      let culprit = await transport.failure(WireRequest(.get, server, killer))
      #expect(culprit?.message.hasPrefix("the response ended") ?? false)
      #expect(await open == nil)
      #expect(sink.heads.count == 1)
      #expect(sink.text == "slow")
      #expect(server.requests.filter { $0.target == "/open" }.count == 2)
    }

    @Test("a response that libcurl goes on decoding after its end costs the worker, and no other safe request")
    func retired() async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let transport = WorkerClient()
      _ = try await transport.exchange(WireRequest(.get, server, "/slow"), into: CollectingSink())
      async let post = transport.failure(WireRequest(.post, server, "/hang", body: .bytes([65])))
      let sink = CollectingSink()
      async let slow = transport.failure(WireRequest(.get, server, "/very-slow"), into: sink)
      while server.requests.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
      // 100 GB of zeros: a minute of decoding.
      let limits = ExchangeLimits(maxBodyBytes: 1_000_000)
      #expect(await transport.failure(WireRequest(.get, server, "/bomb", limits: limits))?.kind == .tooLarge)
      // Waits for the old worker's end, not for the bomb's.
      let began = ContinuousClock.now
      #expect(await transport.failure(WireRequest(.put, server, "/slow", body: .bytes([65]))) == nil)
      #expect(ContinuousClock.now - began < .seconds(20))
      #expect(await slow == nil)
      #expect(sink.text == "slow")
      let failure = await post
      #expect(failure?.kind == .workerEnded)
      #expect(failure?.message.hasPrefix("was in flight in the URLSession worker") ?? false)
      #expect(server.requests.filter { $0.method == "POST" }.count == 1)
      #expect(server.requests.filter { $0.method == "PUT" }.count == 1)
    }

    @Test("a response with 40,000 header lines costs no other safe request its time, and is named")
    func headerFlood() async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let transport = WorkerClient()
      _ = try await transport.exchange(WireRequest(.get, server, "/slow"), into: CollectingSink())
      // The response alone takes longer.
      let limits = ExchangeLimits(total: .seconds(5))
      async let flood = transport.failure(WireRequest(.get, server, "/flood", limits: limits))
      try await Task.sleep(for: .milliseconds(300))
      let sink = CollectingSink()
      #expect(await transport.failure(WireRequest(.get, server, "/slow", limits: limits), into: sink) == nil)
      #expect(sink.text == "slow")
      let failure = await flood
      #expect(failure?.kind == .timeout(.resource))
      #expect(failure?.help?.hasPrefix("Foundation on Linux was busy with the response") == true)
      // Alone it is not tried again.
      let single = await transport.failure(WireRequest(.get, server, "/flood", limits: limits))
      #expect(single?.help?.hasPrefix("Foundation on Linux was busy with the response") == true)
      #expect(server.requests.filter { $0.target == "/flood" }.count == 3)
    }

    @Test("a response that was given up is not blamed on the next", arguments: [1, 2, 3])
    func abandoned(_ round: Int) async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let transport = WorkerClient()
      // Has enough after one byte; the trailers that end the worker are on their way.
      _ = try await transport.exchange(
        WireRequest(.get, server, "/late-killer"), into: CollectingSink(stopsAtHead: true))
      let sink = CollectingSink()
      #expect(await transport.failure(WireRequest(.get, server, "/slow"), into: sink) == nil)
      #expect(sink.text == "slow")
    }

    @Test(
      "a target that URLSession would rewrite is refused", arguments: ["/a/../b", "/p?a[]=1", "/p?x=%zz", "/a/./b"])
    func rewritten(_ target: String) async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let error = await WorkerClient().failure(WireRequest(.get, server, target))
      #expect(error?.kind == .unsupported(.requestTarget))
      #expect(server.requests.isEmpty)
    }

    @Test("a missing worker, and one that is none, are errors that say so")
    func missing() async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      let missing = await WorkerClient(executablePath: "/nonexistent/reqrun-urlsession").failure(
        WireRequest(.get, server, "/"))
      #expect(missing?.kind == .workerEnded)
      #expect(missing?.message.contains("could not be started: no such file or directory") ?? false)
      let wrong = await WorkerClient(executablePath: "/bin/false").failure(WireRequest(.get, server, "/"))
      #expect(wrong?.kind == .workerEnded)
      #expect(wrong?.message.contains("ended before it sent anything") ?? false)
      #expect(server.requests.isEmpty)
    }

    @Test("a worker that hangs cannot hold an exchange beyond its deadline")
    func hanging() async throws {
      let server = try FaultServer.start(Self.script)
      defer { server.stop() }
      // Takes everything and says nothing.
      let transport = WorkerClient(executablePath: "/usr/bin/yes")
      let error = await transport.failure(
        WireRequest(.get, server, "/", limits: ExchangeLimits(total: .milliseconds(200))))
      #expect(error?.kind == .timeout(.resource))
    }
  }
#endif
