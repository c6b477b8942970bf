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
  /// A variable, which is part of no response: conditions read it.
  case variable(String)

  /// Indicates that it may be several values: a list for scripts.
  var isQuery: Bool {
    if case .json(let path, isEach: false) = self { path.contains("[?") || path.contains("[*]") } else { false }
  }

  /// Indicates that assertions can convert it.
  var takesConversion: Bool {
    switch self {
    case .json(_, let isEach): !isEach
    case .body, .header, .cookie: true
    default: false
    }
  }

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

/// The type that a script makes of a part of the response.
enum ScriptConversion: String {
  case string, number, integer, first
  /// The text of JSON, whose quotes and order are not compared.
  case json

  var word: String { self == .json ? "string" : rawValue }

  /// Returns whether a predicate says the same of the converted value as a script.
  func takes(_ predicate: String, _ value: ImportedValue, of subject: ScriptSubject) -> Bool {
    guard self == .json else { return true }
    guard ["contains", "not_contains", "matches", "not_matches"].contains(predicate), case .node(let node) = value
    else {
      return false
    }
    // A text in JSON has quotes and escapes, which the whole document certainly is not.
    return subject == .json("$", isEach: false) || !(node.scalar?.text.contains { "\"\\".contains($0) } ?? true)
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
  /// A part of the response as another type.
  case converted(ScriptSubject, ScriptConversion)
  /// A schema of Zod.
  case schema([(key: String, value: ImportedValue)], isOptional: Bool)
  /// The result of a validation against a schema.
  case validation(ImportedValue)
  /// The first of several values that is there.
  indirect case first([ScriptValue])
  /// A text of parts of the response, and of what is known.
  indirect case joined([ScriptValue])
  case pattern(String)
  case condition([ScriptAssertion])

  /// A value that an expression of reqrun makes.
  static func made(_ expression: String) -> ScriptValue { .value(.text(ImportedText(.expression(expression)))) }

  var subject: ScriptSubject? { if case .subject(let subject) = self { subject } else { nil } }

  /// The member of that name.
  func member(_ name: String) -> ScriptValue? {
    switch self {
    case .subject(let subject) where !subject.isQuery: subject.member(name).map { .subject($0) }
    case .converted(let subject, .first): subject.member(name).map { .converted($0, .first) }
    case .value(.mapping(let members)): members.first { $0.key == name }.map { .value($0.value) }
    default: nil
    }
  }

  /// The value as a text; nil where it depends on the type of a part of the response.
  ///
  /// - Parameter isJSON: whether it is the text of JSON, with quotes around a text.
  func text(isJSON: Bool) -> ScriptValue? {
    switch self {
    case .subject(.json(_, isEach: false)): subject.map { .converted($0, isJSON ? .json : .string) }
    case .subject(.body), .subject(.header), .subject(.cookie): isJSON ? nil : self
    case .value(.text), .value(.node): isJSON && integer == nil ? nil : text.map { .value(.text($0)) }
    default: nil
    }
  }

  /// The value as a number.
  func number(_ conversion: ScriptConversion) -> ScriptValue? {
    switch self {
    case .subject(let subject) where subject.takesConversion: .converted(subject, conversion)
    case .value where integer != nil: self
    case .value where word != nil: word.flatMap { Int($0) }.map { .value(.integer($0)) }
    case .value: text?.argument.map { .made("to_\(conversion.rawValue)(\($0))") }
    default: nil
    }
  }

  /// Indicates what is a text, whatever the response is.
  var isText: Bool {
    switch self {
    case .joined, .value(.text): true
    case .value(.node(let node)): if case .text? = node.scalar?.meaning { true } else { false }
    default: false
    }
  }

  /// Indicates a literal that counts as false, or an empty structure, in place of what is missing.
  var isNothing: Bool {
    switch self {
    case .undefined: true
    case .value(.list(let items)): items.isEmpty
    case .value(.mapping(let members)): members.isEmpty
    case .value(.text(let text)): text.isEmpty
    case .value(.node(let node)): ["null", "false", "0", ""].contains(node.scalar?.text)
    default: false
    }
  }
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
  var conversion: ScriptConversion?

  init(
    _ subject: ScriptSubject, isCount: Bool = false, as conversion: ScriptConversion? = nil, _ predicate: String,
    _ value: ImportedValue
  ) {
    self.subject = subject == .mediaType ? .header("Content-Type") : subject
    self.isCount = isCount
    // What isn't there can't be converted.
    self.conversion = predicate == "exists" && conversion == .first ? nil : conversion
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
    if conversion != nil, isCount || !subject.takesConversion { return false }
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
    case .response, .sent, .reason, .headers, .mediaType, .variable: return false
    }
  }

  func isSame(as other: ScriptAssertion) -> Bool {
    subject == other.subject && isCount == other.isCount && predicate == other.predicate
      && conversion == other.conversion && value.isSame(as: other.value)
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

extension ImportedText {
  /// The text as the argument of a function, which a lone variable is itself.
  var argument: String? {
    if parts.count == 1, case .variable(let name) = parts[0], expression != nil { return "{{\(name)}}" }
    return expression
  }

  /// The text as one expression; nil if a variable's name cannot stand in one.
  var expression: String? {
    var items: [String] = []
    for part in parts {
      switch part {
      case .variable(let name) where !name.contains(where: { " '\"()|{".contains($0) }):
        items.append("to_string({{\(name)}})")
      case .text(let text): items.append("'\(text.replacing("'", with: "''"))'")
      case .expression(let expression): items.append("to_string(\(expression))")
      default: return nil
      }
    }
    return items.count == 1 ? items[0] : items.isEmpty ? "''" : "concat(\(items.joined(separator: ", ")))"
  }
}
