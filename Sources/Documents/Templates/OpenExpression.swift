import Values

/// An expression that a scope may keep open.
package struct OpenExpression {
  let expression: Expression

  /// A step from a value to a part of it.
  package enum Step: Sendable {
    case name(String)
    case index(Int)
  }

  package var range: SourceRange { expression.range }
  /// The expression as written.
  package var text: String { range.text }

  /// The names and the members that it reads.
  package var references: [TemplateReference] {
    var references: [TemplateReference] = []
    expression.collectReferences(into: &references)
    return references
  }

  /// The variable of the environment that it is; nil for any other.
  package var environmentName: String? {
    if case .environment(let name) = expression.kind { name } else { nil }
  }

  /// A name, and the literal steps to a part of its value; nil for any other expression.
  package var path: (name: String, steps: [Step])? { OpenExpression.path(expression) }

  private static func path(_ expression: Expression) -> (name: String, steps: [Step])? {
    switch expression.kind {
    case .lookup(let name): return (name, [])
    case .member(let base, let name, _): return path(base).map { ($0.name, $0.steps + [.name(name)]) }
    case .index(let base, let index):
      switch index.literal {
      case .text(let name)?: return path(base).map { ($0.name, $0.steps + [.name(name.string)]) }
      case .number(let number)?:
        guard let number = number.int else { return nil }
        return path(base).map { ($0.name, $0.steps + [.index(number)]) }
      default: return nil
      }
    default: return nil
    }
  }

  /// The functions in it whose results differ each time.
  package var unrepeatableFunctions: [String] { expression.unrepeatableFunctions }

  /// The value, computed with the values of open parts that are known.
  package func value(in scope: any TemplateScope) throws(TemplateError) -> Value {
    try Evaluator(scope: KnownScope(scope: scope)).value(of: expression)
  }
}

/// A scope whose values are known.
private struct KnownScope: TemplateScope {
  let scope: any TemplateScope

  var names: [String] { scope.names }
  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup {
    let found = try scope.lookup(name)
    return if case .value(let value) = found { .value(value.known) } else { found }
  }
  func environmentVariable(_ name: String) -> Text? { scope.environmentVariable(name) }
  func now() -> Timestamp { scope.now() }
  func nextRandom() -> UInt64 { scope.nextRandom() }
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    try scope.readFile(path, from: range)
  }
}
