import Values
import YAMLNodes

/// Chains of expectations in scripts: `pm.expect(x).to.be.above(3)`, `pm.response.to.have.status(200)`.
struct ScriptChain {
  private struct Link {
    let name: String
    let arguments: [JavaScriptExpression]?
  }

  private let evaluation: ScriptEvaluation
  private var links: [Link] = []
  var subject: ScriptValue?
  var isNegated = false
  private var isLength = false
  private var isPart = false
  var assertions: [ScriptAssertion] = []
  private(set) var schema: ImportedValue?

  /// Reads a chain; nil if the expression is none, or if specs have no such expectation.
  init?(_ expression: JavaScriptExpression, _ evaluation: ScriptEvaluation) {
    self.evaluation = evaluation
    guard let start = findStart(expression) else { return nil }
    links.reverse()
    guard read(start), !assertions.isEmpty || schema != nil, assertions.allSatisfy(\.isPossible) else { return nil }
  }

  /// Takes the links; returns what the chain is about.
  private mutating func findStart(_ expression: JavaScriptExpression) -> JavaScriptExpression? {
    var rest = expression
    while true {
      switch rest {
      case .call(let callee, let arguments) where ["pm.expect", "expect", "chai.expect"].contains(callee.path):
        return arguments.first
      case .call(.member(let base, let name), let arguments):
        links.append(Link(name: name, arguments: arguments))
        rest = base
      case .member(let base, let name):
        if base.path == "pm.response", name == "to" { return base }
        links.append(Link(name: name, arguments: nil))
        rest = base
      default: return nil
      }
    }
  }

  private mutating func read(_ start: JavaScriptExpression) -> Bool {
    if case .member(.name("pm"), "response") = start { subject = .subject(.response) }
    if subject == nil, let value = evaluation.value(start) {
      if case .condition = value { subject = nil } else { subject = value }
    }
    if subject == nil { return readCondition(start) }
    var isKnown = true
    for link in links where isKnown {
      isKnown = link.arguments.map { call(link.name, $0) } ?? word(link.name)
    }
    return isKnown
  }

  /// `pm.expect(a === b).to.be.true`.
  private mutating func readCondition(_ start: JavaScriptExpression) -> Bool {
    var isTrue: Bool?
    for link in links {
      switch link.name {
      // A flag of the chain: it stays.
      case "not": isNegated = true
      case "true", "ok": isTrue = true
      case "false": isTrue = false
      case "eql", "equal", "equals", "eq":
        guard case .bool(let value)? = link.arguments?.first else { return false }
        isTrue = value
      default: guard fillers.contains(link.name), link.arguments == nil else { return false }
      }
    }
    if isTrue == !isNegated, let schema = evaluation.schema(start) {
      self.schema = schema
      return true
    }
    guard let isTrue, let found = evaluation.condition(start, isNegated: isTrue == isNegated) else { return false }
    assertions = found
    return true
  }

  /// Adds a predicate on the subject; returns false without a value, and for a subject that has none.
  mutating func add(_ predicate: String, _ value: ImportedValue?) -> Bool {
    guard let value else { return false }
    switch subject {
    case .subject(let subject)?:
      return add(ScriptAssertion(subject, isCount: isLength, predicate, isLength ? value : subject.operand(value)))
    case .count(let subject)?: return add(ScriptAssertion(subject, isCount: true, predicate, value))
    case .converted(let subject, let conversion)?:
      return !isLength && conversion.takes(predicate, value, of: subject)
        && add(ScriptAssertion(subject, as: conversion, predicate, value))
    default: return false
    }
  }

  mutating func add(_ assertion: ScriptAssertion?) -> Bool {
    guard let assertion else { return false }
    assertions.append(isNegated ? assertion.negated : assertion)
    return true
  }

  // MARK: Words

  private mutating func word(_ name: String) -> Bool {
    if fillers.contains(name) { return true }
    switch name {
    case "not": isNegated = true
    case "deep", "own", "nested", "all", "any":
      if name == "any" { return false }
    case "include", "includes", "contain", "contains": isPart = true
    case "length", "lengthOf": isLength = true
    case "true", "false": return add("equals", .bool(name == "true"))
    case "null": return add("equals", .node(.null))
    case "undefined": return add("exists", .bool(false))
    case "exist": return exists()
    case "empty": return add("is", .text("empty"))
    case "NaN", "arguments", "finite": return false
    case "ok":
      if case .subject(.response)? = subject { return status(of: name) }
      guard let subject = subject?.subject, !subject.isQuery else { return false }
      assertions.append(ScriptEvaluation.truth(of: subject, isNegated: isNegated))
      return true
    default:
      if case .subject(.response)? = subject { return status(of: name) }
      return false
    }
    return true
  }

  private mutating func exists() -> Bool {
    if case .converted(let subject, .first)? = subject { return add(ScriptAssertion(subject, "exists", .bool(true))) }
    guard case .subject(let subject)? = subject, !subject.isQuery else { return false }
    guard case .json = subject else { return add("exists", .bool(true)) }
    // Null doesn't exist, either.
    assertions.append(
      isNegated
        ? ScriptEvaluation.nothing(subject, or: [.null]) : ScriptAssertion(subject, "is_not", .text("null")))
    return true
  }

  // MARK: Calls

  private mutating func call(_ name: String, _ arguments: [JavaScriptExpression]) -> Bool {
    let values = arguments.map { evaluation.value($0) }
    if case .subject(.response)? = subject { return responseCall(name, values) }
    let first = values.first ?? nil
    let literal = first?.literal
    if let predicate = comparisons[name] { return add(predicate, literal) }
    switch name {
    case "equal", "equals", "eq", "eql", "eqls":
      guard let first, let subject else { return false }
      if isLength { return add("equals", literal) }
      return add(evaluation.equality(subject, first) ?? evaluation.equality(first, subject))
    case "a", "an":
      guard let word = first?.word else { return false }
      if case .converted(let subject, .first)? = subject {
        return add(evaluation.kind(word, of: subject, as: .first))
      }
      guard case .subject(let subject)? = subject else { return false }
      return add(evaluation.kind(word, of: subject))
    case "include", "includes", "contain", "contains", "string":
      if case .mapping? = literal { return add("includes", literal) }
      return add("contains", literal)
    case "within":
      let bounds = values.compactMap { $0?.literal }
      return bounds.count == 2 && add("between", .list(bounds))
    case "lengthOf", "length":
      isLength = true
      defer { isLength = false }
      return add("equals", literal)
    case "property", "ownProperty", "haveOwnProperty": return property(values)
    case "keys", "key": return keys(arguments, values)
    case "members":
      guard case .list(let items)? = literal else { return false }
      if isPart { return add("includes", literal) }
      guard !isNegated, case .subject(let subject)? = subject else { return false }
      assertions.append(ScriptAssertion(subject, "equals", .list(items)))
      assertions.append(ScriptAssertion(subject, "unordered", .bool(true)))
      return true
    case "oneOf":
      guard case .list? = literal else { return false }
      return add("one_of", literal)
    case "match", "matches":
      guard case .pattern(let pattern)? = first else { return false }
      return add("matches", .text(pattern))
    case "instanceof", "instanceOf":
      return constructors[arguments.first?.path ?? ""].map { add("is", .text($0)) } ?? false
    case "exist": return exists()
    case "jsonSchema": return take(schema: values)
    // Words that are also written as calls.
    case "true", "false", "null", "undefined", "empty", "ok": return arguments.isEmpty && word(name)
    default: return false
    }
  }

  /// `have.property("a.b", value)`, after which the chain is about the member.
  private mutating func property(_ values: [ScriptValue?]) -> Bool {
    guard let name = values.first??.word, let current = subject else { return false }
    var member = current.member(name)
    if isPart || links.contains(where: { $0.name == "nested" }), case .subject(.json(let path, let isEach)) = current {
      member = .subject(.json(path + jsonPathSegments(name), isEach: isEach))
    }
    guard let member else { return false }
    subject = member
    guard values.count > 1 else { return add("exists", .bool(true)) }
    return add(values[1].flatMap { evaluation.equality(member, $0) })
  }

  private mutating func keys(_ arguments: [JavaScriptExpression], _ values: [ScriptValue?]) -> Bool {
    guard !isNegated, case .subject(let subject)? = subject else { return false }
    var names = values.compactMap { $0?.word }
    if case .list(let items)?? = values.first.map({ $0?.literal }) {
      names = items.compactMap { ScriptValue.value($0).word }
      guard names.count == items.count else { return false }
    } else if names.count != values.count {
      return false
    }
    for name in names {
      guard let member = subject.member(name) else { return false }
      assertions.append(ScriptAssertion(member, "exists", .bool(true)))
    }
    if !isPart { assertions.append(ScriptAssertion(subject, isCount: true, "equals", .integer(names.count))) }
    return !names.isEmpty
  }

  /// Takes a schema of the body, or of one of its members.
  mutating func take(schema values: [ScriptValue?]) -> Bool {
    guard !isNegated, case .mapping(let members)? = values.first??.literal, case .subject(let subject)? = subject else {
      return false
    }
    var taken = ImportedValue.mapping(members)
    switch subject {
    case .response, .json("$", isEach: false): break
    case .json(let path, isEach: false)
    where path.utf8.dropFirst().allSatisfy({ isWordCharacter($0) || $0 == UInt8(ascii: ".") })
      && !taken.refersToItsRoot:
      for name in path.split(separator: ".").dropFirst().reversed() {
        let name = String(name)
        taken = .mapping([
          ("type", .text("object")), ("required", .list([.text(name)])), ("properties", .mapping([(name, taken)])),
        ])
      }
    default: return false
    }
    schema = taken
    return true
  }
}

private let comparisons = [
  "above": "greater_than", "gt": "greater_than", "greaterThan": "greater_than",
  "least": "at_least", "gte": "at_least", "greaterThanOrEqual": "at_least",
  "below": "less_than", "lt": "less_than", "lessThan": "less_than",
  "most": "at_most", "lte": "at_most", "lessThanOrEqual": "at_most",
]

/// Words of chains without a meaning of their own.
private let fillers: Set<String> = [
  "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still",
  "also",
]
