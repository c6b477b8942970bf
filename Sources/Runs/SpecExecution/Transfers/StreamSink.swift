import DocumentQueries
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates

/// The reason why reading of a stream ended.
enum StreamEnd: Sendable {
  /// An event met `until`.
  case condition
  case maxEvents
  case timeout(Duration)
  /// The server closed the connection.
  case server
  case lost(TransportError)
  /// The response to a reconnection had that status, and was not a stream.
  case refused(Int)
  case unreadable(EventStreamError)
  /// A request of `during`, by its name.
  case requestFailed(String)
  /// Evaluating an event against `until` took too long.
  case evaluation

  var isEvaluation: Bool { if case .evaluation = self { true } else { false } }
}

/// Receives the responses of a stream's connections, and makes events from them.
///
/// Conditions are evaluated as each event is delivered, which decides whether another byte is wanted: no event after
/// the last is ever part of the response, whatever arrived with it in one packet. That takes microseconds; patterns and
/// paths, which could take more, have limits of their own.
// Unchecked: a transport calls its sink serially, and the owner reads only between and after its connections; state for
// other threads is in `state`.
final class StreamSink: ResponseSink, @unchecked Sendable {
  private let stream: ResolvedStream
  private let exchange: TransferExchange
  private let state = Mutex<StreamEnd?>(nil)
  private let start = ContinuousClock.now
  private var reader: EventReader
  /// The list of events as JSON; nil if nobody needs it.
  private let list: EventList?

  /// Open once it is known whether there is a stream.
  let opening = Latch()
  /// Indicates whether the last connection is a stream.
  private(set) var isOpen = false
  private var hasOpened = false
  private(set) var count = 0
  private(set) var last: StreamEvent?

  init(_ stream: ResolvedStream, _ exchange: TransferExchange) {
    self.stream = stream
    self.exchange = exchange
    reader = EventReader(stream.format)
    list = exchange.request.interest.keepsEvents ? EventList(budget: exchange.context.storage) : nil
  }

  var lastEventID: String { reader.lastEventID }
  var reconnectionTime: Duration? { reader.reconnectionTime }

  /// The list of all events; nil if there was no stream.
  var events: ResponseCollector? {
    hasOpened ? list?.closed ?? ResponseCollector(BodyInterest(), budget: exchange.context.storage) : nil
  }

  var ending: StreamEnd? { state.withLock { $0 } }

  /// Notes why the stream ends; false if a reason was noted before.
  func end(_ end: StreamEnd) -> Bool {
    state.withLock { state in
      if state != nil { return false }
      state = end
      return true
    }
  }

  // MARK: connections

  func beginConnection() {
    isOpen = false
    reader.restart()
  }

  /// - Parameter isWhole: whether the server ended it, so that its last line is complete.
  func endConnection(isWhole: Bool) {
    guard isWhole, ending == nil else { return }
    do throws(EventStreamError) {
      try reader.finish { take($0) }
    } catch {
      _ = end(.unreadable(error))
    }
  }

  // MARK: a response

  func receive(head: ResponseHead) -> SinkDecision {
    isOpen = stream.isOpened(by: head, exchange)
    if !hasOpened {
      if isOpen, !exchange.request.interest.keepsText { exchange.collector.stopStoring() }
      _ = exchange.collector.receive(head: head)
    }
    // Another kind of response on a later connection doesn't count.
    if hasOpened, !isOpen { return .stop }
    hasOpened = isOpen
    if isOpen { opening.open(true) }
    return ending == nil ? .more : .stop
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    exchange.meter.advance(by: chunk.count)
    _ = exchange.collector.receive(body: chunk)
    guard isOpen else { return .more }
    guard ending == nil else { return .stop }
    do throws(EventStreamError) {
      return try reader.read(chunk) { take($0) } ? .more : .stop
    } catch {
      _ = end(.unreadable(error))
      return .stop
    }
  }

  func restart() -> Bool { !hasOpened && exchange.collector.restart() }

  /// Handles an event; returns whether more are wanted.
  private func take(_ event: StreamEvent) -> Bool {
    count += 1
    // A chunk with very many events would block the task that enforces the time limit.
    if count % 256 == 0 {
      if let limit = stream.timeout, .now - start > limit { _ = end(.timeout(limit)) }
      if ending != nil || exchange.context.control.endsEvaluation(exchange.request.stage) { return false }
    }
    last = event
    list?.append(event)
    if !stream.until.isEmpty {
      let budget = exchange.context.control.evaluationBudget(exchange.request.stage)
      let isMet = budget.limit {
        let inspected = InspectedEvent(event, storage: exchange.context.storage)
        return stream.until.allSatisfy { inspected.meets($0) }
      }
      switch budget.exhaustion {
      case nil: if isMet { _ = end(.condition) }
      case .time: _ = end(.evaluation)
      // The task was cancelled; the exchange reports that.
      case .stopped: return false
      }
    }
    if count == stream.maxEvents { _ = end(.maxEvents) }
    return ending == nil
  }
}

extension ResolvedStream {
  fileprivate func isOpened(by head: ResponseHead, _ exchange: TransferExchange) -> Bool {
    guard (200..<300).contains(head.status), head.status != 204, exchange.accepts(head) else { return false }
    if format != .sse || isEventStream(contentType: head.headers.first("Content-Type")) { return true }
    // Explicitly allowed types replace the default.
    switch exchange.request.settings.validate.value {
    case .some(.none), .rules(_, .some): return true
    default: return false
    }
  }
}

/// The events of a stream as a JSON document.
private final class EventList {
  /// The maximum size of the document, with its text.
  private static let limit = 256 << 20

  private let collector: ResponseCollector
  private var isEmpty = true
  private var memory = 0

  init(budget: StorageBudget) {
    var interest = BodyInterest()
    interest.keepsBytes = true
    collector = ResponseCollector(interest, budget: budget)
  }

  func append(_ event: StreamEvent) {
    guard collector.storageProblem == nil else { return }
    add([UInt8(ascii: isEmpty ? "[" : ",")])
    isEmpty = false
    let text = event.jsonText
    memory += text.count + 1 + JSONFootprint(of: text).memory
    guard memory <= EventList.limit else {
      collector.giveUp("the events take more than \(EventList.limit >> 20) MiB together; end the stream earlier")
      return
    }
    add(text)
  }

  /// The complete list; nothing may be added after it.
  private(set) lazy var closed: ResponseCollector = {
    add(Array((isEmpty ? "[]" : "]").utf8))
    return collector
  }()

  private func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = collector.receive(body: $0) }
  }
}

/// A one-shot value that tasks can wait for.
final class Latch: Sendable {
  private struct State {
    var value: Bool?
    var waiting: [CheckedContinuation<Bool, Never>] = []
  }

  private let state = Mutex(State())

  /// The first value counts.
  func open(_ value: Bool) {
    let waiting = state.withLock { state in
      if state.value == nil { state.value = value }
      defer { state.waiting = [] }
      return state.waiting.map { ($0, state.value ?? value) }
    }
    for (continuation, value) in waiting { continuation.resume(returning: value) }
  }

  func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state in
        if state.value == nil { state.waiting.append(continuation) }
        return state.value
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
