import Values

/// The words of Bruno's scripts as those of Postman's.
enum BrunoScript {
  static func replacement(_ expression: JavaScriptExpression) -> JavaScriptExpression? {
    switch expression {
    case .call(let callee, let arguments): call(callee, arguments.map { $0.replacing(replacement) })
    case .member(.name("res"), let name): parts[name]
    default: nil
    }
  }

  /// The members of `res`, for which it has functions such as `getStatus`, too.
  private static let parts: [String: JavaScriptExpression] = [
    "status": "pm.response.code", "statusText": "pm.response.status", "body": "pm.response.json()",
    "headers": "pm.response.headers", "responseTime": "pm.response.responseTime",
  ]

  private static let functions: [String: JavaScriptExpression] = [
    "test": "pm.test", "bru.setVar": "pm.environment.set", "bru.setEnvVar": "pm.environment.set",
    "bru.setGlobalEnvVar": "pm.environment.set", "bru.setCollectionVar": "pm.environment.set",
    "bru.getVar": "pm.environment.get", "bru.getEnvVar": "pm.environment.get",
    "bru.getGlobalEnvVar": "pm.environment.get", "bru.getCollectionVar": "pm.environment.get",
    "bru.getFolderVar": "pm.environment.get", "bru.getRequestVar": "pm.environment.get",
    "bru.interpolate": "pm.variables.replaceIn", "bru.setNextRequest": "pm.execution.setNextRequest",
    "bru.runner.setNextRequest": "pm.execution.setNextRequest", "bru.runner.skipRequest": "pm.execution.skipRequest",
    "bru.runner.stopExecution": "pm.execution.setNextRequest", "bru.deleteVar": "pm.environment.unset",
    "bru.deleteAllVars": "pm.environment.clear", "bru.deleteEnvVar": "pm.environment.unset",
    "bru.runRequest": "pm.sendRequest", "bru.sendRequest": "pm.sendRequest", "bru.visualize": "pm.visualizer.set",
  ]

  private static func call(
    _ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]
  ) -> JavaScriptExpression? {
    if case .name("res") = callee, arguments.count == 1, case .text(let path) = arguments[0] {
      return part(ofBody: path)
    }
    guard let path = callee.path else { return nil }
    if path == "req.getName" { return "pm.info.requestName" }
    if path == "res.getHeader" { return .call("pm.response.headers.get", arguments) }
    if path.hasPrefix("res.get"), case let name = path.dropFirst("res.get".count),
      let part = parts[name.prefix(1).lowercased() + name.dropFirst()]
    {
      return part
    }
    if path == "req.setHeader", arguments.count == 2 {
      return .call("pm.request.headers.add", [.object([("key", arguments[0]), ("value", arguments[1])])])
    }
    if let assertion = ScriptAssert.replacement(path, arguments) { return assertion }
    return functions[path].map { function in
      .call(function, Array(arguments.prefix(function.path == "pm.environment.set" ? 2 : arguments.count)))
    }
  }

  /// The part of the body that a query such as `items[0].name` finds; nil for other queries.
  private static func part(ofBody path: String) -> JavaScriptExpression? {
    var result: JavaScriptExpression = "pm.response.json()"
    for segment in path.split(separator: ".", omittingEmptySubsequences: false) {
      let pieces = segment.split(separator: "[", omittingEmptySubsequences: false)
      guard pieces[0].allSatisfy({ $0.isLetter || $0.isNumber || "_-$".contains($0) }) else { return nil }
      if !pieces[0].isEmpty { result = .member(result, String(pieces[0])) }
      for index in pieces.dropFirst() {
        guard index.hasSuffix("]"), index.dropLast().allSatisfy(\.isNumber), index.count > 1 else { return nil }
        result = .item(result, .number(String(index.dropLast())))
      }
    }
    return result
  }
}

/// The assertions of Bruno as statements of tests.
enum BrunoAssertion {
  private static let kinds = [
    "isNumber": "number", "isString": "string", "isBoolean": "boolean", "isArray": "array", "isJson": "object",
  ]

  private static let plain = [
    "isEmpty": "to.be.empty", "isNotEmpty": "to.not.be.empty", "isNull": "to.be.null",
    "isUndefined": "to.equal(undefined)", "isDefined": "to.not.equal(undefined)", "isTruthy": "to.be.true",
    "isFalsy": "to.be.false",
  ]

  private static let comparisons = [
    "eq": "to.equal", "neq": "to.not.equal", "gt": "to.be.above", "gte": "to.be.at.least", "lt": "to.be.below",
    "lte": "to.be.at.most", "contains": "to.include", "notContains": "to.not.include", "length": "to.have.lengthOf",
  ]

  static func script(_ pair: BrunoPair) -> String {
    let text = pair.value.trimmed
    let word = String(text.prefix { !$0.isWhitespace })
    let rest = String(text.dropFirst(word.count)).trimmed
    let header = pair.name.firstMatch(of: responseHeader)
    let name = header.map { "res.getHeader(\"\($0.output.1)\")" } ?? pair.name
    let subject = "expect(\(name))"
    if let words = plain[word] { return "\(subject).\(words)" }
    if let kind = kinds[word] { return "\(subject).to.be.a(\"\(kind)\")" }
    switch word {
    case "in", "notIn":
      return "\(subject).to.\(word == "in" ? "" : "not.")be.oneOf([\(items(rest).joined(separator: ", "))])"
    case "between": return "\(subject).to.be.within(\(items(rest).joined(separator: ", ")))"
    case "matches", "notMatches":
      return "\(subject).to.\(word == "matches" ? "" : "not.")match(\(pattern(rest)))"
    case "startsWith", "endsWith": return "expect(\(name).\(word)(\(operand(rest)))).to.equal(true)"
    default: break
    }
    if let words = comparisons[word] { return "\(subject).\(words)(\(operand(rest)))" }
    return "\(subject).to.equal(\(operand(text)))"
  }

  private static func items(_ text: String) -> [String] {
    let list = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    return list.split(separator: ",").map { operand(String($0).trimmed) }
  }

  private static func pattern(_ text: String) -> String {
    if text.count > 1, text.hasPrefix("/"), text.dropFirst().contains("/") { return text }
    return "/\(text.replacing("/", with: "\\/"))/"
  }

  /// A value: a literal, or a text without quotes that may have variables.
  private static func operand(_ text: String) -> String {
    if ["true", "false", "null", "undefined"].contains(text) { return text }
    if let first = text.first, text.count > 1, "\"'`".contains(first), text.last == first { return text }
    if Double(text) != nil, text.first?.isNumber ?? false || text.hasPrefix("-") { return text }
    if text.hasPrefix("{{"), text.hasSuffix("}}"), !text.dropFirst(2).contains("{{") {
      return "bru.getVar(\"\(jsonEscaped(String(text.dropFirst(2).dropLast(2)).trimmed))\")"
    }
    if text.hasPrefix("[") || text.hasPrefix("{") { return text }
    return "bru.interpolate(\"\(jsonEscaped(text))\")"
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let responseHeader = /^res\.headers\.([\w-]+)$/
