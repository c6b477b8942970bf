import Cryptography
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Values

/// The tokens and authorization servers of a run.
final class RunTokens: Sendable {
  let tokens = SharedFetches<TokenKey, TokenState>()
  let servers = SharedFetches<ServerKey, Result<ServerMetadata, TokenProblem>>()
  /// Lets one person sign in at a time.
  let signIns = AsyncSemaphore(limit: 1)

  struct ServerKey: Sendable, Hashable {
    let issuer: Text
    let options: ConnectionOptions
  }
}

/// The lack of a token.
struct TokenFailure: Error {
  let problem: TokenProblem
  /// Indicates whether it was reported in a step within the request.
  let isReportedHere: Bool
}

/// Gets the access token of a request.
///
/// A class, since few requests need one, and all would make room for it.
final class TokenGrant: Sendable {
  let execution: RequestExecution
  let spec: OAuth2Spec
  let grant: ResolvedOAuth2
  /// The request that needs the token.
  let resolved: ResolvedRequest
  let step: StepID

  init(execution: RequestExecution, spec: OAuth2Spec, grant: ResolvedOAuth2, resolved: ResolvedRequest, step: StepID) {
    self.execution = execution
    self.spec = spec
    self.grant = grant
    self.resolved = resolved
    self.step = step
  }

  private var tokens: RunTokens { execution.context.tokens }

  /// - Parameter refused: a token that a server has just refused.
  /// - Returns: the token, or the problem, and whether it was reported in a step; nil if the task was cancelled.
  func token(otherThan refused: String? = nil) async -> Result<IssuedToken, TokenFailure>? {
    let found = await tokens.tokens.value(
      of: TokenKey(grant: grant, options: options), where: { $0.isUsable(otherThan: refused) }
    ) { last in
      await renewed(last, isRefused: refused != nil)
    }
    switch found?.value {
    case .issued(let token, _):
      for secret in token.secrets { execution.scope.registry.add(secret) }
      return .success(token)
    case .rejected(let problem):
      return .failure(
        TokenFailure(problem: problem, isReportedHere: problem.isReported && found?.isFetchedHere ?? false))
    case nil: return nil
    }
  }

  private var options: ConnectionOptions {
    var options = resolved.outgoing.authorizationOptions
    if let url = try? HTTPURL(parsing: (grant.tokenURL ?? grant.issuer ?? "").string) {
      options.proxy = resolved.outgoing.proxies?.proxy(for: url) ?? options.proxy
    }
    return options
  }

  /// - Parameter isRefused: whether a server has just refused the last token.
  private func renewed(
    _ last: TokenState?, isRefused: Bool
  ) async -> SharedFetches<TokenKey, TokenState>.Outcome {
    do throws(TokenProblem) {
      var earlier = last?.token
      if last == nil, let kept = try tokenFile?.token(identity) {
        let state = TokenState(kept, at: .now)
        if state.isUsable(otherThan: nil) { return .kept(state) }
        // A refresh token may serve once only: a new one would be lost.
        if mayWrite { earlier = kept.token }
      }
      let state = try await fetched(after: earlier)
      if mayWrite, let token = state.token {
        try tokenFile?.store(
          KeptToken(token, end: token.lifetime.flatMap { Timestamp.now.advanced(by: $0) }), as: identity)
      }
      return .kept(state)
    } catch {
      if Task.isCancelled { return .cancelled }
      // The last token may still serve other requests.
      return error.isFinal && !isRefused ? .kept(.rejected(error)) : .passing(.rejected(error))
    }
  }

  private func fetched(after last: IssuedToken?) async throws(TokenProblem) -> TokenState {
    let endpoint = try await self.endpoint(.token)
    var step = AuthorizationStep("access token", at: endpoint, for: resolved, in: self.step, by: execution)
    step.warnOfPlainHTTP(endpoint, of: self)
    do throws(TokenProblem) {
      let state = try await issued(at: endpoint, after: last, by: &step)
      step.finish(nil, of: self)
      return state
    } catch {
      step.finish(error, of: self)
      throw error.reported
    }
  }

  private func issued(
    at endpoint: Text, after last: IssuedToken?, by step: inout AuthorizationStep
  ) async throws(TokenProblem) -> TokenState {
    if let refreshToken = last?.refreshToken {
      do throws(TokenProblem) {
        return try await issued(
          at: endpoint, for: grant.form(for: endpoint, refreshing: refreshToken), keeping: refreshToken, by: &step)
      } catch {
        // A refresh token expires, too.
        if error.isTransportError || grant.grantType == .refreshToken { throw error }
      }
    }
    switch grant.grantType {
    case .clientCredentials, .password, .refreshToken, .jwtBearer:
      return try await issued(at: endpoint, for: grant.form(for: endpoint), by: &step)
    case .deviceCode: return try await issuedToDevice(at: endpoint, by: &step)
    case .authorizationCode: return try await issuedForCode(at: endpoint, by: &step)
    }
  }

  /// - Parameter refreshToken: the one to use again if the response has none (RFC 6749, section 6).
  func issued(
    at endpoint: Text, for form: Text, keeping refreshToken: String? = nil, by step: inout AuthorizationStep
  ) async throws(TokenProblem) -> TokenState {
    let start = ContinuousClock.now
    let (head, body) = try await step.send(
      AuthorizationStep.Message(url: endpoint, form: form, credentials: grant.clientCredentials))
    var token = try TokenResponse(head, body: body, from: withoutUserinfo(endpoint).masked).token()
    token.refreshToken = token.refreshToken ?? refreshToken
    return TokenState(token, requestedAt: start)
  }

  // MARK: the token cache

  private var mayWrite: Bool { execution.scope.fileAccess.mayWrite }

  private var tokenFile: TokenFile? { grant.tokenCache.map { TokenFile(path: $0.string) } }

  /// The identity of the token in the cache.
  private var identity: String {
    let parts = [options.tls.client?.certificate] + grant.identity
    return parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
  }

  // MARK: endpoints

  /// The endpoints of an authorization server.
  enum Endpoint {
    case token, authorization, deviceAuthorization

    fileprivate var key: String {
      switch self {
      case .token: "token_url"
      case .authorization: "authorization_url"
      case .deviceAuthorization: "device_authorization_url"
      }
    }
  }

  func endpoint(_ kind: Endpoint) async throws(TokenProblem) -> Text {
    let written: Text? =
      switch kind {
      case .token: grant.tokenURL
      case .authorization: grant.authorizationURL
      case .deviceAuthorization: grant.deviceAuthorizationURL
      }
    if let written { return written }
    let metadata = try await metadata()
    let found: String? =
      switch kind {
      case .token: metadata.tokenEndpoint
      case .authorization: metadata.authorizationEndpoint
      case .deviceAuthorization: metadata.deviceAuthorizationEndpoint
      }
    guard let found, isAbsoluteURL(found) else {
      throw TokenProblem(
        "the issuer's metadata name no URL for this grant", help: "write `\(kind.key)`")
    }
    return execution.scope.registry.filtered(found)
  }

  private func metadata() async throws(TokenProblem) -> ServerMetadata {
    guard let issuer = grant.issuer else { throw TokenProblem("there is no `token_url`") }
    let found = await tokens.servers.value(
      of: RunTokens.ServerKey(issuer: issuer, options: options), where: { _ in true }
    ) { _ in await fetchedMetadata(of: issuer) }
    guard let found else { throw .interrupted(execution.context.control.reason) }
    switch found.value {
    case .success(let metadata): return metadata
    case .failure(var problem):
      problem.isReported = found.isFetchedHere
      throw problem
    }
  }

  private func fetchedMetadata(
    of issuer: Text
  ) async -> SharedFetches<RunTokens.ServerKey, Result<ServerMetadata, TokenProblem>>.Outcome {
    var step = AuthorizationStep("metadata", at: issuer, for: resolved, in: self.step, by: execution)
    do throws(TokenProblem) {
      let metadata = try await found(of: issuer, by: &step)
      step.finish(nil, of: self)
      return .kept(.success(metadata))
    } catch {
      step.finish(error, of: self)
      if Task.isCancelled { return .cancelled }
      let problem = error.reported
      return error.isFinal ? .kept(.failure(problem)) : .passing(.failure(problem))
    }
  }

  private func found(
    of issuer: Text, by step: inout AuthorizationStep
  ) async throws(TokenProblem) -> ServerMetadata {
    let url: HTTPURL
    do throws(URLProblem) {
      url = try HTTPURL(parsing: issuer.string)
    } catch {
      throw TokenProblem("\(error.message) in \(withoutUserinfo(issuer).masked)", help: error.help)
    }
    var seen: [String] = []
    for location in ServerMetadata.locations(of: url) {
      let shown = execution.scope.registry.filtered(location.string)
      let (head, body) = try await step.send(AuthorizationStep.Message(method: .get, url: shown))
      if let found = try ServerMetadata.read(head, body: body, of: issuer.string, at: shown.masked) { return found }
      seen.append("\(shown.masked) (status \(head.status))")
    }
    throw TokenProblem(
      "the issuer \(issuer.masked) has no metadata at \(seen.joined(separator: " or "))",
      help: "check `issuer`, or write `token_url` in its place")
  }

  /// The place in the spec of a part of the grant.
  func place(of part: TokenProblem.Part) -> SourceRange {
    let field: SourceRange? =
      switch part {
      case .endpoint: spec.tokenURL?.range ?? spec.issuer?.range
      case .client: spec.clientSecret?.range ?? spec.clientID?.range
      case .scope: spec.scope?.range
      case .grant: spec.refreshToken?.range ?? spec.password?.range
      case .assertion: spec.assertion?.range.firstLine
      case .cache: spec.tokenCache?.range
      case .redirect: spec.redirectURI?.range
      }
    return field ?? spec.range.firstLine
  }

  func diagnostic(_ problem: TokenProblem, in scope: FileScope, after beginning: String = "") -> Diagnostic {
    .error(
      .failedRequest, beginning + scope.registry.masked(message: problem.message), at: place(of: problem.part),
      help: problem.help.map(scope.registry.masked(message:)))
  }
}
