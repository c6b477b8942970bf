import DocumentQueries

/// The events of a stream that comes in these chunks.
func events(
  _ format: EventStreamFormat, _ chunks: [[UInt8]], limit: Int = EventReader.standardLimit, ends: Bool = true
) throws(EventStreamError) -> [StreamEvent] {
  var reader = EventReader(format, limit: limit)
  return try events(&reader, chunks, ends: ends)
}

func events(
  _ reader: inout EventReader, _ chunks: [[UInt8]], ends: Bool = true
) throws(EventStreamError) -> [StreamEvent] {
  var events: [StreamEvent] = []
  for chunk in chunks {
    _ = try push(chunk, to: &reader) { event in
      events.append(event)
      return true
    }
  }
  if ends {
    try reader.finish { event in
      events.append(event)
      return true
    }
  }
  return events
}

func push(
  _ chunk: [UInt8], to reader: inout EventReader, _ body: (StreamEvent) -> Bool
) throws(EventStreamError) -> Bool {
  var result = Result<Bool, EventStreamError>.success(true)
  chunk.withUnsafeBytes { bytes in
    do throws(EventStreamError) {
      result = .success(try reader.read(bytes, body))
    } catch {
      result = .failure(error)
    }
  }
  return try result.get()
}

/// The same bytes in chunks of that size.
func cut(_ bytes: [UInt8], into size: Int) -> [[UInt8]] {
  stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
}
