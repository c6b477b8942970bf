import DocumentQueries
import OperatingSystem
import RequestSpecs
import Templates
import Values
import YAMLNodes

protocol RowReading {
  func next() throws(DecodingProblem) -> Value?
}

/// The bytes of a file, chunk by chunk.
private final class FileChunks {
  private static let size = 256 << 10
  let file: ReadableFile
  let path: String
  var offset: Int64 = 0
  var bytes: [UInt8] = []
  /// The first byte that was not used yet.
  var position = 0

  init(_ location: String, _ path: String) throws(DecodingProblem) {
    self.path = path
    do throws(SystemProblem) {
      file = try ReadableFile(path: location)
    } catch {
      throw DecodingProblem(.unreadableFile, "\"\(path)\" cannot be read: \(error.reason)")
    }
  }

  /// Reads the next chunk; false at the end, and if evaluation must end.
  func read() throws(DecodingProblem) -> Bool {
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: FileChunks.size) }
    if bytes.count < FileChunks.size { bytes += [UInt8](repeating: 0, count: FileChunks.size - bytes.count) }
    position = 0
    let offset = offset
    var result = Result<Int, SystemProblem>.success(0)
    bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemProblem) {
        result = .success(try file.read(into: buffer, at: offset))
      } catch {
        result = .failure(error)
      }
    }
    switch result {
    case .success(let count):
      self.offset += Int64(count)
      bytes.removeLast(bytes.count - count)
      return count > 0 && !EvaluationBudget.meter.isOver(after: count)
    case .failure(let problem): throw DecodingProblem(.unreadableFile, "\"\(path)\" cannot be read: \(problem.reason)")
    }
  }
}

/// The records of a CSV file as mappings.
final class CSVRows: RowReading {
  private let chunks: FileChunks
  let path: String
  private var parser = CSVParser()
  private var head = CSVHead()
  /// Indicates which columns are secrets.
  private var areSecret: [Bool] = []
  /// Indicates whether messages may quote the file.
  let quotes: Bool
  private var isAtEnd = false
  /// The first line of the last row.
  private(set) var line = 1

  init(_ location: String, _ path: String, _ rows: RowsSpec) throws(DecodingProblem) {
    chunks = try FileChunks(location, path)
    self.path = path
    quotes = rows.secrets.isEmpty
    guard let names = try record() else {
      throw DecodingProblem(.invalidFile, "\"\(path)\" is empty", help: "the first line names the columns")
    }
    head = try parsed { () throws(CSVParser.Problem) in try CSVHead(names) }
    let secrets = Set(rows.secrets.map(\.value))
    areSecret = head.columns.map { secrets.contains($0.name) }
    let columns = Set(zip(head.columns, areSecret).filter(\.1).map(\.0.name))
    if let missing = rows.secrets.first(where: { !columns.contains($0.value) }) {
      throw DecodingProblem(
        .invalidFile, "\"\(path)\" has no column `\(jsonEscaped(missing.value))`, which `secrets` names",
        help: suggestion(missing.value, among: head.columns.map(\.name)))
    }
  }

  func next() throws(DecodingProblem) -> Value? {
    guard let record = try record() else { return nil }
    line = record.line
    try parsed { () throws(CSVParser.Problem) in try head.check(record) }
    var members: [Mapping.Member] = []
    members.reserveCapacity(head.columns.count)
    for (index, column) in head.columns.enumerated() {
      let cell = record.cells[index]
      var value = Value.text(Text(cell))
      if column.isJSON { value = cell.isEmpty ? .null : try json(cell, column.name, record.line) }
      members.append(Mapping.Member(key: Text(column.name), value: areSecret[index] ? value.tainted : value))
    }
    return .mapping(Mapping(members))
  }

  func json(_ cell: String, _ name: String, _ line: Int) throws(DecodingProblem) -> Value {
    do throws(JSONParseError) {
      return try JSONDocument(parsing: Array(cell.utf8)).root.value
    } catch {
      throw DecodingProblem(
        .invalidFile,
        "\"\(path)\", line \(line): the cell of `\(jsonEscaped(name))` is not JSON"
          + (quotes ? ": \(error.message)" : ""),
        help: "write text in double quotes, which are doubled inside a quoted cell")
    }
  }

  private func record() throws(DecodingProblem) -> (cells: [String], line: Int)? {
    while !isAtEnd {
      if let record = try parsed({ () throws(CSVParser.Problem) in
        try chunks.next { bytes, position throws(CSVParser.Problem) in try parser.next(in: bytes, &position) }
      }) {
        return record
      }
      if try chunks.read() { continue }
      isAtEnd = true
      return try parsed { () throws(CSVParser.Problem) in try parser.finish() }
    }
    return nil
  }

  private func parsed<Result>(_ parse: () throws(CSVParser.Problem) -> Result) throws(DecodingProblem) -> Result {
    do throws(CSVParser.Problem) {
      return try parse()
    } catch {
      isAtEnd = true
      throw DecodingProblem(.invalidFile, "\"\(path)\", line \(error.line): \(error.message)", help: error.help)
    }
  }
}

/// The values of a file with one in each line.
final class JSONLines: RowReading {
  static let limit = 16 << 20
  private let chunks: FileChunks
  let path: String
  var line = 0
  private var pending: [UInt8] = []
  private var isAtEnd = false
  /// Indicates whether messages may quote the file.
  let quotes: Bool

  init(_ location: String, _ path: String, _ rows: RowsSpec) throws(DecodingProblem) {
    chunks = try FileChunks(location, path)
    self.path = path
    quotes = rows.secrets.isEmpty
  }

  func next() throws(DecodingProblem) -> Value? {
    while let bytes = try nextLine() {
      line += 1
      var text = bytes[...]
      if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(JSONParseError) {
        return try JSONDocument(parsing: Array(text)).root.value
      } catch {
        let message = quotes ? error.message : "this is not JSON"
        throw DecodingProblem(
          .invalidFile, "\"\(path)\", line \(line): \(message)", help: "each line is one JSON value")
      }
    }
    return nil
  }

  private func nextLine() throws(DecodingProblem) -> [UInt8]? {
    if isAtEnd { return nil }
    while true {
      let rest = chunks.bytes[chunks.position...]
      if let end = rest.firstIndex(of: 0x0A) {
        chunks.position = end + 1
        if pending.isEmpty { return Array(rest[..<end]) }
        defer { pending = [] }
        return pending + rest[..<end]
      }
      pending += rest
      guard pending.count <= JSONLines.limit else {
        throw DecodingProblem(
          .limitExceeded, "\"\(path)\", line \(line + 1): a line has more than \(JSONLines.limit >> 20) MiB")
      }
      guard try chunks.read() else {
        isAtEnd = true
        return pending.isEmpty ? nil : pending
      }
    }
  }
}

extension FileChunks {
  /// Gives the rest of the chunk to a parser, which moves the position.
  func next<Record>(
    _ parse: (UnsafeBufferPointer<UInt8>, inout Int) throws(CSVParser.Problem) -> Record?
  ) throws(CSVParser.Problem) -> Record? {
    var position = position
    var result = Result<Record?, CSVParser.Problem>.success(nil)
    bytes.withUnsafeBufferPointer { buffer in
      do throws(CSVParser.Problem) {
        result = .success(try parse(buffer, &position))
      } catch {
        result = .failure(error)
      }
    }
    self.position = position
    return try result.get()
  }
}
