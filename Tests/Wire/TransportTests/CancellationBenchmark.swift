import Foundation
import HTTPSemantics
import TestSupport
import Testing

private let isWanted = ProcessInfo.processInfo.environment["REQRUN_BENCHMARK"] != nil

/// How soon a cancel takes effect: 1,000 at random moments of exchanges that would take for ever.
@Suite(.serialized, .enabled(if: isWanted, "REQRUN_BENCHMARK is not set"), .timeLimit(.minutes(10)))
struct CancellationBenchmark {
  static let script = #"""
    hang
    /head
    send "HTTP/1.1 200 OK\r\nContent-"
    hang
    /body
    send "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello"
    hang
    """#

  @Test("a cancel takes effect within 20 ms in 99 of 100 cases", arguments: TransportUnderTest.allCases)
  func latency(_ kind: TransportUnderTest) async throws {
    let server = try FaultServer.start(Self.script)
    defer { server.stop() }
    let transport = kind.make()
    var times: [Duration] = []
    for _ in 0..<250 {
      times += await withTaskGroup(of: Duration.self) { group in
        for target in ["/", "/head", "/body", "/"] {
          group.addTask { await Self.timeToCancel(WireRequest(.get, server, target), on: transport) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    times.sort()
    print("\(kind): \(times.count) cancels, p50 \(times[times.count / 2]), p99 \(times[times.count * 99 / 100])")
    #expect(times[times.count * 99 / 100] < .milliseconds(20))
  }

  /// From the cancel to the end of the exchange.
  private static func timeToCancel(_ request: WireRequest, on transport: any Transport) async -> Duration {
    let exchange = Task { await transport.failure(request) }
    try? await Task.sleep(for: .microseconds(Int.random(in: 0...5000)))
    let start = ContinuousClock.now
    exchange.cancel()
    #expect(await exchange.value?.kind == .cancelled)
    return .now - start
  }
}
