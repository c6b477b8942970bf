import Values

/// Interprets the lines of a stream of server-sent events (WHATWG HTML, section 9.2.6).
struct ServerSentEventParser {
  private let limit: Int
  private var data: [UInt8] = []
  private var hasData = false
  private var type = ""
  /// The ID in the current block, which becomes the last event ID at the block's end.
  private var idBuffer = ""
  private(set) var lastEventID = ""
  private(set) var reconnectionTime: Duration?

  init(limit: Int) {
    self.limit = limit
  }

  /// Starts a new connection of the same stream: incomplete events are dropped, the last event ID stays.
  mutating func restart() {
    data = []
    hasData = false
    type = ""
    idBuffer = lastEventID
  }

  /// The event that the line dispatches; nil for most.
  mutating func interpret(_ line: UnsafeRawBufferPointer) throws(EventStreamError) -> StreamEvent? {
    if line.isEmpty { return dispatch() }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      try process(line, value: UnsafeRawBufferPointer(rebasing: line[line.count...]))
      return nil
    }
    var value = line[(colon + 1)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    try process(
      UnsafeRawBufferPointer(rebasing: line[..<colon]), value: UnsafeRawBufferPointer(rebasing: value))
    return nil
  }

  private mutating func process(
    _ field: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) throws(EventStreamError) {
    // A comment has no name.
    if field.isEmpty { return }
    if field.elementsEqual("data".utf8) {
      // Without the line feed at the end of the last line.
      if data.count + value.count + 1 > limit { throw .tooLarge(limit: limit) }
      if hasData { data.append(0x0A) }
      data.append(contentsOf: value)
      hasData = true
    } else if field.elementsEqual("event".utf8) {
      type = String(decoding: value, as: UTF8.self)
    } else if field.elementsEqual("id".utf8) {
      if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
    } else if field.elementsEqual("retry".utf8) {
      if let milliseconds = digits(value) { reconnectionTime = .milliseconds(milliseconds) }
    }
  }

  private mutating func dispatch() -> StreamEvent? {
    lastEventID = idBuffer
    defer {
      data.removeAll(keepingCapacity: data.count <= 64 << 10)
      hasData = false
      type = ""
    }
    guard hasData else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return StreamEvent(
      type: type.isEmpty ? "message" : type, id: lastEventID, data: text,
      isJSON: mayBeJSON(text) && jsonProblem(data) == nil)
  }

  /// A number of digits only; a very large one is clamped.
  private func digits(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard !text.isEmpty else { return nil }
    var number: Int64 = 0
    for byte in text {
      guard isDigit(byte) else { return nil }
      number = min(number * 10 + Int64(byte - UInt8(ascii: "0")), 1 << 40)
    }
    return number
  }
}

/// Returns whether a content type is that of server-sent events, whatever its parameters.
package func isEventStream(contentType: String?) -> Bool {
  guard let contentType else { return false }
  let essence = contentType.utf8.prefix { $0 != UInt8(ascii: ";") }.trimming(while: isBlank)
  return essence.lazy.map { lowercasedASCII($0) }.elementsEqual("text/event-stream".utf8)
}
