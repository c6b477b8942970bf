import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// Evaluates the expectations of a request on its response, or on the lack of one.
package struct ResponseEvaluation {
  let request: RequestStep
  let scope: FileScope
  let needs: ReportNeeds
  let snapshots: SnapshotStore
  let control: RunControl
  let commandTimeout: Duration?
  /// Receives each captured value, with its secrets.
  let onCapture: (@Sendable (String, Value) -> Void)?

  // MARK: a response

  /// Evaluates captures first, then validation and every assertion, whatever fails.
  ///
  /// - Returns: the state of its poll; over without one.
  package func evaluate(_ response: Response, _ report: inout StepReport) -> PollState {
    let limit = evaluationLimit(response.request)
    let budget = control.evaluationBudget(request.stage, limit: limit)
    var subject = (label: "the response", range: request.settings.url.value?.range)
    let state = budget.limit { evaluate(response, budget, &subject, &report) }
    guard let exhaustion = budget.exhaustion else { return state }
    report.fail(
      exhaustion, limit: limit, control, subject: scope.registry.masked(message: subject.label), at: subject.range)
    return .over
  }

  /// Registers the secrets that captures take from a response, of which nothing is kept.
  package func registerSecrets(of response: Response) {
    control.evaluationBudget(request.stage, limit: evaluationLimit(response.request)).limit {
      for entry in request.settings.capture.entries {
        guard let capture = entry.value else { continue }
        var capturing = Capturing(response: response, scope: scope)
        if let value = try? capturing.value(of: capture) { scope.registry.add(value) }
      }
    }
  }

  /// The same time as for the exchange, if that has a limit.
  private func evaluationLimit(_ resolved: ResolvedRequest) -> Duration {
    guard commandTimeout != nil || request.settings.timeout.resource.value != nil,
      let given = resolved.outgoing.timeouts.resource
    else { return RunControl.evaluationLimit }
    return max(given, .seconds(1))
  }

  /// - Parameter subject: the current subject.
  func evaluate(
    _ response: Response, _ budget: EvaluationBudget, _ subject: inout (label: String, range: SourceRange?),
    _ report: inout StepReport
  ) -> PollState {
    if let expected = request.settings.expect.failure.value {
      guard let wanted = resolved(expected, &report) else { return .over }
      report.assertionCount += 1
      report.failures.append(
        unexpected(expected, wanted, actual: "a response with status \(response.head.status)"))
      report.outcome = .failed
      return .over
    }
    let responseWarnings = capture(response, budget, &subject, &report)
    if budget.isExhausted { return .over }
    let captured = report.failures.count
    let conditional = conditionalAssertions(response, &report)
    if budget.isExhausted {
      subject.label = "`when`"
      return .over
    }
    let assertions = conditional.isEmpty ? request.assertions : request.assertions + conditional
    validate(response, conditional, &report)
    GraphQLErrors(response: response, request: request, scope: scope, assertions: assertions).check(&report)
    let isValid = report.failures.count == captured
    var evaluation = AssertionEvaluation(
      response: response, scope: scope, request: request, responseWarnings: responseWarnings,
      describes: needs.contains(.assertions))
    for assertion in assertions {
      let failed = evaluation.failures.count
      evaluation.check(assertion)
      if needs.contains(.assertions), evaluation.failures.count == failed, evaluation.problem == nil {
        report.passedAssertions.append(
          PassedAssertion(
            subject: scope.registry.masked(message: assertion.label),
            predicate: evaluation.description.map { scope.registry.masked(wording: $0) } ?? "",
            range: assertion.range))
      }
      if budget.isExhausted {
        subject = (assertion.label, assertion.range)
        return .over
      }
    }
    report.assertionCount += evaluation.count
    report.failures += evaluation.failures
    report.warnings += evaluation.responseWarnings.warnings
    if report.failures.isEmpty { report.warnings += warningsOfCredentials(response) }
    if let problem = evaluation.problem { note(problem, &report) }
    if let contract = request.contract {
      ContractEvaluation(contract: contract.contract, request: request, response: response, registry: scope.registry)
        .run(&report)
      if budget.isExhausted {
        subject.label = "openapi"
        return .over
      }
    }
    report.failures = report.failures.folded
    var state = PollState.over
    if let poll = request.poll {
      state = PollEvaluation(poll: poll, response: response, request: request, scope: scope, isValid: isValid)
        .evaluate(&report)
    }
    // The snapshot of a response that another follows is none.
    if state == .over {
      if let (assertion, _) = request.snapshot { subject = (assertion.label, assertion.range) }
      let isGood = report.failures.isEmpty
      checkSnapshot(response, &report)
      if let poll = request.poll, poll.until == nil, isGood, !report.failures.isEmpty { state = .pending }
    }
    if report.outcome == .passed, !report.failures.isEmpty { report.outcome = .failed }
    return state
  }

  /// Checks the snapshot, last of all: a body of a request that fails otherwise is not stored.
  private func checkSnapshot(_ response: Response, _ report: inout StepReport) {
    guard let (assertion, spec) = request.snapshot else { return }
    report.assertionCount += 1
    let checking = SnapshotChecking(response: response, request: request, scope: scope, store: snapshots)
    do throws(TemplateError) {
      let isGood = report.failures.isEmpty && report.outcome == .passed
      report.warnings += try checking.warningsOfIgnored(spec, of: assertion)
      switch try checking.outcome(of: spec, isGood: isGood) {
      case .same: break
      case .stored(let change): report.snapshotChange = change
      case .failed(let failures):
        // Bodies are masked already: a short secret must not be searched for in the file's path.
        let none = SecretRegistry()
        report.failures += failures.map {
          AssertionReport(subject: assertion.label, range: assertion.range, failure: $0, registry: none)
        }
      }
    } catch {
      note(error, &report)
    }
  }

  private func capture(
    _ response: Response, _ budget: EvaluationBudget, _ subject: inout (label: String, range: SourceRange?),
    _ report: inout StepReport
  ) -> ResponseWarnings {
    var responseWarnings = ResponseWarnings(registry: scope.registry)
    for entry in request.settings.capture.entries {
      guard let capture = entry.value else { continue }
      do {
        var capturing = Capturing(response: response, scope: scope)
        var value = try capturing.value(of: capture)
        if request.rowsAreURLs, entry.key.text == RowsSpec.nextCapture { value = nextURL(value, response) }
        if budget.isExhausted {
          subject = ("capture \(entry.key.text)", capture.range)
          break
        }
        if let repeated = capturing.repeatedMember {
          responseWarnings.report(repeated, of: "capture \(entry.key.text)", at: capture.range)
        }
        if let doubt = capturing.doubt {
          responseWarnings.report(doubt, of: "capture \(entry.key.text)", at: capture.range)
        }
        scope.capture(entry.key.text, value, share: capturing.share)
        if needs.contains(.captures) {
          report.captures.append(
            CapturedValue(
              name: entry.key.text, value: shortened(value.asText.masked),
              whole: needs.contains(.wholeCaptures) ? value.masked : nil))
        }
        onCapture?(entry.key.text, value)
      } catch {
        if budget.isExhausted {
          subject = ("capture \(entry.key.text)", capture.range)
          break
        }
        switch error {
        // The rows end here, unless the next one has another relation.
        case .missing
        where entry.key.text == RowsSpec.nextCapture && !capture.isOtherLink(in: response)
          && !misspellsNext(capture, response):
          break
        case .missing(let expected, let actual, let hint):
          report.assertionCount += 1
          let advice = "give it a `default` if the response may lack it"
          var failure = AssertionReport(
            subject: entry.key.text == RowsSpec.nextCapture ? "next" : "capture \(entry.key.text)",
            range: capture.range, expected: expected, actual: actual,
            hint: (hint.map { scope.registry.masked(message: $0) + "\n" } ?? "") + advice)
          if response.head.status >= 400 { failure.cause = .absent }
          report.failures.append(failure)
        case .unreadable(let error, let form):
          report.assertionCount += 1
          var failure = AssertionReport(
            subject: "capture \(entry.key.text)", range: capture.range, failure: response.failure(error, form: form),
            registry: scope.registry)
          failure.cause = .unreadable(form)
          report.failures.append(failure)
        case .undecided(let expected, let actual):
          report.assertionCount += 1
          report.failures.append(
            AssertionReport(
              subject: "capture \(entry.key.text)", range: capture.range, expected: expected, actual: actual))
        case .spec(let problem): note(problem, &report)
        }
      }
    }
    return responseWarnings
  }

  /// The next row, as an absolute URL if it is a relative one.
  private func nextURL(_ value: Value, _ response: Response) -> Value {
    guard case .text(let text) = value, ["/", "?", "./", "../"].contains(where: { text.string.hasPrefix($0) }),
      let url = try? HTTPURL.resolve(text.string, against: response.result.finalURL)
    else { return value }
    return .text(text.isSecret ? Text(secret: url.string) : response.filtered(url.string))
  }

  private func shortened(_ text: String) -> String {
    let limit = 200
    guard text.utf8.count > limit, text.count > limit else { return text }
    return "\(text.prefix(limit))… (\(text.count) characters)"
  }

  /// Applies Alamofire's validation; an `expect.status` replaces the automatic one.
  private func validate(_ response: Response, _ conditional: [Assertion], _ report: inout StepReport) {
    let source: ValidationRulesSource
    do throws(TemplateError) {
      source = try ValidationRulesSource(request, conditional, accept: response.request.accept, scope: scope)
    } catch {
      note(error, &report)
      return
    }
    let failures = source.rules.failures(
      status: response.head.status, contentType: response.head.headers.first("Content-Type"),
      bodyIsEmpty: response.bodyCount == 0)
    report.assertionCount += max(source.checks, failures.count)
    for failure in failures {
      let isStatus = if case .unacceptableStatus = failure { true } else { false }
      var failed = AssertionReport(
        failure, from: source, place: request.settings.url.value?.range, note: response.statusNote ?? urlNote(response),
        body: response.errorBeginning, registry: scope.registry)
      failed.cause = isStatus ? .status : .contentType
      report.failures.append(failed)
    }
  }

  /// Returns whether the first response lacks the value for the next row only because its name is misspelt.
  private func misspellsNext(_ capture: CaptureSpec, _ response: Response) -> Bool {
    guard let source = capture.onlySource, case .value(.null)? = try? scope.lookup("row") else { return false }
    return (try? SubjectEvaluation(response: response, scope: scope).doubt(of: source.subject)) ?? nil != nil
  }

  /// A note on a refused URL in which a template has no text.
  private func urlNote(_ response: Response) -> String? {
    guard response.head.status >= 400 else { return nil }
    var kind: ValueKind?
    for template in request.settings.url.value?.templates ?? [] {
      _ = try? template.evaluate(in: scope) { value in
        if [.list, .mapping].contains(value.kind) { kind = value.kind }
        return Text("")
      }
    }
    return kind.map { "a template in the URL gives \($0.phrase), which stands there as it is" }
  }
}

extension CaptureSpec {
  /// Indicates whether it takes a link that a response lacks, which has one to a next page.
  fileprivate func isOtherLink(in response: Response) -> Bool {
    guard case .link? = onlySource?.subject else { return false }
    return linkTarget(response.head.headers.values("Link"), relation: "next") != nil
  }
}
