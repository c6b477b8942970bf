import Values
import YAMLNodes

/// A script of Postman: its usual forms are translated, and nothing is executed.
struct PostmanScript {
  let bytes: [UInt8]
  let isTest: Bool
  let isShared: Bool
  var evaluation = ScriptEvaluation()
  var effects: ScriptEffects
  /// The expectations that hold in any case.
  let expected: ScriptExpectations
  /// Indicates a condition that another test may expect.
  var hasOpenCondition = false
  /// The conditions around captures, which say that there is something to capture, and the parts that these capture.
  var guards: [(condition: JavaScriptExpression, subjects: [ScriptSubject])] = []
  /// The number of captures so far.
  var captureCount = 0
  /// The expectations around a condition, and around those within.
  var enclosing: [ScriptExpectations] = []
  /// The names that statements under a condition give other values.
  var assigned: Set<String> = []
  /// The functions that run once a time has passed, and the time that passed so far, in milliseconds.
  var timers: [(time: Int, body: [JavaScriptStatement])] = []
  var delay = 0
  /// Indicates that nothing fails here, since failures are caught.
  var isCaught = false
  var functions: [String: (parameters: [String], body: [JavaScriptStatement])] = [:]
  /// The number of functions around a statement.
  private var depth = 0
  private static let depthLimit = 8
  /// The number of times that something may still be translated as a whole or not at all.
  var budget = 2000
  /// The statements that aren't translated, and those that declare what these may read.
  var remarks: [(range: Range<Int>, reason: String)] = []
  /// The statements whose condition alone isn't translated.
  var conditions: [(range: Range<Int>, reason: String)] = []
  var declared: [(names: Set<String>, range: Range<Int>)] = []

  private init(
    bytes: [UInt8], _ source: ImportedScript, isShared: Bool, effects: ScriptEffects, expected: ScriptExpectations
  ) {
    self.bytes = bytes
    isTest = source.isTest
    self.isShared = isShared
    self.effects = effects
    self.expected = expected
    evaluation.changing = ScriptEvaluation.changingNames(in: bytes)
    evaluation.requestName = effects.request.isEmpty ? nil : effects.request
  }

  /// The effects of a script after those before it.
  static func effects(of source: ImportedScript, isShared: Bool, after effects: ScriptEffects) -> ScriptEffects {
    let bytes = Array(source.text.utf8)
    let statements = source.statements(of: bytes)
    func script(_ expected: ScriptExpectations) -> PostmanScript {
      var script = PostmanScript(bytes: bytes, source, isShared: isShared, effects: effects, expected: expected)
      script.run(statements)
      script.runTimers()
      return script
    }
    var result = script(effects.expectations)
    if result.hasOpenCondition { result = script(result.effects.expectations) }
    result.remark()
    return result.effects
  }

  mutating func run(_ statements: [JavaScriptStatement]) {
    for (index, statement) in statements.enumerated() {
      if runToEnd(statement, statements[(index + 1)...]) { return }
      if !run(statement) { remarks.append((statement.range, reason(for: statement))) }
    }
  }

  /// Remarks on what isn't translated, in order, with the declarations that it reads.
  private mutating func remark() {
    remarks += conditions
    if remarks.isEmpty { return }
    func words(_ range: Range<Int>) -> Set<String> {
      Set(
        bytes[range].split { !isAlphanumeric($0) && !"_$".utf8.contains($0) }.map {
          String(decoding: $0, as: UTF8.self)
        })
    }
    var read = remarks.reduce(into: Set<String>()) { $0.formUnion(words($1.range)) }
    for (names, range) in declared.reversed() where !names.isDisjoint(with: read) {
      remarks.append((range, remarks[0].reason))
      read.formUnion(words(range))
    }
    var known = Set(effects.untranslated)
    for (range, reason) in remarks.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let source = String(decoding: bytes[range], as: UTF8.self)
      let part = Untranslated(reason: reason, source: source, sets: Self.names(setIn: source))
      if known.insert(part).inserted { effects.untranslated.append(part) }
    }
  }

  /// The names that calls in a text set.
  private static func names(setIn source: String) -> [String] {
    source.contains("set") ? source.matches(of: setterCall).map { String($0.output.1) } : []
  }

  func reason(for statement: JavaScriptStatement) -> String {
    guard case .expression(let expression) = statement.kind else { return "statements of scripts" }
    var call = expression
    if case .prefix("await", let operand) = call { call = operand }
    guard case .call(let callee, _) = call, let path = callee.path else { return "statements of scripts" }
    switch path {
    case "pm.sendRequest": return "requests that scripts send"
    case "postman.setNextRequest", "pm.execution.setNextRequest", "pm.execution.skipRequest": return "jumps of scripts"
    case "pm.visualizer.set": return "visualizations"
    case _ where path.hasSuffix(".unset") || path.hasSuffix(".clear"): return "removals of variables"
    default: return "statements of scripts"
    }
  }

  // MARK: Statements

  /// Translates a statement; returns whether all of it is translated or already remarked on.
  private mutating func run(_ statement: JavaScriptStatement) -> Bool {
    switch statement.kind {
    case .empty: return true
    case .declaration(let values):
      // Both sides of `const a = …, b = …` must be known.
      let isKnown = values.reduce(true) { isKnown, one in bind(one.pattern, one.value) && isKnown }
      // What stands for a part of the response says so itself.
      let names = values.flatMap(\.pattern.names).filter { evaluation.names[$0]?.subject == nil }
      if isKnown, !names.isEmpty { declared.append((Set(names), statement.range)) }
      return isKnown
    case .expression(let expression): return run(expression, statement)
    case .result(let expression?): return run(expression, statement)
    case .result(nil), .failure, .other: return false
    case .block(let body):
      run(body)
      return true
    case .condition(let condition, let then, let otherwise):
      return run(if: condition, then, otherwise, statement)
    case .attempt(let body, let failure): return attempt(body, failure)
    }
  }

  private mutating func bind(_ pattern: JavaScriptPattern, _ expression: JavaScriptExpression?) -> Bool {
    guard let expression else { return true }
    // A module does nothing by itself: its uses are known, or remarked on.
    if case .call(.name("require"), _) = expression { return true }
    if case .name(let name) = pattern, case .function(let parameters, let body) = expression {
      functions[name] = (parameters, body)
      evaluation.names[name] = nil
      return true
    }
    let value = evaluation.value(expression)
    switch pattern {
    case .name(let name):
      functions[name] = nil
      evaluation.names[name] = value
      return value != nil
    case .members(let members):
      for (key, name) in members { evaluation.names[name] = value?.member(key) }
      return members.allSatisfy { evaluation.names[$0.name] != nil }
    }
  }

  private mutating func run(_ expression: JavaScriptExpression, _ statement: JavaScriptStatement) -> Bool {
    switch expression {
    // A test that always passes.
    case .assignment(.item(.name("tests"), _), "=", .bool(true)): return isTest
    case .assignment(.item(.name("tests"), .text(let name)), "=", let condition),
      .assignment(.member(.name("tests"), let name), "=", let condition):
      assigned.insert("tests." + name)
      if let value = evaluation.condition(condition) { evaluation.names["tests." + name] = .condition(value) }
      return expect(condition)
    case .assignment(.item(.name("tests"), _), "=", let condition): return expect(condition)
    case .assignment(.name(let name), "=", let value):
      assigned.insert(name)
      return bind(.name(name), value)
    case .assignment(.item(.name("environment"), .text(let name)), "=", let value),
      .assignment(.member(.name("environment"), let name), "=", let value),
      .assignment(.item(.name("globals"), .text(let name)), "=", let value),
      .assignment(.member(.name("globals"), let name), "=", let value):
      return set(name, value)
    case .infix("&&", let condition, let action):
      let then = JavaScriptStatement(kind: .expression(action), range: statement.range)
      return run(if: condition, [then], [], statement)
    case .call(let callee, let arguments): return call(callee, arguments) ?? chain(expression)
    case .prefix("await", let operand): return run(operand, statement)
    default: return chain(expression)
    }
  }

  /// A call of Postman; nil if it is another.
  private mutating func call(_ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> Bool? {
    if case .member(let list, "forEach") = callee { return forEach(list, arguments) }
    if case .name(let name) = callee, let function = functions[name] {
      return call(
        function.body,
        with: function.parameters.enumerated().map { index, parameter in
          (parameter, index < arguments.count ? evaluation.value(arguments[index]) : .undefined)
        })
    }
    if isConsole(callee) { return true }
    guard let path = callee.path else { return nil }
    if setters.contains(path) {
      guard arguments.count > 1, let name = evaluation.value(arguments[0])?.word else { return false }
      return set(name, arguments[1])
    }
    switch path {
    case "pm.test":
      guard isTest, case .function(_, let body)? = arguments.last else { return false }
      // The names of a test are its own, and it reports its failure itself.
      let outer = (evaluation.names, functions, isCaught)
      isCaught = false
      run(body)
      (evaluation.names, functions, isCaught) = outer
      return true
    case "setTimeout": return wait(arguments)
    case "pm.request.headers.add", "pm.request.headers.upsert", "pm.request.addHeader": return addHeader(arguments)
    default: return nil
    }
  }

  /// Translates the body of a function with values for its parameters, as a whole.
  private mutating func call(
    _ body: [JavaScriptStatement], with values: [(name: String, value: ScriptValue?)]
  ) -> Bool {
    let outer = (evaluation, functions)
    guard depth < Self.depthLimit else { return false }
    return all { script in
      script.depth += 1
      for (name, value) in values {
        script.evaluation.names[name] = value
        script.functions[name] = nil
      }
      script.run(body)
      (script.evaluation, script.functions) = outer
      script.depth -= 1
      return true
    }
  }

  private mutating func chain(_ expression: JavaScriptExpression) -> Bool {
    if case .call(.member(_, "parse"), _) = expression, isTest, !isCaught,
      let schema = evaluation.zodValidation(expression)
    {
      return effects.expectations.add(schema: schema)
    }
    guard isTest, !isCaught, let chain = ScriptChain(expression, evaluation) else { return false }
    if let schema = chain.schema, !effects.expectations.add(schema: schema) { return false }
    for assertion in chain.assertions { effects.expectations.add(assertion) }
    return true
  }

  private mutating func expect(_ condition: JavaScriptExpression) -> Bool {
    guard isTest else { return false }
    if let schema = evaluation.schema(condition) { return effects.expectations.add(schema: schema) }
    guard let assertions = evaluation.condition(condition), !assertions.isEmpty else { return false }
    for assertion in assertions { effects.expectations.add(assertion) }
    return true
  }

  /// `items.forEach(item => …)`, whose expectations hold for each item.
  private mutating func forEach(_ list: JavaScriptExpression, _ arguments: [JavaScriptExpression]) -> Bool {
    guard case .function(let parameters, let body)? = arguments.first, let name = parameters.first else { return false }
    switch evaluation.value(list) {
    case .value(.list(let items))? where parameters.count == 1:
      return all { script in items.allSatisfy { script.call(body, with: [(name, .value($0))]) } }
    case .subject(.json(let path, isEach: false))? where isTest && !path.contains("[?") && !path.contains("[*]"):
      let names = effects.captures.names
      return all { script in
        script.call(body, with: [(name, .subject(.json(path + "[*]", isEach: true)))])
          && script.effects.captures.names == names
      }
    default: return false
    }
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

extension JavaScriptPattern {
  fileprivate var names: [String] {
    switch self {
    case .name(let name): [name]
    case .members(let members): members.map(\.name)
    }
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let setterCall = /set(?:[A-Z][A-Za-z]*)?\(\s*["'`]([^"'`{}]+)["'`]/
