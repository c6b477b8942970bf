/// The assertions of Node's `assert` and of Chai's, as those of Postman.
enum ScriptAssert {
  private static let equalities: Set<String> = ["equal", "strictEqual", "deepEqual", "deepStrictEqual"]
  private static let inequalities: Set<String> = ["notEqual", "notStrictEqual", "notDeepEqual", "notDeepStrictEqual"]

  /// The words of Chai's chains for its functions.
  private static let words = [
    "include": "include", "property": "property", "lengthOf": "lengthOf", "match": "match", "oneOf": "oneOf",
    "isAbove": "above", "isAtLeast": "least", "isBelow": "below", "isAtMost": "most", "typeOf": "a",
  ]

  private static let kinds = [
    "isArray": "array", "isString": "string", "isNumber": "number", "isBoolean": "boolean", "isObject": "object",
  ]

  /// A statement that expects a condition.
  static func check(_ condition: JavaScriptExpression) -> JavaScriptExpression {
    .assignment(.item("tests", .text("")), "=", condition)
  }

  /// The expression for a call such as `assert.equal(a, b)`; nil for another.
  static func replacement(_ path: String, _ arguments: [JavaScriptExpression]) -> JavaScriptExpression? {
    let name = path.hasPrefix("assert.") ? String(path.dropFirst("assert.".count)) : path
    guard path.hasPrefix("assert") || equalities.contains(path), let first = arguments.first else { return nil }
    if ["assert", "ok", "isOk"].contains(name) { return check(first) }
    if let kind = kinds[name] { return chain(first, "a", [.text(kind)]) }
    if name == "isTrue" || name == "isFalse" { return check(.infix("===", first, .bool(name == "isTrue"))) }
    guard arguments.count > 1 else { return nil }
    if equalities.contains(name) { return check(.infix("===", first, arguments[1])) }
    if inequalities.contains(name) { return check(.infix("!==", first, arguments[1])) }
    return words[name].map { chain(first, $0, [arguments[1]]) }
  }

  /// `expect(value).to.word(…)`.
  private static func chain(
    _ value: JavaScriptExpression, _ word: String, _ arguments: [JavaScriptExpression]
  ) -> JavaScriptExpression {
    .call(.member(.member(.call("expect", [value]), "to"), word), arguments)
  }
}
