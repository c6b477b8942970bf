import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

extension ResponseEvaluation {
  package func evaluate(
    _ failure: ExchangeFailure, of resolved: ResolvedRequest, _ report: inout StepReport
  ) {
    let error = failure.error
    if case .cancelled = error.kind, control.phase >= .draining {
      report.cutShort(control, at: request.settings.url.value?.range ?? request.range, help: error.help)
      return
    }
    let message = scope.registry.masked(resolved.masked(named(error.message, error)))
    let help = error.help.map { scope.registry.masked(resolved.masked(named($0, error))) }
    if let expected = request.settings.expect.failure.value, let found = error.failure {
      guard let wanted = self.resolved(expected, &report) else { return }
      report.assertionCount += 1
      if wanted.contains(found) { return }
      report.failures.append(
        unexpected(expected, wanted, actual: "the error \(found.rawValue): \(message)", hint: help))
      report.outcome = .failed
      return
    }
    let place = error.kind == .storage ? request.settings.transfer?.place : self.place(of: error.culprit)
    report.problem = .error(
      .failedRequest, message, at: place ?? request.settings.url.value?.range ?? request.range, help: help)
    report.outcome =
      switch error.kind {
      case .invalidRequest, .unsupported, .body: .specError
      // The failure was in the cache or on disk, not in the network.
      case .notStored, .storage: .failed
      default: .transportError
      }
  }

  /// The failure of `expect: {error: …}`.
  func unexpected(
    _ expected: Field<[TransportFailure]>, _ wanted: [TransportFailure], actual: String, hint: String? = nil
  ) -> AssertionReport {
    let words = wanted.map(\.rawValue).joined(separator: " or ")
    return AssertionReport(
      subject: "expect error", range: expected.range, predicate: words, expected: "the error \(words)",
      actual: actual, hint: hint)
  }

  /// The place in the spec of a cause other than the server.
  func place(of culprit: TransportError.Culprit?) -> SourceRange? {
    switch culprit {
    case .proxy: request.settings.connection?.proxy.url.value?.range
    case .authorities: request.settings.connection?.tls.certificateAuthorities.value?.range
    case .clientCertificate: request.settings.connection?.tls.certificate.value?.range
    case nil: nil
    }
  }

  /// A timeout by the name that the user gave it.
  private func named(_ message: String, _ error: TransportError) -> String {
    guard case .timeout(.resource) = error.kind else { return message }
    let timeout = request.settings.timeout
    let isPlain = timeout.resource.value != nil && timeout.request.value == nil && timeout.connect.value == nil
    if commandTimeout != nil { return message.replacing("timeout.resource", with: "--timeout") }
    return isPlain ? message.replacing("timeout.resource", with: "timeout") : message
  }

  // MARK: errors in the spec

  func resolved(_ field: Field<[TransportFailure]>, _ report: inout StepReport) -> [TransportFailure]? {
    do throws(TemplateError) {
      return try field.resolve(in: scope)
    } catch {
      note(error, &report)
      return nil
    }
  }

  /// Notes an error; only the first one is reported.
  func note(_ error: TemplateError, _ report: inout StepReport) {
    guard report.problem == nil else { return }
    report.fail(error, registry: scope.registry)
  }
}
