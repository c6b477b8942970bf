import DocumentQueries
import Values

/// The headers and credentials that `send --session` keeps for the next request to a host.
package struct SavedSession: Sendable, Hashable {
  package struct Header: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package private(set) var headers: [Header] = []
  package private(set) var credentials: SendCredentials?

  package init() {}

  /// Reads a session as ``json`` writes it.
  package init(json bytes: [UInt8]) throws(SendProblem) {
    let document: JSONDocument
    do throws(JSONParseError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw SendProblem("it is not JSON: \(error.message)")
    }
    guard document.root.kind == .mapping, document.root.members.allSatisfy({ ["headers", "auth"].contains($0.key) })
    else {
      throw SendProblem("it is not a session of reqrun")
    }
    for header in document.root[member: "headers"]?.items ?? [] {
      guard let name = header[member: "name"]?.string, let value = header[member: "value"]?.string else {
        throw SendProblem("a header has no name or no value")
      }
      headers.append(Header(name: name, value: value))
    }
    guard let auth = document.root[member: "auth"] else { return }
    guard let scheme = auth[member: "scheme"]?.string, SendCredentials.Scheme(rawValue: scheme) != nil,
      let secret = auth[member: "secret"]?.string
    else { throw SendProblem("its credentials have no scheme or no secret") }
    let user = auth[member: "user"]?.string ?? ""
    credentials = try SendCredentials(scheme == "bearer" ? secret : "\(user):\(secret)", scheme: scheme)
  }

  package var json: [UInt8] {
    func object(_ texts: [(String, String)]) -> Value {
      .mapping(Mapping(texts.map { ($0.0, .text(Text($0.1))) }))
    }
    var members: [(String, Value)] = [
      ("headers", .list(headers.map { object([("name", $0.name), ("value", $0.value)]) }))
    ]
    if let credentials {
      let texts = [
        ("scheme", credentials.scheme.rawValue), ("user", credentials.user), ("secret", credentials.secret ?? ""),
      ]
      members.append(("auth", object(texts)))
    }
    return Array((Value.mapping(Mapping(members)).jsonText(.pretty).string + "\n").utf8)
  }

  /// Takes over the headers and credentials of a line; a header that it removes is forgotten.
  mutating func update(headers own: [(name: String, value: String?)], credentials: SendCredentials?) {
    for header in own {
      headers.removeAll { equalsIgnoringCase($0.name, header.name) }
    }
    for header in own {
      // These belong to one request.
      let name = header.name.lowercased()
      guard let value = header.value, !name.hasPrefix("content-"), !name.hasPrefix("if-"), name != "cookie" else {
        continue
      }
      headers.append(Header(name: header.name, value: value))
    }
    if let credentials { self.credentials = credentials }
  }
}

extension JSONNode {
  fileprivate var string: String? { if case .text(let text) = value { text.string } else { nil } }
}

extension SendArguments {
  /// The session after this request.
  package func session(_ files: Files) throws(SendProblem) -> SavedSession? {
    guard var session else { return nil }
    session.update(headers: try ownHeaders(files), credentials: credentials)
    return session
  }

  /// The cookies that a header of the line sets.
  package func ownCookies(_ files: Files) throws(SendProblem) -> [(name: String, value: String)] {
    try ownHeaders(files).filter { $0.name.lowercased() == "cookie" }.flatMap { header in
      (header.value ?? "").split(separator: ";").compactMap { pair in
        let pair = pair.drop { $0 == " " }
        guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex else { return nil }
        return (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
      }
    }
  }
}
