import LibC
import OperatingSystem
import Values

/// Receives the redirect of a browser on this machine (RFC 8252, section 7.3), and nothing else.
package final class LoopbackListener: Sendable {
  /// The parameters of a redirect.
  package typealias Parameters = [String: String]

  private static let pause = Duration.milliseconds(20)
  /// The maximum number of connections: the oldest gives way to a new one.
  private static let visitorLimit = 32

  private let descriptors: [Int32]
  private let path: String
  /// The URI that a browser is sent back to.
  package let redirectURI: String

  package init(at uri: LoopbackURI = .usual) throws(SystemProblem) {
    let (first, port) = try listeningSocket(isIPv6: uri.host == "::1", port: uri.port ?? 0)
    var descriptors = [first]
    if uri.host == "localhost" {
      // Browsers try both addresses; a machine may have no IPv6.
      if let second = try? listeningSocket(isIPv6: true, port: port) { descriptors.append(second.descriptor) }
    }
    self.descriptors = descriptors
    path = uri.path
    redirectURI = uri.text(port: port)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
  }

  /// The parameters of the first redirect with the right state; nil if the time is up, or the run ends.
  ///
  /// - Parameter isOver: whether to give up.
  package func redirect(
    state: String, within limit: Duration, unless isOver: @Sendable () -> Bool
  ) async -> Parameters? {
    let end = ContinuousClock.now + limit
    // Browsers open connections that they may need later, and send nothing on them.
    var visitors: [Visitor] = []
    defer { for visitor in visitors { close(visitor.descriptor) } }
    while ContinuousClock.now < end, !isOver(), !Task.isCancelled {
      for descriptor in descriptors {
        // All of these are read below before any of them gives way.
        for _ in 0..<LoopbackListener.visitorLimit / 2 {
          let connection = accept(descriptor, nil, nil)
          guard connection >= 0 else { break }
          makeNonblocking(connection)
          if visitors.count == LoopbackListener.visitorLimit { close(visitors.removeFirst().descriptor) }
          visitors.append(Visitor(descriptor: connection))
        }
      }
      for index in visitors.indices.reversed() {
        switch visitors[index].progress() {
        case .waiting: continue
        case .gone: break
        case .asked(let line):
          let parameters = parameters(of: line)
          let isRight = parameters.map { $0["state"] == state } ?? false
          sendAll(response(isRight: isRight, parameters), to: visitors[index].descriptor)
          if isRight { return parameters }
        }
        close(visitors.remove(at: index).descriptor)
      }
      try? await Task.sleep(for: LoopbackListener.pause)
    }
    return nil
  }

  /// The parameters of a request for the redirect's path; nil for any other.
  private func parameters(of line: String) -> Parameters? {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] == "GET" else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1)
    guard parts.count == 2, parts[0] == path else { return nil }
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

/// A connection to the listener.
private struct Visitor {
  enum Progress {
    case waiting, gone
    /// The line of its request.
    case asked(String)
  }

  private static let headLimit = 16 << 10
  /// The time that a browser has to send its request.
  private static let patience = Duration.seconds(60)

  let descriptor: Int32
  private let end = ContinuousClock.now + Visitor.patience
  private var head: [UInt8] = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Reads what has arrived. A head is read whole: closing a connection with unread bytes would discard the response.
  mutating func progress() -> Progress {
    let (bytes, isOpen) = readSome(descriptor)
    head += bytes
    if head.suffix(4).elementsEqual("\r\n\r\n".utf8) || head.suffix(2).elementsEqual("\n\n".utf8) {
      let line = head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
      return .asked(String(decoding: line, as: UTF8.self))
    }
    return isOpen && head.count < Visitor.headLimit && ContinuousClock.now < end ? .waiting : .gone
  }
}
