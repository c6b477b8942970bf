import EvaluationBudgets
import EventStreams
import HTTPMessages
import HTTPSemantics
import JSONQueries
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates

/// Why a stream was read no further.
enum StreamEnd: Sendable {
  /// An event met `until`.
  case condition
  case maxEvents
  case timeout(Duration)
  /// The server closed the connection.
  case server
  case lost(TransportError)
  /// The attempt to connect again was answered with that status, and no stream.
  case refused(Int)
  case unreadable(EventStreamError)
  /// A request of `during`, by its name.
  case requestFailed(String)
  /// Holding an event against `until` took too long.
  case evaluation

  var isEvaluation: Bool { if case .evaluation = self { true } else { false } }
}

/// Takes the responses of a stream's connections, and makes events of them.
///
/// Conditions are checked against each event where it is delivered, which decides whether another byte is wanted: no event
/// behind the last is ever part of the response, whatever came with it in one packet. That takes microseconds, and what
/// could take more, patterns and paths, have limits of their own.
//
// Unchecked: a transport calls its sink one call after another, and the owner looks only between and after its
// connections; what other threads touch is in `state`.
final class StreamSink: ResponseSink, @unchecked Sendable {
  private let stream: ResolvedStream
  private let exchange: TransferExchange
  private let state = Mutex<StreamEnd?>(nil)
  private let start = ContinuousClock.now
  private var reader: EventReader
  /// The list of events as JSON; nil where nobody asks for it.
  private let list: EventList?

  /// Settled when it is known whether there is a stream.
  let opening = Latch()
  /// Whether the last connection is a stream.
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

  /// The list of all events; nil where there was no stream.
  var events: ResponseCollector? {
    hasOpened ? list?.closed ?? ResponseCollector(BodyInterest(), budget: exchange.context.storage) : nil
  }

  var ending: StreamEnd? { state.withLock { $0 } }

  /// Notes why the stream ends; false where that is known already.
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

  /// - Parameter isWhole: whether the server ended it, so that what came last is complete.
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
    // What stands in place of a stream on a later connection is nobody's response.
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

  /// Whether more events are wanted.
  private func take(_ event: StreamEvent) -> Bool {
    count += 1
    // A chunk that expands to very many events keeps the thread from the task that waits for the time to be over.
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
      // The task was cancelled; the exchange tells.
      case .stopped: return false
      }
    }
    if count == stream.maxEvents { _ = end(.maxEvents) }
    return ending == nil
  }
}

extension ResolvedStream {
  /// Whether a response is a stream, by its head.
  fileprivate func isOpened(by head: ResponseHead, _ exchange: TransferExchange) -> Bool {
    guard (200..<300).contains(head.status), head.status != 204, exchange.accepts(head) else { return false }
    if format != .sse || isEventStream(contentType: head.headers.first("Content-Type")) { return true }
    // Who says which types are good means it.
    switch exchange.request.settings.validate.value {
    case .some(.none), .rules(_, .some): return true
    default: return false
    }
  }
}

/// The events of a stream as a JSON document.
private final class EventList {
  /// How much memory the document may take, with its text.
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

  /// The whole list; nothing may be added behind it.
  private(set) lazy var closed: ResponseCollector = {
    add(Array((isEmpty ? "[]" : "]").utf8))
    return collector
  }()

  private func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { _ = collector.receive(body: $0) }
  }
}

/// A question that is answered once, for whoever waits.
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
