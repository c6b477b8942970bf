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
    func seconds(_ name: String) -> Double? {
      if case .number(let number)? = members[name] { number.double } else { nil }
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
    verificationURI = uri
    completeURI = text("verification_uri_complete")
    lifetime = .seconds(min(3600, max(1, seconds("expires_in") ?? 600)))
    interval = .seconds(min(60, max(0.1, seconds("interval") ?? 5)))
  }
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
