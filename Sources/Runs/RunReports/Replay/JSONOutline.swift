import DocumentQueries
import OperatingSystem

/// The members and items of a JSON document in a file, found without reading what is in them, and without more of the
/// file in memory than a window: a report may be large.
final class JSONOutline {
  struct Member {
    let name: String
    /// The place of its name and its value.
    let text: Range<Int>
    let value: Range<Int>
  }

  private static let windowSize = 256 << 10

  private let file: ReadableFile
  /// The size of the file in bytes.
  let count: Int
  private var window: [UInt8] = []
  /// The offset of the window.
  private var windowStart = 0

  private let reading: ReportReading

  init(path: String, _ reading: ReportReading) throws(SystemProblem) {
    self.reading = reading
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
    var members: [Member] = []
    let objectEnd = try elements(of: "an object", at: start, "{", "}") { start throws(ReportFault) in
      guard try byte(start) == UInt8(ascii: "\"") else { throw fault("expected the name of a member", at: start) }
      let nameEnd = try end(ofValueAt: start)
      let colon = try skippingBlanks(nameEnd)
      guard try byte(colon) == UInt8(ascii: ":") else { throw fault("expected a colon", at: colon) }
      let valueStart = try skippingBlanks(colon + 1)
      let valueEnd = try end(ofValueAt: valueStart)
      members.append(Member(name: try name(start..<nameEnd), text: start..<valueEnd, value: valueStart..<valueEnd))
      return valueEnd
    }
    return (members, objectEnd)
  }

  /// Reads the items of the array at a place.
  ///
  /// - Parameter read: reads an item at its start, and returns its end.
  func items(at start: Int, _ read: (Int) throws(ReportFault) -> Int) throws(ReportFault) {
    _ = try elements(of: "an array", at: start, "[", "]", read)
  }

  /// Returns the end of an object or an array.
  private func elements(
    of kind: String, at start: Int, _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    _ read: (Int) throws(ReportFault) -> Int
  ) throws(ReportFault) -> Int {
    guard try byte(start) == UInt8(ascii: open) else { throw fault("expected \(kind)", at: start) }
    var position = try skippingBlanks(start + 1)
    if try byte(position) == UInt8(ascii: close) { return position + 1 }
    while true {
      position = try skippingBlanks(try read(position))
      switch try byte(position) {
      case UInt8(ascii: ","): position = try skippingBlanks(position + 1)
      case UInt8(ascii: close): return position + 1
      default: throw fault("expected a comma or the end of \(kind)", at: position)
      }
    }
  }

  /// An object of some of the members of one.
  func record(of members: [Member], at start: Int) throws(ReportFault) -> ReportNode {
    var text: [UInt8] = [UInt8(ascii: "{")]
    text.reserveCapacity(members.reduce(2) { $0 + $1.text.count + 1 })
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      try append(member.text, to: &text)
    }
    text.append(UInt8(ascii: "}"))
    return try record(text, at: start)
  }

  /// The whole object at a place, and its end.
  func record(at start: Int) throws(ReportFault) -> (record: ReportNode, end: Int) {
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
    if text.contains(UInt8(ascii: "\\")) { return try document(text, at: range.lowerBound).root.string }
    return String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
  }

  private func record(_ text: [UInt8], at offset: Int) throws(ReportFault) -> ReportNode {
    ReportNode(json: try document(text, at: offset).root, offset: offset, reading: reading)
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
    let isScalar = try byte(start).map { !"\"{[".utf8.contains($0) } ?? false
    var depth = 0
    var isInString = false
    var isEscaped = false
    var position = start
    while try load(position) {
      for byte in window[(position - windowStart)...] {
        if isInString {
          isInString = isEscaped || byte != UInt8(ascii: "\"")
          isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        } else {
          switch byte {
          case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"),
            UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
            if isScalar {
              guard position > start else { throw fault("expected a value", at: start) }
              return position
            }
            if byte == UInt8(ascii: "\"") { isInString = true }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
          default: break
          }
        }
        position += 1
        if !isScalar, !isInString, depth == 0 { return position }
      }
    }
    guard isScalar else { throw fault("", at: count) }
    return position
  }
}
