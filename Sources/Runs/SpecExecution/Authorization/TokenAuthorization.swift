import HTTPSemantics
import RequestSpecs
import Templates
import Values

extension RequestExecution {
  /// The grant that gives the request its token; nil for other credentials, and for an `Authorization` of its own.
  func tokenGrant(_ resolved: ResolvedRequest, _ report: StepReport) -> TokenGrant? {
    guard case .oauth2(let grant)? = resolved.credentials, case .oauth2(let spec)? = request.settings.auth.value,
      !resolved.outgoing.headers.contains("Authorization")
    else { return nil }
    return TokenGrant(execution: self, spec: spec, grant: grant, resolved: resolved, step: report.id)
  }

  /// The request with its token; nil if there is none, which is reported.
  func authorized(_ grant: TokenGrant, _ report: inout StepReport) async -> ResolvedRequest? {
    let result = await grant.token()
    if case .failure? = result, context.control.phase >= .draining {
      report.cutShort(context.control, at: request.range)
      return nil
    }
    switch result {
    case .success(let token)?: return grant.resolved.authorized(by: token.accessToken)
    case .failure(let failure)?:
      report.outcome = failure.problem.isTransportError ? .transportError : .failed
      report.isLasting = failure.problem.isTransportError && failure.problem.isFinal
      report.problem =
        failure.isReportedHere
        ? .error(.failedRequest, "the request was not sent, since it has no access token", at: request.range)
        : grant.diagnostic(
          failure.problem, in: scope, after: "the request was not sent, since it has no access token: ")
      return nil
    case nil:
      report.cutShort(context.control, at: request.range)
      return nil
    }
  }

  /// The request with another token, after a server has refused that of a response; nil if there is no other, and if
  /// the request expects to be refused.
  func renewed(
    _ grant: TokenGrant, _ refused: ResolvedRequest, status: Int
  ) async -> ResolvedRequest? {
    guard status == 401, case .bearer(let token)? = refused.credentials, !expects(status),
      case .success(let other)? = await grant.token(otherThan: token.string), other.accessToken != token.string
    else { return nil }
    return grant.resolved.authorized(by: other.accessToken)
  }

  /// Returns whether `expect.status`, or that of `until`, accepts a status.
  func expects(_ status: Int) -> Bool {
    if request.assertions.accept(status: status, in: scope) == true { return true }
    return request.poll?.until?.assertions.accept(status: status, in: scope) ?? false
  }
}
