/// The captures of scripts, each with its sources in order: of several that are set, the last counts.
struct ScriptCaptures {
  /// The source of a capture, and the keys beside it.
  typealias Source = [(key: String, value: ImportedValue)]

  private var captures: [(key: String, value: (sources: [Source], isOptional: Bool))] = []

  var names: [String] { captures.map(\.key) }

  /// Sets a capture.
  ///
  /// - Parameters:
  ///   - sources: where the value is looked for, in this order.
  ///   - isOptional: whether the value stays what it was if none of them is there.
  mutating func set(_ name: String, _ sources: [Source], isOptional: Bool) {
    let earlier = captures.first { $0.key == name }?.value
    let index = captures.firstIndex { $0.key == name } ?? captures.endIndex
    if index == captures.endIndex { captures.append((name, ([], true))) }
    captures[index].value = (
      sources + (isOptional ? earlier?.sources ?? [] : []), isOptional && earlier?.isOptional ?? true
    )
  }

  /// The captures in the words of specs: a source behind the first has a name of its own, which the one before it takes
  /// by default.
  var members: [(key: String, value: ImportedValue)] {
    captures.flatMap { name, capture in
      var fallback: String? = capture.isOptional ? name : nil
      var result: [(key: String, value: ImportedValue)] = []
      for (index, source) in capture.sources.enumerated().reversed() {
        let own = numbered(name, index + 1)
        result.append((own, Self.value(source, fallback: fallback)))
        fallback = own
      }
      return result
    }
  }

  private static func value(_ source: Source, fallback: String?) -> ImportedValue {
    if let fallback { return .mapping(source + [("default", .text(ImportedText(.variable(fallback))))]) }
    guard source.count == 1 else { return .mapping(source) }
    switch source[0].value {
    case .text where source[0].key == "json": return source[0].value
    case .node(let node) where node.isSame(as: .bool(true)): return .text(source[0].key)
    case .node where source[0].key == "json": return source[0].value
    default: return .mapping(source)
    }
  }
}

extension ScriptSubject {
  /// The source that captures it; nil if there is none.
  var source: ScriptCaptures.Source? {
    switch self {
    case .json(let path, isEach: false): [("json", .text(path))]
    case .body: [("body", .bool(true))]
    case .status: [("status", .bool(true))]
    case .duration: [("duration", .bool(true))]
    case .header(let name): [("header", .text(name))]
    case .cookie(let name): [("cookie", .text(name))]
    default: nil
    }
  }

  /// A word for it in names.
  var word: String {
    switch self {
    case .json(let path, _): path.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last.map(String.init) ?? "body"
    case .header(let name), .cookie(let name): name
    case .status: "status"
    case .duration: "duration"
    default: "body"
    }
  }

  /// Returns whether the assertion holds wherever this part of a response is there.
  func implies(_ assertion: ScriptAssertion) -> Bool {
    guard assertion.conversion == nil else { return false }
    if assertion.subject == self, assertion.predicate == "exists" { return assertion.isTrue }
    guard case .json(let path, false) = self, case .json(let start, false) = assertion.subject,
      path.hasPrefix(start)
    else { return false }
    let rest = path.dropFirst(start.count)
    guard rest.first.map({ ".[".contains($0) }) ?? true else { return false }
    let isList = rest.hasPrefix("[") && !rest.hasPrefix("['")
    switch (assertion.isCount, assertion.predicate, assertion.value) {
    case (true, "greater_than", .node(let node)), (true, "not_equals", .node(let node)):
      return isList && node.scalar?.text == "0"
    case (true, "at_least", .node(let node)): return isList && node.scalar?.text == "1"
    case (false, "exists", _): return assertion.isTrue
    case (false, "not_equals", .node(let node)): return ["null", ""].contains(node.scalar?.text)
    case (false, "is", .node(let node)):
      return node.scalar?.text == "array" && isList || node.scalar?.text == "object" && !rest.isEmpty && !isList
    case (false, "is_not", .node(let node)): return ["null", "empty"].contains(node.scalar?.text)
    case (false, "not", _):
      return assertion.isSame(as: ScriptEvaluation.truth(of: assertion.subject, isNegated: false))
    default: return false
    }
  }
}
