import CLibCurl
import HTTPSemantics
import OperatingSystem
import Values

/// A failure that libcurl reports.
struct CurlFailure {
  let code: CURLcode
  /// The text of the error buffer; may be empty.
  let text: String
  let request: WireRequest
  let hasHead: Bool
  let stream: StreamRecord
  let easy: UnsafeMutableRawPointer
  /// The certificate checks; nil without TLS.
  let certificates: CertificateRecord?

  /// The host and port that the URL names.
  var peer: String { request.url.hostAndPort }

  /// libcurl's own words, for the end of a message after a colon.
  var details: String {
    if text.isEmpty { return quotedReason(String(cString: curl_easy_strerror(code))) }
    // The error buffer may end within a character.
    return text.utf8.count < Int(reqrun_error_size) - 4 ? quotedReason(text) : "\(Excerpt(cut: quotedReason(text)))"
  }

  var transportError: TransportError { proxyError ?? exchangeError }

  /// The error if no proxy is at fault.
  private var exchangeError: TransportError {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST where isOutOfDescriptors, CURLE_COULDNT_CONNECT where isOutOfDescriptors:
      .outOfDescriptors
    case CURLE_COULDNT_RESOLVE_HOST: .unknownHost(request.url.host)
    case CURLE_COULDNT_CONNECT: connection
    case CURLE_OPERATION_TIMEDOUT: .timeout(.connect, after: request.limits.connect ?? .seconds(300))
    case _ where isTLS: tls(host: request.url.host, peer: peer)
    case _ where isCertificateRefused: certificateRefusal
    case CURLE_RECV_ERROR where stream.resetCode != nil, CURLE_SEND_ERROR where stream.resetCode != nil:
      stream.resetError ?? receive
    case CURLE_HTTP2 where lacksHTTP2, CURLE_RECV_ERROR where lacksHTTP2, CURLE_SEND_ERROR where lacksHTTP2,
      CURLE_GOT_NOTHING where lacksHTTP2:
      TransportError(
        .invalidResponse, "\(peer) does not seem to speak HTTP/2: \(details)",
        help: "leave `http_version` out, or write \"2\": it falls back to HTTP/1.1")
    case CURLE_GOT_NOTHING where stream.isHeard:
      TransportError(
        .reset, "the HTTP/2 connection ended without a response",
        help: "look into the server's log: it closed the connection, or sent a frame that is not valid")
    case CURLE_GOT_NOTHING: .emptyReply(request.url)
    case CURLE_INTERFACE_FAILED:
      TransportError(
        .connection, "nothing can be sent from \"\(request.options.interface ?? "")\": \(details)",
        help: "name a network interface or an address of this machine")
    case CURLE_PARTIAL_FILE: .truncated(details)
    case CURLE_SEND_ERROR: .connectionBroke("while the request was sent", details)
    case CURLE_RECV_ERROR: receive
    case CURLE_HTTP2: TransportError(.invalidResponse, "the HTTP/2 connection failed: \(details)")
    case CURLE_HTTP2_STREAM: stream.resetError ?? .streamReset(details)
    default: response
    }
  }

  /// The error if the response itself is at fault.
  private var response: TransportError {
    switch code {
    case CURLE_BAD_CONTENT_ENCODING: .brokenContentCoding(details)
    case CURLE_UNSUPPORTED_PROTOCOL:
      TransportError(
        .invalidResponse, "the response has no status line (HTTP/0.9 is not accepted)",
        help: "check that an HTTP server listens on \(peer)")
    case CURLE_WEIRD_SERVER_REPLY: .notHTTP(request.url, details)
    case CURLE_FILESIZE_EXCEEDED: TransportError(.tooLarge, "the response is too large: \(details)")
    case CURLE_OUT_OF_MEMORY: .headerLineTooLong
    // CURLE_TOO_LARGE, which older headers lack; before 8.6 it is a lack of memory.
    case _ where code.rawValue == 100:
      text.contains("response headers") ? .tooManyHeaders(inTrailers: hasHead) : .headerLineTooLong
    case CURLE_BAD_FUNCTION_ARGUMENT where text.contains("chunk"): .brokenChunks(details)
    case CURLE_BAD_FUNCTION_ARGUMENT where !hasHead:
      TransportError(
        .invalidResponse, "the response has a broken header line",
        help: "check the headers that the server sends: each line needs a name and a colon")
    case CURLE_URL_MALFORMAT:
      TransportError(.invalidRequest, "libcurl refuses the URL \(request.url.string): \(details)")
    case CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_SEND_FAIL_REWIND:
      TransportError(.body, "the body of the request could not be sent: \(details)")
    default: TransportError(.invalidResponse, "the exchange failed: \(details) (libcurl \(code.rawValue))")
    }
  }

  private var connection: TransportError {
    TransportError(
      .connection, "could not connect to \(peer)\(route.map { " (\($0))" } ?? ""): \(connectionReason)",
      help: "check that the server runs and listens \(route == nil ? "on that port" : "there")")
  }

  /// The reason why no connection could be made, in the system's words if it has any.
  var connectionReason: String {
    if let path = request.options.unixSocket, !path.hasPrefix("@"), pathKind(path) == .nothing {
      return "no such file or directory"
    }
    let number = Int32(truncatingIfNeeded: reqrun_get_long(easy, CURLINFO_OS_ERRNO))
    return number == 0 ? details : SystemProblem(code: number).reason
  }

  /// The actual peer, if it isn't the URL's host.
  private var route: String? {
    let options = request.options
    if let path = options.unixSocket { return "by the Unix socket \(path)" }
    let host = request.url.host
    let port = request.url.effectivePort
    let target = options.connectTo.first { entry in
      (entry.host.isEmpty || equalsIgnoringCase(entry.host, host)) && (entry.port ?? port) == port
    }
    if let target {
      let name = target.targetHost.isEmpty ? host : target.targetHost
      return "connect_to \(hostAndPort(name, target.targetPort ?? port))"
    }
    let override = options.addressOverrides.last { entry in
      (entry.host == "*" || equalsIgnoringCase(entry.host, host)) && entry.port == port
    }
    return override.map { "resolve \($0.addresses.joined(separator: ", "))" }
  }

  /// Indicates whether an older server rejected HTTP/2 with prior knowledge.
  private var lacksHTTP2: Bool {
    text.contains("SETTINGS frame")
      || request.options.httpVersion == .http2PriorKnowledge && !hasHead && !stream.isHeard
  }

  private var receive: TransportError {
    if text.contains("Too large response headers") { return .headersTooLarge }
    if text.contains("chunk") { return .brokenChunks(details) }
    return .connectionBroke(hasHead: hasHead, details, request.url)
  }
}
