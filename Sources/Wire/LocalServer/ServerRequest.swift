import DocumentQueries
import HTTPSemantics
import OperatingSystem
import Values

/// A request as it was received.
package struct ServerRequest: Sendable {
  /// The request target as received.
  package let target: String
  /// Percent-encoded, as received.
  package let path: String
  /// Without the `?`; empty if there is none.
  package let query: String
  package var method = "GET"
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  /// The body of a server that stores large ones, in place of ``body``.
  package internal(set) var stored: StoredBody?
  /// Indicates whether it came by HTTPS.
  package internal(set) var isSecure = false

  package init(target: String) {
    self.target = target
    var rest = target[...]
    // The absolute form (RFC 9112, section 3.2.2).
    for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
    }
    let mark = rest.firstIndex(of: "?")
    path = String(mark.map { rest[..<$0] } ?? rest)
    query = mark.map { String(rest[rest.index(after: $0)...]) } ?? ""
  }

  /// The lines of that name, joined following RFC 9110, section 5.3; nil if there are none.
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    let lines = headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    return lines.isEmpty ? nil : lines.joined(separator: ", ")
  }

  /// Indicates whether `Host` names this machine: pages of other sites are not served (DNS rebinding).
  package var isForThisMachine: Bool { ["127.0.0.1", "localhost", "[::1]"].contains(hostName) }

  /// The name of the host without its port.
  package var hostName: String {
    host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
  }

  package var host: String { header("Host") ?? "127.0.0.1" }
  /// The server's own scheme, host and port as the client named them.
  package var baseURL: String { "\(isSecure ? "https" : "http")://\(host)" }
  package var url: String { baseURL + path + (query.isEmpty ? "" : "?\(query)") }

  package var queryParameters: [(name: String, value: String)] { formParameters(query) }

  package func parameter(_ name: String) -> String? { queryParameters.first { $0.name == name }?.value }

  /// The content type in lower case, without its parameters.
  package var mediaType: String { HTTPSemantics.mediaType(of: header("Content-Type") ?? "") }

  /// The limit in bytes: a value takes many times the memory of its text.
  private static let jsonLimit = 8 << 20

  package var jsonBody: Value? {
    body.count <= ServerRequest.jsonLimit ? (try? JSONDocument(parsing: body))?.root.value : nil
  }

  package var cookies: [(name: String, value: String)] {
    (header("Cookie") ?? "").split(separator: ";").compactMap { pair -> (name: String, value: String)? in
      let trimmed: Substring = pair.drop { $0 == " " }
      guard let equals = trimmed.firstIndex(of: "=") else { return nil }
      return (String(trimmed[..<equals]), String(trimmed[trimmed.index(after: equals)...]))
    }
  }
}

/// A body in a temporary file.
package struct StoredBody: Sendable {
  package let file: TemporaryFile
  package internal(set) var count: Int64
}

/// Pairs of `application/x-www-form-urlencoded`.
package func formParameters(_ text: String) -> [(name: String, value: String)] {
  text.split(separator: "&").map { pair in
    let equals = pair.firstIndex(of: "=")
    let name = equals.map { pair[..<$0] } ?? pair
    let value = equals.map { pair[pair.index(after: $0)...] } ?? ""
    return (percentDecoded(name.replacing("+", with: " ")), percentDecoded(value.replacing("+", with: " ")))
  }
}

extension Value {
  /// Pairs as a mapping; a duplicate name becomes a list.
  package static func grouped(_ pairs: [(name: String, value: String)]) -> Value {
    grouped(pairs.map { ($0.name, .text($0.value)) })
  }

  package static func grouped(_ pairs: [(name: String, value: Value)]) -> Value {
    var names: [String] = []
    var values: [String: [Value]] = [:]
    for (name, value) in pairs {
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
    return .mapping(
      Mapping(
        names.map { name in
          let all = values[name] ?? []
          return (name, all.count == 1 ? all[0] : .list(all))
        }))
  }
}
