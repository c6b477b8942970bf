import JSONQueries

/// The members and items of a JSON text, found without reading what is in them: a report may be large.
struct JSONOutline {
  let bytes: [UInt8]

  /// The root's range.
  func root() throws(ReportFault) -> Range<Int> {
    let start = skippingBlanks(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    let end = try end(ofValueAt: start)
    let rest = skippingBlanks(end)
    guard rest == bytes.count else { throw fault("something follows its end", at: rest) }
    return start..<end
  }

  /// The members of the object at a place, in their order.
  func members(of range: Range<Int>) throws(ReportFault) -> [(name: String, value: Range<Int>)] {
    guard range.lowerBound < range.upperBound, bytes[range.lowerBound] == UInt8(ascii: "{") else {
      throw fault("expected an object", at: range.lowerBound)
    }
    var members: [(name: String, value: Range<Int>)] = []
    var position = skippingBlanks(range.lowerBound + 1)
    if byte(position) == UInt8(ascii: "}") { return [] }
    while true {
      guard byte(position) == UInt8(ascii: "\"") else { throw fault("expected the name of a member", at: position) }
      let nameEnd = try end(ofValueAt: position)
      let name = try document(Array(bytes[position..<nameEnd]), at: position).root.string
      position = skippingBlanks(nameEnd)
      guard byte(position) == UInt8(ascii: ":") else { throw fault("expected a colon", at: position) }
      let start = skippingBlanks(position + 1)
      let end = try end(ofValueAt: start)
      members.append((name, start..<end))
      position = skippingBlanks(end)
      switch byte(position) {
      case UInt8(ascii: ","): position = skippingBlanks(position + 1)
      case UInt8(ascii: "}"): return members
      default: throw fault("expected a comma or a brace", at: position)
      }
    }
  }

  /// The items of the array at a place.
  func items(of range: Range<Int>) throws(ReportFault) -> [Range<Int>] {
    guard range.lowerBound < range.upperBound, bytes[range.lowerBound] == UInt8(ascii: "[") else {
      throw fault("expected an array", at: range.lowerBound)
    }
    var items: [Range<Int>] = []
    var position = skippingBlanks(range.lowerBound + 1)
    if byte(position) == UInt8(ascii: "]") { return [] }
    while true {
      let end = try end(ofValueAt: position)
      items.append(position..<end)
      position = skippingBlanks(end)
      switch byte(position) {
      case UInt8(ascii: ","): position = skippingBlanks(position + 1)
      case UInt8(ascii: "]"): return items
      default: throw fault("expected a comma or a bracket", at: position)
      }
    }
  }

  /// An object of some of the members of one.
  func record(of members: [(name: String, value: Range<Int>)], at start: Int) throws(ReportFault) -> RecordNode {
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += "\"\(member.name)\":".utf8
      text += bytes[member.value]
    }
    text.append(UInt8(ascii: "}"))
    return RecordNode(try document(text, at: start).root, offset: start)
  }

  func fault(_ message: String, at offset: Int) -> ReportFault {
    ReportFault(offset >= bytes.count ? "it ends in the middle" : message, at: offset)
  }

  /// The line of an offset, counted from 1.
  func line(at offset: Int) -> Int { bytes.prefix(offset).count { $0 == 0x0A } + 1 }

  private func document(_ text: [UInt8], at offset: Int) throws(ReportFault) -> JSONDocument {
    do throws(JSONParseError) {
      return try JSONDocument(parsing: text)
    } catch {
      throw fault(error.message, at: offset)
    }
  }

  private func byte(_ position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private func skippingBlanks(_ start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) { position += 1 }
    return position
  }

  /// The end of a value; what is in it may be invalid.
  private func end(ofValueAt start: Int) throws(ReportFault) -> Int {
    let end = bytes.withUnsafeBufferPointer { bytes -> Int? in
      var position = start
      var depth = 0
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "\""):
          position += 1
          while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
          }
          guard position < bytes.count else { return nil }
          if depth == 0 { return position + 1 }
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 { return position + 1 }
          if depth < 0 { return position == start ? nil : position }
        case UInt8(ascii: ","), 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ":"):
          if depth == 0 { return position == start ? nil : position }
        default: break
        }
        position += 1
      }
      return depth == 0 && position > start ? position : nil
    }
    guard let end else { throw fault("expected a value", at: isOpen(start) ? bytes.count : start) }
    return end
  }

  /// Returns whether a container or a string begins at a place.
  private func isOpen(_ start: Int) -> Bool { byte(start).map { [0x22, 0x5B, 0x7B].contains($0) } ?? true }
}

/// The reason why a text isn't a report that can be read.
struct ReportFault: Error {
  let message: String
  /// The offset of the record that is wrong; nil for the whole text.
  let offset: Int?

  init(_ message: String, at offset: Int? = nil) {
    self.message = message
    self.offset = offset
  }
}
