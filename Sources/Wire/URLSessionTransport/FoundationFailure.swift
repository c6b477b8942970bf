import Foundation
import HTTPSemantics
import Values

/// A failure that Foundation reports. On Linux most codes are -1, and only libcurl's text inside says more.
struct FoundationFailure {
  private let code: Int
  private let text: String
  private let request: WireRequest
  private let hasHead: Bool
  private let connectionError: Int32?

  init(_ error: any Error, request: WireRequest, hasHead: Bool) {
    let error = error as NSError
    code = error.code
    self.request = request
    self.hasHead = hasHead
    connectionError = Platform.connectionError(error)
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
    let words = [underlying, error].compactMap { $0 }.map { $0.localizedDescription } + ["\(error)"]
    text = words.first { !$0.isEmpty && !$0.contains("couldn’t be completed") } ?? "error \(code)"
  }

  private var peer: String { request.url.hostAndPort }

  /// Foundation's or libcurl's own words, for the end of a message after a colon.
  private var details: String { quotedReason(text) }

  var transportError: TransportError {
    switch code {
    case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: .unknownHost(request.url.host)
    case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet, NSURLErrorInternationalRoamingOff:
      TransportError(
        .connection, "could not connect to \(peer): \(connectReason)",
        help: "check that the server runs and listens on that port")
    case NSURLErrorNetworkConnectionLost: .connectionBroke(hasHead: hasHead, details, request.url)
    case NSURLErrorBadServerResponse where !text.contains("mpty reply"):
      TransportError(
        .invalidResponse,
        "URLSession cannot use the response (\(details)), such as one whose Location has characters that no URL has",
        help: "fix the server's Location, or use `transport: curl`")
    case NSURLErrorBadServerResponse: .emptyReply(request.url)
    case NSURLErrorTimedOut: timeout
    case NSURLErrorCancelled: .cancelled
    case NSURLErrorBadURL:
      TransportError(
        .invalidRequest, "URLSession refuses the URL \(request.url.string)", help: "use `transport: curl`")
    case NSURLErrorUnsupportedURL, NSURLErrorCannotParseResponse, NSURLErrorZeroByteResource:
      .notHTTP(request.url, details)
    case NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData: .brokenContentCoding(details)
    case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
      NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid,
      NSURLErrorSecureConnectionFailed, NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired:
      tls
    case NSURLErrorAppTransportSecurityRequiresSecureConnection:
      TransportError(
        .connection, "App Transport Security of the system forbids \(request.url.scheme) to \(request.url.host)",
        help: "use https, or `transport: curl`")
    case NSURLErrorDataLengthExceedsMaximum: .headersTooLarge
    default: byText
    }
  }

  /// The reason by the errno from Apple's Foundation, or from libcurl's text, such as "Failed to connect to host port 1 after 0 ms: Couldn't connect to server",
  /// which has no errno.
  private var connectReason: String {
    switch connectionError {
    case ECONNREFUSED?: "the connection was refused"
    case ENETUNREACH?, EHOSTUNREACH?, ENETDOWN?, EHOSTDOWN?: "there is no way to that host"
    default:
      text.contains("Couldn't connect to server")
        ? "the connection was refused, or there is no way to that host" : details
    }
  }

  /// A timeout of the system, or of URLSession itself, not one of our clocks.
  private var timeout: TransportError {
    if hasHead {
      return TransportError(
        .timeout(.request), "the rest of the response did not come: \(details)",
        help: "find out what the server waits for")
    }
    return TransportError(
      .timeout(.connect), "no connection to \(peer) was made in the time that the system allows: \(details)",
      help: "check that the host answers on that port")
  }

  private var tls: TransportError {
    let host = request.url.host
    let words = text.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if code == NSURLErrorServerCertificateNotYetValid || says("not yet valid") {
      return TransportError(.tls, "the certificate of \(host) is not valid yet", help: "compare the clocks").lasting
    }
    if code == NSURLErrorServerCertificateHasBadDate || says("has expired") {
      return TransportError(
        .tls, "the certificate of \(host) has expired", help: "renew the server's certificate"
      ).lasting
    }
    if says("subject name", "target host") {
      return TransportError(
        .tls, "the certificate is not for the host \(host)", help: "use a host name that stands in the certificate"
      ).lasting
    }
    if says("self-signed", "self signed") {
      return TransportError(
        .tls, "the certificate of \(host) is self-signed",
        help: "put its issuer among the system's certificates, or use `transport: curl` with `tls.ca`"
      ).lasting
    }
    if code == NSURLErrorServerCertificateHasUnknownRoot || says("local issuer", "issuer certificate") {
      return TransportError(
        .tls, "the certificate of \(host) has an unknown issuer",
        help: "put the issuer among the system's certificates, or use `transport: curl` with `tls.ca`"
      ).lasting
    }
    return TransportError(
      .tls, "no TLS connection could be made with \(peer): \(details)",
      help: "check the certificate and that the server speaks TLS on that port")
  }

  /// The error by libcurl's words.
  private var byText: TransportError {
    let words = text.lowercased()
    func says(_ parts: String...) -> Bool { parts.contains { words.contains($0) } }
    if says("too large response headers") { return .headersTooLarge }
    if says("too many response headers") { return .tooManyHeaders(inTrailers: hasHead) }
    if says("out of memory", "grew larger than allowed") { return .headerLineTooLong }
    if says("transfer closed", "bytes remaining", "bytes missing", "partial file") { return .truncated(details) }
    if says("chunk") { return .brokenChunks(details) }
    if says("content encoding", "content-encoding", "unencoding") { return .brokenContentCoding(details) }
    if says("http/2 stream") { return .streamReset(details) }
    if says("ssl", "tls", "certificate") { return tls }
    if says("reset", "recv failure", "send failure") { return .connectionBroke(hasHead: hasHead, details, request.url) }
    return TransportError(
      .invalidResponse, "the response cannot be read: \(details)",
      help: "check the response, for example with `transport: curl`")
  }
}

extension TransportError {
  /// The error for a task that ended well, without a response: Foundation on Linux hides such redirects.
  static let responseLost = TransportError(
    .invalidResponse,
    "the response is lost in URLSession: a status of 301, 302, 303, 305, 306, 307 or 308 without a usable Location",
    help: "send a Location with it, or use `transport: curl`, which shows such responses")

  /// The error for a challenge without a response that could be shown.
  static let challenged = TransportError(
    .invalidResponse, "the server or a proxy asked for credentials in a way that URLSession does not show",
    help: "use `transport: curl`")
}
