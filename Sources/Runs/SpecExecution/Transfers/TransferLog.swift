import HTTPSemantics
import Synchronization

/// The requests of a transfer as they end: of very many the first and the last.
final class TransferLog: Sendable {
  struct Entry: Sendable {
    let begin: ContinuousClock.Instant
    let request: WireRequest
    /// Nil if it was not received.
    let head: ResponseHead?
    let summary: ExchangeSummary?
    /// Nil if the response is complete.
    let error: TransportError?
    /// The number of requests before it that are left out.
    fileprivate(set) var leftOut = 0

    fileprivate init?(_ end: Result<ExchangeHop, ExchangeFailure>) {
      switch end {
      case .success(let hop):
        guard let begin = hop.begin else { return nil }
        (self.begin, request, head, summary, error) = (begin, hop.request, hop.head, hop.summary, nil)
      case .failure(let failure):
        guard let begin = failure.begin, let request = failure.request else { return nil }
        (self.begin, self.request, head) = (begin, request, failure.head)
        (summary, error) = (failure.error.summary, failure.error)
      }
    }
  }

  private struct State {
    var first: [Entry] = []
    /// The last ones, from the next that makes room.
    var last: [Entry] = []
    var next = 0
    var leftOut = 0
  }

  private static let firstCount = 900
  private static let lastCount = 100

  private let state = Mutex(State())

  func add(_ end: Result<ExchangeHop, ExchangeFailure>) {
    guard let entry = Entry(end) else { return }
    state.withLock { state in
      if state.first.count < TransferLog.firstCount {
        state.first.append(entry)
      } else if state.last.count < TransferLog.lastCount {
        state.last.append(entry)
      } else {
        state.last[state.next] = entry
        state.next = (state.next + 1) % TransferLog.lastCount
        state.leftOut += 1
      }
    }
  }

  /// The requests in the order in which they were sent.
  var entries: [Entry] {
    let state = state.withLock { $0 }
    let first = state.first.sorted { $0.begin < $1.begin }
    var last = state.last.sorted { $0.begin < $1.begin }
    if !last.isEmpty { last[0].leftOut = state.leftOut }
    return first + last
  }

  var requests: [WireRequest] { entries.map(\.request) }

  /// The requests with the heads of their responses.
  var hops: [ExchangeHop] {
    entries.compactMap { entry in
      entry.head.map { ExchangeHop(request: entry.request, head: $0, summary: entry.summary ?? ExchangeSummary()) }
    }
  }
}
