import HTTPSemantics
import OperatingSystem
import Synchronization

/// A running worker, the thread that reads from it, and its exchanges in flight.
final class WorkerProcess: Sendable {
  private struct State {
    var exchanges: [UInt32: WorkerExchange] = [:]
    var nextID: UInt32 = 0
    var isUsable = true
    /// Indicates whether it has reported that it is ready.
    var isReady = false
    /// Exchanges that are over while the worker may still be working on them.
    var endingTasks = EndingTasks()
    /// Exchanges not sent yet: they wait for those above, since all tasks of a worker share one queue.
    var held: [UInt32] = []
    /// The time at which an exchange was last abandoned on this side: its response may still arrive, and crash the
    /// worker.
    var lastAbandoned: ContinuousClock.Instant?

    /// Returns whether the worker has missed a deadline, and therefore hangs.
    func hasOverdue(_ now: ContinuousClock.Instant) -> Bool { exchanges.values.contains { $0.isOverdue(now) } }
  }

  private static let bodyChunk = 64 * 1024
  /// The time for which an abandoned exchange may be the one that crashed the worker.
  private static let abandonedFor = Duration.seconds(2)
  /// The interval in milliseconds at which deadlines are checked.
  private static let watchInterval = 100

  private let process: SpawnedProcess
  private let channel: FrameChannel
  private let state = Mutex(State())
  private let executor: ReaderExecutor?

  /// Indicates whether it accepts new exchanges.
  var isUsable: Bool { state.withLock { $0.isUsable } }

  /// - Parameter executor: for tasks that the reading thread runs.
  static func start(_ path: String, executor: ReaderExecutor? = nil) throws(TransportError) -> WorkerProcess {
    switch spawnProcess(path, environment: environment) {
    case .success(let process): return try WorkerProcess(process, executor)
    case .failure(let failure):
      throw TransportError(
        .workerEnded, "the URLSession worker \"\(path)\" could not be started: \(failure.reason)",
        help: "install it again, or use `transport: curl`")
    }
  }

  /// The environment without proxies (they are settings of the run) and home: Foundation would create folders there.
  private static var environment: [String] {
    ["LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"].compactMap { name in
      environmentValue(name).map { "\(name)=\($0)" }
    } + ["HOME=/nonexistent", "SWIFT_BACKTRACE=enable=no"]
  }

  private init(_ process: SpawnedProcess, _ executor: ReaderExecutor?) throws(TransportError) {
    self.process = process
    self.executor = executor
    channel = FrameChannel(
      descriptor: process.socket, whenFull: .queue(giveUpAfter: 10), receiveTimeout: Self.watchInterval)
    guard startThread({ self.read() }) else {
      channel.shutdown()
      _ = reapProcess(process.id)
      _ = drainPipe(process.standardError)
      throw TransportError(.workerEnded, "no thread could be started for the URLSession worker")
    }
  }

  // MARK: For callers; never blocks

  /// Starts the exchange in the worker.
  func begin(_ exchange: WorkerExchange) {
    let isHeld: Bool? = state.withLock { state in
      guard state.isUsable else { return nil }
      state.nextID &+= 1
      exchange.id = state.nextID
      state.exchanges[state.nextID] = exchange
      if !state.endingTasks.isEmpty { state.held.append(state.nextID) }
      return !state.endingTasks.isEmpty
    }
    guard let isHeld else {
      return exchange.workerEnded(WorkerEnd(.unknown, standardError: ""), wasStarted: false, hadCompany: false)
    }
    if !isHeld { send(exchange) }
  }

  private func send(_ exchange: WorkerExchange) {
    guard let id = exchange.id else { return }
    let isSent: Bool
    let bytes = exchange.request.body.heldBytes
    if bytes.isEmpty {
      isSent = channel.send(.request(id, exchange.request, bodyLength: 0))
    } else {
      isSent = send(id, exchange.request, bytes)
    }
    if !isSent { channel.shutdown() }
    // It may have ended before it had a number.
    if exchange.isOver { abandon(id) }
  }

  private func send(_ id: UInt32, _ request: WireRequest, _ body: [UInt8]) -> Bool {
    body.withUnsafeBytes { body in
      let firstEnd = min(body.count, Self.bodyChunk)
      var isSent = channel.send { encoder in
        encoder.append(.request(id, request, bodyLength: Int64(body.count)))
        encoder.append(requestBody: UnsafeRawBufferPointer(rebasing: body[..<firstEnd]), of: id)
      }
      var start = firstEnd
      while isSent, start < body.count {
        let end = min(body.count, start + Self.bodyChunk)
        isSent = channel.send { $0.append(requestBody: UnsafeRawBufferPointer(rebasing: body[start..<end]), of: id) }
        start = end
      }
      return isSent
    }
  }

  /// Ends the exchange with that error, here and in the worker.
  func end(_ exchange: WorkerExchange, _ error: TransportError) {
    exchange.finish(.failure(error))
    if let id = exchange.id { abandon(id) }
  }

  /// Accepts no new exchanges, and stops the worker once none is in flight.
  func retire() {
    state.withLock { $0.isUsable = false }
    closeIfRetired()
  }

  private func abandon(_ id: UInt32) {
    let wasSent = state.withLock { state in
      guard state.exchanges.removeValue(forKey: id) != nil else { return false }
      if let place = state.held.firstIndex(of: id) {
        state.held.remove(at: place)
        return false
      }
      state.lastAbandoned = .now
      state.endingTasks.begin(id)
      return true
    }
    if wasSent, !channel.send(.cancel(id)) { channel.shutdown() }
    closeIfRetired()
  }

  private func closeIfRetired() {
    if state.withLock({ !$0.isUsable && $0.exchanges.isEmpty }) { channel.shutdown() }
  }

  // MARK: On the reading thread

  private func read() {
    executor?.adopt()
    var reader = FrameReader(channel)
    var lastWatch = ContinuousClock.now
    reading: while true {
      switch reader.next() {
      case .frame(let frame): if !take(frame) { break reading }
      case .nothing: break
      case .end: break reading
      }
      let now = ContinuousClock.now
      if now - lastWatch >= .milliseconds(Self.watchInterval) {
        lastWatch = now
        if state.withLock({ $0.isReady && ($0.endingTasks.isOverdue(now) || $0.hasOverdue(now)) }) { break reading }
        endOverdue(now)
      }
      executor?.run()
    }
    channel.shutdown()
    let status = reapProcess(process.id)
    notifyAll(WorkerEnd(status, standardError: drainPipe(process.standardError)))
    executor?.resign()
  }

  /// Handles a frame; false if it is invalid here.
  private func take(_ frame: WorkerFrame) -> Bool {
    switch frame {
    case .ready:
      state.withLock { $0.isReady = true }
      return true
    case .ending(let id):
      state.withLock { $0.endingTasks.confirm(id) }
      return true
    case .released(let id):
      release(id, isTaskOver: true)
      return true
    case .failed(let id, let error):
      // A task that goes on shows that the worker is busy, perhaps with another response.
      if case .timeout = error.kind, state.withLock({ $0.endingTasks.keep(error, of: id) }) { return true }
      release(id, isTaskOver: false)
    case .done(let id, _): release(id, isTaskOver: false)
    default: break
    }
    guard let id = frame.exchangeID else { return false }
    deliver(frame, to: id)
    return true
  }

  private func deliver(_ frame: WorkerFrame, to id: UInt32) {
    guard let exchange = state.withLock({ $0.exchanges[id] }) else { return }
    switch exchange.take(frame) {
    case .goOn: break
    case .stop: abandon(id)
    case .over:
      state.withLock { $0.exchanges[id] = nil }
      closeIfRetired()
    }
  }

  /// Notes that the worker is done with the exchange, and sends those that waited for it.
  private func release(_ id: UInt32, isTaskOver: Bool) {
    let (timeout, next) = state.withLock { state -> (TransportError?, [WorkerExchange]) in
      let timeout = state.endingTasks.end(id, isTaskOver: isTaskOver)
      guard state.endingTasks.isEmpty, !state.held.isEmpty else { return (timeout, []) }
      defer { state.held = [] }
      return (timeout, state.held.compactMap { state.exchanges[$0] })
    }
    if let timeout { deliver(.failed(id, timeout), to: id) }
    for exchange in next { send(exchange) }
  }

  /// Ends exchanges that a worker doesn't begin at all.
  private func endOverdue(_ now: ContinuousClock.Instant) {
    let exchanges = state.withLock { Array($0.exchanges.values) }
    for exchange in exchanges {
      guard exchange.isOverdue(now), let deadline = exchange.nearestDeadline else { continue }
      end(exchange, deadline.error)
      retire()
    }
  }

  private func notifyAll(_ end: WorkerEnd) {
    let (held, left, isReady, isRetired, isAlone, wasAbandoning) = state.withLock { state in
      state.isUsable = false
      defer {
        state.exchanges = [:]
        state.held = []
      }
      let held = state.held.compactMap { state.exchanges.removeValue(forKey: $0) }
      let wasAbandoning = state.lastAbandoned.map { .now - $0 < Self.abandonedFor } ?? false
      let isRetired = state.isReady && (state.endingTasks.isOverdue(.now) || state.hasOverdue(.now))
      let isAlone = held.isEmpty && state.endingTasks.ids.union(state.exchanges.keys).count == 1
      return (held, Array(state.exchanges.values), state.isReady, isRetired, isAlone, wasAbandoning)
    }
    for exchange in held { exchange.workerRetired(wasStarted: false) }
    if isRetired {
      for exchange in left { exchange.workerRetired(wasStarted: exchange.mayBeSent, isAlone: isAlone) }
      return
    }
    let suspects = isReady ? left.filter(\.mayBeSent).count : 0
    for exchange in left {
      exchange.workerEnded(
        end, wasStarted: isReady && exchange.mayBeSent, hadCompany: wasAbandoning || suspects > 1)
    }
  }
}

extension WorkerFrame {
  /// Nil for frames without an exchange, or that only `reqrun` sends.
  fileprivate var exchangeID: UInt32? {
    switch self {
    case .request, .requestBody, .cancel, .ready, .ending, .released: nil
    case .started(let id), .sent(let id, _), .informational(let id, _), .head(let id, _), .body(let id, _),
      .trailers(let id, _),
      .done(let id, _), .failed(let id, _):
      id
    }
  }
}
