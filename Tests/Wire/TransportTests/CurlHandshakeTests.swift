import CurlTransport
import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// Authentication that belongs to a connection: its legs are libcurl's own, and only the last response is told.
@Suite(.timeLimit(.minutes(10)))
struct CurlHandshakeTests {
  /// A challenge of a server "Server" in domain "Domain" (MS-NLMP, section 2.2.1.2).
  private static let challenge =
    "TlRMTVNTUAACAAAADAAMADgAAAAFgoECASNFZ4mrze8AAAAAAAAAACQAJABEAAAABgBwFwAAAA9TAGUAcgB2AGUAcgACAAwARABvAG0AYQBpAG4A"
    + "AQAMAFMAZQByAHYAZQByAAAAAAA="

  private static func script(last: String) -> String {
    #"""
    /x #1
    send "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM \#(challenge)\r\nSet-Cookie: leg=1\r\nContent-Length: 4\r\n\r\nwho?"
    /x #2
    send "\#(last)"
    /x
    send "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain"
    """#
  }

  @Test("NTLM", arguments: [HTTPMethod.get, .post])
  func ntlm(_ method: HTTPMethod) async throws {
    guard LibcurlTransport.capabilities.unsupported[.ntlm] == nil else { return }
    let server = try FaultServer.start(
      Self.script(
        last: #"HTTP/1.1 200 OK\r\nX-Last: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 5\r\n\r\n"#))
    defer { server.stop() }
    let transport = LibcurlTransport()
    var request = WireRequest(method, server, "/x", body: method == .post ? .bytes(Array("hello".utf8)) : .none)
    request.options.connectionAuthentication = .ntlm(username: "ann", password: "secret word")
    let sink = CollectingSink()
    _ = try await transport.exchange(request, into: sink)
    #expect(sink.heads.map(\.status) == [200])
    #expect(sink.head?.headers.first("X-Last") == "1")
    #expect(sink.text == "ok")
    #expect(sink.trailers.map { $0.first("X-Sum") } == ["5"])
    // Negotiate, then authenticate, with the body in the last leg alone.
    #expect(try server.requests.map(Self.message) == [1, 3])
    #expect(server.requests.map(\.body.count) == (method == .post ? [0, 5] : [0, 0]))
    // The connection stays authenticated.
    let next = CollectingSink()
    let summary = try await transport.exchange(request, into: next)
    #expect(next.text == "again")
    #expect(summary.wasConnectionReused == true)
    #expect(server.connectionCount == 1)
    #expect(server.requests.last?.header("Authorization") == nil)
    // It is nobody else's.
    request.options.connectionAuthentication = nil
    _ = try? await transport.exchange(request, into: CollectingSink())
    #expect(server.connectionCount == 2)
  }

  /// The number of an NTLM message in a request.
  private static func message(_ request: FaultServer.Request) throws -> UInt8 {
    let value = try #require(request.header("Authorization"))
    let bytes = try #require(Data(base64Encoded: String(value.dropFirst("NTLM ".count))))
    return bytes[8]
  }

  @Test("wrong credentials leave the last 401 as the response")
  func refused() async throws {
    guard LibcurlTransport.capabilities.unsupported[.ntlm] == nil else { return }
    let server = try FaultServer.start(
      Self.script(last: #"HTTP/1.1 401 Still no\r\nWWW-Authenticate: NTLM\r\nContent-Length: 2\r\n\r\nno"#))
    defer { server.stop() }
    var request = WireRequest(.get, server, "/x")
    request.options.connectionAuthentication = .ntlm(username: "ann", password: "wrong")
    let sink = CollectingSink()
    _ = try await LibcurlTransport().exchange(request, into: sink)
    #expect(sink.heads.map(\.reason) == ["Still no"])
    #expect(sink.text == "no")
  }

  @Test("Negotiate without a ticket: the server's 401 is the response, once")
  func negotiate() async throws {
    guard LibcurlTransport.capabilities.unsupported[.negotiate] == nil else { return }
    let server = try FaultServer.start(
      #"send "HTTP/1.1 401 No\r\nWWW-Authenticate: Negotiate\r\nContent-Length: 0\r\n\r\n""#)
    defer { server.stop() }
    var request = WireRequest(.get, server, "/x")
    request.options.connectionAuthentication = .negotiate
    let sink = CollectingSink()
    _ = try await LibcurlTransport().exchange(request, into: sink)
    #expect(sink.heads.map(\.status) == [401])
  }
}
