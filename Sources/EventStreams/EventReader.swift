/// Reads events from a stream as it comes, in chunks that may end anywhere.
package struct EventReader {
  /// An event, or a line, that has more bytes is an error: nothing bounds what a server sends without an end.
  package static let standardLimit = 16 << 20

  private var lines: LineReader
  private var interpreter: LineInterpreter

  /// - Parameter limit: the greatest number of bytes in an event.
  package init(_ format: EventStreamFormat, limit: Int = EventReader.standardLimit) {
    lines = LineReader(ending: format == .sse ? .any : .lineFeed, limit: limit)
    interpreter = LineInterpreter(format: format, parser: ServerSentEventParser(limit: limit))
  }

  /// That of the last event, or of a block without data behind it; empty where the server has sent none.
  package var lastEventID: String { interpreter.parser.lastEventID }

  /// How long the server wants a client to wait before it connects again; nil where it has not said.
  package var reconnectionTime: Duration? { interpreter.parser.reconnectionTime }

  /// Begins a new connection: what was incomplete is dropped, the last event ID stays.
  package mutating func restart() {
    lines.restart()
    interpreter.lineNumber = 0
    interpreter.parser.restart()
  }

  /// Hands out the events that are complete; false once `body` has returned false: nothing is handed out then.
  package mutating func read(
    _ chunk: UnsafeRawBufferPointer, _ body: (StreamEvent) -> Bool
  ) throws(EventStreamError) -> Bool {
    try EventReader.read(chunk, &lines, &interpreter, body)
  }

  /// The stream has come to its end: a last line may be an event, but a block without its empty line is none.
  package mutating func finish(_ body: (StreamEvent) -> Bool) throws(EventStreamError) {
    if interpreter.format == .sse { return }
    _ = try EventReader.finish(&lines, &interpreter, body)
  }

  // Static, for the lines are read while they are interpreted.

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

/// Makes events of lines.
private struct LineInterpreter {
  let format: EventStreamFormat
  var parser: ServerSentEventParser
  var lineNumber = 0

  mutating func event(of line: UnsafeRawBufferPointer) throws(EventStreamError) -> StreamEvent? {
    lineNumber += 1
    switch format {
    case .sse: return try parser.interpret(line)
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
