import Foundation
import HTTPSemantics
import OperatingSystem
import Testing
import Values
import WorkerTransport

/// Frames arrive on the other side as they were sent.
struct FrameTests {
  private func sockets() throws -> [Int32] {
    var pair: [Int32] = [0, 0]
    #if canImport(Glibc)
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    #else
      try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &pair) == 0)
    #endif
    return pair
  }

  private func channels(
    whenFull: FrameChannel.WhenFull = .wait, receiveTimeout: Int? = nil
  ) throws -> (FrameChannel, FrameChannel) {
    let pair = try sockets()
    return (
      FrameChannel(descriptor: pair[0], whenFull: whenFull),
      FrameChannel(descriptor: pair[1], receiveTimeout: receiveTimeout)
    )
  }

  @Test("a request keeps all its parts")
  func request() throws {
    let (near, far) = try channels()
    let version = FileVersion(size: 1 << 41, seconds: -1, nanoseconds: 999_999_999, device: .max, inode: 7)
    let pieces: [BodyPiece] = [
      .bytes(Array("ab".utf8)),
      .file(FileRange(path: "/tmp/x", offset: 1 << 40, length: 3, version: nil)),
      .bytes([]), .file(FileRange(path: "/tmp/é", offset: 0, length: 0, version: version)),
      .bytes(Array("cde".utf8)),
    ]
    var request = WireRequest(
      method: .post, url: HTTPURL(scheme: "https", host: "::1", port: 8443, path: "/a%20b", query: "c=d"),
      requestTarget: "*", headers: HeaderFields([("A", ""), ("a", "é")]),
      body: .pieces(pieces),
      limits: ExchangeLimits(connect: .milliseconds(1), idle: nil, total: .seconds(9), maxBodyBytes: .max))
    request.options.decompresses = false
    request.options.maxConnectionsPerHost = 7
    near.send(.request(9, request, bodyLength: 5))
    var reader = FrameReader(far)
    guard case .frame(.request(9, var got, bodyLength: 5)) = reader.next() else {
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
    #expect(request.body.heldBytes == Array("abcde".utf8))
    got.body.fill(with: request.body.heldBytes)
    guard case .pieces(pieces) = got.body else {
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
    var reader = FrameReader(far)
    guard case .frame(.failed(1, error)) = reader.next() else {
      Issue.record("another frame arrived")
      return
    }
  }

  @Test("a response keeps all its parts")
  func answer() throws {
    let (near, far) = try channels()
    let head = ResponseHead(
      status: 418, reason: "té", httpVersion: "2", headers: HeaderFields([("B", "2"), ("A", "1")]))
    var summary = ExchangeSummary(remoteAddress: "[::1]:80", wireBodyBytes: 0, wasConnectionReused: false)
    summary.localAddress = "10.0.0.1:5"
    summary.certificateChain = ["a", "b"]
    summary.timings.tls = .microseconds(5)
    summary.timings.total = .seconds(3)
    near.send(.head(1, head))
    near.send(.body(1, [0, 255]))
    near.send(.done(1, summary))
    var reader = FrameReader(far)
    guard case .frame(.head(1, head)) = reader.next(), case .frame(.body(1, [0, 255])) = reader.next(),
      case .frame(.done(1, summary)) = reader.next()
    else {
      Issue.record("another frame arrived")
      return
    }
  }

  @Test(
    "bytes that are not a frame end the stream",
    arguments: [
      [1, 0, 0, 0, 99], [255, 255, 255, 255], [5, 0, 0, 0, 0, 1, 0, 0, 0], [9, 0, 0, 0, 5, 1, 0, 0, 0, 9, 9, 9, 9],
    ]
      as [[UInt8]])
  func nonsense(_ bytes: [UInt8]) throws {
    let pair = try sockets()
    let far = FrameChannel(descriptor: pair[1])
    #expect(write(pair[0], bytes, bytes.count) == bytes.count)
    close(pair[0])
    var reader = FrameReader(far)
    guard case .end = reader.next() else {
      Issue.record("a frame was read")
      return
    }
  }

  @Test("frames of all sizes arrive in order, whether in one piece or byte by byte", arguments: [1, 7, 4096, 1 << 20])
  func sizes(_ piece: Int) throws {
    let sizes = [0, 1, 3, 127 << 10, 128 << 10, 5, 1 << 20, 0, 300_000, 2]
    var encoder = FrameEncoder()
    for (index, size) in sizes.enumerated() {
      let bytes = [UInt8](repeating: UInt8(index), count: piece == 1 ? size / 1000 : size)
      bytes.withUnsafeBytes { encoder.append(body: $0, of: UInt32(index)) }
    }
    let frames = encoder.take()
    let pair = try sockets()
    let far = FrameChannel(descriptor: pair[1])
    let writer = pair[0]
    Thread.detachNewThread {
      var start = 0
      while start < frames.count {
        let end = min(frames.count, start + piece)
        let count = frames[start..<end].withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        start += count
      }
      close(writer)
    }
    var reader = FrameReader(far)
    for (index, size) in sizes.enumerated() {
      guard case .frame(.body(UInt32(index), let bytes)) = reader.next() else {
        Issue.record("frame \(index) did not arrive")
        return
      }
      #expect(bytes.count == (piece == 1 ? size / 1000 : size))
      #expect(bytes.allSatisfy { $0 == UInt8(index) })
    }
    guard case .end = reader.next() else {
      Issue.record("the stream goes on")
      return
    }
  }

  @Test("a channel that queues never waits for the other side, and keeps the order")
  func queue() throws {
    let (near, far) = try channels(whenFull: .queue(giveUpAfter: 300))
    let chunk = [UInt8](repeating: 7, count: 64 << 10)
    let began = ContinuousClock.now
    for number in 0..<200 { #expect(near.send(.body(UInt32(number), chunk))) }
    // Nobody has read: 12 MB are queued.
    #expect(ContinuousClock.now - began < .seconds(60))
    var reader = FrameReader(far)
    for number in 0..<200 {
      guard case .frame(.body(UInt32(number), chunk)) = reader.next() else {
        Issue.record("frame \(number) did not arrive")
        return
      }
    }
  }

  @Test("a queue gives up on a side that takes nothing; a reader then sees the end")
  func giveUp() throws {
    let (near, far) = try channels(whenFull: .queue(giveUpAfter: 1))
    let chunk = [UInt8](repeating: 7, count: 1 << 20)
    #expect(near.send(.body(1, chunk)))
    let deadline = ContinuousClock.now + .seconds(120)
    while near.send(.cancel(1)), ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.05) }
    #expect(!near.send(.cancel(1)))
    var reader = FrameReader(far)
    guard case .end = reader.next() else {
      Issue.record("half a frame was read")
      return
    }
  }

  @Test("a reader with a timeout says that nothing came, and reads on")
  func timeout() throws {
    let (near, far) = try channels(receiveTimeout: 20)
    var reader = FrameReader(far)
    guard case .nothing = reader.next() else {
      Issue.record("something came")
      return
    }
    near.send(.cancel(3))
    guard case .frame(.cancel(3)) = reader.next() else {
      Issue.record("nothing came")
      return
    }
  }
}
