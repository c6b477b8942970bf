internal import Diagnostics

/// Location paths: steps with their axes, node tests and predicates.
extension XPathParser {
  mutating func locationPath() throws(XPathError) {
    if skip("//") { return try relativePath() }
    if skip("/") {
      skipWhitespace()
      if startsStep { try relativePath() }
      return
    }
    try relativePath()
  }

  private mutating func relativePath() throws(XPathError) {
    try step()
    while skip("//") || skip("/") { try step() }
  }

  private var startsStep: Bool {
    guard let next = peek else { return false }
    return startsName || next == UInt8(ascii: "*") || next == UInt8(ascii: "@") || next == UInt8(ascii: ".")
  }

  mutating func step() throws(XPathError) {
    try countPart()
    if skip("..") || skip(".") {
      if stands("[") {
        throw expected("a step or an operator", help: "`.` and `..` take no `[…]`: write self::node()[…]")
      }
      return
    }
    var axis = "child"
    if skip("@") {
      axis = "attribute"
    } else if let named = try axisName() {
      axis = named
    }
    try nodeTest(on: axis)
    while stands("[") { try predicate() }
  }

  private mutating func axisName() throws(XPathError) -> String? {
    skipWhitespace()
    let start = position
    guard let name = name() else { return nil }
    let end = position
    guard skip("::") else {
      position = start
      return nil
    }
    guard xpathAxes.contains(name) else {
      throw XPathError(
        "unknown axis `\(name)`", start..<end,
        help: nearestWord(to: name, among: xpathAxes).map { "did you mean `\($0)`?" })
    }
    return name
  }

  private mutating func nodeTest(on axis: String) throws(XPathError) {
    if skip("*") { return }
    skipWhitespace()
    let start = position
    guard let name = name() else { throw expected("a step: a name, `*`, `@…`, `.` or `..`") }
    let range = start..<position
    if peek == UInt8(ascii: ":"), !occurs("::", at: position) {
      position += 1
      if !prefixes.contains(where: { $0.name == name }) { prefixes.append((name, range)) }
      if peek == UInt8(ascii: "*") {
        position += 1
      } else if self.name() == nil {
        throw expected("a name or `*` after `\(name):`")
      }
      return
    }
    if stands("("), xpathNodeTypes.contains(name) {
      position += 1
      if name == "processing-instruction", !stands(")") {
        guard let next = peek, next == UInt8(ascii: "'") || next == UInt8(ascii: "\"") else {
          throw expected("a target in quotes")
        }
        try stringLiteral()
      }
      guard skip(")") else { throw expected("`)`") }
      return
    }
    if axis != "attribute", axis != "namespace" { plainNames.insert(name) }
  }

  mutating func predicate() throws(XPathError) {
    let open = position
    position += 1
    _ = try expression()
    guard skip("]") else { throw unclosed("[", by: "]", at: open) }
  }
}
