/// A script of JetBrains' HTTP Client or of httpyac: its forms are those of Postman by other names.
enum HTTPFileScript {
  private static let calls: [String: JavaScriptExpression] = [
    "client.test": "pm.test", "test": "pm.test", "client.global.set": "pm.globals.set",
    "client.global.get": "pm.globals.get", "client.log": "console.log", "request.variables.set": "pm.variables.set",
    "request.variables.get": "pm.variables.get",
  ]
  private static let values: [String: JavaScriptExpression] = [
    "response.status": "pm.response.code", "response.statusCode": "pm.response.code",
    "response.parsedBody": "pm.response.json()", "response.duration": "pm.response.responseTime",
    "response.timings.total": "pm.response.responseTime", "response.headers": "pm.response.headers",
    "response.contentType.mimeType": "pm.response.mediaType", "response.body": "pm.response.text()",
    "response.rawBody": "pm.response.text()", "response": "pm.response",
  ]
  private static let textMembers: Set<String> = [
    "includes", "indexOf", "startsWith", "endsWith", "length", "match", "trim", "toString", "contains",
  ]
  /// The functions of httpyac that compare a part of the response with their argument.
  private static let checks: [String: (part: JavaScriptExpression, sign: String)] = [
    "test.status": ("pm.response.code", "==="), "test.statusCode": ("pm.response.code", "==="),
    "test.totalTime": ("pm.response.responseTime", "<="), "test.responseBody": ("pm.response.text()", "==="),
  ]

  /// The expression of Postman for one of other tools; nil if only its parts may have one.
  static func replacement(_ expression: JavaScriptExpression) -> JavaScriptExpression? {
    if let path = expression.path, let value = values[path] { return value }
    switch expression {
    case .member(let base, let name) where base.path == "response.body" && !textMembers.contains(name):
      return .member("pm.response.json()", name)
    // The lines of a header; the first is the usual one.
    case .item(.call(.member(let headers, "valuesOf"), let arguments), _) where headers.path == "response.headers":
      return header(arguments)
    case .item(let base, let index) where base.path == "response.body":
      return .item("pm.response.json()", index.replacing(replacement))
    case .call(let callee, let arguments): return call(callee, arguments.map { $0.replacing(replacement) })
    case .assignment(.member(.name("exports"), let name), "=", let value):
      return .call("pm.globals.set", [.text(name), value.replacing(replacement)])
    default: return nil
    }
  }

  private static func header(_ arguments: [JavaScriptExpression]) -> JavaScriptExpression {
    .call("pm.response.headers.get", arguments)
  }

  private static func call(
    _ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]
  ) -> JavaScriptExpression {
    let path = callee.path ?? ""
    if let known = calls[path] { return .call(known, arguments) }
    if let (part, sign) = checks[path], let value = arguments.first {
      return ScriptAssert.check(.infix(sign, part, value))
    }
    switch path {
    case "client.assert": return arguments.first.map(ScriptAssert.check) ?? .undefined
    case "response.headers.valueOf", "response.headers.valuesOf": return header(arguments)
    case "test.header" where arguments.count == 2:
      return ScriptAssert.check(.infix("===", header([arguments[0]]), arguments[1]))
    case "test.headerContains" where arguments.count == 2:
      return ScriptAssert.check(.call(.member(header([arguments[0]]), "includes"), [arguments[1]]))
    default: return ScriptAssert.replacement(path, arguments) ?? .call(callee.replacing(replacement), arguments)
    }
  }
}
