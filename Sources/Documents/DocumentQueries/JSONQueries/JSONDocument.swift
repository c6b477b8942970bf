import Synchronization

/// A JSON text (RFC 8259), parsed strictly.
///
/// The document is one flat array of nodes over the text's own bytes: numbers stay as written, members keep their order
/// and may be duplicates, and every node knows its position. The text is UTF-8, with or without a byte order mark. An
/// escaped surrogate without its partner (`"\ud800"`), which Unicode cannot encode, is read as U+FFFD.
package final class JSONDocument: Sendable {
  /// The maximum nesting depth of arrays and objects.
  package static let depthLimit = 512
  /// The maximum size of a text in bytes; lengths are kept in 29 bits.
  package static let sizeLimit = 1 << 29

  let bytes: [UInt8]
  let nodes: JSONTape
  private let indexes = Mutex(JSONIndexes())

  /// - Parameter footprint: the text's footprint, if its memory has been reserved.
  package init(parsing bytes: [UInt8], footprint: JSONFootprint? = nil) throws(JSONParseError) {
    let parsed = bytes.withUnsafeBufferPointer { text -> Result<JSONTape, JSONParseFault> in
      var parser = JSONParser(text)
      do throws(JSONParseFault) {
        return .success(try parser.parse(footprint ?? JSONFootprint(of: text)))
      } catch {
        return .failure(error)
      }
    }
    switch parsed {
    case .success(let nodes): self.nodes = nodes
    case .failure(let fault): throw JSONParseError(fault, in: bytes)
    }
    self.bytes = bytes
  }

  package convenience init(parsing text: String) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// The node that a singular path selects; nil if there is none, or if an object on the way has duplicates of the
  /// name: ``JSONPath/selection(in:)`` reports that.
  package func node(at path: JSONPath) -> JSONNode? {
    guard path.isSingular, case .root(nil) = path.query.start else { return nil }
    var index = 0
    for segment in path.query.segments {
      let next: Int?
      switch segment.selectors[0] {
      case .name(let name):
        var isRepeated = false
        next = nodes[index].isObject ? member(name, ofObjectAt: index, isRepeated: &isRepeated) : nil
        if isRepeated { return nil }
      case .index(let position):
        next = nodes[index].isContainer && !nodes[index].isObject ? item(position, ofArrayAt: index) : nil
      default: next = nil
      }
      guard let next else { return nil }
      index = next
    }
    return JSONNode(document: self, index: index)
  }

  package var root: JSONNode { JSONNode(document: self, index: 0) }
}

extension JSONDocument {
  /// The string, or member name, at an index of the flat array.
  func string(at index: Int) -> String {
    let node = nodes[index]
    let content = bytes[node.stringRange]
    return String(decoding: node.hasEscapes ? unescaped(content)[...] : content, as: UTF8.self)
  }

  /// The text of the number at an index.
  func lexeme(at index: Int) -> String {
    String(decoding: bytes[nodes[index].byteRange], as: UTF8.self)
  }

  /// Returns whether the string at an index equals this UTF-8; names are compared by code points, not by canonical
  /// equivalence.
  func string(at index: Int, equals wanted: [UInt8]) -> Bool {
    let node = nodes[index]
    let start = Int(node.start) + 1
    let length = Int(node.end) - 1 - start
    if node.hasEscapes {
      // An escape takes at most six bytes for one.
      guard length >= wanted.count, length <= 6 * wanted.count else { return false }
      return unescaped(bytes[node.stringRange]) == wanted
    }
    guard length == wanted.count else { return false }
    for offset in 0..<wanted.count where bytes[start + offset] != wanted[offset] { return false }
    return true
  }

  /// The index of the value of the last member of that name, as most JSON readers choose.
  func member(_ name: [UInt8], ofObjectAt index: Int) -> Int? {
    var isRepeated = false
    return member(name, ofObjectAt: index, isRepeated: &isRepeated)
  }

  /// - Parameter isRepeated: set if the object has the name more than once.
  func member(_ name: [UInt8], ofObjectAt index: Int, isRepeated: inout Bool) -> Int? {
    if nodes[index].count >= JSONIndexes.minCount,
      let found = indexes.withLock({ $0.member(name, ofObjectAt: index, in: self) })
    {
      isRepeated = found.isRepeated
      return found.value
    }
    var result: Int?
    var key = index + 1
    let end = Int(nodes[index].next)
    while key < end {
      if string(at: key, equals: name) {
        if result != nil { isRepeated = true }
        result = key + 1
      }
      key = Int(nodes[key + 1].next)
    }
    return result
  }

  /// The index of the value at a position of an array; negative positions count from its end.
  func item(_ position: Int, ofArrayAt index: Int) -> Int? {
    let count = nodes[index].count
    let wanted = position < 0 ? count + position : position
    guard wanted >= 0, wanted < count else { return nil }
    if wanted >= JSONIndexes.minCount,
      let found = indexes.withLock({ $0.item(wanted, ofArrayAt: index, in: self) })
    {
      return found
    }
    var item = index + 1
    for _ in 0..<wanted { item = Int(nodes[item].next) }
    return item
  }
}

/// A string's content as UTF-8, with its validated escapes decoded.
func unescaped(_ content: ArraySlice<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(content.count)
  var position = content.startIndex
  while position < content.endIndex {
    let byte = content[position]
    guard byte == UInt8(ascii: "\\") else {
      result.append(byte)
      position += 1
      continue
    }
    let escape = content[position + 1]
    position += 2
    switch escape {
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "u"): result += Array(String(codePoint(in: content, at: &position)).utf8)
    default: result.append(escape)
    }
  }
  return result
}

/// The character of `\uXXXX` or of a pair; the position is after the `u`.
private func codePoint(in content: ArraySlice<UInt8>, at position: inout Int) -> Character {
  let first = codeUnit(in: content, at: position)
  position += 4
  if first & 0xFC00 == 0xD800, position + 6 <= content.endIndex, content[position] == UInt8(ascii: "\\"),
    content[position + 1] == UInt8(ascii: "u")
  {
    let second = codeUnit(in: content, at: position + 2)
    if second & 0xFC00 == 0xDC00 {
      position += 6
      return Character(Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) ?? "\u{FFFD}")
    }
  }
  return Character(Unicode.Scalar(first) ?? "\u{FFFD}")
}

private func codeUnit(in content: ArraySlice<UInt8>, at position: Int) -> UInt32 {
  var unit: UInt32 = 0
  for byte in content[position..<position + 4] { unit = unit << 4 | hexValue(byte) }
  return unit
}

private func hexValue(_ byte: UInt8) -> UInt32 {
  UInt32(byte <= UInt8(ascii: "9") ? byte & 15 : byte & 15 + 9)
}
