import LibC
import OperatingSystem
import URLs

/// Receives the redirect of a browser on this machine (RFC 8252, section 7.3), and nothing else.
package final class LoopbackListener: Sendable {
  /// The parameters of a redirect.
  package typealias Parameters = [String: String]

  private static let path = "/callback"
  private static let headLimit = 16 << 10
  /// The time that a browser has to send its request.
  private static let patience = Duration.seconds(5)
  private static let pause = Duration.milliseconds(20)

  private let descriptor: Int32
  private let port: UInt16

  package init() throws(SystemProblem) {
    let descriptor = socket(AF_INET, streamSocket, 0)
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      port = 0
      throw SystemProblem(code: errno)
    }
    makeNonblocking(descriptor)
    var address = loopbackAddress()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        if bind(descriptor, pointer, size) != 0 || listen(descriptor, 8) != 0 { return Int32(-1) }
        return getsockname(descriptor, pointer, &size)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard status == 0 else {
      let problem = SystemProblem(code: errno)
      close(descriptor)
      throw problem
    }
  }

  deinit { close(descriptor) }

  /// The URI that a browser is sent back to.
  package var redirectURI: String { "http://127.0.0.1:\(port)\(LoopbackListener.path)" }

  /// The parameters of the first redirect with the right state; nil if the time is up, or the run ends.
  ///
  /// - Parameter isOver: whether to give up.
  package func redirect(
    state: String, within limit: Duration, unless isOver: @Sendable () -> Bool
  ) async -> Parameters? {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, !isOver(), !Task.isCancelled {
      let connection = accept(descriptor, nil, nil)
      guard connection >= 0 else {
        try? await Task.sleep(for: LoopbackListener.pause)
        continue
      }
      makeNonblocking(connection)
      let parameters = await parameters(from: connection, unless: isOver)
      let isRight = parameters.map { $0["state"] == state } ?? false
      sendAll(response(isRight: isRight, parameters), to: connection)
      close(connection)
      if isRight { return parameters }
    }
    return nil
  }

  /// The parameters of a request for the redirect's path; nil for any other.
  private func parameters(from connection: Int32, unless isOver: @Sendable () -> Bool) async -> Parameters? {
    let end = ContinuousClock.now + LoopbackListener.patience
    var head: [UInt8] = []
    while !head.contains(UInt8(ascii: "\n")), head.count < LoopbackListener.headLimit {
      guard ContinuousClock.now < end, !isOver() else { return nil }
      let (bytes, isOpen) = readSome(connection)
      guard isOpen else { return nil }
      head += bytes
      if bytes.isEmpty { try? await Task.sleep(for: LoopbackListener.pause) }
    }
    let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "GET" else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1)
    guard parts.count == 2, parts[0] == LoopbackListener.path else { return nil }
    var parameters: Parameters = [:]
    for pair in parts[1].split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? sides[1] : ""
      parameters[percentDecoded(sides[0].replacing("+", with: " "))] = percentDecoded(value.replacing("+", with: " "))
    }
    return parameters
  }

  private func response(isRight: Bool, _ parameters: Parameters?) -> String {
    let (status, text) =
      !isRight
      ? ("404 Not Found", "This page is for the sign-in that reqrun asked for.")
      : parameters?["error"] == nil
        ? ("200 OK", "You are signed in, and can close this page.")
        : ("200 OK", "The sign-in failed: see the terminal.")
    let page = "<!doctype html><meta charset=utf-8><title>reqrun</title><p>\(text)"
    return "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.utf8.count)\r\n"
      + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n\(page)"
  }
}
