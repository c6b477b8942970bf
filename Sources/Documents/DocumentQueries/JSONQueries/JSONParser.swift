import OperatingSystem

/// Reads JSON's grammar (RFC 8259) into a flat array of nodes, without recursion.
struct JSONParser {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// The interval in bytes between checks of the budget.
  private static let lookInterval = 1 << 15

  let bytes: UnsafeBufferPointer<UInt8>
  let contentStart: Int
  var position: Int
  private var nodes: [JSONTapeNode] = []
  /// The indices of the arrays and objects that are still open.
  private var open: [Int] = []

  /// - Parameter bytes: must outlive the parser.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    contentStart = bytes.starts(with: JSONParser.byteOrderMark) ? 3 : 0
    position = contentStart
  }

  /// - Parameter nodeCount: the number of nodes to reserve, if it is known.
  mutating func parse(nodeCount: Int?) throws(JSONParseFault) -> [JSONTapeNode] {
    guard bytes.count < JSONDocument.sizeLimit else {
      throw JSONParseFault(message: "the text is larger than \(JSONDocument.sizeLimit >> 20) MiB", offset: 0)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw JSONParseFault(message: "the text is UTF-16; JSON is exchanged as UTF-8", offset: 0)
    }
    nodes.reserveCapacity(nodeCount ?? bytes.count / 8 + 4)
    skipWhitespace()
    let meter = EvaluationBudget.meter
    var nextLook = JSONParser.lookInterval
    while true {
      if position >= nextLook {
        nextLook = position + JSONParser.lookInterval
        if meter.isOver(after: JSONParser.lookInterval / 16) {
          throw JSONParseFault(message: "there was no time to read all of it", offset: position)
        }
      }
      if try value() { continue }
      guard try continueAfterValue() else { break }
    }
    if position < bytes.count { throw expected("the end of the text after the value") }
    return nodes
  }

  /// Reads a scalar or the start of a container; true if the value of a first item or member comes next.
  private mutating func value() throws(JSONParseFault) -> Bool {
    guard position < bytes.count else { throw expected("a value") }
    switch bytes[position] {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "{"):
      try openContainer(.object)
      if byte(at: position) == UInt8(ascii: "}") { return false }
      try memberName("a member name in double quotes or `}`")
      return true
    case UInt8(ascii: "["):
      try openContainer(.array)
      return byte(at: position) != UInt8(ascii: "]")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = position
      try skipNumber()
      append(.number, from: start)
    case UInt8(ascii: "t"): try word("true", .boolean)
    case UInt8(ascii: "f"): try word("false", .boolean)
    case UInt8(ascii: "n"): try word("null", .null)
    default: throw expected("a value")
    }
    return false
  }

  /// Closes containers that end here and skips a comma; true if another value comes next.
  private mutating func continueAfterValue() throws(JSONParseFault) -> Bool {
    skipWhitespace()
    while let container = open.last {
      let isObject = nodes[container].isObject
      // A container that was just opened and is empty is the only one without a finished value.
      if nodes.count - 1 > container { nodes[container].countOneMore() }
      switch byte(at: position) {
      case UInt8(ascii: ","):
        position += 1
        skipWhitespace()
        let trailing = byte(at: position) == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        if trailing {
          throw expected(
            isObject ? "a member name after `,`" : "a value after `,`", help: "JSON has no trailing commas")
        }
        if isObject { try memberName("a member name in double quotes") }
        return true
      case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
        position += 1
        nodes[container].end = UInt32(truncatingIfNeeded: position)
        nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
        open.removeLast()
        skipWhitespace()
      default:
        throw expected(isObject ? "`,` or `}` after a member" : "`,` or `]` after an item")
      }
    }
    return false
  }

  private mutating func openContainer(_ kind: JSONTapeNode.Kind) throws(JSONParseFault) {
    guard open.count < JSONDocument.depthLimit else {
      throw JSONParseFault(
        message: "arrays and objects nest deeper than \(JSONDocument.depthLimit) levels", offset: position)
    }
    open.append(nodes.count)
    position += 1
    append(kind, from: position - 1)
    skipWhitespace()
  }

  /// Reads a member's name and the colon after it.
  private mutating func memberName(_ what: String) throws(JSONParseFault) {
    guard byte(at: position) == UInt8(ascii: "\"") else {
      throw expected(what, help: unquotedNameHint)
    }
    try string()
    skipWhitespace()
    guard byte(at: position) == UInt8(ascii: ":") else { throw expected("`:` after a member name") }
    position += 1
    skipWhitespace()
  }

  private var unquotedNameHint: String? {
    guard let byte = byte(at: position), byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A else { return nil }
    return "names stand in double quotes"
  }

  private mutating func string() throws(JSONParseFault) {
    let start = position
    let hasEscapes = try skipString()
    nodes.append(JSONTapeNode(.string, start: start, end: position, index: nodes.count, hasEscapes: hasEscapes))
  }

  private mutating func word(_ word: StaticString, _ kind: JSONTapeNode.Kind) throws(JSONParseFault) {
    let start = position
    guard skipWord(word) else { throw expected("a value") }
    append(kind, from: start)
  }

  private mutating func append(_ kind: JSONTapeNode.Kind, from start: Int) {
    nodes.append(JSONTapeNode(kind, start: start, end: position, index: nodes.count))
  }

  mutating func skipWhitespace() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  func byte(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }
}
