import Values

/// The reason why there is no access token. Foreign text in its message is not masked yet.
package struct TokenProblem: Error, Sendable {
  /// The part of the grant that is at fault.
  package enum Part: Sendable, Hashable {
    case endpoint, client, grant, scope, assertion, cache, redirect
  }

  package let message: String
  package let help: String?
  package let part: Part
  /// The error code of the server (RFC 6749, section 5.2).
  package let code: String?
  /// Indicates whether the same request would be rejected again.
  package let isFinal: Bool
  /// Indicates whether the network is the cause.
  package let isTransportError: Bool
  /// Indicates whether a step has reported it.
  package var isReported = false

  package init(
    _ message: String, help: String? = nil, part: Part = .endpoint, code: String? = nil, isFinal: Bool = true,
    isTransportError: Bool = false
  ) {
    self.message = message
    self.help = help
    self.part = part
    self.code = code
    self.isFinal = isFinal
    self.isTransportError = isTransportError
  }
}

extension TokenProblem {
  /// This problem, as one that a step has reported.
  package var reported: TokenProblem {
    var problem = self
    problem.isReported = true
    return problem
  }

  /// The end of the run before there was a token.
  package static func interrupted(_ reason: String) -> TokenProblem { TokenProblem(reason, isFinal: false) }

  /// The problem of an error that a server reports (RFC 6749, section 5.2).
  init(code: String, description: String?, status: Int, from endpoint: String) {
    // Only between quotes are secrets of letters alone found.
    let detail = description.map { ": \"\(Excerpt($0, limit: 300))\"" } ?? ""
    let advice = TokenProblem.advice[code]
    self.init(
      "\(endpoint) rejects the request (status \(status)): `\(Excerpt(code, limit: 80))`\(detail)",
      help: advice?.help ?? ([404, 405].contains(status) ? "check `token_url`" : nil),
      part: advice?.part ?? .endpoint,
      code: code, isFinal: status < 500 && code != "temporarily_unavailable" && code != "server_error")
  }

  private static let advice: [String: (help: String, part: Part)] = [
    "invalid_client": (
      "check `client_id` and its secret or key, and whether the server wants another `client_auth`", .client
    ),
    "unauthorized_client": ("the server does not allow this client to use this `grant_type`", .client),
    "unsupported_grant_type": ("choose a `grant_type` that the server supports", .grant),
    "invalid_grant": ("the credentials of the grant are wrong, expired or revoked", .grant),
    "invalid_scope": ("check `scope`", .scope),
    "invalid_target": ("check `audience`, and `resource` under `parameters`", .grant),
    "invalid_request": ("a parameter is missing or wrong: more can be given under `parameters`", .grant),
  ]
}
