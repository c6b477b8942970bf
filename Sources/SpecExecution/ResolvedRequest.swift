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
  var outgoing: OutgoingRequest

  /// The `Accept` header that is sent.
  var accept: String? {
    let lines = outgoing.headers.values("Accept")
    return lines.isEmpty ? nil : lines.joined(separator: ", ")
  }

  /// Makes all its secrets known, so that they are found where the answer repeats them.
  func register(in registry: SecretRegistry) {
    registry.add(url)
    // A server that shows what it was asked shows it decoded.
    for run in url.runs where run.isSecret { registry.add(formDecoded(run.text)) }
    if let requestTarget { registry.add(requestTarget) }
    for header in headers {
      registry.add(header.name)
      registry.add(header.value)
      // A token or password written out is one all the same; its scheme is none.
      if equalsIgnoringCase(header.name.string, "authorization")
        || equalsIgnoringCase(header.name.string, "proxy-authorization")
      {
        registry.add(String(header.value.string.split(separator: " ", maxSplits: 1).last ?? ""))
      }
    }
    for cookie in cookies { registry.add(cookie.value) }
    switch credentials {
    case .basic(let username, let password):
      registry.add(username)
      registry.add(password)
    case .bearer(let token): registry.add(token)
    case nil: break
    }
    switch body {
    case .none: break
    case .text(let text): registry.add(text)
    case .data(let data): registry.add(.data(data))
    }
    guard let userinfo = outgoing.url.userinfo else { return }
    // Without a colon all of it is a token.
    let secret = userinfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    registry.add(String(secret))
    if case .basic(let username, let password)? = Credentials(userinfoOf: outgoing.url) {
      registry.add(password.isEmpty ? username : password)
    }
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

/// A text as a server reads it in a query: `+` is a space, and percent-encoded octets are decoded.
private func formDecoded(_ text: String) -> String {
  percentDecoded(text.replacing("+", with: " "))
}
