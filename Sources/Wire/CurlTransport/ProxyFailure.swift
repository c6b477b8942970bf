import CLibCurl
import HTTPSemantics
import OperatingSystem
import Values

/// Failures caused by a proxy, which is named without its credentials.
extension CurlFailure {
  var proxyError: TransportError? {
    request.options.proxy.flatMap { failure(of: $0) }?.with(.proxy)
  }

  private func failure(of proxy: Proxy) -> TransportError? {
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY where isOutOfDescriptors, CURLE_COULDNT_CONNECT where isOutOfDescriptors:
      return .outOfDescriptors
    case CURLE_COULDNT_RESOLVE_PROXY:
      return TransportError(
        .dns, "the host name of the proxy \(proxy) could not be resolved",
        help: "check the spelling of the proxy's host and the name service of this machine")
    case CURLE_COULDNT_CONNECT:
      return TransportError(
        .connection, "could not connect to the proxy \(proxy): \(connectionReason)",
        help: "check that the proxy runs and listens on that port"
          + (proxy.port == Proxy.defaultPort ? "; an address without a port means \(Proxy.defaultPort)" : ""))
    case CURLE_PROXY: return socks(proxy)
    case CURLE_OPERATION_TIMEDOUT where !hasTunnel:
      var error = TransportError.timeout(.connect, after: request.limits.connect ?? .seconds(300))
      error.message += " through the proxy \(proxy)"
      error.help = "check that the proxy answers on that port, or raise timeout.connect"
      return error
    default: break
    }
    if proxy.kind == .https, isTLS, !hasTunnel {
      var error = tls(host: "the proxy \(proxy.authority)", peer: "the proxy \(proxy)")
      if error.help == "write http:// if the server speaks plain HTTP on that port" {
        error.help = "write http:// before the proxy if it speaks plain HTTP on that port"
      }
      return error
    }
    guard request.opensTunnel, !hasHead else { return nil }
    let status = tunnelStatus
    if status == 407 { return proxy.authenticationError }
    if status != 0, !(200..<300).contains(status) {
      return TransportError(
        .connection, "the proxy \(proxy) opens no tunnel to \(peer): it answered with status \(status)",
        help: "check that the proxy may reach that host and port")
    }
    guard status == 0, reqrun_get_long(easy, CURLINFO_NUM_CONNECTS) > 0 else { return nil }
    switch code {
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
      return TransportError(
        .connection, "the proxy \(proxy) opened no tunnel to \(peer): \(details)",
        help: "check that an HTTP proxy listens there")
    default: return nil
    }
  }

  /// The status of the proxy's response to `CONNECT`; 0 if there was none.
  private var tunnelStatus: Int { reqrun_get_long(easy, CURLINFO_HTTP_CONNECTCODE) }

  /// Indicates whether TLS with the server was started, through the proxy.
  private var hasTunnel: Bool { request.url.isSecure && (200..<300).contains(tunnelStatus) }

  private func socks(_ proxy: Proxy) -> TransportError {
    let (reason, help): (String, String?) =
      switch UInt32(truncatingIfNeeded: reqrun_get_long(easy, CURLINFO_PROXY_ERROR)) {
      case CURLPX_USER_REJECTED.rawValue, CURLPX_NO_AUTH.rawValue, CURLPX_RECV_AUTH.rawValue,
        CURLPX_IDENTD_DIFFER.rawValue:
        ("it refuses the user name and password", "check the credentials of the proxy")
      case CURLPX_REPLY_CONNECTION_REFUSED.rawValue: ("the server refused its connection", nil)
      case CURLPX_REPLY_HOST_UNREACHABLE.rawValue: ("it cannot reach the host", nil)
      case CURLPX_REPLY_NETWORK_UNREACHABLE.rawValue: ("it cannot reach the network", nil)
      case CURLPX_REPLY_NOT_ALLOWED.rawValue: ("its rules forbid it", nil)
      case CURLPX_REPLY_TTL_EXPIRED.rawValue: ("the server did not answer it in time", nil)
      case CURLPX_RESOLVE_HOST.rawValue:
        (
          "the host name \"\(request.url.host)\" could not be resolved here",
          "let the proxy resolve it: socks5h, socks4a"
        )
      case CURLPX_CLOSED.rawValue: ("it closed the connection", "check that a SOCKS proxy listens there")
      case CURLPX_BAD_VERSION.rawValue: ("it does not speak this SOCKS version", "check the kind of the proxy")
      default: (details, nil)
      }
    return TransportError(
      .connection, "the proxy \(proxy) does not connect to \(peer): \(reason)",
      help: help ?? "check that the proxy may reach that host and port")
  }
}

extension Proxy {
  /// The error for a 407 in any form.
  fileprivate var authenticationError: TransportError {
    let error =
      username == nil
      ? TransportError(
        .connection, "the proxy \(self) asks for credentials (status 407)",
        help: "write them as `proxy: {url: …, username: …, password: …}`, or before the host in its variable")
      : TransportError(
        .connection, "the proxy \(self) does not accept the credentials (status 407)",
        help: "check the user name, the password and the authentication of the proxy")
    return error.lasting
  }
}

extension WireRequest {
  /// The error for a response of the proxy itself, in place of the server's.
  func proxyRefusal(_ head: ResponseHead) -> TransportError? {
    head.status == 407 ? options.proxy?.authenticationError.with(.proxy) : nil
  }
}
