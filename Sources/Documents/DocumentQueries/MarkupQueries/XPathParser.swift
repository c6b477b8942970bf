import Values

/// Checks an expression by the grammar of XPath 1.0, and collects the names it uses.
struct XPathParser {
  let bytes: [UInt8]
  var position = 0
  var prefixes: [(name: String, range: Range<Int>)] = []
  var plainNames: Set<String> = []
  var localNames: Set<String> = []
  var attributeNames: Set<String> = []
  private(set) var innerNodeSet: String?
  var constantCondition: XPathConstant?
  private var depth = 0
  private var parts = 0
  /// The number of calls of `position()` and `last()` so far.
  var positionCalls = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func parse() throws(XPathError) -> XPathExpression {
    skipWhitespace()
    if occurs("$.", at: position) || occurs("$[", at: position) {
      throw XPathError("this is a JSONPath", position..<bytes.count, help: "write it under `json`")
    }
    if bytes.contains(0) { throw XPathError("an expression has no NUL character", 0..<0) }
    let parsed = try expression()
    skipWhitespace()
    guard position == bytes.count else { throw expected("an operator or the end of the expression") }
    return parsed
  }

  // MARK: operators

  mutating func expression() throws(XPathError) -> XPathExpression {
    guard depth < XPath.depthLimit else {
      throw XPathError("the expression nests deeper than \(XPath.depthLimit) levels", position..<position)
    }
    depth += 1
    defer { depth -= 1 }
    return try disjunction()
  }

  private mutating func disjunction() throws(XPathError) -> XPathExpression {
    skipWhitespace()
    var starts = [position]
    var operands = [try conjunction()]
    while skipWord("or") {
      try countPart()
      skipWhitespace()
      starts.append(position)
      operands.append(try conjunction())
    }
    noteConstants(operands, from: starts, joinedBy: "or")
    return operands.count == 1 ? operands[0] : .or(operands)
  }

  private mutating func conjunction() throws(XPathError) -> XPathExpression {
    skipWhitespace()
    var starts = [position]
    var operands = [try equality()]
    while skipWord("and") {
      try countPart()
      skipWhitespace()
      starts.append(position)
      operands.append(try equality())
    }
    noteConstants(operands, from: starts, joinedBy: "and")
    return operands.count == 1 ? operands[0] : .and(operands)
  }

  private mutating func equality() throws(XPathError) -> XPathExpression {
    let first = try relation()
    var rest: [(XPathComparison, XPathExpression)] = []
    while let comparison: XPathComparison = skip("!=") ? .notEqual : skip("=") ? .equal : nil {
      try countPart()
      rest.append((comparison, try relation()))
    }
    return rest.isEmpty ? first : .comparison(first, rest)
  }

  private mutating func relation() throws(XPathError) -> XPathExpression {
    let first = try sum()
    var rest: [(XPathComparison, XPathExpression)] = []
    while let comparison: XPathComparison = skip("<=")
      ? .lessOrEqual : skip(">=") ? .greaterOrEqual : skip("<") ? .less : skip(">") ? .greater : nil
    {
      try countPart()
      rest.append((comparison, try sum()))
    }
    return rest.isEmpty ? first : .comparison(first, rest)
  }

  private mutating func sum() throws(XPathError) -> XPathExpression {
    let first = try product()
    var rest: [(XPathOperation, XPathExpression)] = []
    while let operation: XPathOperation = skip("+") ? .plus : skip("-") ? .minus : nil {
      try countPart()
      rest.append((operation, try product()))
    }
    return rest.isEmpty ? first : .arithmetic(first, rest)
  }

  private mutating func product() throws(XPathError) -> XPathExpression {
    let first = try negation()
    var rest: [(XPathOperation, XPathExpression)] = []
    while let operation: XPathOperation = skip("*")
      ? .times : skipWord("div") ? .divided : skipWord("mod") ? .remainder : nil
    {
      try countPart()
      rest.append((operation, try negation()))
    }
    return rest.isEmpty ? first : .arithmetic(first, rest)
  }

  private mutating func negation() throws(XPathError) -> XPathExpression {
    var signs = 0
    while skip("-") {
      try countPart()
      signs += 1
    }
    let operand = try union()
    return signs > 0 ? .signed(operand, isNegative: signs % 2 == 1) : operand
  }

  private mutating func union() throws(XPathError) -> XPathExpression {
    skipWhitespace()
    let start = position
    var operands = [try path()]
    while skip("|") {
      try countPart()
      try requireNodeSet(operands[0].type, from: start, of: "`|` joins node-sets")
      skipWhitespace()
      let right = position
      let operand = try path()
      try requireNodeSet(operand.type, from: right, of: "`|` joins node-sets")
      operands.append(operand)
    }
    return operands.count == 1 ? operands[0] : .union(operands)
  }

  // MARK: paths

  private mutating func path() throws(XPathError) -> XPathExpression {
    try countPart()
    skipWhitespace()
    let start = position
    guard startsPrimary else { return .path(try locationPath()) }
    let first = try primary()
    var predicates: [XPathPredicate] = []
    while stands("[") {
      try requireNodeSet(first.type, from: start, of: "`[…]` chooses from a node-set")
      predicates.append(try predicate())
    }
    var steps: [XPathStep] = []
    while stands("/") {
      try requireNodeSet(first.type, from: start, of: "`/` goes on from a node-set")
      if skip("//") { steps.append(.descent) } else { _ = skip("/") }
      steps.append(try step())
    }
    return predicates.isEmpty && steps.isEmpty ? first : .path(XPathLocation(.nodes(first, predicates), steps))
  }

  /// Indicates whether a variable, a parenthesis, a literal or a function call comes next, not a step.
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

  private mutating func primary() throws(XPathError) -> XPathExpression {
    if skip("(") {
      let open = position - 1
      let inner = try expression()
      guard skip(")") else { throw unclosed("(", by: ")", at: open) }
      return inner
    }
    guard let next = peek else { throw expected("an expression") }
    if next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") { return .string(try stringLiteral()) }
    if next == UInt8(ascii: "$") {
      let start = position
      position += 1
      _ = name()
      throw XPathError("an XPath has no variables here", start..<position, help: "write a template: ${{ name }}")
    }
    if startsNumber { return .number(number()) }
    return try call()
  }

  private mutating func call() throws(XPathError) -> XPathExpression {
    let start = position
    guard let name = name() else { throw expected("an expression") }
    if peek == UInt8(ascii: ":") {
      position += 1
      _ = self.name()
      throw XPathError(
        "there are no functions with a prefix", start..<position, help: "the functions are those of XPath 1.0")
    }
    let nameRange = start..<position
    guard let function = XPathFunction(rawValue: name) else {
      let names = XPathFunction.allCases.map(\.rawValue).sorted()
      let nearest = nearestWord(to: name, among: names).map { "did you mean `\($0)()`?" }
      throw XPathError(
        "unknown function `\(name)()`", nameRange,
        help: XPathFunction.advice[name] ?? nearest ?? "the functions are those of XPath 1.0")
    }
    if function == .position || function == .last { positionCalls += 1 }
    _ = skip("(")
    let open = position - 1
    var arguments: [XPathExpression] = []
    if !stands(")") {
      repeat {
        skipWhitespace()
        let argumentStart = position
        let argument = try expression()
        arguments.append(argument)
        if function.takesNodeSet {
          try requireNodeSet(argument.type, from: argumentStart, of: "`\(name)()` takes a node-set")
        }
        if start == 0, [.string, .number, .normalizeSpace].contains(function), argument.type == .nodeSet {
          innerNodeSet = String(decoding: bytes[argumentStart..<position], as: UTF8.self)
        }
      } while skip(",")
    }
    guard skip(")") else { throw unclosed("(", by: ")", at: open) }
    guard function.arguments.contains(arguments.count) else {
      throw XPathError("`\(name)()` takes \(function.argumentsPhrase), found \(arguments.count)", start..<position)
    }
    if offsetBehindWhitespace(from: position) < bytes.count, start == 0 { innerNodeSet = nil }
    return .call(function, arguments)
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
