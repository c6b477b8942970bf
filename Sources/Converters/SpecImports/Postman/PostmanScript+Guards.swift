/// Expectations under conditions.
extension PostmanScript {
  /// Translates what statements expect where a condition is true, and what others do where it is not.
  mutating func expect(
    where condition: JavaScriptExpression, _ then: [JavaScriptStatement], _ otherwise: [JavaScriptStatement],
    _ statement: JavaScriptStatement
  ) -> Bool {
    guard !(then + otherwise).allSatisfy(isCapture), let holds = guarding(condition),
      let fails = otherwise.isEmpty ? [] : guarding(.prefix("!", condition))
    else { return false }
    let captures = captureCount
    run(then, where: condition, holds)
    run(otherwise, where: .prefix("!", condition), fails)
    if captureCount > captures, (holds + fails).contains(where: { $0.isSuccess && !isExpected($0) }) {
      conditions.append((statement.range, "conditions of captures"))
    }
    return true
  }

  /// The assertions that hold exactly if a condition does. A variable has the value that it had before the request.
  private func guarding(_ condition: JavaScriptExpression) -> [ScriptAssertion]? {
    guard let found = evaluation.guarding(condition), !found.isEmpty else { return nil }
    let captured = effects.captures.names.map { ScriptSubject.variable($0) }
    return found.contains { captured.contains($0.subject) } ? nil : found
  }

  private mutating func run(
    _ statements: [JavaScriptStatement], where condition: JavaScriptExpression, _ assertions: [ScriptAssertion]
  ) {
    if statements.isEmpty { return }
    let outer = (names: evaluation.names, functions: functions, assigned: assigned)
    enclosing.append(effects.expectations)
    guards.append((condition, statements.flatMap(capturedSubjects)))
    effects.expectations = ScriptExpectations()
    assigned = []
    run(statements)
    let expected = effects.expectations
    effects.expectations = enclosing.removeLast()
    guards.removeLast()
    effects.expectations.add(expected, when: assertions, isShared: isShared)
    (evaluation.names, functions) = (outer.names, outer.functions)
    // Which of its values a name has isn't known.
    for name in assigned { evaluation.names[name] = nil }
    assigned.formUnion(outer.assigned)
  }

  // MARK: Returns

  /// Translates statements behind which the function may end.
  ///
  /// - Returns: whether what follows them is translated with them, or remarked on.
  mutating func runToEnd(_ statement: JavaScriptStatement, _ rest: ArraySlice<JavaScriptStatement>) -> Bool {
    guard statement.mayReturn else { return false }
    let end = rest.last?.range.upperBound ?? statement.range.upperBound
    let whole = JavaScriptStatement(kind: statement.kind, range: statement.range.lowerBound..<end)
    if case .condition(let condition, let then, let otherwise) = statement.kind, otherwise.isEmpty,
      case .result(nil)? = then.last?.kind,
      then.dropLast().allSatisfy(isNote), all({ $0.run(if: .prefix("!", condition), Array(rest), [], whole) })
    {
      return true
    }
    remarks.append((whole.range, "statements of scripts"))
    return true
  }

  // MARK: Timers

  /// Notes what runs once a time has passed: before a request, which waits for it.
  mutating func wait(_ arguments: [JavaScriptExpression]) -> Bool {
    guard !isTest, budget > 0, arguments.count == 2, case .function(_, let body) = arguments[0],
      let time = evaluation.value(arguments[1])?.integer, (0...86_400_000).contains(time)
    else { return false }
    budget -= 1
    timers.append((delay + time, body))
    return true
  }

  /// Runs what timers delay, in order. Adds the time of the last one to the delay of the request.
  mutating func runTimers() {
    while let next = timers.indices.min(by: { timers[$0].time < timers[$1].time }) {
      let timer = timers.remove(at: next)
      delay = timer.time
      run(timer.body)
    }
    effects.delay += delay
  }
}

extension JavaScriptStatement {
  /// Indicates that a function may end within it, but not only at its end.
  var mayReturn: Bool {
    switch kind {
    case .condition(_, let then, let otherwise): (then + otherwise).contains { $0.isResult || $0.mayReturn }
    case .attempt(let body, let failure): (body + failure).contains { $0.isResult || $0.mayReturn }
    case .block(let body): body.contains { $0.isResult || $0.mayReturn }
    default: false
    }
  }

  private var isResult: Bool { if case .result = kind { true } else { false } }
}
