import HTTPSemantics
import LocalServer
import SpecExecution
import Synchronization
import Values
import WebSocket

/// A reverse proxy: it passes requests on to one server, and no other.
package final class ReverseProxy: Sendable {
  private let target: HTTPURL
  private let transport: any Transport
  private let observe: @Sendable (ProxiedExchange) -> Void
  private let inFlight = Mutex(0)

  /// - Parameters:
  ///   - target: a URL without a path.
  ///   - observe: gets each exchange at its end, on any thread.
  package init(
    to target: HTTPURL, by transport: any Transport, observe: @escaping @Sendable (ProxiedExchange) -> Void
  ) {
    (self.target, self.transport, self.observe) = (target, transport, observe)
  }

  /// The number of exchanges that have not ended.
  package var count: Int { inFlight.withLock(\.self) }

  /// Returns the target's response, whose body follows as it arrives.
  package func forward(_ request: ServerRequest) -> ServerResponse {
    guard request.isForThisMachine, !request.namesAnotherHost else {
      return .problem(421, "this server is a proxy to \(target.authority) alone")
    }
    let isUpgrade = request.header("Upgrade") != nil && request.hasConnectionOption("upgrade")
    if isUpgrade, !request.opensWebSocket {
      return .problem(501, "upgrades of a connection other than to a WebSocket are not passed on")
    }
    let query = request.query.isEmpty ? "" : "?\(request.query)"
    guard let method = HTTPMethod(request.method), method.rawValue != "CONNECT",
      let url = try? HTTPURL(parsing: target.origin + request.path + query)
    else { return .problem(400, "this request cannot be passed on") }
    var wire = WireRequest(method: method, url: url, headers: headers(of: request))
    wire.limits.connect = .seconds(30)
    if isUpgrade { return converse(wire, request) }
    let hasBody = request.header("Content-Length") != nil || request.header("Transfer-Encoding") != nil
    if let stored = request.stored {
      // The request holds the file open.
      guard let path = stored.file.path else { return .problem(500, "the body of this request is lost") }
      wire.body = .file(path: path, offset: 0, length: stored.count)
    } else if hasBody {
      wire.body = .bytes(request.body)
    }
    // A part of a coded response can't be decoded.
    wire.options.decompresses = request.header("Range") == nil
    return .later { [self, wire] respond in
      let relay = ResponseRelay(
        isBodiless: method == .head, headers: { head in self.headers(of: head, for: request) }, respond)
      inFlight.withLock { $0 += 1 }
      relay.run { sink in await self.exchange(wire, request, sink) }
    }
  }

  private func exchange(_ wire: WireRequest, _ request: ServerRequest, _ sink: RelaySink) async {
    let start = Timestamp.now
    var failure: String?
    do throws(TransportError) {
      _ = try await transport.exchange(wire, into: sink)
    } catch {
      failure = error.kind == .cancelled ? ProxiedExchange.endedByClient : error.message
    }
    observe(
      ProxiedExchange(
        method: wire.method.rawValue, url: wire.url, headers: wire.headers,
        body: wire.body.isNone || request.stored != nil ? nil : request.body, size: wire.body.length ?? 0, start: start,
        response: sink.received,
        failure: failure ?? sink.failure))
    inFlight.withLock { $0 -= 1 }
    sink.finish(failure)
  }

  /// Opens a WebSocket at the target with the client's own key. No extension is offered: messages are read here.
  private func converse(_ wire: WireRequest, _ request: ServerRequest) -> ServerResponse {
    let connection = UpgradedConnection()
    var wire = wire
    wire.body = .upgrade(connection)
    wire.headers.set("Connection", "Upgrade")
    wire.headers.set("Upgrade", "websocket")
    wire.headers.removeAll("Sec-WebSocket-Extensions")
    return .later { [self, wire] respond in
      let relay = WebSocketRelay(connection, headers: { self.headers(of: $0, for: request) }, respond)
      inFlight.withLock { $0 += 1 }
      relay.run { await self.exchange(wire, $0) }
    }
  }

  private func exchange(_ wire: WireRequest, _ relay: WebSocketRelay) async {
    let start = Timestamp.now
    var failure: String?
    do throws(TransportError) {
      _ = try await transport.exchange(wire, into: relay)
    } catch {
      failure = error.message
    }
    let response = relay.received
    relay.finish(failure)
    observe(
      ProxiedExchange(
        method: wire.method.rawValue, url: wire.url, headers: wire.headers, body: nil, size: 0, start: start,
        response: response, messages: relay.messages, failure: response?.head.status == 101 ? relay.cut : failure))
    inFlight.withLock { $0 -= 1 }
  }

  // MARK: headers

  /// The fields that belong to one connection (RFC 9110, section 7.6.1), and those that the transport sets.
  private static let ownFields: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  private func headers(of request: ServerRequest) -> HeaderFields {
    let options = request.connectionOptions
    let own = request.baseURL
    return HeaderFields(
      request.headers.compactMap { name, value in
        let key = name.lowercased()
        if Self.ownFields.contains(key) || options.contains(key) { return nil }
        // Servers compare them with their own address.
        guard key == "origin" || key == "referer", value == own || value.hasPrefix(own + "/") else {
          return (name, value)
        }
        return (name, target.origin + value.dropFirst(own.count))
      })
  }

  /// The fields for the client, to which this server is the target.
  private func headers(of head: ResponseHead, for request: ServerRequest) -> [(name: String, value: String)] {
    let options = RecordingProxy.connectionOptions(of: head.headers.values("Connection"))
    let isCoded = head.headers.contains("Content-Encoding") && request.header("Range") == nil
    return head.headers.fields.compactMap { field in
      let key = field.name.lowercased()
      if Self.ownFields.contains(key) || options.contains(key) { return nil }
      switch key {
      case "content-encoding" where isCoded: return nil
      // They would bind the client to the target.
      case "alt-svc", "strict-transport-security": return nil
      case "location", "content-location":
        guard let url = try? HTTPURL(parsing: field.value), url.isSameOrigin(as: target) else { break }
        let fragment = url.fragment.map { "#\($0)" } ?? ""
        return (field.name, request.baseURL + url.originForm + fragment)
      case "access-control-allow-origin" where field.value == target.origin: return (field.name, request.baseURL)
      case "set-cookie": return (field.name, cookie(field.value))
      default: break
      }
      return (field.name, field.value)
    }
  }

  /// A cookie of this server: without the target's domain, and without TLS.
  private func cookie(_ value: String) -> String {
    var parts = value.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    parts.removeAll { part in
      let name = part.prefix { $0 != "=" }.trimming { $0 == " " }.lowercased()
      return name == "domain" || target.isSecure && (name == "secure" || name == "samesite")
    }
    return parts.joined(separator: ";")
  }
}

/// An exchange that a proxy has passed on.
package struct ProxiedExchange: Sendable {
  package let method: String
  /// The URL at the target.
  package let url: HTTPURL
  package let headers: HeaderFields
  /// The body; nil if there is none, or if it is in a file.
  package let body: [UInt8]?
  /// The number of the body's bytes.
  package let size: Int64
  package let start: Timestamp
  /// The response as the target has sent it; nil if there was none.
  package let response: ReceivedResponse?
  /// The messages of a WebSocket.
  package var messages: [ReportedMessage] = []
  /// The reason why the exchange did not end well.
  package let failure: String?

  static let endedByClient = "ended by the client"
}

extension ServerRequest {
  /// Indicates that the target is a URL of another host (RFC 9112, section 3.2.2).
  fileprivate var namesAnotherHost: Bool {
    guard !target.hasPrefix("/"), target != "*" else { return false }
    guard let url = try? HTTPURL(parsing: target) else { return true }
    return !equalsIgnoringCase(url.authority, host)
  }

  fileprivate var connectionOptions: Set<String> {
    RecordingProxy.connectionOptions(of: headers.filter { equalsIgnoringCase($0.name, "connection") }.map(\.value))
  }

  fileprivate var opensWebSocket: Bool {
    WebSocketRequest.isUpgrade { name in headers.filter { equalsIgnoringCase($0.name, name) }.map(\.value) }
  }

  fileprivate func hasConnectionOption(_ name: String) -> Bool { connectionOptions.contains(name) }
}

extension HTTPURL {
  fileprivate var origin: String { "\(scheme)://\(authority)" }

  fileprivate func isSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
  }
}

/// The names of fields that lines of `Connection` list, in lower case.
private func connectionOptions(of lines: [String]) -> Set<String> {
  Set(lines.flatMap { $0.split(separator: ",") }.map { $0.trimming { $0 == " " }.lowercased() })
}
