import DocumentQueries
import Matching
import RequestSpecs
import Values

/// The scripts of clients that check responses in JavaScript.
struct ScriptText {
  enum Client {
    /// The HTTP clients of editors.
    case editor
    case postman
  }

  let curly: CurlyRendering
  let client: Client

  // MARK: statements

  /// A named test of a condition.
  func test(_ name: String, _ condition: String) -> [String] {
    switch client {
    case .editor: ["client.test(\(ScriptText.quoted(name)), () => client.assert(\(condition)))"]
    case .postman: ["pm.test(\(ScriptText.quoted(name)), () => pm.expect(\(condition)).to.be.true)"]
    }
  }

  func set(_ name: String, _ value: String) -> String {
    switch client {
    case .editor: "client.global.set(\(ScriptText.quoted(name)), \(value))"
    case .postman: "pm.collectionVariables.set(\(ScriptText.quoted(name)), \(value))"
    }
  }

  private func get(_ name: String) -> String {
    switch client {
    case .editor: "client.global.get(\(ScriptText.quoted(name)))"
    case .postman: "pm.variables.get(\(ScriptText.quoted(name)))"
    }
  }

  func status(_ set: StatusSet) -> String {
    let code = client == .editor ? "response.status" : "pm.response.code"
    return set.ranges.map { range in
      range.count == 1
        ? "\(code) === \(range.lowerBound)" : "\(code) >= \(range.lowerBound) && \(code) < \(range.upperBound)"
    }.joined(separator: " || ")
  }

  // MARK: values

  private func value(of subject: ExportedSubject) -> String? {
    let isEditor = client == .editor
    switch subject {
    case .status: return isEditor ? "response.status" : "pm.response.code"
    case .body: return isEditor ? "response.body" : "pm.response.text()"
    case .header(let name):
      return isEditor ? "response.headers.valueOf(\(text(name)))" : "pm.response.headers.get(\(text(name)))"
    case .duration: return isEditor ? nil : "pm.response.responseTime"
    case .cookie(let name, .value): return isEditor ? nil : "pm.cookies.get(\(text(name)))"
    case .json(let path):
      guard let steps = (try? JSONPath(path))?.steps else { return nil }
      var result = isEditor ? "response.body" : "pm.response.json()"
      var isList = false
      for step in steps {
        let access: String
        switch step {
        case .name(let name):
          access =
            isPlainName(name) ? "?.\(name)" : "?.[\(ScriptText.quoted(name))]"
        case .index(let index): access = index < 0 ? "?.at(\(index))" : "?.[\(index)]"
        case .all:
          result += isList ? ".flatMap(v => Object.values(v))" : ""
          if !isList { result = "Object.values(\(result))" }
          isList = true
          continue
        }
        result += isList ? ".map(v => v\(access))" : access
      }
      return result
    default: return nil
    }
  }

  private func filtered(_ value: String, _ filters: [ExportedFilter]) -> String? {
    var result = value
    for filter in filters {
      switch filter {
      case .regex(let pattern):
        guard let pattern = ScriptText.pattern(pattern) else { return nil }
        result =
          "String(typeof \(result) === \"string\" ? \(result) : JSON.stringify(\(result))).match(\(pattern))?.slice(0, 2).at(-1)"
      case .integer, .number: result = "Number(\(result))"
      case .first: result += "[0]"
      }
    }
    return result
  }

  /// The value of a capture; nil for one that the client can't take.
  func value(of capture: ExportedCapture) -> String? {
    switch capture.source {
    case .value(let value): return text(value)
    case .subject(let subject, let filters):
      guard let value = value(of: subject).flatMap({ filtered($0, filters) }) else { return nil }
      return capture.standard.map { "\(value) ?? \(ScriptText.quoted($0))" } ?? value
    }
  }

  // MARK: conditions

  func condition(_ check: ExportedCheck) -> String? {
    guard let value = value(of: check.subject).flatMap({ filtered($0, check.filters) }) else { return nil }
    switch check.predicate {
    case .compares(let comparison, let operand):
      guard let literal = literal(operand) else { return nil }
      let sign = comparison == .equal ? "===" : comparison == .notEqual ? "!==" : comparison.rawValue
      if ScriptText.isText(check), case .number = operand { return "Number(\(value)) \(sign) \(literal)" }
      // The type of a captured value isn't known.
      if case .text(let text) = operand, case .capture? = curly.words.value(of: text.string) {
        return "String(\(value)) \(sign) String(\(literal))"
      }
      return "\(value) \(sign) \(literal)"
    case .contains(let operand, let isNegated):
      guard let literal = literal(operand) else { return nil }
      return (isNegated ? "!" : "") + "\(value).includes(\(literal))"
    case .startsWith(let prefix): return "\(value).startsWith(\(text(prefix)))"
    case .endsWith(let suffix): return "\(value).endsWith(\(text(suffix)))"
    case .matches(let pattern, let isNegated):
      return ScriptText.pattern(pattern).map { (isNegated ? "!" : "") + "\($0).test(\(value))" }
    case .exists(let exists): return exists ? "\(value) !== undefined && \(value) !== null" : "\(value) == null"
    case .isKind(let kind, let isNegated):
      return ScriptText.kind(kind, value).map { isNegated ? "!(\($0))" : $0 }
    case .counts(let comparison, let count):
      guard let literal = literal(count) else { return nil }
      let sign = comparison == .equal ? "===" : comparison == .notEqual ? "!==" : comparison.rawValue
      return "\(value).length \(sign) \(literal)"
    case .oneOf(let values):
      let literals = values.compactMap(literal)
      return literals.count == values.count ? "[\(literals.joined(separator: ", "))].includes(\(value))" : nil
    }
  }

  private static func isText(_ check: ExportedCheck) -> Bool {
    switch check.subject {
    case .header, .cookie: true
    default: false
    }
  }

  private static func kind(_ kind: MatchKind, _ value: String) -> String? {
    switch kind {
    case .string: "typeof \(value) === \"string\""
    case .integer: "Number.isInteger(\(value))"
    case .number: "typeof \(value) === \"number\""
    case .boolean: "typeof \(value) === \"boolean\""
    case .array: "Array.isArray(\(value))"
    case .object: "typeof \(value) === \"object\" && !Array.isArray(\(value))"
    case .null: "\(value) === null"
    case .empty: "Object.keys(\(value)).length === 0"
    case .uuid: "/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(\(value))"
    case .date: "/^\\d{4}-\\d{2}-\\d{2}$/.test(\(value))"
    case .datetime: "/^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}/.test(\(value))"
    case .email: "/^[^@\\s]+@[^@\\s]+$/.test(\(value))"
    case .url: "/^[a-z][a-z0-9+.-]*:\\/\\//i.test(\(value))"
    case .ipv4: "/^(\\d{1,3}\\.){3}\\d{1,3}$/.test(\(value))"
    case .base64: "/^[A-Za-z0-9+\\/]+=*$/.test(\(value))"
    case .ipv6, .json: nil
    }
  }

  // MARK: literals

  /// A pattern; nil for one that JavaScript reads in another way.
  private static func pattern(_ text: String) -> String? {
    if text.contains("\n") || text.contains("(?i") || text.contains("(?<") || text.contains("\\A") { return nil }
    let lines = text.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
    return "/" + lines.replacing("\\/", with: "/").replacing("/", with: "\\/") + "/"
  }

  /// A text with its open values.
  private func text(_ text: String) -> String {
    let pieces = curly.words.pieces(of: text)
    if pieces.isEmpty { return "\"\"" }
    return pieces.map { piece in
      switch piece {
      case .text(let text): ScriptText.quoted(text)
      case .value(let value): open(value)
      }
    }.joined(separator: " + ")
  }

  private func open(_ value: ExportedValue) -> String {
    switch value.plain {
    case .capture(let name): get(exportedName(name))
    case .variable(let name), .environment(let name), .function(_, let name?):
      client == .postman ? get(exportedName(name)) : "request.variables.get(\(ScriptText.quoted(exportedName(name))))"
    case .function(_, nil), .placed: "undefined"
    }
  }

  private func literal(_ value: Value) -> String? {
    switch value {
    case .text(let content): text(content.string)
    case .null, .bool, .number: value.jsonText().string
    case .date, .data: ScriptText.quoted(value.asText.string)
    case .list, .mapping: nil
    }
  }

  static func quoted(_ text: String) -> String { Value.text(text).jsonText().string }
}
