import HTTPSemantics
import OperatingSystem
import Values

/// The grants for which a person signs in.
extension TokenGrant {
  /// The time that a person has for a browser.
  private static let patience = Duration.seconds(300)

  private var isOver: @Sendable () -> Bool {
    { [control = execution.context.control] in control.phase >= .draining }
  }

  /// Shows a prompt; fails if nobody would see it.
  private func prompt(_ prompt: SignInPrompt) throws(TokenProblem) {
    guard let show = execution.context.onSignIn else { throw nobodyThere }
    show(prompt)
  }

  private var nobodyThere: TokenProblem {
    TokenProblem(
      "`grant_type: \(grant.grantType.rawValue)` needs a person at a terminal, and there is none",
      help: grant.tokenCache == nil
        ? "choose another grant, or sign in on a terminal once with `token_cache: path`"
        : "sign in on a terminal first, which fills `token_cache`", part: .grant)
  }

  /// - Returns: the problem of a sign-in that took too long, or of a run that ended meanwhile.
  private func unfinished(after limit: Duration) -> TokenProblem {
    Task.isCancelled || isOver()
      ? .interrupted(execution.context.control.reason)
      : TokenProblem("nobody signed in within \(durationText(limit))", help: "run it again", part: .grant)
  }

  // MARK: RFC 8628

  func issuedToDevice(at endpoint: Text, by step: inout AuthorizationStep) async throws(TokenProblem) -> TokenState {
    guard execution.context.onSignIn != nil else { throw nobodyThere }
    let device = try await authorizedDevice()
    let registry = execution.scope.registry
    registry.add(device.deviceCode)
    try prompt(SignInPrompt(url: device.completeURI ?? device.verificationURI, code: device.userCode))
    let end = ContinuousClock.now + device.lifetime
    var interval = device.interval
    while ContinuousClock.now < end, !isOver() {
      guard await execution.context.control.pause(interval, in: execution.request.stage), !isOver() else { break }
      do throws(TokenProblem) {
        let form = try grant.form(for: endpoint, with: [("device_code", Text(secret: device.deviceCode))])
        return try await issued(at: endpoint, for: form, by: &step)
      } catch {
        switch error.code {
        case "authorization_pending": break
        case "slow_down": interval += .seconds(5)
        default: if !error.isTransportError { throw error }
        }
      }
    }
    throw unfinished(after: device.lifetime)
  }

  private func authorizedDevice() async throws(TokenProblem) -> DeviceAuthorization {
    let endpoint = try await endpoint(.deviceAuthorization)
    var step = AuthorizationStep("device code", at: endpoint, for: resolved, in: self.step, by: execution)
    do throws(TokenProblem) {
      let (head, body) = try await step.send(
        AuthorizationStep.Message(
          url: endpoint, form: grant.deviceForm(for: endpoint), credentials: grant.clientCredentials))
      let shown = withoutUserinfo(endpoint).masked
      let device = try DeviceAuthorization(
        TokenResponse(head, body: body, from: shown, of: "device authorization endpoint").successfulMembers(),
        from: shown)
      step.finish(nil, of: self)
      return device
    } catch {
      step.finish(error, of: self)
      throw error.reported
    }
  }

  // MARK: RFC 8252

  func issuedForCode(at endpoint: Text, by step: inout AuthorizationStep) async throws(TokenProblem) -> TokenState {
    guard execution.context.onSignIn != nil else { throw nobodyThere }
    let page = try await authorizationPage()
    // One person signs in at a time, and a fixed port has room for one.
    let signIns = execution.context.tokens.signIns
    await signIns.enter()
    defer { signIns.leave() }
    let listener: LoopbackListener
    do throws(SystemProblem) {
      listener = try LoopbackListener(at: grant.redirectURI ?? .usual)
    } catch {
      let port = grant.redirectURI?.port
      throw TokenProblem(
        "no browser can come back to \(port.map { "port \($0) of " } ?? "")this machine: \(error.reason)",
        help: port == nil ? nil : "end the program that has this port, or register another one", part: .redirect,
        isFinal: false)
    }
    let proof = ProofKey()
    let query = grant.authorizationQuery(
      redirectURI: listener.redirectURI, state: proof.state, challenge: proof.challenge)
    try prompt(SignInPrompt(url: page + (page.contains("?") ? "&" : "?") + query.string))
    let found = await listener.redirect(state: proof.state, within: TokenGrant.patience, unless: isOver)
    guard let parameters = found else { throw unfinished(after: TokenGrant.patience) }
    let code = try redeemable(parameters)
    return try await issued(
      at: endpoint,
      for: grant.form(
        for: endpoint,
        with: [
          ("code", Text(secret: code)), ("redirect_uri", Text(listener.redirectURI)),
          ("code_verifier", Text(secret: proof.verifier)),
        ]), by: &step)
  }

  private func authorizationPage() async throws(TokenProblem) -> String {
    let page = try signInPage(try await endpoint(.authorization).string, as: "the page to sign in")
    guard !page.contains("#") else {
      throw TokenProblem("the page to sign in has a fragment, which RFC 6749 forbids", help: "leave out the `#…`")
    }
    return page
  }

  /// The code of a redirect from the right server.
  private func redeemable(_ parameters: LoopbackListener.Parameters) throws(TokenProblem) -> String {
    // RFC 9207: another server may have sent the browser back.
    if let issuer = grant.issuer, let sender = parameters["iss"], !sender.utf8.elementsEqual(issuer.string.utf8) {
      throw TokenProblem(
        "the browser came back from the issuer \"\(Excerpt(sender, limit: 200))\", not from \"\(issuer.masked)\"")
    }
    if let error = parameters["error"] {
      let description = parameters["error_description"].map { ": \(Excerpt($0, limit: 300))" } ?? ""
      throw TokenProblem(
        "the authorization server refuses the sign-in: \(Excerpt(error, limit: 80))\(description)", part: .grant,
        code: error)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw TokenProblem("the browser came back without a `code`", part: .grant)
    }
    return code
  }
}
