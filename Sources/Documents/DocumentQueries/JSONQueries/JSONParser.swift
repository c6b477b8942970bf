import OperatingSystem

/// Reads JSON's grammar (RFC 8259) into a flat array of nodes, without recursion.
struct JSONParser {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// The interval in bytes between checks of the budget.
  private static let lookInterval = 1 << 15

  let bytes: UnsafeBufferPointer<UInt8>
  let contentStart: Int
  var position: Int
  /// The nodes' heads; `count` of them are written.
  private var heads = UnsafeMutableBufferPointer<JSONTape.Head>(start: nil, count: 0)
  private var count = 0
  private var containers: [JSONTape.Container] = []
  /// The arrays and objects around the innermost one, and this itself.
  private var outer: [Container] = []
  private var inner = Container(number: -1, isObject: false, count: 0)

  /// A container that is still open.
  private struct Container {
    let number: Int
    let isObject: Bool
    var count: UInt32
  }

  /// - Parameter bytes: must outlive the parser.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    contentStart = bytes.starts(with: JSONParser.byteOrderMark) ? 3 : 0
    position = contentStart
  }

  /// - Parameter footprint: that of the text.
  mutating func parse(_ footprint: JSONFootprint) throws(JSONParseFault) -> JSONTape {
    guard bytes.count < JSONDocument.sizeLimit else {
      throw JSONParseFault(message: "the text is larger than \(JSONDocument.sizeLimit >> 20) MiB", offset: 0)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw JSONParseFault(message: "the text is UTF-16; JSON is exchanged as UTF-8", offset: 0)
    }
    containers.reserveCapacity(footprint.containers)
    var fault: JSONParseFault?
    let heads = [JSONTape.Head](unsafeUninitializedCapacity: footprint.nodes) { buffer, count in
      self.heads = buffer
      do throws(JSONParseFault) { try document() } catch { fault = error }
      count = self.count
    }
    if let fault { throw fault }
    return JSONTape(heads: heads, containers: containers)
  }

  private mutating func document() throws(JSONParseFault) {
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
  }

  /// Reads a scalar, an empty container or the start of another; true if the value of a first item or member comes next.
  @inline(__always)
  private mutating func value() throws(JSONParseFault) -> Bool {
    guard position < bytes.count else { throw expected("a value") }
    switch bytes[position] {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "{"):
      guard try openContainer(.object) else { return false }
      try memberName("a member name in double quotes or `}`")
      return true
    case UInt8(ascii: "["): return try openContainer(.array)
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
  @inline(__always)
  private mutating func continueAfterValue() throws(JSONParseFault) -> Bool {
    skipWhitespace()
    while inner.number >= 0 {
      inner.count &+= 1
      let isObject = inner.isObject
      switch byte(at: position) {
      case UInt8(ascii: ","):
        position += 1
        skipWhitespace()
        if byte(at: position) == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          throw expected(
            isObject ? "a member name after `,`" : "a value after `,`", help: "JSON has no trailing commas")
        }
        if isObject { try memberName("a member name in double quotes") }
        return true
      case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
        position += 1
        containers[inner.number] = JSONTape.Container(
          end: UInt32(truncatingIfNeeded: position), next: UInt32(truncatingIfNeeded: count), count: inner.count)
        inner = outer.removeLast()
        skipWhitespace()
      default:
        throw expected(isObject ? "`,` or `}` after a member" : "`,` or `]` after an item")
      }
    }
    return false
  }

  /// Begins a container; false if it is empty.
  private mutating func openContainer(_ kind: JSONTapeNode.Kind) throws(JSONParseFault) -> Bool {
    guard outer.count < JSONDocument.depthLimit else {
      throw JSONParseFault(
        message: "arrays and objects nest deeper than \(JSONDocument.depthLimit) levels", offset: position)
    }
    write(JSONTape.head(kind, start: position, containers.count))
    position += 1
    skipWhitespace()
    let isEmpty = byte(at: position) == (kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    if isEmpty {
      position += 1
    } else {
      outer.append(inner)
      inner = Container(number: containers.count, isObject: kind == .object, count: 0)
    }
    containers.append(
      JSONTape.Container(
        end: UInt32(truncatingIfNeeded: position), next: UInt32(truncatingIfNeeded: count), count: 0))
    return !isEmpty
  }

  /// Reads a member's name and the colon after it.
  @inline(__always)
  private mutating func memberName(_ what: StaticString) throws(JSONParseFault) {
    guard byte(at: position) == UInt8(ascii: "\"") else { throw expected("\(what)", help: unquotedNameHint) }
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

  @inline(__always)
  private mutating func string() throws(JSONParseFault) {
    let start = position
    let hasEscapes = try skipString()
    write(JSONTape.head(.string, start: start, position - start, hasEscapes: hasEscapes))
  }

  @inline(__always)
  private mutating func word(_ word: StaticString, _ kind: JSONTapeNode.Kind) throws(JSONParseFault) {
    let start = position
    guard skipWord(word) else { throw expected("a value") }
    append(kind, from: start)
  }

  @inline(__always)
  private mutating func append(_ kind: JSONTapeNode.Kind, from start: Int) {
    write(JSONTape.head(kind, start: start, position - start))
  }

  @inline(__always)
  private mutating func write(_ head: JSONTape.Head) {
    // The footprint is never too small.
    guard count < heads.count else { return }
    heads.initializeElement(at: count, to: head)
    count &+= 1
  }

  @inline(__always)
  mutating func skipWhitespace() {
    // One blank is the usual case.
    if position < bytes.count, bytes[position] == 0x20 { position += 1 }
    if position < bytes.count, bytes[position] <= 0x20 { skipBlanks() }
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  @inline(__always)
  func byte(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }
}
