import HTTPMessages
import HTTPSemantics
import Values

/// A request with all its values: the form that knows its secrets, beside the plain one that is sent.
struct ResolvedRequest: Sendable {
  var method: HTTPMethod
  /// As resolved, before it was brought into the form that is sent.
  var url: Text
  var requestTarget: Text?
  var headers: [(name: Text, value: Text)] = []
  var body: ResolvedBody = .none
  var cookies: [(name: Text, value: Text)] = []
  var credentials: ResolvedCredentials?
  var session = ResolvedSession()
  var outgoing: OutgoingRequest

  /// The `Accept` header that is sent.
  var accept: String? {
    let lines = outgoing.headers.values("Accept")
    return lines.isEmpty ? nil : lines.joined(separator: ", ")
  }
}

enum ResolvedBody: Sendable {
  case none
  case text(Text)
  case data(Bytes)
}

enum ResolvedCredentials: Sendable {
  case basic(username: Text, password: Text)
  case bearer(Text)
}
