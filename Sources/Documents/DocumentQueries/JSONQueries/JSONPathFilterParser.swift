import Values

/// Filters: conditions, comparisons, functions and their types (RFC 9535, sections 2.3.5 and 2.4).
extension JSONPathParser {
  /// An operand of a comparison or an argument, before its kind is known.
  private enum Term {
    case operand(JSONPathOperand)
    /// A query that may select more than one node.
    case nodes(JSONPathQuery)
    case logical(JSONPathCondition)
  }

  private static let functionNames = ["length", "count", "match", "search", "value"]

  /// Reads a condition, with its alternatives.
  mutating func condition() throws(JSONPathError) -> JSONPathCondition {
    var alternatives = [try conjunction()]
    while skipOperator("||") { alternatives.append(try conjunction()) }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }

  private mutating func conjunction() throws(JSONPathError) -> JSONPathCondition {
    var parts = [try basicCondition()]
    while skipOperator("&&") { parts.append(try basicCondition()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// Skips `||` or `&&` and the white space around it.
  private mutating func skipOperator(_ characters: StaticString) -> Bool {
    let start = position
    skipWhitespace()
    let wanted = characters.withUTF8Buffer { Array($0) }
    guard bytes[position...].starts(with: wanted) else {
      position = start
      return false
    }
    position += 2
    skipWhitespace()
    return true
  }

  private mutating func basicCondition() throws(JSONPathError) -> JSONPathCondition {
    let start = position
    let isNegated = skip("!")
    if isNegated { skipWhitespace() }
    if peek == UInt8(ascii: "(") {
      let condition = try parenthesized()
      try refuseComparison("a condition in parentheses cannot be compared", from: start)
      return isNegated ? .not(condition) : condition
    }
    let term = try term()
    let end = position
    if isNegated {
      try refuseComparison("`!` does not apply to a comparison", from: start, help: "write `!(… == …)`")
    }
    skipWhitespace()
    guard let comparison = try comparison() else {
      position = end
      let condition = try test(term, start..<end)
      return isNegated ? .not(condition) : condition
    }
    skipWhitespace()
    let left = try comparable(term, start..<end)
    let rightStart = position
    let right = try self.term()
    return .compare(left, comparison, try comparable(right, rightStart..<position))
  }

  private mutating func parenthesized() throws(JSONPathError) -> JSONPathCondition {
    let open = position
    return try nested { (parser) throws(JSONPathError) in
      parser.position += 1
      parser.skipWhitespace()
      let condition = try parser.condition()
      parser.skipWhitespace()
      guard parser.skip(")") else {
        if parser.position == parser.bytes.count { throw parser.error("this `(` is never closed", open..<open + 1) }
        throw parser.expected("`&&`, `||` or `)`")
      }
      return condition
    }
  }

  private mutating func refuseComparison(
    _ message: String, from start: Int, help: String? = nil
  ) throws(JSONPathError) {
    let end = position
    skipWhitespace()
    if try comparison() != nil { throw error(message, start..<position, help: help) }
    position = end
  }

  /// Reads a comparison operator if there is one here.
  private mutating func comparison() throws(JSONPathError) -> JSONPathCondition.Comparison? {
    let start = position
    switch peek {
    case UInt8(ascii: "="):
      position += 1
      guard skip("=") else {
        let isMatch = skip("~")
        let open = bytes[..<start].lastIndex { "?(&|".utf8.contains($0) }.map { $0 + 1 } ?? start
        let operand = trimmingBlanks(Substring(String(decoding: bytes[open..<start], as: UTF8.self)))
        throw error(
          isMatch ? "JSONPath has no operator `=~`" : "`=` is not an operator", start..<position,
          help: isMatch ? "write `match(\(operand), '…')` or `search(\(operand), '…')`" : "write `==`")
      }
      if peek == UInt8(ascii: "=") { throw error("`===` is not an operator", start..<position + 1, help: "write `==`") }
      return .equal
    case UInt8(ascii: "!") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "="):
      position += 2
      return .notEqual
    case UInt8(ascii: "<"):
      position += 1
      return skip("=") ? .lessOrEqual : .less
    case UInt8(ascii: ">"):
      position += 1
      return skip("=") ? .greaterOrEqual : .greater
    default: return nil
    }
  }

  private func test(_ term: Term, _ range: Range<Int>) throws(JSONPathError) -> JSONPathCondition {
    switch term {
    case .nodes(let query), .operand(.query(let query)): return .exists(query)
    case .logical(let condition): return condition
    case .operand(.literal): throw error("a literal is not a condition", range, help: "compare it: `@.a == 1`")
    case .operand:
      throw error("the result of this function is a value, no condition", range, help: "compare it: `length(@.a) > 1`")
    }
  }

  private func comparable(_ term: Term, _ range: Range<Int>) throws(JSONPathError) -> JSONPathOperand {
    switch term {
    case .operand(let operand): return operand
    case .nodes:
      throw error(
        "a query that may select several nodes cannot be compared", range,
        help: "name one node, use `value(…)` or `count(…)`, or filter inside of the query")
    case .logical:
      throw error("the result of this function is true or false by itself", range, help: "leave the comparison out")
    }
  }

  private mutating func term() throws(JSONPathError) -> Term {
    switch peek {
    case UInt8(ascii: "@"):
      position += 1
      return queryTerm(JSONPathQuery(start: .current, segments: try segments()))
    case UInt8(ascii: "$"):
      position += 1
      let number = absoluteQueryCount
      absoluteQueryCount += 1
      return queryTerm(JSONPathQuery(start: .root(number: number), segments: try segments()))
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .operand(.literal(.string(try stringLiteral())))
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
      return .operand(.literal(try numberLiteral()))
    default:
      guard isNameStart(at: position) else { throw expected("`@`, `$`, a literal, a function or `(`") }
      return try wordTerm()
    }
  }

  private func queryTerm(_ query: JSONPathQuery) -> Term {
    query.isSingular ? .operand(.query(query)) : .nodes(query)
  }

  private mutating func wordTerm() throws(JSONPathError) -> Term {
    let start = position
    while isNameStart(at: position) || peek.map(isDigit) == true { position = characterEnd(at: position) }
    let range = start..<position
    let word = String(decoding: bytes[range], as: UTF8.self)
    if peek == UInt8(ascii: "(") {
      return try nested { (parser) throws(JSONPathError) in try parser.function(word, range) }
    }
    switch word {
    case "true": return .operand(.literal(.bool(true)))
    case "false": return .operand(.literal(.bool(false)))
    case "null": return .operand(.literal(.null))
    default: break
    }
    if Self.functionNames.contains(word) {
      throw error("`(` must follow the function's name at once", range, help: "write `\(word)(…)`")
    }
    let lowered = word.lowercased()
    let isLiteral = ["true", "false", "null"].contains(lowered)
    throw error(
      "`\(word)` is neither a literal nor a function", range,
      help: isLiteral
        ? "write `\(lowered)`" : "write `@.\(word)` for a member of the current node, `'\(word)'` for text")
  }

  private mutating func function(_ name: String, _ nameRange: Range<Int>) throws(JSONPathError) -> Term {
    let expectedCount: Int
    switch name {
    case "length", "count", "value": expectedCount = 1
    case "match", "search": expectedCount = 2
    default:
      throw error(
        "there is no function `\(name)()`", nameRange,
        help: "the functions are " + Self.functionNames.map { "`\($0)()`" }.joined(separator: ", "))
    }
    var arguments: [(term: Term, range: Range<Int>)] = []
    position += 1
    skipWhitespace()
    if !skip(")") {
      repeat {
        skipWhitespace()
        let start = position
        arguments.append((try term(), start..<position))
        skipWhitespace()
      } while skip(",")
      guard skip(")") else { throw expected("`,` or `)` after an argument") }
    }
    let range = nameRange.lowerBound..<position
    guard arguments.count == expectedCount else {
      let count = expectedCount == 1 ? "one argument" : "two arguments"
      throw error("`\(name)()` takes \(count), not \(arguments.count)", range)
    }
    switch name {
    case "length": return .operand(.length(try value(arguments[0], of: name)))
    case "count": return .operand(.count(try nodes(arguments[0], of: name)))
    case "value": return .operand(.value(try nodes(arguments[0], of: name)))
    default:
      let text = try value(arguments[0], of: name)
      return .logical(.matches(text, try pattern(arguments[1], of: name)))
    }
  }

  private func value(
    _ argument: (term: Term, range: Range<Int>), of function: String
  ) throws(JSONPathError) -> JSONPathOperand {
    switch argument.term {
    case .operand(let operand): return operand
    case .nodes:
      throw error(
        "`\(function)()` takes a value, and this query may select several nodes", argument.range,
        help: "`count(…)` counts nodes, `value(…)` is the value of a single one")
    case .logical: throw error("`\(function)()` takes a value, not a condition", argument.range)
    }
  }

  private func nodes(
    _ argument: (term: Term, range: Range<Int>), of function: String
  ) throws(JSONPathError) -> JSONPathQuery {
    switch argument.term {
    case .nodes(let query), .operand(.query(let query)): return query
    default: throw error("`\(function)()` takes a query, such as `@.items.*`", argument.range)
    }
  }

  private func pattern(
    _ argument: (term: Term, range: Range<Int>), of function: String
  ) throws(JSONPathError) -> JSONPathPattern {
    let operand = try value(argument, of: function)
    let isAnchored = function == "match"
    var expression: RegularExpression?
    if case .literal(.string(let text)) = operand {
      do {
        expression = try RegularExpression.iRegexp(text, anchored: isAnchored)
      } catch {
        throw self.error("the pattern is not a regular expression: \(error.message)", argument.range)
      }
    }
    return JSONPathPattern(
      operand: operand, expression: expression, isAnchored: isAnchored, range: argument.range)
  }
}
