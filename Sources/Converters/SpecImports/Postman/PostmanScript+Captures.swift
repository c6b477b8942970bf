/// Variables and captures that scripts set.
extension PostmanScript {
  mutating func set(_ name: String, _ expression: JavaScriptExpression) -> Bool {
    guard let value = evaluation.value(expression), !name.isEmpty else { return false }
    if isTest {
      // A condition has the value from before.
      guard !reads(name) else { return false }
      captureCount += 1
      return capture(value, as: name)
    }
    // A value that is made of itself is not a variable.
    guard let literal = value.literal, !(value.text?.parts.contains(.variable(name)) ?? false) else { return false }
    effects.variables.replace(with: [ImportedVariable(name: name, value: Self.text(value) ?? literal)])
    return true
  }

  /// A literal in which there may be variables.
  private static func text(_ value: ScriptValue) -> ImportedValue? {
    value.word.map { .text(ImportedText(postman: $0)) }
  }

  // MARK: Captures

  /// Returns whether a condition of an expectation reads a variable.
  private func reads(_ name: String) -> Bool {
    ([effects.expectations] + enclosing).contains { $0.read(name) }
      || guards.contains { evaluation.guarding($0.condition)?.contains { $0.subject == .variable(name) } ?? false }
  }

  private mutating func capture(_ value: ScriptValue, as name: String) -> Bool {
    if case .joined(let pieces) = value { return capture(pieces, as: name) }
    if case .count(let subject) = value {
      guard guards.isEmpty, let helper = helper(subject, for: name) else { return false }
      effects.captures.set(name, [source(.made("length({{\(helper)}})"))], isOptional: false)
      return true
    }
    guard let sources = sources(of: value, name: name) else { return false }
    effects.captures.set(name, sources, isOptional: isCaught || !guards.isEmpty)
    return true
  }

  /// The sources for a value, in order; nil if specs have none.
  private func sources(of value: ScriptValue, name: String) -> [ScriptCaptures.Source]? {
    switch value {
    case .subject(let subject): return source(subject).map { [$0] }
    case .converted(let subject, let conversion):
      return source(subject).map { [$0 + [("as", .text(conversion.word))]] }
    case .first(let values):
      let sources = values.compactMap { self.sources(of: $0, name: name) }
      return sources.count == values.count ? sources.flatMap(\.self) : nil
    default:
      // What is set under a condition alone has no form.
      let isOwn = value.text?.parts.contains(.variable(name)) ?? false
      return value.literal == nil || isOwn || !guards.isEmpty || isCaught ? nil : [source(value)]
    }
  }

  private func source(_ value: ScriptValue) -> ScriptCaptures.Source {
    [("value", Self.text(value) ?? value.literal ?? .node(.null))]
  }

  /// The source for a part of the response, if all conditions around only say that it is there.
  private func source(_ subject: ScriptSubject) -> ScriptCaptures.Source? {
    let isGuarded = guards.allSatisfy { condition, subjects in
      evaluation.condition(condition)?.allSatisfy { assertion in
        isExpected(assertion) || assertion.isSuccess || subjects.contains { $0.implies(assertion) }
      } ?? false
    }
    guard isGuarded else { return nil }
    switch subject {
    // A shared script may run where there is nothing to capture.
    case .json, .header, .cookie: return isShared ? nil : subject.source
    default: return subject.source
    }
  }

  /// Captures a text of several parts.
  private mutating func capture(_ pieces: [ScriptValue], as name: String) -> Bool {
    var text = ImportedText()
    for piece in pieces {
      if let known = piece.text {
        text.append(known)
      } else {
        guard guards.isEmpty, !isCaught, let subject = piece.subject, let helper = helper(subject, for: name) else {
          return false
        }
        text.append(.variable(helper))
      }
    }
    effects.captures.set(name, [[("value", .text(text))]], isOptional: false)
    return true
  }

  /// The name of a capture of a part of the response, for an expression.
  private mutating func helper(_ subject: ScriptSubject, for name: String) -> String? {
    guard !isCaught, let source = source(subject) else { return nil }
    let helper = "\(name)_\(subject.word)"
    effects.captures.set(helper, [source], isOptional: false)
    return helper
  }

  /// Captures what statements set where a condition says that it is there, or else what others set.
  mutating func capture(
    where condition: JavaScriptExpression, _ then: [JavaScriptStatement], _ otherwise: [JavaScriptStatement],
    _ statement: JavaScriptStatement
  ) -> Bool {
    guard !isShared, then.allSatisfy(isCapture), otherwise.allSatisfy(isCapture) else { return false }
    // What only one of both sets depends on the condition.
    guard otherwise.isEmpty || Set(otherwise.map(capturedName)) == Set(then.map(capturedName)) else { return false }
    let count = declared.count
    run(otherwise)
    guards.append((condition, then.flatMap(capturedSubjects)))
    run(then)
    guards.removeLast()
    let hasOpenStatus = evaluation.condition(condition)?.contains { $0.isSuccess && !isExpected($0) } ?? false
    if hasOpenStatus {
      hasOpenCondition = true
      // The statement has its declarations.
      declared = Array(declared.prefix(count))
      conditions.append((statement.range, "conditions of captures"))
    }
    return true
  }

  /// The parts of the response that a statement captures.
  func capturedSubjects(_ statement: JavaScriptStatement) -> [ScriptSubject] {
    switch statement.kind {
    case .condition(_, let then, _): return then.flatMap(capturedSubjects)
    case .expression(.call(_, let arguments)):
      switch arguments.count > 1 ? evaluation.value(arguments[1]) : nil {
      case .subject(let subject)?, .converted(let subject, _)?: return [subject]
      case .first(let values)?: return values.compactMap(\.subject)
      case .joined(let pieces)?: return pieces.compactMap(\.subject)
      default: return []
      }
    default: return []
    }
  }

  private func capturedName(_ statement: JavaScriptStatement) -> String? {
    guard case .expression(.call(_, let arguments)) = statement.kind, let name = arguments.first else { return nil }
    return evaluation.value(name)?.word
  }
}

extension ScriptAssertion {
  /// Indicates that a status is one of those for success, which requests need anyway.
  var isSuccess: Bool {
    guard subject == .status, !isCount, ["equals", "one_of"].contains(predicate) else { return false }
    let values: [ImportedValue] = if case .list(let items) = value { items } else { [value] }
    return values.allSatisfy { value in
      guard case .node(let node) = value, let text = node.scalar?.text else { return false }
      return text.count == 3 && text.hasPrefix("2")
    }
  }
}

let setters: Set<String> = [
  "pm.environment.set", "pm.variables.set", "pm.collectionVariables.set", "pm.globals.set",
  "postman.setEnvironmentVariable", "postman.setGlobalVariable", "pm.vault.set", "pm.baseEnvironment.set",
]
