import Values

/// Reads RFC 9535's grammar of queries, segments and selectors.
struct JSONPathParser {
  /// The maximum nesting depth of filters and parentheses.
  static let depthLimit = 64

  let bytes: [UInt8]
  var position = 0
  var depth = 0
  var absoluteQueryCount = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(JSONPathError) -> JSONPathQuery {
    guard let first = bytes.first else {
      throw JSONPathError(message: "the JSONPath is empty", range: 0..<0, help: "write `$` for the whole document")
    }
    guard first == UInt8(ascii: "$") else { throw missingRoot }
    position = 1
    let query = JSONPathQuery(start: .root(number: nil), segments: try segments())
    guard position == bytes.count else {
      if isWhitespace(bytes[position]) {
        let start = position
        skipWhitespace()
        if position == bytes.count { throw error("a JSONPath does not end with white space", start..<bytes.count) }
        throw expected("`.` or `[`", help: "what comes after a space is not part of a path")
      }
      throw expected("`.`, `[` or the end of the path", help: unexpectedAfterSegmentHelp)
    }
    return query
  }

  private var missingRoot: JSONPathError {
    if isWhitespace(bytes[0]) { return error("a JSONPath does not start with white space", 0..<1) }
    let start = bytes[0]
    let isAttached = start == UInt8(ascii: ".") || start == UInt8(ascii: "[")
    let text = String(decoding: bytes, as: UTF8.self)
    let help =
      if start == UInt8(ascii: "@") {
        "`@` is the current node inside of a filter, as in `$.items[?@.id == 1]`"
      } else if isAttached || isNameStart(at: 0) {
        "write `$\(isAttached ? "" : ".")\(text)`"
      } else {
        "`$` is the whole document, `$.name` a member, `$[0]` an item"
      }
    return error("a JSONPath starts with `$`", 0..<characterEnd(at: 0), help: help)
  }

  /// The name before the position.
  private var lastName: String {
    let start = bytes[..<position].lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? position
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private var unexpectedAfterSegmentHelp: String? {
    switch bytes[position] {
    case UInt8(ascii: "-"): quotedNameHelp
    case _ where position == 1 && isNameStart(at: 1): "write `$.\(String(decoding: bytes.dropFirst(), as: UTF8.self))`"
    case UInt8(ascii: "(") where ["length", "size", "count"].contains(lastName):
      "write the path without it, and `{count: …}` for what is expected"
    case UInt8(ascii: "("): "JSONPath functions stand in filters only, as in `$[?length(@.a) > 1]`"
    default: nil
    }
  }

  /// The name around the position, up to the possible end of a segment, in its correct form.
  private var quotedNameHelp: String {
    func isPart(_ byte: UInt8) -> Bool {
      byte >= 0x80 || isDigit(byte) || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte == 0x2D
    }
    var start = position
    while start > 0, isPart(bytes[start - 1]) { start -= 1 }
    let end = bytes[position...].firstIndex { !isPart($0) } ?? bytes.endIndex
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    return "a name with other characters than letters, digits and `_` stands in brackets: `['\(name)']`"
  }

  /// Reads a query after its `$` or `@`, up to the end of its segments.
  mutating func segments() throws(JSONPathError) -> [JSONPathQuery.Segment] {
    var segments: [JSONPathQuery.Segment] = []
    while true {
      let end = position
      skipWhitespace()
      switch peek {
      case UInt8(ascii: "["): segments.append(.init(isDescendant: false, selectors: try bracketedSelectors()))
      case UInt8(ascii: "."): segments.append(try dottedSegment())
      default:
        position = end
        return segments
      }
    }
  }

  private mutating func dottedSegment() throws(JSONPathError) -> JSONPathQuery.Segment {
    let start = position
    position += 1
    let isDescendant = skip(".")
    if isDescendant, peek == UInt8(ascii: "[") {
      return .init(isDescendant: true, selectors: try bracketedSelectors())
    }
    if skip("*") { return .init(isDescendant: isDescendant, selectors: [.wildcard]) }
    let nameStart = position
    if isNameStart(at: position) {
      while isNameStart(at: position) || peek.map(isDigit) == true { position = characterEnd(at: position) }
      return .init(isDescendant: isDescendant, selectors: [.name(Array(bytes[nameStart..<position]))])
    }
    let dots = isDescendant ? "`..`" : "`.`"
    if let next = peek, isWhitespace(next) {
      skipWhitespace()
      throw error("no white space may stand after \(dots)", nameStart..<position)
    }
    if position == bytes.count { throw error("a name or `*` is missing after \(dots)", start..<position) }
    throw expected(isDescendant ? "a name, `*` or `[` after `..`" : "a name or `*` after `.`", help: nameHelp)
  }

  private var nameHelp: String? {
    guard let next = peek else { return nil }
    if isDigit(next) {
      let digits = String(decoding: bytes[position...].prefix { isDigit($0) }, as: UTF8.self)
      return "write `[\(digits)]` for an item, `['\(digits)']` for a member of that name"
    }
    if next == UInt8(ascii: "[") { return "leave the dot out" }
    if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") { return "write a quoted name in brackets: `['name']`" }
    return "a name with other characters than letters, digits and `_` is written `['a-b']`"
  }

  private mutating func bracketedSelectors() throws(JSONPathError) -> [JSONPathQuery.Selector] {
    let open = position
    position += 1
    skipWhitespace()
    if peek == UInt8(ascii: "]") {
      throw error("the brackets are empty", open..<position + 1, help: "write `[*]` for all items or members")
    }
    var selectors: [JSONPathQuery.Selector] = []
    while true {
      selectors.append(try selector())
      skipWhitespace()
      if skip("]") { return selectors }
      guard position < bytes.count else {
        throw error("this `[` is never closed", open..<open + 1, help: "close it by `]`")
      }
      guard skip(",") else { throw expected("`,` or `]` after a selector") }
      skipWhitespace()
    }
  }

  private mutating func selector() throws(JSONPathError) -> JSONPathQuery.Selector {
    switch peek {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(Array(try stringLiteral().utf8))
    case UInt8(ascii: "*"):
      position += 1
      return .wildcard
    case UInt8(ascii: "?"):
      position += 1
      skipWhitespace()
      return .filter(try nested { (parser) throws(JSONPathError) in try parser.condition() })
    case UInt8(ascii: ":"): return try slice(from: nil)
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?:
      let index = try integer()
      let end = position
      skipWhitespace()
      if peek == UInt8(ascii: ":") { return try slice(from: index) }
      position = end
      return .index(index)
    default: throw expected("an index, a slice, a quoted name, `*` or a filter `?…`", help: selectorHelp)
    }
  }

  private var selectorHelp: String? {
    switch peek {
    case UInt8(ascii: "("): return "JSONPath has no scripts; write `[-1]` for the last item, `[?…]` for a filter"
    case nil: return "write `[*]` for all items or members, `[0]` for the first"
    case UInt8(ascii: "@"), UInt8(ascii: "$"): return "a filter starts with `?`, as in `[?@.id == 1]`"
    default:
      guard isNameStart(at: position) else { return nil }
      var end = position
      while end < bytes.count, isNameStart(at: end) || isDigit(bytes[end]) { end = characterEnd(at: end) }
      return "a name in brackets is quoted: `['\(String(decoding: bytes[position..<end], as: UTF8.self))']`"
    }
  }

  /// Reads a slice from its first colon on.
  private mutating func slice(from start: Int?) throws(JSONPathError) -> JSONPathQuery.Selector {
    position += 1
    let end = try optionalInteger()
    var step: Int?
    if skip(":") { step = try optionalInteger() }
    return .slice(start: start, end: end, step: step ?? 1)
  }

  private mutating func optionalInteger() throws(JSONPathError) -> Int? {
    skipWhitespace()
    guard let next = peek, next == UInt8(ascii: "-") || isDigit(next) else { return nil }
    let value = try integer()
    skipWhitespace()
    return value
  }

  /// Reads one more level of unbounded nesting.
  mutating func nested<Result>(
    _ body: (inout JSONPathParser) throws(JSONPathError) -> Result
  ) throws(JSONPathError) -> Result {
    guard depth < JSONPathParser.depthLimit else {
      throw error("the path nests deeper than \(JSONPathParser.depthLimit) levels", position..<position)
    }
    depth += 1
    let result = try body(&self)
    depth -= 1
    return result
  }
}
