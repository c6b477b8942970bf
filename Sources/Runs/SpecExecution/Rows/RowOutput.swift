import Synchronization

/// Passes on the events of rows that run side by side in the order of the rows: those of the first unfinished row at
/// once, those of others when it is their turn.
final class RowOutput: Sendable {
  private struct State {
    /// The first row that has not ended.
    var first = 0
    var waiting: [Int: [FileEvent]] = [:]
    var ended: Set<Int> = []
  }

  private let sink: any FileEventSink
  private let state = Mutex(State())

  init(_ sink: any FileEventSink) {
    self.sink = sink
  }

  func events(of row: Int) -> any FileEventSink { RowEvents(row: row, output: self) }

  fileprivate func receive(_ event: FileEvent, of row: Int) {
    state.withLock { state in
      if row == state.first { sink.receive(event) } else { state.waiting[row, default: []].append(event) }
    }
  }

  func end(_ row: Int) {
    state.withLock { state in
      state.ended.insert(row)
      while state.ended.remove(state.first) != nil {
        state.first += 1
        for event in state.waiting.removeValue(forKey: state.first) ?? [] { sink.receive(event) }
      }
    }
  }
}

private struct RowEvents: FileEventSink {
  let row: Int
  let output: RowOutput

  func receive(_ event: FileEvent) { output.receive(event, of: row) }
}
