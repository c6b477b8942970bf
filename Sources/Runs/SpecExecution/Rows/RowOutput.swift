import Matching
import Synchronization
import Values

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

/// Says of failed steps which row they are about.
struct RowNotes: FileEventSink {
  let sink: any FileEventSink
  let row: Value
  /// The line of its file.
  let place: String?
  let registry: SecretRegistry

  func receive(_ event: FileEvent) {
    guard case .stepFinished(var report) = event, report.outcome.isFailure else { return sink.receive(event) }
    let cells = registry.shown(rendered(registry.filtered(row.concealed)))
    report.addHint("the row is \(place.map { "\($0): " } ?? "")\(cells)")
    sink.receive(.stepFinished(report))
  }
}

extension Value {
  /// The value with what is secret by its name marked.
  fileprivate var concealed: Value {
    switch self {
    case .mapping(let mapping):
      .mapping(
        Mapping(
          mapping.members.map { member in
            Mapping.Member(
              key: member.key,
              value: isSecretName(member.key.string) ? member.value.tainted : member.value.concealed)
          }))
    case .list(let items): .list(items.map(\.concealed))
    case .null, .bool, .number, .text, .date, .data: self
    }
  }
}
