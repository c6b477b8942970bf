/// Reads events from a stream as it arrives, in chunks with arbitrary boundaries.
package struct EventReader {
  /// The maximum size of an event or a line in bytes: a server could send one without end.
  package static let standardLimit = 16 << 20

  private var lines: LineReader
  private var interpreter: LineInterpreter

  /// - Parameter limit: the maximum number of bytes in an event.
  package init(_ format: EventStreamFormat, limit: Int = EventReader.standardLimit) {
    lines = LineReader(ending: format == .sse ? .any : .lineFeed, limit: limit)
    interpreter = LineInterpreter(format: format, parser: ServerSentEventParser(limit: limit))
  }

  /// The ID of the last event, or of a block without data after it; empty if the server has sent none.
  package var lastEventID: String { interpreter.parser.lastEventID }

  /// The time that the server wants a client to wait before it reconnects; nil if it sent none.
  package var reconnectionTime: Duration? { interpreter.parser.reconnectionTime }

  /// Starts a new connection: incomplete lines and events are dropped, the last event ID stays.
  package mutating func restart() {
    lines.restart()
    interpreter.lineNumber = 0
    interpreter.parser.restart()
  }

  /// Calls `body` with each complete event until it returns false, and then returns false.
  package mutating func read(
    _ chunk: UnsafeRawBufferPointer, _ body: (StreamEvent) -> Bool
  ) throws(EventStreamError) -> Bool {
    try EventReader.read(chunk, &lines, &interpreter, body)
  }

  /// Ends the stream: an incomplete last line may be an event, but a block without its empty line isn't.
  package mutating func finish(_ body: (StreamEvent) -> Bool) throws(EventStreamError) {
    if interpreter.format == .sse { return }
    _ = try EventReader.finish(&lines, &interpreter, body)
  }

  // Static, since lines are read while they are interpreted.

  private static func read(
    _ chunk: UnsafeRawBufferPointer, _ lines: inout LineReader, _ interpreter: inout LineInterpreter,
    _ body: (StreamEvent) -> Bool
  ) throws(EventStreamError) -> Bool {
    try lines.read(chunk) { line throws(EventStreamError) in try interpreter.event(of: line).map(body) ?? true }
  }

  private static func finish(
    _ lines: inout LineReader, _ interpreter: inout LineInterpreter, _ body: (StreamEvent) -> Bool
  ) throws(EventStreamError) {
    try lines.finish { line throws(EventStreamError) in try interpreter.event(of: line).map(body) ?? true }
  }
}

/// Makes events from lines.
private struct LineInterpreter {
  let format: EventStreamFormat
  var parser: ServerSentEventParser
  var lineNumber = 0

  mutating func event(of line: UnsafeRawBufferPointer) throws(EventStreamError) -> StreamEvent? {
    lineNumber += 1
    switch format {
    case .sse: return try parser.interpret(line)
    case .websocket: return nil
    case .text: return StreamEvent(data: String(decoding: line, as: UTF8.self))
    case .ndjson:
      // An empty line keeps a connection alive.
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
      let text = String(decoding: line, as: UTF8.self)
      if let problem = jsonProblem(Array(line)) {
        throw .notJSON(line: lineNumber, column: problem.column, message: problem.message, text: text)
      }
      return StreamEvent(data: text, isJSON: true)
    }
  }
}
