import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// An nginx of the tests' own: plain, over TLS with good and bad certificates, with HTTP/2, on a Unix socket.
package final class NginxServer: Sendable {
  /// One that all tests share; it ends with them.
  package static let shared = Result { try start() }

  /// Whether there is what it takes.
  package static let isAvailable = executable != nil && TestCertificates.isAvailable
  private static let executable = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Debian's `libnginx-mod-http-dav-ext`, which has what nginx's own WebDAV lacks: PROPFIND.
  private static let davModule = ["/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"]
    .first { FileManager.default.fileExists(atPath: $0) }
  package static let hasPropfind = davModule != nil

  package enum Listener: String, Sendable, CaseIterable {
    /// HTTP/1.1 without TLS, on 127.0.0.1, [::1] and a Unix socket.
    case plain
    /// HTTP/2 without TLS.
    case prior
    /// TLS with HTTP/1.1 and HTTP/2.
    case secure
    /// TLS 1.2 with HTTP/1.1 alone.
    case old
    /// TLS that wants a client's certificate.
    case mutual
    case expired
    case selfSigned
    /// Its certificate is for `other.test`.
    case otherHost
    /// Refuses each TLS handshake.
    case refusing
  }

  package let folder: TemporaryFolder
  package let certificates: TestCertificates
  private let ports: [Listener: UInt16]
  private let process: ServerProcess

  package func port(_ listener: Listener) -> Int { Int(ports[listener] ?? 0) }

  package let unixSocket: String

  /// Whether this machine has an IPv6 loopback address.
  package static let hasIPv6: Bool = {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET6, SOCK_STREAM, 0)
    #endif
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }()

  /// The text of `/big.txt`, which `/zipped` has compressed.
  package static let bigText = String(repeating: "0123456789abcdef", count: 16_384)

  private init(folder: TemporaryFolder, executable: String) throws {
    self.folder = folder
    certificates = try TestCertificates(in: folder.path)
    // Free now; another program may still be quicker.
    let free = try unusedPorts(Listener.allCases.count)
    ports = Dictionary(uniqueKeysWithValues: zip(Listener.allCases, free))
    unixSocket = "\(folder.path)/socket"
    try folder.write([
      "files/hello.txt": "hello", "files/big.txt": Self.bigText, "dav/there.txt": "there", "temporary/none": "",
      "locations.conf": Self.locations, "nginx.conf": Self.configuration(ports, unixSocket),
    ])
    process = try ServerProcess([executable, "-p", folder.path, "-e", "error.log", "-c", "nginx.conf"], in: folder)
  }

  private static func start() throws -> NginxServer {
    guard let executable else { throw HarnessError("there is no nginx") }
    var log: String?
    for _ in 0..<3 {
      let server = try NginxServer(folder: TemporaryFolder(), executable: executable)
      if answers(server.ports) { return server }
      log = server.folder.text("error.log")
      server.process.stop()
    }
    throw HarnessError("nginx does not start: \(log ?? "")")
  }

  /// Whether all ports accept connections within a time.
  private static func answers(_ ports: [Listener: UInt16]) -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if ports.values.allSatisfy({ connectToLoopback(port: $0).map { close($0) } != nil }) { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }

  private static func configuration(_ ports: [Listener: UInt16], _ unixSocket: String) -> String {
    func port(_ listener: Listener) -> String { "127.0.0.1:\(ports[listener] ?? 0)" }
    func tls(_ certificate: String) -> String {
      "ssl_certificate \(certificate).pem; ssl_certificate_key \(certificate).key;"
    }
    return #"""
      \#(davModule.map { "load_module \($0);" } ?? "")
      daemon off;
      master_process off;
      pid nginx.pid;
      error_log error.log info;
      events { worker_connections 512; }
      http {
        access_log off;
        default_type text/plain;
        server_tokens off;
        merge_slashes off;
        client_max_body_size 20m;
        client_body_temp_path temporary/body;
        proxy_temp_path temporary/proxy;
        fastcgi_temp_path temporary/fastcgi;
        uwsgi_temp_path temporary/uwsgi;
        scgi_temp_path temporary/scgi;
        root files;
        gzip_types *;
        gzip_http_version 1.0;
        ssl_session_cache shared:all:1m;
        limit_conn_zone $server_name zone=few:64k;
        ssl_protocols TLSv1.2 TLSv1.3;

        server {
          listen \#(port(.plain)); listen unix:\#(unixSocket);
          \#(hasIPv6 ? "listen [::1]:\(ports[.plain] ?? 0);" : "")
          include locations.conf;
        }
        server { listen \#(port(.prior)) http2; include locations.conf; }
        server { listen \#(port(.secure)) ssl http2; \#(tls("server")) include locations.conf; }
        server { listen \#(port(.old)) ssl; ssl_protocols TLSv1.2; \#(tls("server")) include locations.conf; }
        server {
          listen \#(port(.mutual)) ssl; \#(tls("server")) include locations.conf;
          ssl_verify_client on; ssl_client_certificate client-ca.pem;
        }
        server { listen \#(port(.expired)) ssl; \#(tls("expired")) include locations.conf; }
        server { listen \#(port(.selfSigned)) ssl; \#(tls("self-signed")) include locations.conf; }
        server { listen \#(port(.otherHost)) ssl; \#(tls("other")) include locations.conf; }
        server { listen \#(port(.refusing)) ssl; \#(tls("server")) ssl_reject_handshake on; }
      }
      """#
  }

  /// What all servers have.
  private static let locations = #"""
    location /echo {
      return 200 "$request_method $request_uri $server_protocol\nHost: $http_host\nX-A: $http_x_a\nBytes: $content_length\n";
    }
    location = /large { client_max_body_size 0; return 200 "Bytes: $content_length\n"; }
    location /connection {
      return 200 "$ssl_protocol|$ssl_server_name|$ssl_client_s_dn|$remote_addr|$server_addr";
    }
    location = /204 { return 204; }
    location = /401 { add_header WWW-Authenticate 'Basic realm="wire"' always; return 401 "who?"; }
    location = /418 { return 418 "teapot"; }
    location = /moved { return 307 /hello.txt; }
    location = /silent { return 444; }
    location = /trailer { alias files/hello.txt; gzip on; gzip_min_length 1; add_trailer X-Sum "5"; }
    location /rated/ { alias files/; limit_rate $http_x_rate; }
    location /few/ { alias files/; limit_conn few 2; limit_rate 8m; }
    location /whole/ { alias files/; max_ranges 0; }
    location = /zipped { alias files/big.txt; gzip on; }
    location /dav/ {
      alias dav/;
      dav_methods PUT DELETE MKCOL COPY MOVE;
      create_full_put_path on;
      \#(davModule == nil ? "" : "dav_ext_methods PROPFIND;")
    }
    """#
}

/// A connection to a port of this machine; nil if there is none to be had.
func connectToLoopback(port: UInt16) -> Int32? {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  var address = sockaddr_in.loopback(port: port)
  let isConnected = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
  if isConnected { return descriptor }
  close(descriptor)
  return nil
}
