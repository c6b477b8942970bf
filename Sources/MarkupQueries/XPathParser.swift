internal import Diagnostics

/// Checks an expression by the grammar of XPath 1.0, and finds its type and the names it uses.
struct XPathParser {
  let bytes: [UInt8]
  var position = 0
  var prefixes: [(name: String, range: Range<Int>)] = []
  var plainNames: Set<String> = []
  private(set) var innerNodeSet: String?
  private var depth = 0
  private var parts = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func parse() throws(XPathError) -> XPathType {
    skipWhitespace()
    if occurs("$.", at: position) || occurs("$[", at: position) {
      throw XPathError("this is a JSONPath", position..<bytes.count, help: "write it under `json`")
    }
    if bytes.contains(0) { throw XPathError("an expression has no NUL character", 0..<0) }
    let type = try expression()
    skipWhitespace()
    guard position == bytes.count else { throw expected("an operator or the end of the expression") }
    return type
  }

  // MARK: operators

  mutating func expression() throws(XPathError) -> XPathType {
    guard depth < XPath.depthLimit else {
      throw XPathError("the expression nests deeper than \(XPath.depthLimit) levels", position..<position)
    }
    depth += 1
    defer { depth -= 1 }
    return try disjunction()
  }

  private mutating func disjunction() throws(XPathError) -> XPathType {
    var type = try conjunction()
    while skipWord("or") {
      try countPart()
      _ = try conjunction()
      type = .boolean
    }
    return type
  }

  private mutating func conjunction() throws(XPathError) -> XPathType {
    var type = try equality()
    while skipWord("and") {
      try countPart()
      _ = try equality()
      type = .boolean
    }
    return type
  }

  private mutating func equality() throws(XPathError) -> XPathType {
    var type = try relation()
    while skip("!=") || skip("=") {
      try countPart()
      _ = try relation()
      type = .boolean
    }
    return type
  }

  private mutating func relation() throws(XPathError) -> XPathType {
    var type = try sum()
    while skip("<=") || skip(">=") || skip("<") || skip(">") {
      try countPart()
      _ = try sum()
      type = .boolean
    }
    return type
  }

  private mutating func sum() throws(XPathError) -> XPathType {
    var type = try product()
    while skip("+") || skip("-") {
      try countPart()
      _ = try product()
      type = .number
    }
    return type
  }

  private mutating func product() throws(XPathError) -> XPathType {
    var type = try negation()
    while skip("*") || skipWord("div") || skipWord("mod") {
      try countPart()
      _ = try negation()
      type = .number
    }
    return type
  }

  private mutating func negation() throws(XPathError) -> XPathType {
    var isNegated = false
    while skip("-") {
      try countPart()
      isNegated = true
    }
    let type = try union()
    return isNegated ? .number : type
  }

  private mutating func union() throws(XPathError) -> XPathType {
    skipWhitespace()
    let start = position
    var type = try path()
    while skip("|") {
      try countPart()
      try requireNodeSet(type, from: start, of: "`|` joins node-sets")
      skipWhitespace()
      let right = position
      type = try path()
      try requireNodeSet(type, from: right, of: "`|` joins node-sets")
    }
    return type
  }

  // MARK: paths

  private mutating func path() throws(XPathError) -> XPathType {
    try countPart()
    skipWhitespace()
    let start = position
    guard startsPrimary else {
      try locationPath()
      return .nodeSet
    }
    var type = try primary()
    while stands("[") {
      try requireNodeSet(type, from: start, of: "`[…]` chooses from a node-set")
      try predicate()
    }
    while stands("/") {
      try requireNodeSet(type, from: start, of: "`/` goes on from a node-set")
      if !skip("//") { _ = skip("/") }
      try step()
      type = .nodeSet
    }
    return type
  }

  /// Whether a variable, a parenthesis, a literal or a function call stands next, and no step.
  private var startsPrimary: Bool {
    guard let next = peek else { return false }
    if next == UInt8(ascii: "$") || next == UInt8(ascii: "(") || next == UInt8(ascii: "'") || next == UInt8(ascii: "\"")
      || startsNumber
    {
      return true
    }
    var ahead = self
    guard let name = ahead.name() else { return false }
    var isPrefixed = false
    if ahead.peek == UInt8(ascii: ":"), !occurs("::", at: ahead.position) {
      ahead.position += 1
      isPrefixed = ahead.name() != nil
    }
    return ahead.stands("(") && (isPrefixed || !xpathNodeTypes.contains(name))
  }

  private mutating func primary() throws(XPathError) -> XPathType {
    if skip("(") {
      let open = position - 1
      let type = try expression()
      guard skip(")") else { throw unclosed("(", by: ")", at: open) }
      return type
    }
    guard let next = peek else { throw expected("an expression") }
    if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") {
      try stringLiteral()
      return .string
    }
    if next == UInt8(ascii: "$") {
      let start = position
      position += 1
      _ = name()
      throw XPathError("an XPath has no variables here", start..<position, help: "write a template: ${{ name }}")
    }
    if startsNumber {
      number()
      return .number
    }
    return try call()
  }

  private mutating func call() throws(XPathError) -> XPathType {
    let start = position
    guard let name = name() else { throw expected("an expression") }
    if peek == UInt8(ascii: ":") {
      position += 1
      _ = self.name()
      throw XPathError(
        "there are no functions with a prefix", start..<position, help: "the functions are those of XPath 1.0")
    }
    let nameRange = start..<position
    guard let function = XPathFunction.named[name] else {
      let nearest = nearestWord(to: name, among: XPathFunction.named.keys.sorted()).map { "did you mean `\($0)()`?" }
      throw XPathError(
        "unknown function `\(name)()`", nameRange,
        help: XPathFunction.advice[name] ?? nearest ?? "the functions are those of XPath 1.0")
    }
    _ = skip("(")
    let open = position - 1
    var count = 0
    if !stands(")") {
      repeat {
        skipWhitespace()
        let argumentStart = position
        let type = try expression()
        count += 1
        if function.takesNodeSet { try requireNodeSet(type, from: argumentStart, of: "`\(name)()` takes a node-set") }
        if start == 0, ["string", "number", "normalize-space"].contains(name), type == .nodeSet {
          innerNodeSet = String(decoding: bytes[argumentStart..<position], as: UTF8.self)
        }
      } while skip(",")
    }
    guard skip(")") else { throw unclosed("(", by: ")", at: open) }
    guard function.arguments.contains(count) else {
      throw XPathError("`\(name)()` takes \(function.argumentsPhrase), found \(count)", start..<position)
    }
    if offsetBehindWhitespace(from: position) < bytes.count, start == 0 { innerNodeSet = nil }
    return function.result
  }

  // MARK: errors

  mutating func countPart() throws(XPathError) {
    parts += 1
    if parts > XPath.partLimit {
      throw XPathError("the expression has more than \(XPath.partLimit) steps and operators", position..<position)
    }
  }

  private func requireNodeSet(_ type: XPathType, from start: Int, of rule: String) throws(XPathError) {
    guard type != .nodeSet else { return }
    throw XPathError("\(rule), and this is \(type.phrase)", start..<position)
  }

  func unclosed(_ open: String, by close: String, at offset: Int) -> XPathError {
    guard position < bytes.count else {
      return XPathError("the `\(open)` that starts here has no closing `\(close)`", offset..<offset + 1)
    }
    return expected("an operator or `\(close)`")
  }
}
