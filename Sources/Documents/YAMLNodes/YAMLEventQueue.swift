import OperatingSystem

/// Events that a thread parses ahead, in batches.
// Unchecked: `batch` belongs to the consumer.
final class YAMLEventQueue: @unchecked Sendable {
  private struct State {
    var batches: [[YAMLEvent]] = []
    /// The end of parsing.
    var end: Result<Void, YAMLSyntaxError>?
    var isStopped = false
  }

  private static let batchSize = 512
  private static let maxBatches = 16

  private let parser: YAMLEventParser
  private let state = WatchedState(State())
  /// The next events, in reverse order.
  @exclusivity(unchecked) private var batch: [YAMLEvent] = []

  /// Nil if no thread could be started.
  init?(_ parser: YAMLEventParser) {
    self.parser = parser
    guard startThread({ self.run() }) else { return nil }
  }

  /// Stops parsing; nothing may be taken afterwards.
  func stop() { state.update { $0.isStopped = true } }

  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    if let event = batch.popLast() { return event }
    let taken: Result<[YAMLEvent], YAMLSyntaxError> = state.wait { state in
      if !state.batches.isEmpty { return .success(state.batches.removeFirst()) }
      return state.end.map { $0.map { [] } }
    }
    batch = try taken.get()
    return batch.popLast() ?? YAMLEvent(kind: .streamEnd, anchor: nil, tag: nil, bytes: 0..<0)
  }

  private func run() {
    var end: Result<Void, YAMLSyntaxError>?
    while end == nil {
      var events: [YAMLEvent] = []
      events.reserveCapacity(Self.batchSize)
      do throws(YAMLSyntaxError) {
        while events.count < Self.batchSize, end == nil {
          events.append(try parser.next())
          if parser.isAtEnd { end = .success(()) }
        }
      } catch {
        end = .failure(error)
      }
      // The array's own function copies each event.
      events.withUnsafeMutableBufferPointer { $0.reverse() }
      let isStopped = state.wait { state -> Bool? in
        guard state.isStopped || state.batches.count < Self.maxBatches else { return nil }
        if !events.isEmpty { state.batches.append(events) }
        // The consumer would copy an array that this thread holds, too, to take events from it.
        events = []
        state.end = end
        return state.isStopped
      }
      if isStopped { return }
    }
  }
}
