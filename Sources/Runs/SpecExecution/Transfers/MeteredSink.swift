import HTTPSemantics

/// Wraps a sink: counts the bytes that are sent and received.
final class MeteredSink: ResponseSink {
  private let sink: any ResponseSink
  private let sending: TransferPart?
  private let receiving: TransferMeter?

  init(_ sink: any ResponseSink, sending: TransferPart?, receiving: TransferMeter? = nil) {
    self.sink = sink
    self.sending = sending
    self.receiving = receiving
  }

  func sent(bodyBytes: Int64) { sending?.moved(to: bodyBytes) }

  func receive(informational head: ResponseHead) { sink.receive(informational: head) }

  func receive(head: ResponseHead) -> SinkDecision {
    // The length is that before decoding; the counted bytes are those after.
    if let receiving, head.headers.first("Content-Encoding") == nil,
      let length = head.headers.first("Content-Length").flatMap({ Int64($0) }), length >= 0
    {
      receiving.expect(total: length)
    }
    return sink.receive(head: head)
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    receiving?.advance(by: chunk.count)
    return sink.receive(body: chunk)
  }

  func receive(trailers: HeaderFields) { sink.receive(trailers: trailers) }

  func restart() -> Bool {
    receiving?.restart()
    return sink.restart()
  }
}

extension ResponseCollector {
  /// Counts the bytes, if there is an observer.
  func metered(by part: TransferPart, _ meter: TransferMeter) -> any ResponseSink {
    meter.isWatched ? MeteredSink(self, sending: part) : self
  }
}

/// Meters for the bytes of an ordinary request, which observers see only if it takes a while.
struct RequestMeters {
  private let sending: TransferMeter?
  private let receiving: TransferMeter
  private let part: TransferPart?

  init(name: String, body: RequestBody, observer: @escaping TransferMeter.Observer) {
    receiving = TransferMeter(name: name, direction: .download, reportsShort: false, observer: observer)
    sending =
      body.isEmpty ? nil : TransferMeter(name: name, direction: .upload, reportsShort: false, observer: observer)
    if let length = body.length { sending?.expect(total: length) }
    part = sending?.part()
  }

  func sink(_ sink: any ResponseSink) -> MeteredSink { MeteredSink(sink, sending: part, receiving: receiving) }

  func finish() {
    sending?.finish()
    receiving.finish()
  }
}
