import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// Good responses with random damage: libcurl gives a response or a typed error, and goes on.
@Suite(.timeLimit(.minutes(60)))
struct MutatedResponseTests {
  static let seeds: [[UInt8]] =
    [
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nSet-Cookie: a=b; Path=/\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n",
      "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 204 No Content\r\nETag: \"x\"\r\n\r\n",
      "HTTP/1.0 301 Moved\r\nLocation: //[::1]:80/a?b#c\r\nConnection: close\r\n\r\ngone",
      "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
        + "X-Folded: a\r\n b: c\r\n\td\r\nContent-Length: 2\r\n\r\nno",
      "HTTP/1.1 206 Partial Content\nContent-Range: bytes 0-4/9\nKeep-Alive: timeout=5, max=100\nContent-Length: 5\n\nhello",
    ].map { Array($0.utf8) } + [
      Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n".utf8)
        + [
          0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
    ]

  /// SplitMix64: the same numbers for the same seed.
  struct Randomness: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private static let spices: [[UInt8]] =
    [
      "\r\n", "\n", "\r", "\0", ":", " ", "\t", "HTTP/1.1 ", "Content-Length: 99999999999999999999\r\n",
      "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n", "Content-Encoding: br, gzip, deflate\r\n",
      "ffffffffffffffff",
      "0\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "\r\n folded: x", "\u{FF}\u{1F600}",
    ].map { Array($0.utf8) } + [[UInt8](repeating: 0x41, count: 70_000), [0xFF, 0xFE, 0x80]]

  private static func mutated(_ randomness: inout Randomness) -> [UInt8] {
    var bytes = seeds.randomElement(using: &randomness) ?? []
    for _ in 0..<Int.random(in: 1...5, using: &randomness) {
      let place = Int.random(in: 0...bytes.count, using: &randomness)
      let end = min(bytes.count, place + Int.random(in: 0...12, using: &randomness))
      switch Int.random(in: 0..<7, using: &randomness) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &randomness)
      case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &randomness)
      case 2: bytes.removeSubrange(place..<end)
      case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 4: bytes.insert(contentsOf: spices.randomElement(using: &randomness) ?? [], at: place)
      case 5: bytes.removeSubrange(place...)
      default: bytes += seeds.randomElement(using: &randomness) ?? []
      }
    }
    return bytes
  }

  /// `REQRUN_MUTATIONS` asks for more of them, `REQRUN_SEED` for others.
  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test("damaged responses end in a response or a typed error")
  func mutations() async throws {
    let count = Self.number("REQRUN_MUTATIONS") ?? 300
    var randomness = Randomness(state: UInt64(Self.number("REQRUN_SEED") ?? 1))
    let transport = TransportUnderTest.curl.make()
    var answers = 0
    var kinds: [String: Int] = [:]
    for first in stride(from: 0, to: count, by: 500) {
      let batch = (first..<min(count, first + 500)).map { ($0, Self.mutated(&randomness)) }
      let steps = batch.map { ("/\($0.0)", [FaultScript.Step.send($0.1), .close]) }
      let server = try FaultServer.start(FaultScript(Dictionary(steps) { $1 }))
      defer { server.stop() }
      await withTaskGroup(of: (Int, TransportError?, CollectingSink).self) { group in
        for lane in 0..<8 {
          for (number, _) in batch where number % 8 == lane {
            group.addTask {
              let sink = CollectingSink()
              var limits = ExchangeLimits(idle: .seconds(60), total: .seconds(120))
              limits.maxBodyBytes = 10_000_000
              let error = await transport.failure(WireRequest(.get, server, "/\(number)", limits: limits), into: sink)
              return (number, error, sink)
            }
          }
        }
        for await (number, error, sink) in group {
          if let error {
            kinds["\(error.kind)", default: 0] += 1
            let isExpected = [.reset, .truncated, .invalidResponse, .tooLarge].contains(error.kind)
            #expect(isExpected, "\(number): \(error)")
          } else {
            answers += 1
            #expect(sink.heads.count == 1, "\(number)")
            #expect(
              sink.head.map { (100...999).contains($0.status) } == true,
              "\(number): \(String(describing: sink.head)), \(sink.text.prefix(100))")
          }
        }
      }
    }
    print("\(count) damaged answers: \(answers) answers, errors: \(kinds.sorted { $0.key < $1.key })")
    #expect(answers > 0 && answers < count)
  }
}
