import YAMLNodes

/// Chains about whole responses.
extension ScriptChain {
  /// `pm.response.to.be.ok` and other words for statuses, `to.be.json`, `to.be.withBody`.
  mutating func status(of name: String) -> Bool {
    let classes = [
      "success": "2xx", "info": "1xx", "redirection": "3xx", "clientError": "4xx", "serverError": "5xx",
    ]
    subject = .subject(.status)
    if let words = classes[name] {
      // Negated classes are the others.
      guard isNegated else { return add("equals", .text(words)) }
      let others = ["1xx", "2xx", "3xx", "4xx", "5xx"].filter { $0 != words }
      assertions.append(ScriptAssertion(.status, "equals", .list(others.map { .text($0) })))
      return true
    }
    switch name {
    case "error":
      let list = isNegated ? ["1xx", "2xx", "3xx"] : ["4xx", "5xx"]
      assertions.append(ScriptAssertion(.status, "equals", .list(list.map { .text($0) })))
      return true
    case "ok": return add("equals", .integer(200))
    case "rateLimited": return add("equals", .integer(429))
    case "withBody", "body":
      subject = .subject(.body)
      return add("is_not", .text("empty"))
    case "json", "jsonBody":
      subject = .subject(.json("$", isEach: false))
      return add("exists", .bool(true))
    default:
      return add("equals", statusOfReason(name).map { .integer($0) })
    }
  }

  /// Expects a value, or a match with a pattern.
  private mutating func equal(_ value: ScriptValue?) -> Bool {
    if case .pattern(let pattern)? = value { return add("matches", .text(pattern)) }
    return add("equals", value?.literal)
  }

  /// `pm.response.to.have.status(200)` and its siblings.
  mutating func responseCall(_ name: String, _ values: [ScriptValue?]) -> Bool {
    let first = values.first ?? nil
    switch name {
    case "status":
      subject = .subject(.status)
      return add("equals", (first?.integer ?? first?.word.flatMap(statusOfReason)).map { .integer($0) })
    case "statusCode":
      subject = .subject(.status)
      return add("equals", first?.integer.map { .integer($0) })
    case "header":
      guard let header = first?.word else { return false }
      subject = .subject(.header(header))
      return values.count > 1 ? equal(values[1]) : add("exists", .bool(true))
    case "jsonBody":
      subject = .subject(.json("$", isEach: false))
      if values.isEmpty { return add("exists", .bool(true)) }
      if case .mapping? = first?.literal { return equal(first) }
      guard let path = first?.word else { return false }
      subject = .subject(.json("$" + jsonPathSegments(path), isEach: false))
      return values.count > 1 ? add("equals", values[1]?.literal) : add("exists", .bool(true))
    case "body":
      subject = .subject(.body)
      return values.isEmpty ? add("is_not", .text("empty")) : equal(first)
    case "jsonSchema": return take(schema: values)
    case "property":
      guard let name = first?.word, let member = ScriptSubject.response.member(name) else { return false }
      subject = .subject(member)
      return values.count > 1 && add("equals", values[1]?.literal)
    default: return false
    }
  }
}
