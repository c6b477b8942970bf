import JSONQueries
import OperatingSystem

/// The members and items of a JSON document in a file, found without reading what is in them, and without more of the
/// file in memory than a window: a report may be large.
final class JSONOutline {
  /// A member of an object, and where its value is.
  typealias Member = (name: String, value: Range<Int>)

  private static let windowSize = 256 << 10

  private let file: ReadableFile
  /// The size of the file in bytes.
  let count: Int
  private var window: [UInt8] = []
  /// The offset of the window.
  private var windowStart = 0

  init(path: String) throws(SystemProblem) {
    file = try ReadableFile(path: path)
    file.lockForReading()
    count = Int(clamping: file.version.size)
  }

  /// The members of the object that is the document.
  func rootMembers() throws(ReportFault) -> [Member] {
    let isMarked = try beginning(of: 0..<count, 3) == "\u{FEFF}"
    let (members, end) = try members(at: try skippingBlanks(isMarked ? 3 : 0))
    let rest = try skippingBlanks(end)
    guard rest == count else { throw fault("something follows its end", at: rest) }
    return members
  }

  /// The members of the object at a place, in their order, and the end of the object.
  func members(at start: Int) throws(ReportFault) -> (members: [Member], end: Int) {
    guard try byte(start) == UInt8(ascii: "{") else { throw fault("expected an object", at: start) }
    var members: [Member] = []
    var position = try skippingBlanks(start + 1)
    if try byte(position) == UInt8(ascii: "}") { return ([], position + 1) }
    while true {
      guard try byte(position) == UInt8(ascii: "\"") else { throw fault("expected the name of a member", at: position) }
      let nameEnd = try end(ofValueAt: position)
      let name = try self.name(position..<nameEnd)
      position = try skippingBlanks(nameEnd)
      guard try byte(position) == UInt8(ascii: ":") else { throw fault("expected a colon", at: position) }
      let valueStart = try skippingBlanks(position + 1)
      let valueEnd = try end(ofValueAt: valueStart)
      members.append((name, valueStart..<valueEnd))
      position = try skippingBlanks(valueEnd)
      switch try byte(position) {
      case UInt8(ascii: ","): position = try skippingBlanks(position + 1)
      case UInt8(ascii: "}"): return (members, position + 1)
      default: throw fault("expected a comma or a brace", at: position)
      }
    }
  }

  /// Reads the items of the array at a place.
  ///
  /// - Parameter read: reads an item at its start, and returns its end.
  func items(at start: Int, _ read: (Int) throws(ReportFault) -> Int) throws(ReportFault) {
    guard try byte(start) == UInt8(ascii: "[") else { throw fault("expected an array", at: start) }
    var position = try skippingBlanks(start + 1)
    if try byte(position) == UInt8(ascii: "]") { return }
    while true {
      position = try skippingBlanks(try read(position))
      switch try byte(position) {
      case UInt8(ascii: ","): position = try skippingBlanks(position + 1)
      case UInt8(ascii: "]"): return
      default: throw fault("expected a comma or a bracket", at: position)
      }
    }
  }

  /// An object of some of the members of one.
  func record(of members: [Member], at start: Int) throws(ReportFault) -> RecordNode {
    var text: [UInt8] = [UInt8(ascii: "{")]
    text.reserveCapacity(members.reduce(2) { $0 + $1.name.utf8.count + $1.value.count + 4 })
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += "\"\(member.name)\":".utf8
      try append(member.value, to: &text)
    }
    text.append(UInt8(ascii: "}"))
    return try record(text, at: start)
  }

  /// The whole object at a place, and its end.
  func record(at start: Int) throws(ReportFault) -> (record: RecordNode, end: Int) {
    let end = try end(ofValueAt: start)
    var text: [UInt8] = []
    try append(start..<end, to: &text)
    return (try record(text, at: start), end)
  }

  /// The beginning of a value.
  func beginning(of range: Range<Int>, _ count: Int) throws(ReportFault) -> String {
    var text: [UInt8] = []
    try append(range.prefix(count), to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  func fault(_ message: String, at offset: Int) -> ReportFault {
    ReportFault(offset >= count ? "it ends in the middle" : message, at: offset)
  }

  /// The line of an offset, counted from 1.
  func line(at offset: Int) -> Int {
    var line = 1
    var position = 0
    while position < offset, (try? load(position)) == true {
      let end = min(offset, windowStart + window.count)
      line += window[(position - windowStart)..<(end - windowStart)].count { $0 == 0x0A }
      position = end
    }
    return line
  }

  // MARK: bytes

  /// Moves the window to a position, unless it is there; false at the end of the file.
  private func load(_ position: Int) throws(ReportFault) -> Bool {
    if position >= windowStart, position < windowStart + window.count { return true }
    guard position < count else { return false }
    let size = min(JSONOutline.windowSize, count - position)
    if window.count != size { window = [UInt8](repeating: 0, count: size) }
    let got = window.withUnsafeMutableBytes { bytes in
      Result { () throws(SystemProblem) in try file.read(into: bytes, at: Int64(position)) }
    }
    windowStart = position
    switch got {
    case .failure(let problem):
      window = []
      throw ReportFault("it cannot be read: \(problem.reason)")
    case .success(let got):
      // It may have become shorter.
      if got < size { window.removeLast(size - got) }
      return got > 0
    }
  }

  private func byte(_ position: Int) throws(ReportFault) -> UInt8? {
    try load(position) ? window[position - windowStart] : nil
  }

  private func append(_ range: Range<Int>, to text: inout [UInt8]) throws(ReportFault) {
    var position = range.lowerBound
    while position < range.upperBound, try load(position) {
      let end = min(range.upperBound, windowStart + window.count)
      text += window[(position - windowStart)..<(end - windowStart)]
      position = end
    }
  }

  /// The name of a member; without escape sequences it is the text between the quotes.
  private func name(_ range: Range<Int>) throws(ReportFault) -> String {
    var text: [UInt8] = []
    try append(range, to: &text)
    if !text.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 || $0 >= 0x80 }) {
      return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
    }
    return try document(text, at: range.lowerBound).root.string
  }

  private func record(_ text: [UInt8], at offset: Int) throws(ReportFault) -> RecordNode {
    RecordNode(try document(text, at: offset).root, offset: offset)
  }

  private func document(_ text: [UInt8], at offset: Int) throws(ReportFault) -> JSONDocument {
    do throws(JSONParseError) {
      return try JSONDocument(parsing: text)
    } catch {
      throw fault(error.message, at: offset)
    }
  }

  private func skippingBlanks(_ start: Int) throws(ReportFault) -> Int {
    var position = start
    while let byte = try byte(position), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    return position
  }

  /// The end of a value; what is in it may be invalid.
  private func end(ofValueAt start: Int) throws(ReportFault) -> Int {
    var scan = ValueScan()
    var position = start
    while try load(position) {
      let offset = position - windowStart
      if let end = window.withUnsafeBufferPointer({ scan.end(in: $0, from: offset) }) {
        guard let end else { throw fault("expected a value", at: start) }
        return windowStart + end
      }
      position = windowStart + window.count
    }
    guard scan.isScalar else { throw fault("", at: count) }
    return position
  }
}

/// The search for the end of a value, over several pieces of a text.
private struct ValueScan {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isBegun = false

  /// Indicates whether the value is one that ends with the text.
  var isScalar: Bool { isBegun && depth == 0 && !isInString }

  /// The end; nil if the piece doesn't have it, and nil within that if there is no value.
  mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int?? {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
          if depth == 0 { return .some(position + 1) }
        }
        position += 1
        continue
      }
      switch byte {
      case 0x22:
        // A string ends a number before it.
        if isBegun, depth == 0 { return .some(position) }
        isInString = true
      // Braces and brackets.
      case 0x7B, 0x5B:
        if isBegun, depth == 0 { return .some(position) }
        depth += 1
      case 0x7D, 0x5D:
        if depth == 0 { return .some(isBegun ? position : nil) }
        depth -= 1
        if depth == 0 { return .some(position + 1) }
      // Commas, colons and blanks.
      case 0x2C, 0x3A, 0x20, 0x09, 0x0A, 0x0D: if depth == 0 { return .some(isBegun ? position : nil) }
      default: break
      }
      isBegun = true
      position += 1
    }
    return nil
  }
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
