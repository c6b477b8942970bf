import HTTPMessages
import OperatingSystem
import Synchronization
import WorkerProtocol

/// How a worker process ended, and what it said last.
struct WorkerEnd: Sendable {
  let end: ProcessEnd
  /// The last line of its standard error; may be empty.
  let lastLine: String

  var text: String {
    let how =
      switch end {
      case .signal(let number): "signal \(number)"
      case .exit(let code): "exit status \(code)"
      case .unknown: "no status"
      }
    return lastLine.isEmpty ? how : "\(how); \(lastLine)"
  }
}

/// A running worker, the thread that reads from it, and the exchanges in flight there.
final class WorkerProcess: Sendable {
  private struct State {
    var exchanges: [UInt32: WorkerExchange] = [:]
    var nextID: UInt32 = 0
    var isUsable = true
    /// When an exchange was last given up on this side: its answer may still come, and end the worker.
    var lastAbandoned: ContinuousClock.Instant?
  }

  private static let bodyChunk = 64 * 1024
  /// How long an exchange that was given up may still be the one that ended the worker.
  private static let abandonedFor = Duration.seconds(2)

  private let process: SpawnedProcess
  private let channel: FrameChannel
  private let state = Mutex(State())

  /// Whether it takes new exchanges.
  var isUsable: Bool { state.withLock { $0.isUsable } }

  static func start(_ path: String) throws(TransportError) -> WorkerProcess {
    switch spawnProcess(path, environment: environment) {
    case .success(let process): return try WorkerProcess(process)
    case .failure(let failure):
      throw TransportError(
        .workerEnded, "the URLSession worker \"\(path)\" could not be started: \(failure.reason)",
        help: "install it again, or use `transport: curl`")
    }
  }

  /// No proxies (they are settings of the run) and no home: Foundation would make folders there.
  private static var environment: [String] {
    ["LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"].compactMap { name in
      environmentValue(name).map { "\(name)=\($0)" }
    } + ["HOME=/nonexistent", "SWIFT_BACKTRACE=enable=no"]
  }

  private init(_ process: SpawnedProcess) throws(TransportError) {
    self.process = process
    channel = FrameChannel(descriptor: process.socket, sendTimeout: 10)
    guard startThread({ self.read() }) else {
      channel.shutdown()
      _ = reapProcess(process.id)
      _ = drainPipe(process.standardError)
      throw TransportError(.workerEnded, "no thread could be started for the URLSession worker")
    }
  }

  // MARK: For callers

  /// Hands the exchange to the worker; nil if the worker is no longer usable.
  func begin(_ exchange: WorkerExchange, _ request: WireRequest) -> UInt32? {
    let id: UInt32? = state.withLock { state in
      guard state.isUsable else { return nil }
      state.nextID &+= 1
      state.exchanges[state.nextID] = exchange
      return state.nextID
    }
    guard let id else { return nil }
    guard case .bytes(let bytes) = request.body, !bytes.isEmpty else {
      if !channel.send(.request(id, request, bodyLength: 0)) { giveUp() }
      return id
    }
    var isSent = channel.send(.request(id, request, bodyLength: Int64(bytes.count)))
    var start = 0
    while isSent, start < bytes.count {
      let end = min(bytes.count, start + Self.bodyChunk)
      isSent = channel.send(.requestBody(id, Array(bytes[start..<end])))
      start = end
    }
    if !isSent { giveUp() }
    return id
  }

  /// Ends the exchange with that result, here and in the worker.
  func end(_ id: UInt32, _ error: TransportError) {
    guard let exchange = state.withLock({ $0.exchanges[id] }) else { return }
    exchange.finish(.failure(error))
    abandon(id)
  }

  /// Takes nothing new, and ends the worker once nothing is in flight there.
  func retire() {
    state.withLock { $0.isUsable = false }
    closeIfRetired()
  }

  /// Never waits: a task that sends is apart from the thread that reads, and from one that cancels a task.
  private func abandon(_ id: UInt32) {
    state.withLock { state in
      state.exchanges[id] = nil
      state.lastAbandoned = .now
    }
    Task { [self] in
      if !channel.send(.cancel(id)) { giveUp() }
      closeIfRetired()
    }
  }

  private func closeIfRetired() {
    if state.withLock({ !$0.isUsable && $0.exchanges.isEmpty }) { channel.shutdown() }
  }

  /// The reader thread sees this and settles all exchanges.
  private func giveUp() { channel.shutdown() }

  // MARK: On the reader thread

  private func read() {
    while let frame = channel.receive() {
      guard let id = frame.exchangeID else { break }
      guard let exchange = state.withLock({ $0.exchanges[id] }) else { continue }
      switch exchange.take(frame) {
      case .goOn: break
      case .stop: abandon(id)
      case .over:
        state.withLock { $0.exchanges[id] = nil }
        closeIfRetired()
      }
    }
    channel.shutdown()
    let end = WorkerEnd(end: reapProcess(process.id), lastLine: Self.lastLine(drainPipe(process.standardError)))
    let (left, wasAbandoning) = state.withLock { state in
      state.isUsable = false
      defer { state.exchanges = [:] }
      return (Array(state.exchanges.values), state.lastAbandoned.map { .now - $0 < Self.abandonedFor } ?? false)
    }
    let hadCompany = wasAbandoning || left.filter(\.isStarted).count > 1
    for exchange in left { exchange.workerEnded(end, hadCompany: hadCompany) }
  }

  private static func lastLine(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline)
    let line = lines.last { $0.contains("Fatal error") } ?? lines.last ?? ""
    return String(line.prefix(300))
  }
}

extension WorkerFrame {
  /// Nil for frames that only `reqrun` sends.
  fileprivate var exchangeID: UInt32? {
    switch self {
    case .request, .requestBody, .cancel: nil
    case .started(let id), .informational(let id, _), .head(let id, _), .body(let id, _), .trailers(let id, _),
      .done(let id, _),
      .failed(let id, _):
      id
    }
  }
}
