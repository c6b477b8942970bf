import RequestSpecs
import Templates
import Values

extension ResponseEvaluation {
  /// The assertions of groups whose condition holds; the others are reported as skipped.
  func conditionalAssertions(_ response: Response, _ report: inout StepReport) -> [Assertion] {
    if request.assertionGroups.isEmpty { return [] }
    var applying: [Assertion] = []
    for group in request.assertionGroups {
      do throws(TemplateError) {
        guard try holds(group.condition, response) else {
          report.skippedAssertions.append(
            SkippedAssertions(
              subjects: group.assertions.map { scope.registry.masked(message: $0.label) }, range: group.range))
          continue
        }
        applying += group.assertions
      } catch {
        note(error, &report)
      }
    }
    guard applying.isEmpty, request.assertions.isEmpty, report.problem == nil else { return applying }
    report.assertionCount += 1
    report.failures.append(
      AssertionReport(
        subject: "expect", range: request.assertionGroups[0].range,
        expected: "something to check", actual: "no `when` holds",
        hint: "add what must be so in any case, such as `- status: 200`"))
    return []
  }

  private func holds(_ condition: AssertionGroup.Condition, _ response: Response) throws(TemplateError) -> Bool {
    switch condition {
    case .value(let field): return try field.resolve(in: scope)
    case .response(let condition):
      let evaluation = AssertionEvaluation(of: condition, response: response, scope: scope, request: request)
      if let problem = evaluation.problem { throw problem }
      return evaluation.failures.isEmpty
    }
  }
}

extension AssertionEvaluation {
  /// Evaluates the assertions of a condition.
  init(of condition: ResponseCondition, response: Response, scope: FileScope, request: RequestStep) {
    self.init(
      response: response, scope: scope, request: request,
      responseWarnings: ResponseWarnings(registry: scope.registry))
    for assertion in condition.assertions { check(assertion) }
  }
}
