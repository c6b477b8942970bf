/// Conditions of scripts, and failures that are caught.
extension PostmanScript {
  /// A condition that holds since the script expects it, a failure that it stands before, or a capture where there is
  /// something to capture.
  mutating func run(
    if condition: JavaScriptExpression, _ then: [JavaScriptStatement], _ otherwise: [JavaScriptStatement],
    _ statement: JavaScriptStatement
  ) -> Bool {
    let condition = evaluation.simplified(condition)
    if case .bool(let holds) = condition {
      run(holds ? then : otherwise)
      return true
    }
    guard isTest else { return false }
    if let interval = repetition(then) {
      guard !isShared, enclosing.isEmpty, effects.poll.isEmpty,
        let found = evaluation.condition(condition, isNegated: true), !found.isEmpty
      else { return false }
      var until = ScriptExpectations()
      for assertion in found { until.add(assertion) }
      effects.poll = (interval.map { [("interval", .text("\($0)ms"))] } ?? []) + [("until", .mapping(until.expect))]
      // Then the request has run for the last time.
      run(otherwise)
      return true
    }
    if otherwise.isEmpty, !isCaught, isFailure(then) {
      guard let found = evaluation.condition(condition, isNegated: true), !found.isEmpty else { return false }
      for assertion in found { effects.expectations.add(assertion) }
      return true
    }
    if !isCaught, !otherwise.isEmpty {
      // What holds, since the other side fails.
      let (holds, rest) = isFailure(otherwise) ? (true, then) : (false, otherwise)
      if holds || isFailure(then), let found = evaluation.condition(condition, isNegated: !holds), !found.isEmpty {
        for assertion in found { effects.expectations.add(assertion) }
        run(rest)
        return true
      }
    }
    let assertions = evaluation.condition(condition)
    if let assertions, assertions.allSatisfy(isExpected) {
      run(then)
      if !isFailure(otherwise) { for one in otherwise { remarks.append((one.range, reason(for: one))) } }
      return true
    }
    if all({ $0.capture(where: condition, then, otherwise, statement) }) { return true }
    hasOpenCondition = hasOpenCondition || assertions != nil
    return all { $0.expect(where: condition, then, otherwise, statement) }
  }

  /// The pause before the request is sent again, if statements do nothing else; nil otherwise.
  func repetition(_ statements: [JavaScriptStatement]) -> Int?? {
    var isRepeated = false
    var pause: Int?
    for statement in statements where !isNote(statement) {
      guard case .expression(.call(let callee, let arguments)) = statement.kind, let path = callee.path else {
        return nil
      }
      switch path {
      case "postman.setNextRequest", "pm.execution.setNextRequest":
        let isOwn =
          arguments.first?.path == "pm.info.requestName"
          || evaluation.value(arguments.first ?? .null)?.word == effects.request
        guard isOwn, !effects.request.isEmpty else { return nil }
        isRepeated = true
      case "setTimeout":
        guard arguments.count == 2, case .function(_, let body) = arguments[0],
          let time = evaluation.value(arguments[1])?.integer,
          time > 0
        else { return nil }
        pause = time
        if !body.isEmpty {
          guard case .some = repetition(body) else { return nil }
          isRepeated = true
        }
      default: return nil
      }
    }
    return isRepeated ? .some(pause) : nil
  }

  func isExpected(_ assertion: ScriptAssertion) -> Bool {
    expected.contains(assertion) || effects.expectations.contains(assertion)
      || enclosing.contains { $0.contains(assertion) }
  }

  /// Translates statements whose failure is caught: tests report by themselves, and captures keep what they had.
  mutating func attempt(_ body: [JavaScriptStatement], _ failure: [JavaScriptStatement]) -> Bool {
    if isFailure(failure) {
      run(body)
      return true
    }
    guard failure.allSatisfy(isNote) else { return false }
    return all { script in
      let wasCaught = script.isCaught
      script.isCaught = true
      script.run(body)
      script.isCaught = wasCaught
      // Which of its values a name has isn't known, but for one that the body gives it.
      for case .expression(.assignment(.name(let name), _, _)) in failure.map(\.kind)
      where !Self.isAssigned(name, in: body) { script.evaluation.names[name] = nil }
      return true
    }
  }

  static func isAssigned(_ name: String, in body: [JavaScriptStatement]) -> Bool {
    body.contains { if case .expression(.assignment(.name(name), "=", _)) = $0.kind { true } else { false } }
  }

  /// Translates all of something, or nothing.
  mutating func all(_ translate: (inout PostmanScript) -> Bool) -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    var script = self
    guard translate(&script), script.remarks.count == remarks.count else {
      hasOpenCondition = hasOpenCondition || script.hasOpenCondition
      budget = script.budget
      return false
    }
    self = script
    return true
  }

  /// Indicates that a statement only notes a failure.
  func isNote(_ statement: JavaScriptStatement) -> Bool {
    switch statement.kind {
    case .empty, .declaration: return true
    case .expression(.assignment(.name, _, _)): return true
    case .expression(.call(let callee, _)): return isConsole(callee)
    default: return false
    }
  }

  /// Indicates statements that do nothing but fail.
  func isFailure(_ statements: [JavaScriptStatement]) -> Bool {
    let others = statements.filter { !isNote($0) }
    return !others.isEmpty
      && others.allSatisfy { statement in
        switch statement.kind {
        case .failure: true
        case .expression(.assignment(.item(.name("tests"), _), _, .bool(false))): true
        case .expression(.call(let callee, let arguments)):
          if callee.path == "pm.test", case .function(_, let body)? = arguments.last {
            isFailure(body)
          } else {
            ["pm.expect.fail", "expect.fail", "assert.fail"].contains(callee.path)
          }
        default: false
        }
      }
  }

  func isConsole(_ callee: JavaScriptExpression) -> Bool { callee.path?.hasPrefix("console.") ?? false }

  func isCapture(_ statement: JavaScriptStatement) -> Bool {
    switch statement.kind {
    case .declaration, .empty: return true
    case .expression(.call(let callee, _)): return callee.path.map(setters.contains) ?? false || isConsole(callee)
    case .condition(_, let then, let otherwise): return then.allSatisfy(isCapture) && otherwise.allSatisfy(isCapture)
    default: return false
    }
  }
}
