/// Splits CSV (RFC 4180) into records, whatever its chunks. A byte order mark at the start and blank lines are ignored.
package struct CSVParser: Sendable {
  package struct Problem: Error, Sendable, Hashable {
    package let line: Int
    package let message: String
    package let help: String?
  }

  private enum State {
    case start, plain, quoted
    /// The state after a quote inside quotes: the end of the cell, or the first of two.
    case quote
  }

  /// The limit of a record in bytes.
  private let limit: Int
  private var state = State.start
  private var bytes: [UInt8] = []
  /// The ends of the finished cells in `bytes`.
  private var ends: [Int] = []
  private var hasQuotes = false
  private var isAtStart = true
  private var line = 1
  /// The line in which the record begins.
  private var firstLine = 1

  package init(limit: Int = 16 << 20) {
    self.limit = limit
  }

  /// Reads up to the end of the next record, and moves `position` behind it; nil at the end of the bytes.
  package mutating func next(
    in chunk: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) throws(Problem) -> (cells: [String], line: Int)? {
    while position < chunk.count {
      let byte = chunk[position]
      position += 1
      switch state {
      case .start, .plain:
        switch byte {
        case 0x2C:
          endCell()
          state = .start
        case 0x0A:
          if let record = try endRecord() { return record }
        case 0x22:
          if state == .plain {
            throw Problem(
              line: line, message: "a quote stands inside a cell without quotes around it",
              help: line == 1 && (bytes.starts(with: "{".utf8) || bytes.starts(with: "[".utf8))
                ? "JSON is read by `json` in place of `csv`" : "put the cell in quotes, and write `\"\"` for a quote")
          }
          state = .quoted
          hasQuotes = true
        default:
          if state == .plain, bytes.last == 0x0D {
            throw Problem(
              line: line, message: "a carriage return stands inside a cell without quotes around it",
              help: "end lines with a line feed, or with both")
          }
          bytes.append(byte)
          state = .plain
          if isAtStart, bytes.count == 3 {
            isAtStart = false
            if bytes == [0xEF, 0xBB, 0xBF] {
              bytes = []
              state = .start
            }
          }
        }
      case .quoted:
        if byte == 0x22 {
          state = .quote
        } else {
          if byte == 0x0A { line += 1 }
          bytes.append(byte)
        }
      case .quote:
        switch byte {
        case 0x22:
          bytes.append(byte)
          state = .quoted
        case 0x2C:
          endCell()
          state = .start
        case 0x0A:
          if let record = try endRecord() { return record }
        case 0x0D: break
        default:
          throw Problem(
            line: line, message: "text stands after the closing quote of a cell",
            help: "write `\"\"` for a quote inside a cell")
        }
      }
      if bytes.count + ends.count > limit {
        throw Problem(
          line: firstLine, message: "a record has more than \(limit >> 20) MiB", help: "is a quote not closed?")
      }
    }
    return nil
  }

  /// The last record, if the text ends without a line break.
  package mutating func finish() throws(Problem) -> (cells: [String], line: Int)? {
    if state == .quoted {
      throw Problem(line: firstLine, message: "a quote is not closed", help: "write `\"\"` for a quote inside a cell")
    }
    return try endRecord()
  }

  private mutating func endCell() { ends.append(bytes.count) }

  private mutating func endRecord() throws(Problem) -> (cells: [String], line: Int)? {
    defer {
      line += 1
      firstLine = line
      bytes.removeAll(keepingCapacity: bytes.count < 1 << 16)
      ends.removeAll(keepingCapacity: true)
      hasQuotes = false
      state = .start
      isAtStart = false
    }
    if state != .quote, bytes.last == 0x0D { bytes.removeLast() }
    if bytes.isEmpty, ends.isEmpty, !hasQuotes { return nil }
    endCell()
    var cells: [String] = []
    cells.reserveCapacity(ends.count)
    var start = 0
    for end in ends {
      guard let cell = String(validating: bytes[start..<end], as: UTF8.self) else {
        throw Problem(line: firstLine, message: "the text is not UTF-8", help: "save the file as UTF-8")
      }
      cells.append(cell)
      start = end
    }
    return (cells, firstLine)
  }
}
