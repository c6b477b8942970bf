/// The part of a response that a script reads.
enum ScriptSubject: Hashable {
  case response, body, status, reason, duration, size, headers
  /// The `Content-Type` without its parameters.
  case mediaType
  /// The response as Insomnia's tests have it.
  case sent
  /// A JSONPath, and whether it selects each item of a list.
  case json(String, isEach: Bool)
  case header(String)
  case cookie(String)

  /// The member or the item of that name; nil for what has none.
  func member(_ name: String) -> ScriptSubject? {
    switch self {
    case .json(let path, let isEach): .json(path + jsonPathSegment(name), isEach: isEach)
    case .headers: .header(name)
    case .response:
      switch name {
      case "code", "statusCode": .status
      case "status": .reason
      case "responseTime": .duration
      case "responseSize": .size
      case "headers": .headers
      case "mediaType": .mediaType
      case "body": .body
      default: nil
      }
    case .sent: ["status": .status, "statusMessage": .reason, "data": .body, "headers": .headers][name]
    default: nil
    }
  }
}

/// The value of an expression of a script, as far as it is known without running it.
enum ScriptValue {
  case subject(ScriptSubject)
  /// The length of a text or a list.
  case count(ScriptSubject)
  /// The names of an object's members.
  case names(ScriptSubject)
  /// The word that `typeof` has for it.
  case kind(ScriptSubject)
  /// A literal, or a text with variables.
  case value(ImportedValue)
  case undefined
  /// The time in milliseconds, or a fraction by chance, before any arithmetic.
  case now, chance
  case scaledNow, scaledChance(Int)
  case pattern(String)
  case condition([ScriptAssertion])

  /// A value that an expression of reqrun makes.
  static func made(_ expression: String) -> ScriptValue { .value(.text(ImportedText(.expression(expression)))) }

  var subject: ScriptSubject? { if case .subject(let subject) = self { subject } else { nil } }
  var literal: ImportedValue? {
    switch self {
    case .value(let value): value
    case .now: .text(ImportedText(.expression("now | format(\"unix_ms\")")))
    default: nil
    }
  }

  var text: ImportedText? {
    guard let literal else { return nil }
    switch literal {
    case .text(let text): return text
    case .node(let node):
      return node.scalar.map { ImportedText($0.text) }
    default: return nil
    }
  }

  var word: String? { text?.literal }
  var integer: Int? {
    guard case .value(.node(let node)) = self, case .number(let text)? = node.scalar?.meaning else { return nil }
    return Int(text)
  }
}

/// An expectation of a script.
struct ScriptAssertion {
  var subject: ScriptSubject
  /// Indicates that it is about the length.
  var isCount = false
  var predicate: String
  var value: ImportedValue

  init(_ subject: ScriptSubject, isCount: Bool = false, _ predicate: String, _ value: ImportedValue) {
    self.subject = subject == .mediaType ? .header("Content-Type") : subject
    self.isCount = isCount
    self.predicate = predicate
    self.value = value
  }

  /// The opposite.
  var negated: ScriptAssertion {
    var result = self
    if predicate == "exists" {
      result.value = .bool(!isTrue)
    } else if let opposite = opposites[predicate] {
      result.predicate = opposite
    } else {
      result.value = predicate == "not" ? value : .mapping([(predicate, value)])
      result.predicate = "not"
      if predicate == "not", case .mapping(let members) = value, members.count == 1 {
        (result.predicate, result.value) = members[0]
      }
    }
    return result
  }

  /// Indicates that specs have such an assertion.
  var isPossible: Bool {
    if isCount {
      switch subject {
      case .json, .body: return comparisons.contains(predicate)
      default: return false
      }
    }
    switch subject {
    case .json: return true
    case .body, .header, .cookie: return comparisons.contains(predicate) || textPredicates.contains(predicate)
    case .status: return comparisons.contains(predicate)
    case .duration, .size: return ["less_than", "at_most", "greater_than", "at_least"].contains(predicate)
    case .response, .sent, .reason, .headers, .mediaType: return false
    }
  }

  func isSame(as other: ScriptAssertion) -> Bool {
    subject == other.subject && isCount == other.isCount && predicate == other.predicate
      && value.isSame(as: other.value)
  }
}

private let opposites = [
  "equals": "not_equals", "not_equals": "equals", "contains": "not_contains", "not_contains": "contains",
  "is": "is_not",
  "is_not": "is", "matches": "not_matches", "not_matches": "matches", "greater_than": "at_most",
  "at_most": "greater_than", "less_than": "at_least", "at_least": "less_than",
]
private let comparisons: Set<String> = [
  "equals", "not_equals", "one_of", "greater_than", "at_least", "less_than", "at_most", "between", "close_to",
]
private let textPredicates: Set<String> = [
  "contains", "not_contains", "matches", "not_matches", "is", "is_not", "exists", "starts_with", "ends_with", "not",
]

/// The expectations of a request's scripts.
struct ScriptExpectations {
  private var order: [ScriptSubject] = []
  private var assertions: [ScriptSubject: [ScriptAssertion]] = [:]
  /// The subjects of headers by their names in lower case.
  private var headers: [String: ScriptSubject] = [:]
  private var schema: ImportedValue?

  mutating func add(_ assertion: ScriptAssertion) {
    var assertion = assertion
    if case .header(let name) = assertion.subject {
      assertion.subject = headers[name.lowercased()] ?? assertion.subject
      headers[name.lowercased()] = assertion.subject
    }
    if contains(assertion) { return }
    if assertions[assertion.subject] == nil { order.append(assertion.subject) }
    assertions[assertion.subject, default: []].append(assertion)
  }

  mutating func add(schema: ImportedValue) { self.schema = schema }

  mutating func add(_ other: ScriptExpectations) {
    for subject in other.order { for assertion in other.assertions[subject] ?? [] { add(assertion) } }
    schema = other.schema ?? schema
  }

  func contains(_ assertion: ScriptAssertion) -> Bool {
    assertions[assertion.subject]?.contains { $0.isSame(as: assertion) } ?? false
  }

  /// The keys of `expect`.
  var expect: [(key: String, value: ImportedValue)] {
    var result: [(key: String, value: ImportedValue)] = []
    for subject in order {
      guard let own = assertions[subject] else { continue }
      let value = predicates(own, for: subject)
      switch subject {
      case .status: result.insert(("status", value), at: 0)
      case .body: result.append(("body", value))
      case .duration: result.append(("duration", value))
      case .size: result.set("bytes", "count", value)
      case .header(let name): result.set("headers", name, value)
      case .cookie(let name): result.set("cookies", name, value)
      case .json(let path, _): result.set("json", path, value)
      case .response, .sent, .reason, .headers, .mediaType: break
      }
    }
    if let schema { result.append(("schema", schema)) }
    return result
  }

  private func predicates(_ assertions: [ScriptAssertion], for subject: ScriptSubject) -> ImportedValue {
    var assertions = assertions
    // What another assertion needs anyway.
    if assertions.count > 1 {
      assertions.removeAll { $0.predicate == "exists" && $0.negated.predicate == "exists" && $0.isTrue }
    }
    var groups: [[(key: String, value: ImportedValue)]] = []
    for assertion in assertions {
      let isPlain = assertion.predicate == "equals"
      let member: (key: String, value: ImportedValue) =
        assertion.isCount
        ? ("count", isPlain ? assertion.value : .mapping([(assertion.predicate, assertion.value)]))
        : (assertion.predicate, assertion.value)
      if let index = groups.firstIndex(where: { group in !group.contains { $0.key == member.key } }) {
        groups[index].append(member)
      } else {
        groups.append([member])
      }
    }
    if case .json(_, isEach: true) = subject {
      return .mapping(
        groups.count == 1
          ? [(groups[0].count == 1 && groups[0][0].key == "exists" ? groups[0][0] : ("every", .mapping(groups[0])))]
          : [("all", .list(groups.map { .mapping([("every", .mapping($0))]) }))])
    }
    if groups.count > 1 { return .mapping([("all", .list(groups.map { .mapping($0) }))]) }
    if let group = groups.first, group.count == 1, group[0].key == "equals", !group[0].value.isNullOrMapping {
      return group[0].value
    }
    return .mapping(groups.first ?? [])
  }
}

extension ScriptAssertion {
  fileprivate var isTrue: Bool {
    if case .node(let node) = value { node.scalar?.meaning == .bool(true) } else { false }
  }
}

extension ImportedValue {
  fileprivate var isNullOrMapping: Bool {
    switch self {
    case .mapping: true
    case .node(let node): node.members != nil || node.scalar?.meaning == .null
    default: false
    }
  }
}
