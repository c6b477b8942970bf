import Foundation
import HTTPMessages
import Testing
import WorkerProtocol

/// Frames arrive on the other side as they were sent.
struct FrameTests {
  private func channels() throws -> (FrameChannel, FrameChannel) {
    var pair: [Int32] = [0, 0]
    #if canImport(Glibc)
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    #else
      try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &pair) == 0)
    #endif
    return (FrameChannel(descriptor: pair[0]), FrameChannel(descriptor: pair[1]))
  }

  @Test("a request keeps all its parts")
  func request() throws {
    let (near, far) = try channels()
    var request = WireRequest(
      method: .post, url: HTTPURL(scheme: "https", host: "::1", port: 8443, path: "/a%20b", query: "c=d"),
      requestTarget: "*", headers: HeaderFields([("A", ""), ("a", "é")]),
      body: .file(path: "/tmp/x", offset: 1 << 40, length: 3),
      limits: ExchangeLimits(connect: .milliseconds(1), idle: nil, total: .seconds(9), maxBodyBytes: .max))
    request.options.decompresses = false
    request.options.maxConnectionsPerHost = 7
    near.send(.request(9, request, bodyLength: 5))
    guard case .request(9, let got, bodyLength: 5) = far.receive() else {
      Issue.record("no request arrived")
      return
    }
    #expect(got.method == request.method)
    #expect(got.url == request.url)
    #expect(got.requestTarget == "*")
    #expect(got.headers == request.headers)
    #expect(got.options == request.options)
    #expect(got.limits.connect == .milliseconds(1))
    #expect(got.limits.idle == nil)
    #expect(got.limits.total == .seconds(9))
    #expect(got.limits.maxBodyBytes == .max)
    guard case .file("/tmp/x", 1_099_511_627_776, 3) = got.body else {
      Issue.record("the body is \(got.body)")
      return
    }
  }

  @Test(
    "errors keep their kind",
    arguments: [
      TransportError.Kind.dns, .connection, .tls, .timeout(.connect), .timeout(.request), .timeout(.resource), .reset,
      .truncated, .invalidResponse, .tooLarge, .redirects, .body, .unsupported(.rawBody), .workerEnded, .cancelled,
      .invalidRequest,
    ])
  func error(_ kind: TransportError.Kind) throws {
    let (near, far) = try channels()
    let error = TransportError(kind, "what happened", help: "what to do")
    near.send(.failed(1, error))
    guard case .failed(1, error) = far.receive() else {
      Issue.record("another frame arrived")
      return
    }
  }

  @Test("an answer keeps all its parts")
  func answer() throws {
    let (near, far) = try channels()
    let head = ResponseHead(
      status: 418, reason: "té", httpVersion: "2", headers: HeaderFields([("B", "2"), ("A", "1")]))
    var summary = ExchangeSummary(remoteAddress: "[::1]:80", wireBodyBytes: 0, wasConnectionReused: false)
    summary.timings.tls = .microseconds(5)
    summary.timings.total = .seconds(3)
    near.send(.head(1, head))
    near.send(.body(1, [0, 255]))
    near.send(.done(1, summary))
    guard case .head(1, head) = far.receive(), case .body(1, [0, 255]) = far.receive(),
      case .done(1, summary) = far.receive()
    else {
      Issue.record("another frame arrived")
      return
    }
  }

  @Test(
    "bytes that are no frame end the stream",
    arguments: [
      [1, 0, 0, 0, 99], [255, 255, 255, 255], [5, 0, 0, 0, 0, 1, 0, 0, 0], [9, 0, 0, 0, 5, 1, 0, 0, 0, 9, 9, 9, 9],
    ]
      as [[UInt8]])
  func nonsense(_ bytes: [UInt8]) throws {
    var pair: [Int32] = [0, 0]
    #if canImport(Glibc)
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    #else
      try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &pair) == 0)
    #endif
    let far = FrameChannel(descriptor: pair[1])
    #expect(write(pair[0], bytes, bytes.count) == bytes.count)
    close(pair[0])
    let frame = far.receive()
    if let frame { Issue.record("\(frame) was read") }
  }
}
