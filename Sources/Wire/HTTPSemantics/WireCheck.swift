import Values

/// A reason why a request can't be sent as it is.
package struct WireProblem: Error, Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    case method, requestTarget, body, credentials
    /// The index among the request's header fields.
    case header(Int)
    /// The index among the request's own cookies.
    case cookie(Int)
  }

  package let subject: Subject
  package let message: String
  /// Advice on how to fix it.
  package let help: String?

  package init(_ subject: Subject, _ message: String, help: String? = nil) {
    self.subject = subject
    self.message = message
    self.help = help
  }
}

/// All reasons why the request can't be sent as it is; no message contains a value.
package func checkWire(_ request: OutgoingRequest) -> [WireProblem] {
  var problems: [WireProblem] = []
  problems += checkMethod(request.method)
  problems += checkRequestTarget(request.requestTarget)
  problems += checkHeaders(request.headers)
  problems += checkBody(request)
  for (index, cookie) in request.cookies.enumerated() {
    problems += checkCookie(name: cookie.name, value: cookie.value, index: index)
  }
  if let credentials = request.credentials ?? Credentials(userinfoOf: request.url) {
    problems += checkCredentials(credentials)
    if case .awsSigV4(let credentials) = credentials, AWSScope(credentials, host: request.url.host) == nil {
      let problem = unknownScope(host: request.url.host)
      problems.append(WireProblem(.credentials, problem.message, help: problem.help))
    }
  }
  return problems
}

package func checkMethod(_ method: HTTPMethod) -> [WireProblem] {
  guard method.rawValue == "CONNECT" else { return [] }
  return [
    WireProblem(
      .method, "CONNECT opens a tunnel and can't be sent as a request", help: "name the proxy with `proxy` instead")
  ]
}

package func checkRequestTarget(_ target: String?) -> [WireProblem] {
  guard let target, target.isEmpty || !target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return [] }
  return [
    WireProblem(
      .requestTarget, "the request target must be printable ASCII without spaces",
      help: "percent-encode other characters")
  ]
}

private let singleHeaders = ["Host", "Content-Length", "Transfer-Encoding", "Authorization"]

/// Checks each field by itself, and the fields that may occur only once.
package func checkHeaders(_ headers: HeaderFields) -> [WireProblem] {
  var problems: [WireProblem] = []
  var seen: [String] = []
  for (index, field) in headers.fields.enumerated() {
    if let problem = checkHeader(name: field.name, value: field.value, index: index) { problems.append(problem) }
    guard let name = singleHeaders.first(where: { equalsIgnoringCase($0, field.name) }) else { continue }
    if seen.contains(name) {
      problems.append(WireProblem(.header(index), "the header \(field.name) can be sent only once"))
    }
    seen.append(name)
  }
  return problems
}

/// Checks the name and value of one header field; `index` is its position in the request.
package func checkHeader(name: String, value: String, index: Int) -> WireProblem? {
  guard isToken(name) else {
    return WireProblem(
      .header(index), "\(quoted(name)) is not a header name",
      help: "a name has letters, digits and !#$%&'*+-.^_`|~ only")
  }
  if value.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) {
    return WireProblem(
      .header(index), "the value of the header \(name) contains a line break or NUL",
      help: "a list of values sends the header several times")
  }
  if equalsIgnoringCase(name, "Host"), !isHostValue(value) {
    return WireProblem(
      .header(index), "the header Host must be a host, or host:port", help: "leave out scheme and path")
  }
  return nil
}

/// Returns whether a text may be the value of a header, without control characters (RFC 9110, section 5.5).
package func isFieldValue(_ text: String) -> Bool {
  text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
}

/// The name in quotes, with visible control characters.
private func quoted(_ name: String) -> String {
  "\"" + name.unicodeScalars.map { $0.escaped(asASCII: false) }.joined() + "\""
}

private func isHostValue(_ value: String) -> Bool {
  guard !value.isEmpty, value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !"/?#@\\\"<>^`{|},;".utf8.contains($0) })
  else { return false }
  let afterAddress = value.hasPrefix("[") ? value.drop { $0 != "]" }.dropFirst() : value.drop { $0 != ":" }
  guard !afterAddress.isEmpty else { return !value.hasPrefix("[") || value.hasSuffix("]") }
  let port = afterAddress.dropFirst()
  return afterAddress.hasPrefix(":") && port.utf8.allSatisfy(isDigit) && port.utf8.count <= 5
}

/// Checks the body against the method and the user's own framing headers.
private func checkBody(_ request: OutgoingRequest) -> [WireProblem] {
  var problems: [WireProblem] = []
  let method = request.method
  if request.body.isUpgrade { return [] }
  if !request.body.isEmpty {
    if method == .get || method == .head, !request.bodyOnGetAllowed {
      problems.append(
        WireProblem(
          .body, "a \(method.rawValue) request with a body is undefined",
          help: "choose another method, or write `body_on_get: true`"))
    } else if method.rawValue == "TRACE" {
      problems.append(WireProblem(.body, "a TRACE request can't have a body"))
    }
  }
  if request.body.length == nil, request.options.httpVersion == .http10 {
    problems.append(
      WireProblem(
        .body, "HTTP/1.0 can't carry a body whose length is known only at its end",
        help: "leave out `http_version: \"1.0\"` or `compress`"))
  }
  let headers = request.headers.fields
  let coding = headers.firstIndex { equalsIgnoringCase($0.name, "Transfer-Encoding") }
  if let coding {
    if !equalsIgnoringCase(headers[coding].value, "chunked") || !hasBody(request.body) {
      problems.append(
        WireProblem(
          .header(coding), "the header Transfer-Encoding doesn't say how this body is sent",
          help: "leave it out, or write chunked beside a body"))
    }
  }
  if let index = headers.firstIndex(where: { equalsIgnoringCase($0.name, "Content-Length") }) {
    let length = request.body.length
    if coding != nil {
      problems.append(WireProblem(.header(index), "Content-Length and Transfer-Encoding can't stand together"))
    } else if length == nil {
      problems.append(
        WireProblem(
          .header(index), "Content-Length is unknown for a body that is made while it is sent", help: "leave it out"))
    } else if let length, headers[index].value != String(length) {
      problems.append(
        WireProblem(
          .header(index), "the header Content-Length doesn't match the body of \(length) bytes",
          help: "leave it out: it is sent as is right"))
    }
  }
  return problems
}

func hasBody(_ body: RequestBody) -> Bool {
  if case .none = body { false } else { true }
}

package func checkCookie(name: String, value: String, index: Int) -> [WireProblem] {
  let isName =
    !name.isEmpty
    && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
  guard isName else {
    return [WireProblem(.cookie(index), "\(quoted(name)) is not a cookie name", help: "a name has no spaces, ; or =")]
  }
  guard isCookieText(value) else {
    return [
      WireProblem(
        .cookie(index), "the value of the cookie \(name) contains a ; or a control character",
        help: "percent-encode it, as in ${{ value | url_encode }}")
    ]
  }
  return []
}

package func checkCredentials(_ credentials: Credentials) -> [WireProblem] {
  switch credentials {
  case .basic(let username, let password):
    if username.utf8.contains(UInt8(ascii: ":")) {
      return [WireProblem(.credentials, "a username of Basic credentials can't contain a colon")]
    }
    return checkNoControls(username + password, of: "Basic credentials")
  case .bearer(let token):
    if token.isEmpty { return [WireProblem(emptyCredential: "the bearer token")] }
    if !token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return [
        WireProblem(
          .credentials, "a bearer token must be printable ASCII without spaces",
          help: "is there a line break at its end?")
      ]
    }
    return []
  case .digest(let username, let password): return checkNoControls(username + password, of: "Digest credentials")
  case .awsSigV4(let credentials): return checkAWSCredentials(credentials)
  case .connection(.ntlm(let username, let password)):
    return checkNoControls(username + password, of: "NTLM credentials")
  case .netrc, .connection(.negotiate): return []
  }
}

private func checkNoControls(_ text: String, of what: String) -> [WireProblem] {
  guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return [] }
  return [WireProblem(.credentials, "\(what) can't contain control characters")]
}

private func checkAWSCredentials(_ credentials: AWSCredentials) -> [WireProblem] {
  for (key, value) in [
    ("access_key", credentials.accessKey), ("region", credentials.region), ("service", credentials.service),
  ] {
    guard let value else { continue }
    let isWord = value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ",") }
    if value.isEmpty || !isWord {
      return [WireProblem(.credentials, "`\(key)` of AWS credentials must be printable ASCII without spaces, / and ,")]
    }
  }
  for (key, value) in [("secret_key", credentials.secretKey), ("session_token", credentials.sessionToken)] {
    guard let value else { continue }
    if value.isEmpty { return [WireProblem(emptyCredential: "`\(key)` of AWS credentials")] }
    if !value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      return [
        WireProblem(
          .credentials, "`\(key)` of AWS credentials must be printable ASCII without spaces",
          help: "is there a line break at its end?")
      ]
    }
  }
  return []
}

extension WireProblem {
  /// Creates the problem of credentials that a template or a default left without text.
  fileprivate init(emptyCredential name: String) {
    self.init(.credentials, "\(name) is empty", help: "give it a value, or write `auth: none` to send no credentials")
  }
}
