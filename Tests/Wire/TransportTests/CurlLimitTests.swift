import CurlTransport
import HTTPSemantics
import TestSupport
import Testing

/// What a response may be at most.
@Suite(.timeLimit(.minutes(10)))
struct CurlLimitTests {
  /// 64 KB of zeros as a block of deflate that ends on a byte and refers to nothing before it.
  private static let block =
    #"\xec\xc1\x01\x01\x00\x00\x00\x80\x90\xfe\xaf\xee\x08\x0a\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"#
    + #"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"#
    + #"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"#
    + #"\x00\x00\x00\x00\x00\x6a\x00\x00\x00\xff\xff"#

  @Test("a bomb is cut off at the limit, by what it becomes")
  func bomb() async throws {
    let server = try FaultServer.start(
      #"""
      send "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\x02\xff"
      repeat 160000 "\#(Self.block)"
      close
      """#)
    defer { server.stop() }
    let sink = CollectingSink()
    let error = await LibcurlTransport().failure(
      WireRequest(.get, server, "/", limits: ExchangeLimits(total: .seconds(120), maxBodyBytes: 1_000_000)), into: sink)
    #expect(error?.kind == .tooLarge)
    #expect(sink.body.count <= 1_000_000)
    #expect(sink.body.count > 900_000)
    #expect(sink.body.allSatisfy { $0 == 0 })
  }

  @Test("exactly the limit is not too large, though its length is not told")
  func exactly() async throws {
    let server = try FaultServer.start(#"send "HTTP/1.1 200 OK\r\n\r\n0123456789"§close"#.replacing("§", with: "\n"))
    defer { server.stop() }
    let transport = LibcurlTransport()
    for (limit, kind) in [(Int64(10), nil), (9, TransportError.Kind.tooLarge)] {
      let error = await transport.failure(
        WireRequest(.get, server, "/", limits: ExchangeLimits(total: .seconds(120), maxBodyBytes: limit)))
      #expect(error?.kind == kind)
    }
  }
}
