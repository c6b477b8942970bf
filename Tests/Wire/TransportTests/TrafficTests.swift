import CurlTransport
import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// Many exchanges at once, many after another, and cancelled ones.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TrafficTests {
  static let script = #"""
    send "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    /hang
    hang
    /moved
    send "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n"
    """#

  @Test("200 exchanges at once all come back right", arguments: TransportUnderTest.allCases)
  func concurrent(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = kind.make()
    let texts = await withTaskGroup(of: String.self) { group in
      for number in 0..<200 {
        group.addTask {
          let sink = CollectingSink()
          let body: RequestBody = number % 4 == 0 ? .bytes([UInt8](repeating: 1, count: number)) : .none
          let request = WireRequest(number % 4 == 0 ? .put : .get, server, "/n\(number)", body: body)
          return await transport.failure(request, into: sink).map { "\($0)" } ?? sink.text
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts.filter { $0 != "hello" } == [])
    #expect(Set(server.requests.map(\.target)).count == 200)
  }

  /// The system would repeat a connection that the queue has no place for after a second.
  @Test("100 connections get through the short queue of a small server")
  func burst() async throws {
    let server = try FaultServer.startSlowly(
      #"send "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok""# + "\nclose")
    defer { server.stop() }
    let transport = LibcurlTransport()
    var failures: [TransportError] = []
    // A busy machine may be late for once.
    for _ in 0..<5 {
      failures = await withTaskGroup(of: TransportError?.self) { group in
        for number in 0..<100 {
          group.addTask {
            let limits = ExchangeLimits(connect: .milliseconds(900), total: .seconds(120))
            return await transport.failure(WireRequest(.get, server, "/n\(number)", limits: limits))
          }
        }
        return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
      }
      if failures.isEmpty { break }
    }
    #expect(failures.map(\.message) == [])
    #expect(Set(server.requests.map(\.target)).count == 100)
  }

  @Test("a cancelled task ends its exchange at once", arguments: TransportUnderTest.allCases)
  func cancel(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = kind.make()
    _ = try await transport.exchange(WireRequest(.get, server, "/warm"), into: CollectingSink())
    var times: [Duration] = []
    for _ in 0..<10 {
      let task = Task { await transport.failure(WireRequest(.get, server, "/hang")) }
      try await Task.sleep(for: .milliseconds(30))
      let began = ContinuousClock.now
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
      times.append(ContinuousClock.now - began)
    }
    // Not with the next look at the sockets; a busy machine may be late now and then.
    #expect(times.min() ?? .zero < .milliseconds(500))
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await transport.failure(WireRequest(.get, server, "/hang"))
    }
    #expect(await early.value?.kind == .cancelled)
    let sink = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/ok"), into: sink)
    #expect(sink.text == "hello")
  }

  @Test("cancels at any moment, redirects included, leave the transport whole", arguments: TransportUnderTest.allCases)
  func cancelStress(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = kind.make()
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<8 {
        group.addTask {
          for number in 0..<60 {
            let task = Task {
              await transport.failure(WireRequest(.get, server, number % 2 == 0 ? "/moved" : "/x"))
            }
            try? await Task.sleep(for: .microseconds((number * 7 + lane * 131) % 3000))
            task.cancel()
            let error = await task.value
            #expect(error == nil || error?.kind == .cancelled)
          }
        }
      }
    }
    let sink = CollectingSink()
    _ = try await transport.exchange(WireRequest(.get, server, "/ok"), into: sink)
    #expect(sink.text == "hello")
  }

  #if os(Linux)
    private static func descriptorCount() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test("a transport that is dropped takes its descriptors along")
    func dropped() async {
      // In a process of its own, which is counted as a whole.
      await #expect(processExitsWith: .success) {
        let server = try FaultServer.start(TrafficTests.script)
        defer { server.stop() }
        for kind in TransportUnderTest.allCases {
          let before = try TrafficTests.descriptorCount()
          for _ in 0..<20 {
            #expect(await kind.make().failure(WireRequest(.get, server, "/ok")) == nil)
          }
          let deadline = ContinuousClock.now + .seconds(120)
          while try TrafficTests.descriptorCount() > before + 8, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
          }
          #expect(try TrafficTests.descriptorCount() <= before + 8, "\(kind)")
        }
      }
    }

    @Test("500 exchanges leave no descriptor behind")
    func descriptors() async {
      // In a process of its own, which is counted as a whole.
      await #expect(processExitsWith: .success) {
        let server = try FaultServer.start(
          TrafficTests.script + "\n/closing\nsend \"HTTP/1.1 200 OK\\r\\n\\r\\nx\"\nclose")
        defer { server.stop() }
        for kind in TransportUnderTest.allCases {
          let transport = kind.make()
          for _ in 0..<20 { _ = await transport.failure(WireRequest(.get, server, "/closing")) }
          let before = try TrafficTests.descriptorCount()
          for number in 0..<500 {
            #expect(await transport.failure(WireRequest(.get, server, number % 2 == 0 ? "/closing" : "/ok")) == nil)
          }
          #expect(try TrafficTests.descriptorCount() <= before + 8, "\(kind)")
        }
      }
    }
  #endif
}
