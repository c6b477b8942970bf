import OperatingSystem
import Synchronization

/// The file of a report: written beside the old one, and renamed once it is complete.
struct ReportFile: Sendable {
  let path: String
  /// The kind in messages, such as `JUnit`.
  let kind: String

  /// Checks before the run whether the report can be written.
  func prepare() throws(ReportProblem) {
    try reporting { () throws(SystemProblem) in try ReplacementFile.prepare(path) }
  }

  /// Writes the report: it is complete or doesn't exist.
  func replace(_ write: (ReplacementFile) throws(SystemProblem) -> Void) throws(ReportProblem) {
    try reporting { () throws(SystemProblem) in
      let file = try ReplacementFile(of: path, isNamedByUser: true)
      try write(file)
      try file.commit()
    }
  }

  /// Performs a part of the work; a problem of the system is one of the report.
  func reporting<Result>(_ work: () throws(SystemProblem) -> Result) throws(ReportProblem) -> Result {
    do throws(SystemProblem) {
      return try work()
    } catch {
      throw ReportProblem(error, kind, path)
    }
  }
}

/// The parts of a report that are ready: a few in memory, the rest in a temporary file.
final class ReportBody: Sendable {
  /// The memory for parts that wait.
  static let memoryLimit = 256 << 10

  private let buffer = Mutex(SpillBuffer(memoryLimit: ReportBody.memoryLimit))

  func append(_ bytes: [UInt8]) { buffer.withLock { $0.append(bytes) } }

  /// Moves all parts to the file.
  ///
  /// - Parameter start: the number of bytes to leave out, such as a separator before the first part.
  func drain(into file: ReplacementFile, from start: Int = 0) throws(SystemProblem) {
    var start = start
    while let piece = buffer.withLock({ $0.next() }) {
      file.write(start == 0 ? piece : Array(piece.dropFirst(start)))
      start = max(0, start - piece.count)
    }
    if buffer.withLock({ $0.isIncomplete }) { throw .diskIsFull }
  }
}

/// The parts of a report, one or more for each file of the run, in the order of the output.
struct ReportParts: Sendable {
  private let body = ReportBody()
  private let spool: OrderedSpool

  init() { spool = OrderedSpool { [body] in body.append($0) } }

  func write(_ text: String, at position: Int) { spool.write(text, at: position) }
  func write(_ bytes: [UInt8], at position: Int) { spool.write(bytes, at: position) }

  /// Ends the parts of a file.
  func finish(_ position: Int) { spool.finish(position) }

  /// Moves all parts to the file of the report.
  ///
  /// - Parameter start: the number of bytes to leave out, such as a separator before the first part.
  func drain(into file: ReplacementFile, from start: Int = 0) throws(SystemProblem) {
    try body.drain(into: file, from: start)
    if spool.isIncomplete { throw .diskIsFull }
  }
}

extension ReplacementFile {
  func write(_ text: String) { write(Array(text.utf8)) }
}

extension SystemProblem {
  static let diskIsFull = SystemProblem("the disk takes no more")
}
