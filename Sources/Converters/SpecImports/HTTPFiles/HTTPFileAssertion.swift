import YAMLNodes

/// The assertions of httpyac, `?? status == 200`, and of httprunner, `EXPECTED_RESPONSE_STATUS 200`.
enum HTTPFileAssertion {
  /// Adds an assertion; returns false for one that has no form in a spec.
  static func add(_ source: String, to expectations: inout ScriptExpectations) -> Bool {
    if source.hasPrefix("EXPECTED_RESPONSE_") { return addExpected(source, to: &expectations) }
    let words = source.split(separator: " ").map(String.init)
    guard let kind = words.first, let place = words.dropFirst().firstIndex(where: { operators.contains($0) }) else {
      return false
    }
    let (name, sign) = (words[1..<place].joined(separator: " "), words[place])
    let operand = words[(place + 1)...].joined(separator: " ")
    let subject: ScriptSubject
    switch kind {
    case "status" where name.isEmpty: subject = .status
    case "duration" where name.isEmpty: subject = .duration
    case "header" where !name.isEmpty: subject = .header(name)
    case "body" where name.isEmpty: subject = .body
    case "body":
      guard let path = HTTPFileNames.jsonPath("." + name) else { return false }
      subject = .json("$" + path, isEach: false)
    case "js":
      guard !name.hasSuffix(".length"), let found = script(name) else { return false }
      subject = found
    default: return false
    }
    guard let assertion = assertion(subject, sign, operand), assertion.isPossible else { return false }
    expectations.add(assertion)
    return true
  }

  /// The XPath of an assertion with its value; nil for another one.
  static func xpath(_ source: String) -> (path: String, value: ImportedValue)? {
    source.wholeMatch(of: xpathComparison).map {
      ("string(\($0.output.1.trimmed))", .text($0.output.2.trimmed))
    }
  }

  private static let predicates = predicatesOfSigns.merging(
    [
      "==": "equals", "!=": "not_equals", "startsWith": "starts_with", "endsWith": "ends_with", "includes": "contains",
      "contains": "contains", "matches": "matches",
    ], uniquingKeysWith: { $1 })
  private static let operators = Set(predicates.keys).union([
    "exists", "isTrue", "isFalse", "isNumber", "isBoolean", "isString", "isArray",
  ])

  /// The part of the response that an expression of JavaScript reads.
  private static func script(_ source: String) -> ScriptSubject? {
    let path = source.trimmed
    for prefix in ["response.parsedBody", "response.body"] where path.hasPrefix(prefix) {
      let rest = String(path.dropFirst(prefix.count))
      if rest.isEmpty { return prefix == "response.body" ? .body : .json("$", isEach: false) }
      return HTTPFileNames.jsonPath(rest).map { .json("$" + $0, isEach: false) }
    }
    return ["response.statusCode": ScriptSubject.status, "response.status": .status][path]
  }

  private static func assertion(_ subject: ScriptSubject, _ sign: String, _ operand: String) -> ScriptAssertion? {
    if let predicate = predicates[sign] {
      guard !operand.isEmpty else { return nil }
      let isText = ["starts_with", "ends_with", "contains", "matches"].contains(predicate)
      return ScriptAssertion(subject, predicate, subject.operand(isText ? .text(operand) : value(operand)))
    }
    switch sign {
    case "exists": return ScriptAssertion(subject, "exists", .bool(true))
    case "isTrue", "isFalse": return ScriptAssertion(subject, "equals", .bool(sign == "isTrue"))
    default: return ScriptAssertion(subject, "is", .text(sign.dropFirst(2).lowercased()))
    }
  }

  /// A number, a boolean or null where the text is one.
  private static func value(_ text: String) -> ImportedValue {
    switch text {
    case "true", "false": return .bool(text == "true")
    case "null": return .node(.null)
    default: break
    }
    if text.count > 1, text.hasPrefix("\"") && text.hasSuffix("\"") || text.hasPrefix("'") && text.hasSuffix("'") {
      return .text(String(text.dropFirst().dropLast()))
    }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isNumber =
      !digits.isEmpty && digits.count < 18 && digits.allSatisfy { $0.isASCII && $0.isNumber }
      && (digits.count == 1 || digits.first != "0")
    return isNumber ? .node(.number(text)) : .text(text)
  }

  private static func addExpected(_ source: String, to expectations: inout ScriptExpectations) -> Bool {
    let word = source.prefix { !$0.isWhitespace }
    var rest = String(source.dropFirst(word.count)).trimmed
    if rest.count > 1, rest.hasPrefix("\""), rest.hasSuffix("\"") { rest = String(rest.dropFirst().dropLast()) }
    switch word {
    case "EXPECTED_RESPONSE_STATUS":
      guard let status = Int(rest), (100..<600).contains(status) else { return false }
      expectations.add(ScriptAssertion(.status, "equals", .integer(status)))
    case "EXPECTED_RESPONSE_BODY":
      guard !rest.isEmpty else { return false }
      expectations.add(ScriptAssertion(.body, "contains", .text(rest)))
    case "EXPECTED_RESPONSE_HEADERS", "EXPECTED_RESPONSE_HEADER":
      guard let (name, value) = HTTPFileRequest.header(rest), !name.isEmpty, !value.isEmpty else { return false }
      expectations.add(ScriptAssertion(.header(name), "contains", .text(value)))
    default: return false
    }
    return true
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let xpathComparison = /xpath +(.+?) == (.*)/
