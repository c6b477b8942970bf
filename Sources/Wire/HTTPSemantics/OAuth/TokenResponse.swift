import DocumentQueries
import Values

/// A token as an authorization server issued it.
package struct IssuedToken: Sendable, Hashable {
  package let accessToken: String
  /// The time from its request until it expires; nil if it doesn't, or if the server doesn't say.
  package let lifetime: Duration?
  package var refreshToken: String?

  package init(accessToken: String, lifetime: Duration? = nil, refreshToken: String? = nil) {
    self.accessToken = accessToken
    self.lifetime = lifetime
    self.refreshToken = refreshToken
  }

  package var secrets: [String] { [accessToken] + [refreshToken].compactMap { $0 } }
}

/// The response of a token endpoint (RFC 6749, section 5).
package struct TokenResponse: Sendable {
  private let head: ResponseHead
  /// The endpoint for messages: its kind, and its URL.
  private let endpoint: String
  private let members: Mapping?

  /// - Parameters:
  ///   - url: the endpoint's URL for messages.
  ///   - kind: the endpoint's name.
  package init(_ head: ResponseHead, body: [UInt8], from url: String, of kind: String = "token endpoint") {
    self.head = head
    endpoint = "the \(kind) \(url)"
    if case .mapping(let mapping)? = (try? JSONDocument(parsing: body))?.root.value {
      members = mapping
    } else {
      members = nil
    }
  }

  /// The values in it that nobody may see.
  package var secrets: [String] {
    ["access_token", "refresh_token", "id_token", "device_code"].compactMap { text($0) }
  }

  /// The error code that it reports.
  package var errorCode: String? { text("error") }

  private func text(_ name: String) -> String? {
    if case .text(let text)? = members?[name] { text.string } else { nil }
  }

  /// The issued token, after all checks.
  package func token() throws(TokenProblem) -> IssuedToken {
    let members = try successfulMembers()
    let accessToken = try accessToken(members)
    if let type = members["token_type"], type.kind != .null {
      guard case .text(let name) = type, equalsIgnoringCase(name.string, "bearer") else {
        throw TokenProblem(
          "\(endpoint) issued a token of the type \(shown(type)), and only Bearer tokens can be sent",
          help: "ask the server for a Bearer token")
      }
    }
    return IssuedToken(accessToken: accessToken, lifetime: try lifetime(members), refreshToken: text("refresh_token"))
  }

  /// The members of a response that reports no error.
  package func successfulMembers() throws(TokenProblem) -> Mapping {
    if (300..<400).contains(head.status), let location = head.headers.first("Location") {
      throw TokenProblem(
        "\(endpoint) redirects to \"\(Excerpt(location, limit: 200))\", where credentials are not sent",
        help: "write the URL that the server itself serves as `token_url`")
    }
    if let errorCode {
      throw TokenProblem(
        code: errorCode, description: text("error_description"), status: head.status, from: endpoint)
    }
    guard (200..<300).contains(head.status) else {
      let isClientError = (400..<500).contains(head.status) && head.status != 408 && head.status != 429
      throw TokenProblem(
        "\(endpoint) responds with the status \(head.status)",
        help: head.status == 404 || head.status == 405 ? "check `token_url`" : nil, isFinal: isClientError)
    }
    guard let members else {
      let type = head.headers.first("Content-Type").map { " (\(Excerpt($0, limit: 60)))" } ?? ""
      throw TokenProblem(
        "\(endpoint) responds with the status \(head.status), but not with a JSON object\(type)",
        help: "`token_url` must be the token endpoint itself, not a login page")
    }
    return members
  }

  private func accessToken(_ members: Mapping) throws(TokenProblem) -> String {
    guard let member = members["access_token"] else {
      throw TokenProblem(
        "\(endpoint) issued no `access_token`",
        help: members.isEmpty
          ? nil : "its response has \(Excerpt(members.keys.map { "`\($0)`" }.joined(separator: ", "), limit: 200))")
    }
    guard case .text(let text) = member else {
      throw TokenProblem("the `access_token` of \(endpoint) is \(member.kind.phrase), not text")
    }
    guard !text.isEmpty, text.string.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw TokenProblem(
        "the `access_token` of \(endpoint) is "
          + (text.isEmpty ? "empty" : "not printable ASCII without spaces, and can't be sent in a header"))
    }
    return text.string
  }

  /// The seconds of `expires_in`. More than a century counts as no limit.
  private func lifetime(_ members: Mapping) throws(TokenProblem) -> Duration? {
    guard let member = members["expires_in"], member.kind != .null else { return nil }
    guard let seconds = seconds(member), seconds >= 0 else {
      throw TokenProblem(
        "`expires_in` of \(endpoint) is \(shown(member)), not a number of seconds from 0")
    }
    return seconds < 3_155_760_000 ? .seconds(Int64(seconds)) : nil
  }

  private func shown(_ value: Value) -> String {
    switch value {
    case .text, .number, .bool: "\(Excerpt("\"\(value.asText.string)\"", limit: 40))"
    default: value.kind.phrase
    }
  }
}

/// A number of seconds; some servers write it as text.
func seconds(_ value: Value?) -> Double? {
  switch value {
  case .number(let number): number.double
  case .text(let text): Number(parsing: text.string)?.double
  default: nil
  }
}
