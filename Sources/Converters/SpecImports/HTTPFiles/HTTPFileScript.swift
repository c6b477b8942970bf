/// A script of JetBrains' HTTP Client or of httpyac: its forms are those of Postman by other names.
enum HTTPFileScript {
  static func converted(_ statements: [JavaScriptStatement]) -> [JavaScriptStatement] {
    var names = Names()
    return names.converted(statements)
  }

  /// The names of other tools in those of Postman.
  private struct Names {
    /// The variables that hold the type of the response.
    private var types: Set<String> = []

    private static let calls = [
      "client.test": "pm.test", "test": "pm.test", "client.global.set": "pm.globals.set",
      "client.global.get": "pm.globals.get", "client.log": "console.log", "request.variables.set": "pm.variables.set",
      "request.variables.get": "pm.variables.get",
    ]
    private static let values = [
      "response.status": "pm.response.code", "response.statusCode": "pm.response.code",
      "response.parsedBody": "pm.response.json()", "response.duration": "pm.response.responseTime",
      "response.timings.total": "pm.response.responseTime", "response.headers": "pm.response.headers",
      "response.body": "pm.response.text()", "response.rawBody": "pm.response.text()", "response": "pm.response",
    ]
    private static let textMembers: Set<String> = [
      "includes", "indexOf", "startsWith", "endsWith", "length", "match", "trim", "toString", "contains",
    ]
    private static let equalities: Set<String> = [
      "equal", "strictEqual", "deepEqual", "deepStrictEqual", "assert.equal", "assert.strictEqual",
      "assert.deepEqual", "assert.deepStrictEqual",
    ]

    mutating func converted(_ statements: [JavaScriptStatement]) -> [JavaScriptStatement] {
      statements.compactMap { statement in
        converted(statement.kind).map { JavaScriptStatement(kind: $0, range: statement.range) }
      }
    }

    /// Nil for a statement that only names a library or the type of the response.
    private mutating func converted(_ kind: JavaScriptStatement.Kind) -> JavaScriptStatement.Kind? {
      switch kind {
      case .declaration(let declared):
        var kept: [(pattern: JavaScriptPattern, value: JavaScriptExpression?)] = []
        for one in declared {
          if case .call(.name("require"), _)? = one.value { continue }
          if case .name(let name) = one.pattern, let value = one.value, isType(value) {
            types.insert(name)
          } else {
            kept.append((one.pattern, one.value.map { converted($0) }))
          }
        }
        return kept.isEmpty ? nil : .declaration(kept)
      default: return kind.mapped({ converted($0) }, { converted($0) })
      }
    }

    private func isType(_ expression: JavaScriptExpression) -> Bool {
      if case .name(let name) = expression { return types.contains(name) }
      return expression.path == "response.contentType.mimeType"
    }

    private static func check(_ condition: JavaScriptExpression) -> JavaScriptExpression {
      .assignment(.item(.name("tests"), .text("")), "=", condition)
    }

    private mutating func converted(_ expression: JavaScriptExpression) -> JavaScriptExpression {
      expression.replacing { replacement($0) }
    }

    private mutating func replacement(_ expression: JavaScriptExpression) -> JavaScriptExpression? {
      if let path = expression.path, let value = Self.values[path] { return JavaScriptExpression(path: value) }
      switch expression {
      case .member(let base, let name) where base.path == "response.body" && !Self.textMembers.contains(name):
        return .member(JavaScriptExpression(path: "pm.response.json()"), name)
      // The lines of a header; the first is the usual one.
      case .item(.call(.member(let headers, "valuesOf"), let arguments), _) where headers.path == "response.headers":
        return header(arguments)
      case .item(let base, let index) where base.path == "response.body":
        return .item(JavaScriptExpression(path: "pm.response.json()"), converted(index))
      case .call(let callee, let arguments): return call(callee, arguments)
      case .infix("==", let left, let right) where isType(left) || isType(right),
        .infix("===", let left, let right) where isType(left) || isType(right):
        let type = header([.text("Content-Type")])
        return .call(.member(type, "startsWith"), [converted(isType(left) ? right : left)])
      case .assignment(.member(.name("exports"), let name), "=", let value):
        return .call(JavaScriptExpression(path: "pm.globals.set"), [.text(name), converted(value)])
      case .assignment(let target, let sign, let value): return .assignment(target, sign, converted(value))
      case .function(let parameters, let body): return .function(parameters: parameters, body: converted(body))
      case .name(let name) where types.contains(name): return header([.text("Content-Type")])
      default: return nil
      }
    }

    private func header(_ arguments: [JavaScriptExpression]) -> JavaScriptExpression {
      .call(JavaScriptExpression(path: "pm.response.headers.get"), arguments)
    }

    private mutating func call(
      _ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]
    ) -> JavaScriptExpression {
      let path = callee.path ?? ""
      let converted = arguments.map { self.converted($0) }
      if let known = Self.calls[path] { return .call(JavaScriptExpression(path: known), converted) }
      switch path {
      case "client.assert", "assert", "assert.ok": return converted.first.map { Self.check($0) } ?? .undefined
      case _ where Self.equalities.contains(path) && converted.count > 1:
        return Self.check(.infix("===", converted[0], converted[1]))
      case "response.headers.valueOf", "response.headers.valuesOf": return header(converted)
      case "test.status", "test.statusCode":
        guard let status = converted.first else { break }
        return Self.check(.infix("===", JavaScriptExpression(path: "pm.response.code"), status))
      case "test.totalTime":
        guard let time = converted.first else { break }
        return Self.check(.infix("<=", JavaScriptExpression(path: "pm.response.responseTime"), time))
      case "test.header":
        guard converted.count == 2 else { break }
        return Self.check(.infix("===", header([converted[0]]), converted[1]))
      case "test.headerContains":
        guard converted.count == 2 else { break }
        return Self.check(.call(.member(header([converted[0]]), "includes"), [converted[1]]))
      case "test.responseBody":
        guard let body = converted.first else { break }
        return Self.check(.infix("===", JavaScriptExpression(path: "pm.response.text()"), body))
      default: break
      }
      // A member of the body is a method of JSON: `response.body.hasOwnProperty("id")`.
      if case .member(let base, let name) = callee {
        return .call(self.converted(.member(base, name)), converted)
      }
      return .call(self.converted(callee), converted)
    }
  }
}
