import Values

/// The codes by which a person signs in on another device (RFC 8628, section 3.2).
package struct DeviceAuthorization: Sendable {
  package let deviceCode: String
  package let userCode: String
  /// The page that takes the user's code.
  package let verificationURI: String
  /// The page with the code in it.
  package let completeURI: String?
  package let lifetime: Duration
  /// The time between two questions for the token.
  package let interval: Duration

  /// - Parameter members: those of the response.
  package init(_ members: Mapping, from endpoint: String) throws(TokenProblem) {
    func text(_ name: String) -> String? {
      if case .text(let text)? = members[name], !text.isEmpty { text.string } else { nil }
    }
    guard let deviceCode = text("device_code"), let userCode = text("user_code"),
      let uri = text("verification_uri") ?? text("verification_url")
    else {
      throw TokenProblem(
        "the response of \(endpoint) lacks `device_code`, `user_code` or `verification_uri`",
        help: "is it the endpoint for device authorizations?")
    }
    self.deviceCode = deviceCode
    self.userCode = userCode
    verificationURI = try signInPage(uri, as: "`verification_uri` of \(endpoint)")
    completeURI = try text("verification_uri_complete").map { uri throws(TokenProblem) in
      try signInPage(uri, as: "`verification_uri_complete` of \(endpoint)")
    }
    lifetime = .seconds(min(3600, max(1, seconds(members["expires_in"]) ?? 600)))
    interval = .seconds(min(3600, max(0.1, seconds(members["interval"]) ?? 5)))
    guard interval < lifetime else {
      throw TokenProblem(
        "the device code of \(endpoint) expires after \(durationText(lifetime)), and the server allows a question for the "
          + "token every \(durationText(interval)) only",
        help: "no sign-in can end in time: raise `expires_in` or lower `interval` at the server")
    }
  }
}

/// The page for a person to sign in, which a browser can open.
///
/// - Parameter name: a phrase for it.
package func signInPage(_ text: String, as name: String) throws(TokenProblem) -> String {
  var reason: String?
  do throws(URLProblem) {
    _ = try HTTPURL(parsing: text)
  } catch {
    reason = error.message
  }
  if text.unicodeScalars.contains(where: { [.control, .format].contains($0.properties.generalCategory) }) {
    reason = "it has control characters"
  }
  guard let reason else { return text }
  throw TokenProblem(
    "\(name) is \"\(Excerpt(text, limit: 200))\", which no browser can open: \(reason)",
    help: "it must be an http or https URL")
}

/// The request to sign in for a person.
package struct SignInPrompt: Sendable {
  /// The page to open.
  package let url: String
  /// The code to enter there; nil if it isn't asked for.
  package let code: String?

  package init(url: String, code: String? = nil) {
    self.url = url
    self.code = code
  }

  /// The text to show, without control characters.
  package var text: String {
    let url = url.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    let code = code.map { $0.unicodeScalars.map { $0.escaped(asASCII: false) }.joined() }
    return "to sign in, open \(url)" + (code.map { " and enter the code \($0)" } ?? "")
  }
}
