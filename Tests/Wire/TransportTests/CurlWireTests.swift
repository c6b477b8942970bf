import CurlTransport
import HTTPSemantics
import TestSupport
import Testing
import Values

/// What only libcurl can do, to the letter.
@Suite(.timeLimit(.minutes(10)))
struct CurlWireTests {
  static let script = #"""
    send "HTTP/1.1 201 Made \xc3\xa9\r\nETag: \"x\"\r\nx-lower: 1\r\nX-LOWER: 2\r\nX-Latin: caf\xe9\r\nX-Empty:\r\nContent-Length: 2\r\n\r\nok"
    /interim
    send "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 5\r\nx-sum: 6\r\n\r\n"
    /gzip
    send "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n"
    send "\x1f\x8b\x08\0\0\0\0\0\x02\xff\xcbH\xcd\xc9\xc9\x07\0\x86\xa6\x106\x05\0\0\0"
    /head
    send "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"
    """#

  @Test("headers keep order, case, repetition and emptiness; nothing is added but Host")
  func requestHeaders() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let headers = [("zeta", "1"), ("ALPHA", "2"), ("zeta", "3"), ("X-Empty", ""), ("X-Utf", "é"), ("mIxEd", " x ")]
    var request = WireRequest(.get, server, "/h", headers: headers)
    request.options.decompresses = false
    _ = try await LibcurlTransport().exchange(request, into: CollectingSink())
    let lines = try #require(server.requests.first).headerLines
    #expect(
      lines == [
        "Host: 127.0.0.1:\(server.port)", "zeta: 1", "ALPHA: 2", "zeta: 3", "X-Empty:", "X-Utf: é", "mIxEd:  x ",
      ])
  }

  @Test("Host, Accept-Encoding and Content-Type are the request's own where it has them")
  func ownHeaders() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = LibcurlTransport()
    let headers = [("Host", "other.test"), ("Accept-Encoding", "gzip"), ("Content-Type", "text/plain")]
    let sink = CollectingSink()
    let request = WireRequest(.post, server, "/gzip", headers: headers, body: .bytes([65]))
    _ = try await transport.exchange(request, into: sink)
    let received = try #require(server.requests.first)
    #expect(received.header("Host") == "other.test")
    #expect(received.header("Accept-Encoding") == "gzip")
    #expect(received.header("Content-Type") == "text/plain")
    #expect(sink.text == "hello")

    var raw = WireRequest(.get, server, "/gzip")
    raw.options.decompresses = false
    let rawSink = CollectingSink()
    let summary = try await transport.exchange(raw, into: rawSink)
    #expect(rawSink.body.count == 25)
    #expect(summary.wireBodyBytes == 25)
  }

  @Test("names, values and the status line arrive as sent")
  func responseHead() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = LibcurlTransport()
    let sink = CollectingSink()
    let first = try await transport.exchange(WireRequest(.get, server, "/h"), into: sink)
    let head = try #require(sink.head)
    #expect(head.status == 201)
    #expect(head.reason == "Made é")
    #expect(head.httpVersion == "1.1")
    #expect(
      head.headers.fields.map { "\($0.name)=\($0.value)" } == [
        "ETag=\"x\"", "x-lower=1", "X-LOWER=2", "X-Latin=café", "X-Empty=", "Content-Length=2",
      ])
    #expect(first.remoteAddress == "127.0.0.1:\(server.port)")
    #expect(first.wasConnectionReused == false)
    #expect(first.timings.connect != nil)
    let second = try await transport.exchange(WireRequest(.get, server, "/h"), into: CollectingSink())
    #expect(second.wasConnectionReused == true)
    #expect(second.timings.connect == nil)
    #expect(server.connectionCount == 1)
  }

  @Test("a connection that isn't made yet is none that was open already")
  func unconnected() async throws {
    let listener = try FullListener()
    let request = WireRequest(
      method: .get, url: HTTPURL(scheme: "http", host: "127.0.0.1", port: listener.port, path: "/"),
      limits: ExchangeLimits(total: .milliseconds(300)))
    let error = await LibcurlTransport().failure(request)
    #expect(error?.kind == .timeout(.resource))
    #expect(error?.summary?.wasConnectionReused == false)
    #expect(error?.summary?.timings.connect == nil)
  }

  @Test("interim heads and trailers are told apart from the head")
  func interimAndTrailers() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let sink = CollectingSink()
    _ = try await LibcurlTransport().exchange(WireRequest(.get, server, "/interim"), into: sink)
    #expect(sink.informational.map(\.status) == [103])
    #expect(sink.informational.first?.headers.first("Link") == "</a>")
    #expect(sink.head?.status == 200)
    #expect(sink.text == "ok")
    #expect(sink.trailers.map { $0.fields.map(\.value) } == [["5", "6"]])
  }

  struct Target: Sendable, CustomTestStringConvertible {
    var written: String
    var testDescription: String { written }
  }

  @Test(
    "path and query go out as written",
    arguments: ["/a/../b", "/a/./b", "//x", "/%7e%2F", "/p?", "/p?a[]=1&b", "/a;b=c", "/p?x=%zz", "/'()*"])
  func target(_ written: String) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    _ = try await LibcurlTransport().exchange(WireRequest(.get, server, written), into: CollectingSink())
    #expect(server.requests.first?.target == written)
  }

  @Test("a request target of its own, and bodies on GET and HEAD")
  func unusual() async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = LibcurlTransport()
    var star = WireRequest(.options, server, "/x")
    star.requestTarget = "*"
    _ = try await transport.exchange(star, into: CollectingSink())
    #expect(server.requests.last?.target == "*")
    let body = RequestBody.bytes(Array("query".utf8))
    _ = try await transport.exchange(WireRequest(.get, server, "/x", body: body), into: CollectingSink())
    #expect(server.requests.last?.method == "GET")
    #expect(server.requests.last?.body == Array("query".utf8))
    #expect(server.requests.last?.header("Content-Type") == nil)
    let sink = CollectingSink()
    _ = try await transport.exchange(WireRequest(.head, server, "/head", body: body), into: sink)
    #expect(server.requests.last?.method == "HEAD")
    #expect(server.requests.last?.body == Array("query".utf8))
    #expect(sink.body.isEmpty)
  }

  @Test("connections per host stay within their limit")
  func connectionLimit() async throws {
    let server = try FaultServer.start(
      #"""
      /slow
      wait 100ms
      send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      """#)
    defer { server.stop() }
    let transport = LibcurlTransport()
    // Waiting for a connection is not part of the exchange: 40 of 100 ms each would miss this deadline.
    var request = WireRequest(.get, server, "/slow", limits: ExchangeLimits(total: .seconds(3)))
    request.options.maxConnectionsPerHost = 2
    await withTaskGroup(of: TransportError?.self) { [request] group in
      for _ in 0..<80 { group.addTask { await transport.failure(request) } }
      for await error in group { #expect(error == nil) }
    }
    #expect(server.connectionCount == 2)
    #expect(server.requests.count == 80)
  }

  @Test("a task on libcurl's own thread sends one request after another, waits, and can be cancelled")
  func ownThread() async throws {
    let server = try FaultServer.start("send \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\"\n/hang\nhang")
    defer { server.stop() }
    let transport = LibcurlTransport()
    let texts = await Task(executorPreference: transport.executors(1).first) {
      var texts: [String] = []
      for _ in 0..<20 {
        let sink = CollectingSink()
        let error = await transport.failure(WireRequest(.get, server, "/"), into: sink)
        texts.append(error.map { "\($0)" } ?? sink.text)
      }
      try? await Task.sleep(for: .milliseconds(1))
      return texts
    }.value
    #expect(texts == Array(repeating: "ok", count: 20))
    #expect(server.connectionCount == 1)

    let hanging = Task(executorPreference: transport.executors(1).first) {
      await transport.failure(WireRequest(.get, server, "/hang"))
    }
    try await Task.sleep(for: .milliseconds(20))
    hanging.cancel()
    #expect(await hanging.value?.kind == .cancelled)
  }

  @Test("cancelled exchanges that wait for a connection hold up no other")
  func cancelledWhileWaiting() async throws {
    let server = try FaultServer.start(
      #"""
      wait 5ms
      send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
      """#)
    defer { server.stop() }
    let transport = LibcurlTransport()
    var request = WireRequest(.get, server, "/slow", limits: ExchangeLimits())
    request.options.maxConnectionsPerHost = 1
    let errors = await withTaskGroup(of: TransportError?.self) { [request] group in
      for number in 0..<100 {
        group.addTask {
          let task = Task { await transport.failure(request) }
          if number % 2 == 0 {
            try? await Task.sleep(for: .milliseconds(number))
            task.cancel()
          }
          return await task.value
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.filter { $0 == nil }.count >= 50)
    #expect(errors.allSatisfy { $0 == nil || $0?.kind == .cancelled })
  }

  @Test("a connect timeout is told apart")
  func connectTimeout() async throws {
    let server = try FaultServer.start("")
    defer { server.stop() }
    // TLS that is never answered belongs to the connection.
    var request = WireRequest(
      .get, server, "/", limits: ExchangeLimits(connect: .milliseconds(200), total: .seconds(10)))
    request.url.scheme = "https"
    let error = await LibcurlTransport().failure(request)
    #expect(error?.kind == .timeout(.connect))
    #expect(error?.message == "no connection was made within 200ms")
  }
}
