import Foundation
import HTTPMessages

/// A failure as Foundation tells it. On Linux most codes are -1, and only libcurl's text inside says more.
struct FoundationFailure {
  private let code: Int
  private let text: String
  private let request: WireRequest

  init(_ error: any Error, request: WireRequest) {
    let error = error as NSError
    code = error.code
    self.request = request
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    let words = [underlying, error].compactMap { $0 }.map { $0.localizedDescription } + ["\(error)"]
    text = words.first { !$0.isEmpty && !$0.contains("couldn’t be completed") } ?? "error \(code)"
  }

  private var peer: String { "\(request.url.bracketedHost):\(request.url.effectivePort)" }

  private var details: String {
    var line = text.prefix { !$0.isNewline }
    while line.last == "." { line.removeLast() }
    return line.prefix(1).lowercased() + line.dropFirst()
  }

  var transportError: TransportError {
    switch code {
    case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed:
      TransportError(
        .dns, "the host name \"\(request.url.host)\" could not be resolved",
        help: "check the spelling of the host and the name service of this machine")
    case NSURLErrorCannotConnectToHost:
      TransportError(
        .connection, "could not connect to \(peer): \(details)",
        help: "check that the server runs and listens on that port")
    case NSURLErrorNetworkConnectionLost:
      TransportError(
        .reset, "the connection broke before the answer was complete: \(details)",
        help: "look into the log of the server, or of a proxy in between")
    case NSURLErrorBadServerResponse:
      TransportError(
        .reset, "the server closed the connection without an answer",
        help: "look into the server's log: it accepted the connection and then gave up")
    case NSURLErrorTimedOut: .timeout(.connect, after: .seconds(86_400))
    case NSURLErrorCancelled: .cancelled
    case NSURLErrorBadURL:
      TransportError(
        .invalidRequest, "URLSession refuses the URL \(request.url.string)", help: "use `transport: curl`")
    case NSURLErrorUnsupportedURL:
      TransportError(
        .invalidResponse, "the answer is not valid HTTP: \(details)",
        help: "check that an HTTP server listens on \(peer)")
    case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
      NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid,
      NSURLErrorSecureConnectionFailed, NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired:
      tls
    default: byText
    }
  }

  private var tls: TransportError {
    TransportError(
      .tls, "no TLS connection could be made with \(peer): \(details)",
      help: "check the certificate and that the server speaks TLS on that port; `transport: curl` says more")
  }

  private var byText: TransportError {
    let words = text.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if says("headers", "out of memory") && says("too large", "out of memory") {
      return TransportError(
        .tooLarge, "the response headers are too large: \(details)",
        help: "send fewer or shorter headers from the server")
    }
    if says("transfer closed", "bytes remaining", "partial file") {
      return TransportError(
        .truncated, "the connection closed before the whole body had come: \(details)",
        help: "compare the server's Content-Length or last chunk with what it sends")
    }
    if says("ssl", "tls", "certificate") { return tls }
    if says("reset", "recv failure", "send failure") {
      return TransportError(.reset, "the connection broke before the answer was complete: \(details)")
    }
    return TransportError(
      .invalidResponse, "the answer cannot be read: \(details)",
      help: "check the answer, for example with `transport: curl`")
  }
}
