/// Functions of lists, as JSONPaths.
extension ScriptEvaluation {
  /// `list.find(item => …)`, `filter` and `map`.
  func list(_ base: JavaScriptExpression, _ method: String, _ arguments: [JavaScriptExpression]) -> ScriptValue? {
    guard let (list, item, body) = function(base, arguments) else {
      return nil
    }
    if method == "map" {
      guard let member = path(body, item: item), !member.isEmpty, !list.contains("[?") else { return nil }
      return .subject(.json("\(list)[*]\(member)", isEach: false))
    }
    guard let filter = filter(body, item: item) else { return nil }
    let found = ScriptSubject.json("\(list)[?\(filter)]", isEach: false)
    return method == "find" ? .converted(found, .first) : .subject(found)
  }

  /// `list.every(item => …)` and `list.some(item => …)`: no item is unlike, or one is like that.
  func quantified(_ expression: JavaScriptExpression, isNegated: Bool) -> [ScriptAssertion]? {
    guard case .call(.member(let base, let method), let arguments) = expression, ["every", "some"].contains(method),
      let (list, item, body) = function(base, arguments), let filter = filter(body, item: item)
    else { return nil }
    let isEvery = method == "every"
    let found = ScriptSubject.json("\(list)[?\(isEvery ? "!(\(filter))" : filter)]", isEach: false)
    let exists = ScriptAssertion(found, "exists", .bool(isEvery == isNegated))
    if isEvery == isNegated { return [exists] }
    return [ScriptAssertion(.json(list, isEach: false), "is", .text("array")), exists]
  }

  /// The path of a list, and the function for its items.
  private func function(
    _ base: JavaScriptExpression, _ arguments: [JavaScriptExpression]
  ) -> (path: String, item: String, body: JavaScriptExpression)? {
    guard arguments.count == 1, case .function(let parameters, let body) = arguments[0], parameters.count == 1,
      body.count == 1, case .result(let result?) = body[0].kind,
      case .subject(let subject)? = value(base), case .json(let path, isEach: false) = subject, !subject.isQuery
    else { return nil }
    return (path, parameters[0], result)
  }

  /// The path below an item that an expression reads.
  private func path(_ expression: JavaScriptExpression, item: String) -> String? {
    switch expression {
    case .name(item): return ""
    case .member(let base, let name) where name != "length":
      return path(base, item: item).map { $0 + jsonPathSegment(name) }
    case .item(let base, .text(let name)): return path(base, item: item).map { $0 + jsonPathSegment(name) }
    case .item(let base, .number(let index)) where Int(index) != nil:
      return path(base, item: item).map { "\($0)[\(index)]" }
    default: return nil
    }
  }

  /// The expression of a JSONPath's filter for a condition on an item.
  private func filter(_ expression: JavaScriptExpression, item: String) -> String? {
    switch expression {
    case .infix(let sign, let left, let right) where ["&&", "||"].contains(sign):
      guard let one = filter(left, item: item), let other = filter(right, item: item) else { return nil }
      return "(\(one) \(sign) \(other))"
    case .prefix("!", let operand): return filter(operand, item: item).map { "!(\($0))" }
    case .infix(let sign, let left, let right):
      let signs = ["===": "==", "!==": "!=", "==": "==", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="]
      guard let sign = signs[sign], let one = operand(left, item: item), let other = operand(right, item: item) else {
        return nil
      }
      return "\(one) \(sign) \(other)"
    default:
      guard let path = path(expression, item: item) else { return nil }
      return "(@\(path) && @\(path) != null && @\(path) != false && @\(path) != 0 && @\(path) != '')"
    }
  }

  private func operand(_ expression: JavaScriptExpression, item: String) -> String? {
    if let path = path(expression, item: item) { return "@" + path }
    guard case .value(.node(let node))? = value(expression), let scalar = node.scalar else { return nil }
    switch scalar.meaning {
    case .number, .bool: return scalar.text
    case .text(let text) where !text.contains("${{") && text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }):
      return "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    default: return nil
    }
  }
}

extension ScriptAssertion {
  /// The assertion that no item lacks the member that this one is about: a path leaves such items out, a script doesn't.
  var onItemsWithoutMember: ScriptAssertion? {
    guard case .json(let path, let isEach) = subject, let star = path.firstRange(of: "[*]"),
      star.upperBound < path.endIndex, !path[star.upperBound...].contains("[*]"), !path.contains("[?")
    else { return nil }
    // What is not there is unlike anything, and does not change which other values there are.
    guard isEach ? !isNegation : isCount || ["equals", "unordered"].contains(predicate) else { return nil }
    let without = ScriptSubject.json("\(path[..<star.lowerBound])[?!@\(path[star.upperBound...])]", isEach: false)
    return ScriptAssertion(without, "exists", .bool(false))
  }

  private var isNegation: Bool {
    switch predicate {
    case "exists": !isTrue
    case "is_not": value.scalarText != "null"
    default: predicate.hasPrefix("not")
    }
  }
}
