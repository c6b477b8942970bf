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
      case .expression(let expression): return .expression(converted(expression))
      case .result(let expression): return .result(expression.map { converted($0) })
      case .condition(let condition, let then, let otherwise):
        return .condition(converted(condition), then: converted(then), otherwise: converted(otherwise))
      case .attempt(let body, let failure): return .attempt(converted(body), failure: converted(failure))
      case .block(let body): return .block(converted(body))
      case .empty, .other: return kind
      }
    }

    private func isType(_ expression: JavaScriptExpression) -> Bool {
      if case .name(let name) = expression { return types.contains(name) }
      return expression.path == "response.contentType.mimeType"
    }

    private static func path(_ words: String) -> JavaScriptExpression {
      let isCall = words.hasSuffix("()")
      let names = (isCall ? words.dropLast(2) : words[...]).split(separator: ".").map(String.init)
      let expression = names.dropFirst().reduce(JavaScriptExpression.name(names.first ?? "")) { .member($0, $1) }
      return isCall ? .call(expression, []) : expression
    }

    private static func check(_ condition: JavaScriptExpression) -> JavaScriptExpression {
      .assignment(.item(.name("tests"), .text("")), "=", condition)
    }

    private mutating func converted(_ expression: JavaScriptExpression) -> JavaScriptExpression {
      if let path = expression.path, let value = Self.values[path] { return Self.path(value) }
      switch expression {
      case .member(let base, let name):
        if base.path == "response.body", !Self.textMembers.contains(name) {
          return .member(Self.path("pm.response.json()"), name)
        }
        return .member(converted(base), name)
      case .item(let base, let index):
        // The lines of a header; the first is the usual one.
        if case .call(.member(let headers, "valuesOf"), let arguments) = base, headers.path == "response.headers" {
          return header(arguments)
        }
        if base.path == "response.body" { return .item(Self.path("pm.response.json()"), converted(index)) }
        return .item(converted(base), converted(index))
      case .call(let callee, let arguments): return call(callee, arguments)
      case .infix(let sign, let left, let right):
        if ["==", "==="].contains(sign), isType(left) || isType(right) {
          let type = header([.text("Content-Type")])
          return .call(.member(type, "startsWith"), [converted(isType(left) ? right : left)])
        }
        return .infix(sign, converted(left), converted(right))
      case .prefix(let sign, let operand): return .prefix(sign, converted(operand))
      case .choice(let condition, let one, let other):
        return .choice(converted(condition), converted(one), converted(other))
      case .assignment(let target, let sign, let value):
        if case .member(.name("exports"), let name) = target, sign == "=" {
          return .call(Self.path("pm.globals.set"), [.text(name), converted(value)])
        }
        return .assignment(target, sign, converted(value))
      case .function(let parameters, let body): return .function(parameters: parameters, body: converted(body))
      case .list(let items): return .list(items.map { converted($0) })
      case .object(let members): return .object(members.map { ($0.key, converted($0.value)) })
      case .template(let texts, let parts): return .template(texts, parts.map { converted($0) })
      case .new(let call): return .new(converted(call))
      case .name(let name) where types.contains(name): return header([.text("Content-Type")])
      case .name, .number, .text, .bool, .null, .undefined, .regex: return expression
      }
    }

    private func header(_ arguments: [JavaScriptExpression]) -> JavaScriptExpression {
      .call(Self.path("pm.response.headers.get"), arguments)
    }

    private mutating func call(
      _ callee: JavaScriptExpression, _ arguments: [JavaScriptExpression]
    ) -> JavaScriptExpression {
      let path = callee.path ?? ""
      let converted = arguments.map { self.converted($0) }
      if let known = Self.calls[path] { return .call(Self.path(known), converted) }
      switch path {
      case "client.assert", "assert", "assert.ok": return converted.first.map { Self.check($0) } ?? .undefined
      case _ where Self.equalities.contains(path) && converted.count > 1:
        return Self.check(.infix("===", converted[0], converted[1]))
      case "response.headers.valueOf", "response.headers.valuesOf": return header(converted)
      case "test.status", "test.statusCode":
        guard let status = converted.first else { break }
        return Self.check(.infix("===", Self.path("pm.response.code"), status))
      case "test.totalTime":
        guard let time = converted.first else { break }
        return Self.check(.infix("<=", Self.path("pm.response.responseTime"), time))
      case "test.header":
        guard converted.count == 2 else { break }
        return Self.check(.infix("===", header([converted[0]]), converted[1]))
      case "test.headerContains":
        guard converted.count == 2 else { break }
        return Self.check(.call(.member(header([converted[0]]), "includes"), [converted[1]]))
      case "test.responseBody":
        guard let body = converted.first else { break }
        return Self.check(.infix("===", Self.path("pm.response.text()"), body))
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
