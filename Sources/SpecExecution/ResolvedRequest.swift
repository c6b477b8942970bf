import HTTPMessages
import HTTPSemantics
import Values

/// A request with all its values: the form that knows its secrets, beside the plain one that is sent.
struct ResolvedRequest: Sendable {
  var method: HTTPMethod
  var url: Text
  var headers: [(name: Text, value: Text)] = []
  var body: ResolvedBody = .none
  var cookies: [(name: Text, value: Text)] = []
  var credentials: ResolvedCredentials?
  var outgoing: OutgoingRequest
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
