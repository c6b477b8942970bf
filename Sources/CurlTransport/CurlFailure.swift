import CLibCurl
import HTTPMessages
import OperatingSystem

/// A failure as libcurl tells it.
struct CurlFailure {
  let code: CURLcode
  /// Of the error buffer; may be empty.
  let text: String
  let request: WireRequest
  let hasHead: Bool
  let easy: UnsafeMutableRawPointer

  private var peer: String { "\(request.url.bracketedHost):\(request.url.effectivePort)" }

  /// libcurl's own words, to stand behind a colon.
  private var details: String {
    let words = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    var line = words.prefix { !$0.isNewline }
    while line.last == "." { line.removeLast() }
    // "SSL: …" stays as it is.
    return line.dropFirst().first?.isUppercase == true ? String(line) : line.prefix(1).lowercased() + line.dropFirst()
  }

  var transportError: TransportError {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST:
      TransportError(
        .dns, "the host name \"\(request.url.host)\" could not be resolved",
        help: "check the spelling of the host and the name service of this machine")
    case CURLE_COULDNT_CONNECT: connection
    case CURLE_OPERATION_TIMEDOUT: .timeout(.connect, after: request.limits.connect ?? .seconds(300))
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_USE_SSL_FAILED:
      tls
    case CURLE_GOT_NOTHING:
      TransportError(
        .reset, "the server closed the connection without an answer",
        help: "look into the server's log: it accepted the connection and then gave up")
    case CURLE_SEND_ERROR: reset("while the request was sent")
    case CURLE_RECV_ERROR: receive
    case CURLE_PARTIAL_FILE:
      TransportError(
        .truncated, "the connection closed before the whole body had come: \(details)",
        help: "compare the server's Content-Length or last chunk with what it sends")
    case CURLE_HTTP2: TransportError(.invalidResponse, "the HTTP/2 connection failed: \(details)")
    case CURLE_HTTP2_STREAM: TransportError(.reset, "the server reset the HTTP/2 stream: \(details)")
    default: answer
    }
  }

  /// Where the answer itself is at fault.
  private var answer: TransportError {
    switch code {
    case CURLE_BAD_CONTENT_ENCODING:
      TransportError(
        .invalidResponse, "the body does not fit its Content-Encoding: \(details)",
        help: "check the server's compression, or send `Accept-Encoding: identity`")
    case CURLE_UNSUPPORTED_PROTOCOL:
      TransportError(
        .invalidResponse, "the answer has no status line (HTTP/0.9 is not accepted)",
        help: "check that an HTTP server listens on \(peer)")
    case CURLE_WEIRD_SERVER_REPLY:
      TransportError(
        .invalidResponse, "the answer is not valid HTTP: \(details)",
        help: "check that an HTTP server listens on \(peer)")
    case CURLE_FILESIZE_EXCEEDED: TransportError(.tooLarge, "the answer is too large: \(details)")
    case CURLE_OUT_OF_MEMORY:
      TransportError(
        .tooLarge, "a line of the response headers is too long (libcurl takes about 100 KB)",
        help: "shorten the header on the server")
    case CURLE_BAD_FUNCTION_ARGUMENT where text.contains("chunk"): brokenChunks
    case CURLE_BAD_FUNCTION_ARGUMENT where !hasHead:
      TransportError(
        .invalidResponse, "the answer has a broken header line",
        help: "check the headers that the server sends: each line needs a name and a colon")
    case CURLE_URL_MALFORMAT:
      TransportError(.invalidRequest, "libcurl refuses the URL \(request.url.string): \(details)")
    case CURLE_READ_ERROR, CURLE_ABORTED_BY_CALLBACK, CURLE_SEND_FAIL_REWIND:
      TransportError(.body, "the body of the request could not be sent: \(details)")
    default: TransportError(.invalidResponse, "the exchange failed: \(details) (libcurl \(code.rawValue))")
    }
  }

  private var connection: TransportError {
    let number = Int32(truncatingIfNeeded: reqrun_get_long(easy, CURLINFO_OS_ERRNO))
    let reason = number == 0 ? details : SystemProblem(code: number).reason
    return TransportError(
      .connection, "could not connect to \(peer): \(reason)",
      help: "check that the server runs and listens on that port")
  }

  private var brokenChunks: TransportError {
    TransportError(
      .invalidResponse, "the chunked body is broken: \(details)", help: "check how the server frames its body")
  }

  private func reset(_ phase: String) -> TransportError {
    TransportError(
      .reset, "the connection broke \(phase): \(details)",
      help: "look into the log of the server, or of a proxy in between")
  }

  private var receive: TransportError {
    if text.contains("Too large response headers") {
      return TransportError(
        .tooLarge, "the response headers are larger than 300 KB", help: "send fewer or shorter headers from the server")
    }
    if text.contains("chunk") { return brokenChunks }
    return reset(hasHead ? "in the middle of the body" : "before the answer had come")
  }

  private var tls: TransportError {
    let host = request.url.host
    if code == CURLE_SSL_CACERT_BADFILE {
      return TransportError(
        .tls, "the trusted certificates cannot be read: \(details)",
        help: "check SSL_CERT_FILE, SSL_CERT_DIR and CURL_CA_BUNDLE")
    }
    guard code == CURLE_PEER_FAILED_VERIFICATION else {
      return TransportError(
        .tls, "no TLS connection could be made with \(peer): \(details)",
        help: "check that the server speaks TLS on that port")
    }
    if text.contains("target host") || text.contains("certificate subject name") {
      return TransportError(
        .tls, "the certificate is not for the host \(host)",
        help: "use a host name that stands in the certificate")
    }
    // The numbers are those of OpenSSL's X509_V_ERR_….
    switch reqrun_get_long(easy, CURLINFO_SSL_VERIFYRESULT) {
    case 9: return TransportError(.tls, "the certificate of \(host) is not valid yet", help: "compare the clocks")
    case 10:
      return TransportError(.tls, "the certificate of \(host) has expired", help: "renew the server's certificate")
    case 18, 19:
      return TransportError(
        .tls, "the certificate of \(host) is self-signed", help: "put its issuer into SSL_CERT_FILE if you trust it")
    case 2, 20, 21:
      return TransportError(
        .tls, "the certificate of \(host) has an unknown issuer",
        help: "put the issuer into SSL_CERT_FILE if you trust it, or let the server send its whole chain")
    default:
      return TransportError(.tls, "the certificate of \(host) is not accepted: \(details)")
    }
  }
}
