import YAMLNodes

/// A script of Postman: its usual forms are translated, and nothing is executed.
struct PostmanScript {
  private let bytes: [UInt8]
  private let isTest: Bool
  private let isShared: Bool
  private var evaluation = ScriptEvaluation()
  private var effects: ScriptEffects

  /// The effects of a script after those before it.
  static func effects(of source: ImportedScript, isShared: Bool, after effects: ScriptEffects) -> ScriptEffects {
    let bytes = Array(source.text.utf8)
    var script = PostmanScript(bytes: bytes, isTest: source.isTest, isShared: isShared, effects: effects)
    script.run(source.statements(of: bytes))
    return script.effects
  }

  private mutating func run(_ statements: [JavaScriptStatement]) {
    for statement in statements where !run(statement.kind) { remark(statement) }
  }

  private mutating func remark(_ statement: JavaScriptStatement) {
    let source = String(decoding: bytes[statement.range], as: UTF8.self)
    effects.untranslated.remark(reason(for: statement), source)
  }

  private func reason(for statement: JavaScriptStatement) -> String {
    guard case .expression(let expression) = statement.kind else { return "statements of scripts" }
    var call = expression
    if case .prefix("await", let operand) = call { call = operand }
    guard case .call(let callee, _) = call, let path = callee.path else { return "statements of scripts" }
    switch path {
    case "pm.sendRequest": return "requests that scripts send"
    case "postman.setNextRequest", "pm.execution.setNextRequest", "pm.execution.skipRequest": return "jumps of scripts"
    case "pm.visualizer.set": return "visualizations"
    case _ where path.hasPrefix("console."): return "console output"
    case _ where path.hasSuffix(".unset") || path.hasSuffix(".clear"): return "removals of variables"
    default: return "statements of scripts"
    }
  }

  // MARK: Statements

  /// Translates a statement; returns whether all of it is translated or already remarked on.
  private mutating func run(_ kind: JavaScriptStatement.Kind) -> Bool {
    switch kind {
    case .empty: return true
    case .declaration(let declared):
      // Both sides of `const a = …, b = …` must be known.
      return declared.reduce(true) { isKnown, one in bind(one.pattern, one.value) && isKnown }
    case .expression(let expression): return run(expression)
    case .result(let expression?): return run(expression)
    case .result(nil): return false
    case .block(let body):
      run(body)
      return true
    case .condition(let condition, let then, let otherwise): return run(if: condition, then, otherwise)
    case .attempt(let body, let failure):
      run(body)
      // What only happens if the body fails, which is a failure here, too.
      for statement in failure where !isNote(statement) { remark(statement) }
      return true
    case .other: return false
    }
  }

  private mutating func bind(_ pattern: JavaScriptPattern, _ expression: JavaScriptExpression?) -> Bool {
    guard let expression else { return true }
    // A module does nothing by itself: its uses are known, or remarked on.
    if case .call(.name("require"), _) = expression { return true }
    let value = evaluation.value(expression)
    switch pattern {
    case .name(let name):
      evaluation.names[name] = value
      return value != nil
    case .members(let members):
      for (key, name) in members {
        evaluation.names[name] = value?.subject.flatMap { $0.member(key) }.map { .subject($0) }
      }
      return members.allSatisfy { evaluation.names[$0.name] != nil }
    }
  }

  /// A condition that holds since the script expects it, or a capture where there is something to capture.
  private mutating func run(
    if condition: JavaScriptExpression, _ then: [JavaScriptStatement], _ otherwise: [JavaScriptStatement]
  ) -> Bool {
    guard isTest, let assertions = evaluation.condition(condition) else { return false }
    let isExpected = assertions.allSatisfy { effects.expectations.contains($0) }
    guard isExpected || !isShared && otherwise.isEmpty && then.allSatisfy(isCapture) else { return false }
    run(then)
    for statement in otherwise { remark(statement) }
    return true
  }

  /// Indicates that a statement only notes a failure.
  private func isNote(_ statement: JavaScriptStatement) -> Bool {
    switch statement.kind {
    case .empty, .declaration: return true
    case .expression(.assignment(.name, _, _)): return true
    case .expression(.assignment(.item(.name("tests"), _), _, .bool(false))): return true
    case .expression(.call(let callee, _)): return callee.path?.hasPrefix("console.") ?? false
    default: return false
    }
  }

  private func isCapture(_ statement: JavaScriptStatement) -> Bool {
    switch statement.kind {
    case .declaration, .empty: return true
    case .expression(.call(let callee, _)):
      return callee.path.map { setters.contains($0) || $0.hasPrefix("console.") } ?? false
    default: return false
    }
  }

  private mutating func run(_ expression: JavaScriptExpression) -> Bool {
    switch expression {
    // A test that always passes.
    case .assignment(.item(.name("tests"), _), "=", .bool(true)): return isTest
    case .assignment(.item(.name("tests"), _), "=", let condition),
      .assignment(.member(.name("tests"), _), "=", let condition):
      return expect(condition)
    case .assignment(.name(let name), "=", let value): return bind(.name(name), value)
    case .assignment(.item(.name("environment"), .text(let name)), "=", let value),
      .assignment(.member(.name("environment"), let name), "=", let value),
      .assignment(.item(.name("globals"), .text(let name)), "=", let value),
      .assignment(.member(.name("globals"), let name), "=", let value):
      return set(name, value)
    case .call(let callee, let arguments): return call(callee, arguments) ?? chain(expression)
    case .prefix("await", let operand): return run(operand)
    default: return chain(expression)
    }
  }

  /// A call of Postman; nil if it is another.
  private mutating func call(_ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> Bool? {
    if case .member(let list, "forEach") = callee { return forEach(list, arguments) }
    guard let path = callee.path else { return nil }
    if setters.contains(path) {
      guard arguments.count > 1, let name = evaluation.value(arguments[0])?.word else { return false }
      return set(name, arguments[1])
    }
    switch path {
    case "pm.test":
      guard isTest, case .function(_, let body)? = arguments.last else { return false }
      // The names of a test are its own.
      let names = evaluation.names
      run(body)
      evaluation.names = names
      return true
    case "pm.request.headers.add", "pm.request.headers.upsert", "pm.request.addHeader": return addHeader(arguments)
    default: return nil
    }
  }

  private mutating func chain(_ expression: JavaScriptExpression) -> Bool {
    guard isTest, let chain = ScriptChain(expression, evaluation) else { return false }
    for assertion in chain.assertions { effects.expectations.add(assertion) }
    if let schema = chain.schema { effects.expectations.add(schema: schema) }
    return true
  }

  private mutating func expect(_ condition: JavaScriptExpression) -> Bool {
    guard isTest else { return false }
    if let schema = evaluation.schema(condition) {
      effects.expectations.add(schema: schema)
      return true
    }
    guard let assertions = evaluation.condition(condition), !assertions.isEmpty else { return false }
    for assertion in assertions { effects.expectations.add(assertion) }
    return true
  }

  /// `items.forEach(item => …)`, whose expectations hold for each item.
  private mutating func forEach(_ list: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> Bool {
    guard isTest, case .function(let parameters, let body)? = arguments.first, let name = parameters.first,
      case .subject(.json(let path, isEach: false))? = evaluation.value(list)
    else { return false }
    var inner = self
    inner.evaluation.names[name] = .subject(.json(path + "[*]", isEach: true))
    inner.effects.untranslated = []
    let captures = effects.captures.count
    inner.run(body)
    guard inner.effects.untranslated.isEmpty, inner.effects.captures.count == captures else { return false }
    effects.expectations = inner.effects.expectations
    return true
  }

  private mutating func set(_ name: String, _ expression: JavaScriptExpression) -> Bool {
    guard let value = evaluation.value(expression), !name.isEmpty else { return false }
    if let literal = value.literal {
      // A value that is made of itself is not a variable.
      if let parts = value.text?.parts, parts.contains(.variable(name)) { return false }
      let text = value.word.map { .text(ImportedText(postman: $0)) } ?? literal
      if isTest {
        effects.captures.set(name, .mapping([("value", text)]))
      } else {
        effects.variables.replace(with: [ImportedVariable(name: name, value: text)])
      }
      return true
    }
    // A shared script may run where there is nothing to capture.
    guard isTest, case .subject(let subject) = value else { return false }
    switch subject {
    case .json(let path, _) where !isShared: effects.captures.set(name, .text(path))
    case .body: effects.captures.set(name, .text("body"))
    case .status: effects.captures.set(name, .text("status"))
    case .duration: effects.captures.set(name, .text("duration"))
    case .header(let header) where !isShared: effects.captures.set(name, .mapping([("header", .text(header))]))
    case .cookie(let cookie) where !isShared: effects.captures.set(name, .mapping([("cookie", .text(cookie))]))
    default: return false
    }
    return true
  }

  /// `pm.request.headers.add({key: "X", value: "…"})`.
  private mutating func addHeader(_ arguments: [JavaScriptExpression]) -> Bool {
    guard !isTest, case .object(let members)? = arguments.first,
      let key = members.first(where: { $0.key == "key" }).flatMap({ evaluation.value($0.value)?.text }),
      let value = members.first(where: { $0.key == "value" }).flatMap({ evaluation.value($0.value)?.text })
    else { return false }
    effects.headers.append(ImportedRequest.Header(name: key, value: value))
    return true
  }
}

private let setters: Set<String> = [
  "pm.environment.set", "pm.variables.set", "pm.collectionVariables.set", "pm.globals.set",
  "postman.setEnvironmentVariable", "postman.setGlobalVariable", "pm.vault.set", "pm.baseEnvironment.set",
]
