import DocumentQueries
import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Synchronization
import Templates
import WebSocket

/// The reason why reading of a stream ended.
enum StreamEnd: Sendable {
  /// An event met `until`.
  case condition
  case maxEvents
  case timeout(Duration)
  /// The server closed the connection.
  case server
  /// The server completed the subscription of GraphQL.
  case completed
  case lost(TransportError)
  /// The response to a reconnection had that status, and was not a stream.
  case refused(Int)
  case unreadable(EventStreamError)
  /// The server closed a WebSocket, with that code if it has one.
  case closed(Int?, reason: String)
  /// The server did not reply to a close frame.
  case noReply
  /// `send` of a WebSocket is done, and nothing else ends it.
  case scripted
  /// The conversation of a WebSocket failed, as its sink knows.
  case failed
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
  let stream: ResolvedStream
  let exchange: TransferExchange
  private let state = Mutex<StreamEnd?>(nil)
  private let start = ContinuousClock.now
  private var reader: EventReader
  /// The list of events as JSON; nil if nobody needs it.
  private let list: EventList?
  /// The client's end of a WebSocket; nil for other streams.
  let conversation: Conversation?
  /// The state of a WebSocket, and the reader of its frames, which is in use while the state changes.
  var course = Course()
  var frames = WebSocketReader(as: .client)

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
    if stream.format == .websocket, exchange.context.needs.wantsBodies { exchange.collector.messages = MessageLog() }
    conversation = stream.format == .websocket ? Conversation(log: exchange.collector.messages) : nil
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
    if conversation != nil { return endConversation() }
    guard isWhole, ending == nil else { return }
    do throws(EventStreamError) {
      try reader.finish { take($0) }
    } catch {
      _ = end(.unreadable(error))
    }
  }

  // MARK: a response

  func receive(head: ResponseHead) -> SinkDecision {
    isOpen = stream.isOpened(by: head, exchange) && (conversation == nil || opensConversation(head))
    if !hasOpened {
      if isOpen, !exchange.request.interest.keepsText { exchange.collector.stopStoring() }
      _ = exchange.collector.receive(head: head)
    }
    // Another kind of response on a later connection doesn't count.
    if hasOpened, !isOpen { return .stop }
    hasOpened = isOpen
    if conversation != nil {
      observe(.head(head))
      if isOpen { begin() }
      return head.status != 101 || isOpen ? .more : .stop
    }
    if isOpen { opening.open(true) }
    return ending == nil ? .more : .stop
  }

  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision {
    exchange.meter.advance(by: chunk.count)
    if conversation != nil {
      if isOpen { return receive(messages: chunk) }
      observe(.body(chunk))
    }
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
  private func take(_ event: StreamEvent) -> Bool { note(event) && !endsStream(event, number: count) }

  /// Adds an event to the list; returns whether its conditions matter.
  func note(_ event: StreamEvent) -> Bool {
    count += 1
    // A chunk with very many events would block the task that enforces the time limit.
    if count % 256 == 0 {
      if let limit = stream.timeout, .now - start > limit { _ = end(.timeout(limit)) }
      if ending != nil || exchange.context.control.endsEvaluation(exchange.request.stage) { return false }
    }
    last = event
    list?.append(event)
    return true
  }

  /// Returns whether the stream ends with an event, and notes the reason.
  ///
  /// - Parameter number: the number of the event among those that count.
  func endsStream(_ event: StreamEvent, number: Int) -> Bool {
    if !stream.until.isEmpty {
      guard let isMet = isMet(stream.until, by: event) else { return true }
      if isMet { _ = end(.condition) }
    }
    if number == stream.maxEvents { _ = end(.maxEvents) }
    return ending != nil
  }

  /// Returns whether an event meets conditions; nil if the run ends meanwhile. Evaluating them for too long ends the
  /// stream.
  func isMet(_ conditions: [ResolvedCondition], by event: StreamEvent) -> Bool? {
    let budget = exchange.context.control.evaluationBudget(exchange.request.stage)
    let isMet = budget.limit {
      let inspected = InspectedEvent(event, storage: exchange.context.storage)
      return conditions.allSatisfy { inspected.meets($0) }
    }
    switch budget.exhaustion {
    case nil: return isMet
    case .time:
      _ = end(.evaluation)
      return false
    // The task was cancelled; the exchange reports that.
    case .stopped: return nil
    }
  }

  /// Adds what was sent since the last event to the list.
  func listSent() {
    for event in conversation?.takeUnlisted() ?? [] { list?.append(event) }
  }
}

extension ResolvedStream {
  fileprivate func isOpened(by head: ResponseHead, _ exchange: TransferExchange) -> Bool {
    if format == .websocket { return head.status == 101 && exchange.accepts(head) }
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
