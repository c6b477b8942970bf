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
        guard try holds(group.condition, at: group.range, response, &report) else {
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

  private func holds(
    _ condition: AssertionGroup.Condition, at range: SourceRange, _ response: Response, _ report: inout StepReport
  ) throws(TemplateError) -> Bool {
    switch condition {
    case .value(let field):
      let holds = try field.resolve(in: scope)
      if !holds { report.warnings += field.warnings(in: scope, at: range) }
      return holds
    case .response(let condition):
      let evaluation = AssertionEvaluation(of: condition, response: response, scope: scope, request: request)
      if let problem = evaluation.problem { throw problem }
      if !evaluation.failures.isEmpty { report.warnings += evaluation.warnings(of: condition) }
      return evaluation.failures.isEmpty
    }
  }
}

extension Field<Bool> {
  /// The warning that values of different types are compared in a condition that does not hold.
  func warnings(in scope: FileScope, at range: SourceRange) -> [AssertionReport] {
    var warnings = ResponseWarnings(registry: scope.registry)
    if let doubt = templates.first?.doubtAboutTypes(in: scope) { warnings.report(doubt, of: "`when`", at: range) }
    return warnings.warnings
  }
}

extension AssertionEvaluation {
  /// Warnings about what doesn't meet a condition only since it is misspelt, or in another form.
  func warnings(of condition: ResponseCondition) -> [AssertionReport] {
    // Several assertions that fail aren't all wrong.
    guard failures.count == 1 else { return [] }
    var evaluation = self
    for assertion in condition.assertions { try? evaluation.warnOfDoubt(ofCondition: assertion) }
    return evaluation.responseWarnings.warnings
  }

  /// Evaluates the assertions of a condition.
  init(of condition: ResponseCondition, response: Response, scope: FileScope, request: RequestStep) {
    self.init(
      response: response, scope: scope, request: request,
      responseWarnings: ResponseWarnings(registry: scope.registry))
    for assertion in condition.assertions { check(assertion) }
  }
}
