import Matching
import RequestSpecs
import Templates
import Values

/// Evaluates the conditions of a poll on the captures of a used file.
package struct CaptureConditions {
  private let scope: FileScope
  private let stage: RequestStage
  private let control: RunControl

  package init(scope: FileScope, stage: RequestStage, control: RunControl) {
    self.scope = scope
    self.stage = stage
    self.control = control
  }

  /// - Parameter passed: whether all requests of the round did.
  package func evaluate(_ poll: PollSpec, passed: Bool, _ report: inout StepReport) -> PollState {
    do throws(TemplateError) {
      if let failIf = poll.failIf, try isMet(failIf) {
        report.failures = [
          AssertionReport(of: failIf, "captures that do not", "they do", registry: scope.registry)
        ]
        report.assertionCount += 1
        report.outcome = .failed
        return .over
      }
      guard passed else { return .pending }
      guard let until = poll.until else { return .over }
      for assertion in until.assertions { report.failures += try failures(of: assertion, "until ", &report) }
      if report.failures.isEmpty {
        warnOfDoubts(about: until, isDenied: false, &report)
        if let failIf = poll.failIf { warnOfDoubts(about: failIf, isDenied: true, &report) }
        return .over
      }
      report.outcome = .failed
      return .pending
    } catch {
      report.fail(error, registry: scope.registry)
      guard let name = error.unsetName else { return .over }
      report.outcome = .failed
      report.problem = .error(.failedRequest, "`\(name)` was never captured", at: error.range ?? report.place)
      return .pending
    }
  }

  /// Warns of conditions that ended the poll, but would not as they were probably meant.
  ///
  /// - Parameter isDenied: whether the condition was not met.
  private func warnOfDoubts(about condition: ResponseCondition, isDenied: Bool, _ report: inout StepReport) {
    var warnings = ResponseWarnings(registry: scope.registry)
    for assertion in condition.assertions {
      guard case .value(let expression) = assertion.subject, case .predicates(let specs) = assertion.check,
        let value = try? expression.resolve(in: scope)
      else { continue }
      let predicates = specs.compactMap { try? $0.resolve(in: scope) }
      let doubt = predicates.lazy.compactMap { $0.doubt(in: .value(value), isDenied: isDenied) }.first
      if let doubt { warnings.report(doubt, of: assertion.label, at: assertion.range) }
    }
    report.warnings += warnings.warnings
  }

  private func isMet(_ condition: ResponseCondition) throws(TemplateError) -> Bool {
    var ignored = StepReport(id: StepID(file: 0, number: 0), parent: nil, name: "", line: 0)
    do throws(TemplateError) {
      for assertion in condition.assertions where try !failures(of: assertion, "", &ignored).isEmpty { return false }
      return true
    } catch  where error.unsetName != nil {
      return false
    }
  }

  private func failures(
    of assertion: Assertion, _ prefix: String, _ report: inout StepReport
  ) throws(TemplateError) -> [AssertionReport] {
    guard case .value(let expression) = assertion.subject, case .predicates(let specs) = assertion.check else {
      return []
    }
    report.assertionCount += max(1, specs.count)
    let failures = try control.evaluating(stage, at: assertion.range) { () throws(TemplateError) in
      let value = try expression.resolve(in: scope)
      var predicates: [Predicate] = []
      for spec in specs { predicates.append(try spec.resolve(in: scope)) }
      for predicate in predicates { predicate.addSecrets(to: scope.registry) }
      return Matching.failures(of: predicates, against: .value(value), path: "$", unit: "")
    }
    return failures.map { failure in
      AssertionReport(
        subject: prefix + assertion.label,
        range: assertion.places.range(
          ofPredicate: failure.index, line: failure.differences.first?.expectedLine, paths: EmptyCollection()),
        failure: failure, registry: scope.registry)
    }
  }
}
