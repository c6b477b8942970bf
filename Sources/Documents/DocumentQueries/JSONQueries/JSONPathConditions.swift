/// The conditions of filters.
extension JSONPathEvaluator {
  mutating func isTrue(_ condition: JSONPathCondition, for current: Int) throws(JSONPathError) -> Bool {
    switch condition {
    case .or(let alternatives):
      for alternative in alternatives where try isTrue(alternative, for: current) { return true }
      return false
    case .and(let parts):
      for part in parts where try !isTrue(part, for: current) { return false }
      return true
    case .not(let condition): return try !isTrue(condition, for: current)
    case .exists(let query):
      if query.isSingular { return try node(ofSingular: query, from: current) != nil }
      return try !nodes(of: query, from: current).isEmpty
    case .compare(let left, let comparison, let right):
      return try compare(try value(of: left, for: current), comparison, try value(of: right, for: current))
    case .matches(let text, let pattern): return try matches(text, pattern, for: current)
    }
  }

  private mutating func compare(
    _ left: JSONPathValue, _ comparison: JSONPathCondition.Comparison, _ right: JSONPathValue
  ) throws(JSONPathError) -> Bool {
    switch comparison {
    case .equal: try areEqual(left, right)
    case .notEqual: try !areEqual(left, right)
    case .less: JSONPathValue.isLess(left, right)
    case .greater: JSONPathValue.isLess(right, left)
    case .lessOrEqual: JSONPathValue.isLess(left, right) ? true : try areEqual(left, right)
    case .greaterOrEqual: JSONPathValue.isLess(right, left) ? true : try areEqual(left, right)
    }
  }

  private mutating func areEqual(_ left: JSONPathValue, _ right: JSONPathValue) throws(JSONPathError) -> Bool {
    guard case .structure(let a) = left, case .structure(let b) = right else {
      return JSONPathValue.areEqual(left, right)
    }
    if a == b { return true }
    let (first, second) = (document.nodes[a], document.nodes[b])
    guard first.kind == second.kind, first.count == second.count else { return false }
    try spend(Int(first.next) - a + Int(second.next) - b + (first.byteRange.count + second.byteRange.count) >> 4)
    return document.areEqual(a, b)
  }

  private mutating func value(
    of operand: JSONPathOperand, for current: Int
  ) throws(JSONPathError) -> JSONPathValue {
    switch operand {
    case .literal(let value): return value
    case .query(let query): return try value(at: node(ofSingular: query, from: current))
    case .value(let query):
      let nodes = try nodes(of: query, from: current)
      return nodes.count == 1 ? try value(at: Int(nodes[0])) : .nothing
    case .count(let query): return .integer(try nodes(of: query, from: current).count)
    case .length(let operand):
      switch try value(of: operand, for: current) {
      case .string(let text): return .integer(text.unicodeScalars.count)
      case .structure(let index): return .integer(document.nodes[index].count)
      default: return .nothing
      }
    }
  }

  private mutating func value(at index: Int?) throws(JSONPathError) -> JSONPathValue {
    guard let index else { return .nothing }
    let node = document.nodes[index]
    // Long strings and numbers cost by their length.
    try spend(node.isContainer ? 1 : 1 + node.byteRange.count >> 4)
    switch node.kind {
    case .null: return .null
    case .boolean: return .bool(document.bytes[Int(node.start)] == UInt8(ascii: "t"))
    case .number: return .number(lexeme: document.bytes[node.byteRange])
    case .string: return .string(document.string(at: index))
    case .array, .object: return .structure(index)
    }
  }

  private mutating func matches(
    _ text: JSONPathOperand, _ pattern: JSONPathPattern, for current: Int
  ) throws(JSONPathError) -> Bool {
    guard case .string(let text) = try value(of: text, for: current) else { return false }
    guard let expression = try expression(pattern, for: current) else { return false }
    do {
      return try expression.matches(text)
    } catch {
      throw JSONPathError(message: error.message, range: pattern.range)
    }
  }

  private mutating func expression(
    _ pattern: JSONPathPattern, for current: Int
  ) throws(JSONPathError) -> RegularExpression? {
    if let expression = pattern.expression { return expression }
    guard case .string(let text) = try value(of: pattern.operand, for: current) else { return nil }
    let key = PatternKey(text: Array(text.utf8), isAnchored: pattern.isAnchored)
    if let known = patterns[key] { return known }
    // Compiling costs far more than visiting a node.
    try spend(5000 + text.utf8.count)
    let expression = try? RegularExpression.iRegexp(text, anchored: pattern.isAnchored)
    patterns[key] = .some(expression)
    return expression
  }
}
