import CLibMicroHTTPD
import Synchronization

/// The reason why a server could not be started.
package struct ServerError: Error, Sendable, Hashable {
  package let message: String
  /// Advice on how to fix it.
  package let help: String?
}

enum Libmicrohttpd {
  /// Indicates whether the library is usable; loads it on first access.
  static let isReady = reqrun_load_libmicrohttpd()
}

/// The certificate of a server, and its private key, as PEM.
package struct ServerIdentity: Sendable {
  fileprivate let certificate: String
  fileprivate let key: String
  fileprivate let passphrase: String?

  /// - Parameter key: the key; nil if it is in the text of the certificate.
  package init(certificate: String, key: String?, passphrase: String?) {
    (self.certificate, self.key, self.passphrase) = (certificate, key ?? certificate, passphrase)
  }
}

/// An HTTP server in this process, reachable from this machine only.
package final class HTTPServer: Sendable {
  /// `http://127.0.0.1:port`, or the same with `https`.
  package let address: String

  /// Indicates whether it can be started: libmicrohttpd is installed.
  package static var isSupported: Bool { Libmicrohttpd.isReady }

  private let core: ServerCore
  private let daemon: Mutex<OpaquePointer?>

  /// Listens on the port; 0 is any free one.
  ///
  /// - Parameters:
  ///   - name: the server in messages, such as `the demo server`.
  ///   - identity: the certificate for HTTPS; nil serves HTTP.
  ///   - storesBodies: whether large bodies of requests are stored in files instead of being rejected.
  ///   - respond: makes the response to a request, on any thread.
  package static func start(
    _ name: String, port: UInt16 = 0, identity: ServerIdentity? = nil, storesBodies: Bool = false,
    respond: @escaping @Sendable (ServerRequest) -> ServerResponse
  ) throws(ServerError) -> HTTPServer {
    guard Libmicrohttpd.isReady else {
      throw ServerError(
        message: "\(name) needs libmicrohttpd, which is not installed here",
        help: "install it (Debian: libmicrohttpd12)")
    }
    if identity != nil, !reqrun_MHD_supports_tls() {
      throw ServerError(
        message: "\(name) cannot serve HTTPS: the libmicrohttpd here is built without TLS",
        help: "leave out the certificate, or install one with GnuTLS")
    }
    let core = ServerCore(isSecure: identity != nil, storesBodies: storesBodies, respond)
    var code: Int32 = 0
    let daemon = reqrun_MHD_start_loopback(
      port, 4, 256 << 10, serverHandle, serverBegin, serverComplete,
      Unmanaged.passUnretained(core).toOpaque(), identity?.certificate, identity?.key, identity?.passphrase, &code)
    guard let daemon else {
      if code < 0 {
        throw ServerError(
          message: "\(name) cannot serve HTTPS with this certificate and this key",
          help: "both are PEM, the server's own certificate first; the key is that of the certificate")
      }
      let reason = code == 0 ? "" : ": \(String(cString: strerror(code)).lowercased())"
      throw ServerError(
        message: "\(name) cannot listen on 127.0.0.1:\(port)\(reason)",
        help: port == 0 ? nil : "choose another port, or leave it out to get any free one")
    }
    let bound = reqrun_MHD_bound_port(daemon)
    return HTTPServer(core: core, daemon: daemon, address: "\(core.scheme)://127.0.0.1:\(bound == 0 ? port : bound)")
  }

  private init(core: ServerCore, daemon: sending OpaquePointer, address: String) {
    self.core = core
    self.daemon = Mutex(daemon)
    self.address = address
  }

  /// Closes all connections and waits for the server's threads to end; further calls do nothing.
  package func stop() {
    let running = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon.map { UInt(bitPattern: $0) }
    }
    guard let running else { return }
    // libmicrohttpd requires that no connection is suspended or upgraded when it stops.
    core.resumeAll()
    core.webSockets.closeAll()
    MHD_stop_daemon(OpaquePointer(bitPattern: running))
  }

  deinit {
    stop()
  }
}
