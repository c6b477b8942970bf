import HTTPSemantics
import OperatingSystem
import Synchronization

/// Performs exchanges with URLSession in a worker process, since on Linux a malformed response can crash the process
/// that reads it.
package final class WorkerClient: Transport {
  package static let capabilities = TransportCapabilities(
    kind: .urlsession, unsoundness: LinuxURLSession.unsoundness, unsupported: LinuxURLSession.unsupported)

  /// The policy for an exchange that its worker never sent.
  private static let unsent = RetryPolicy(attempts: 3)
  /// The policy for an exchange in flight whose worker crashed because of another.
  private static let sent = RetryPolicy(attempts: 2, methods: HTTPMethod.safe)

  private let executablePath: String?
  private let shared = Mutex<WorkerProcess?>(nil)
  private let readerExecutor = ReaderExecutor()
  /// A limit for second attempts, since each costs a process.
  private let secondAttempts = AsyncSemaphore(limit: 4)

  /// - Parameter executablePath: the worker; nil searches beside the running program and in `../libexec/reqrun`.
  package init(executablePath: String? = nil) {
    self.executablePath = executablePath
  }

  /// Runs tasks on the thread that receives the responses: for a run with one thing to do at a time, since they block
  /// all exchanges.
  package var executor: any ExchangeExecutor { readerExecutor }

  deinit { shared.withLock { $0?.retire() } }

  package func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    if let error = request.framingFault ?? Self.capabilities.refusal(of: request) { throw error }
    let began = ContinuousClock.now
    var request = request
    if case .stream(let source) = request.body { request.body = .bytes(try await heldBytes(of: source)) }
    var unstarted = 0
    while true {
      switch await run(request, into: sink, on: try sharedWorker()) {
      case .finished(let result): return try result.get()
      case .workerEnded(let end, wasStarted: true, hadCompany: false, let hasHead):
        throw Self.culprit(end, hasHead: hasHead)
      case .workerEnded(let end, wasStarted: true, hadCompany: true, let hasHead):
        guard Self.sent.retries(request.method) else { throw Self.bystander(end) }
        // A sink that cannot restart must not get another head.
        let canDeliver = !hasHead || sink.restart()
        return try await secondAttempt(request, into: canDeliver ? sink : nil, since: began, Self.bystander(end))
      case .workerRetired(_, _, let timeout?, isAlone: true): throw Self.busy(timeout)
      case .workerRetired(wasStarted: true, let hasHead, let timeout, isAlone: _):
        guard Self.sent.retries(request.method) else { throw timeout ?? Self.retired }
        let canDeliver = !hasHead || sink.restart()
        if let timeout, !canDeliver { throw timeout }
        // The time in which the worker was busy with another response isn't that of this one.
        let start = timeout == nil ? began : .now
        return try await secondAttempt(request, into: canDeliver ? sink : nil, since: start, timeout ?? Self.retired)
      case .workerRetired(wasStarted: false, hasHead: _, timeout: _, isAlone: _): continue
      case .workerEnded(let end, wasStarted: false, hadCompany: _, hasHead: _):
        // Not sent: another worker can do it, unless none of them works.
        unstarted += 1
        guard Self.unsent.delay(after: unstarted) != nil else { throw Self.broken(end) }
      }
    }
  }

  /// The bytes of a body that only this process can produce, on a thread of its own, since it takes time.
  private func heldBytes(of source: any BodySource) async throws(TransportError) -> [UInt8] {
    let task = Task.detached { () -> Result<[UInt8], TransportError> in
      var bytes: [UInt8] = []
      do throws(TransportError) {
        try source.produce { piece in
          bytes.append(contentsOf: piece)
          return bytes.count <= WireRequest.heldBodyLimit && !Task.isCancelled
        }
      } catch {
        return .failure(error)
      }
      return .success(bytes)
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if Task.isCancelled { throw .cancelled }
    let bytes = try result.get()
    guard bytes.count <= WireRequest.heldBodyLimit else {
      throw .unsupported(.largeBody, LinuxURLSession.unsupported[.largeBody] ?? "")
    }
    return bytes
  }

  /// Repeats the request alone in a new worker: if that crashes too, this response is the cause. Without a sink it only
  /// finds that out.
  private func secondAttempt(
    _ request: WireRequest, into sink: (any ResponseSink)?, since began: ContinuousClock.Instant,
    _ bystander: TransportError
  ) async throws(TransportError) -> ExchangeSummary {
    await secondAttempts.enter()
    defer { secondAttempts.leave() }
    if Task.isCancelled { throw .cancelled }
    var request = request
    if let total = request.limits.total {
      let left = total - (.now - began)
      guard left > .zero else { throw .timeout(.resource, after: total) }
      request.limits.total = left
    }
    let worker = try WorkerProcess.start(try workerPath(), executor: readerExecutor)
    defer { worker.retire() }
    switch await run(request, into: sink ?? DiscardingSink(), on: worker) {
    case .finished(let result):
      if sink == nil { throw bystander }
      return try result.get()
    case .workerRetired(_, _, let timeout, isAlone: _): throw timeout.map(Self.busy) ?? bystander
    case .workerEnded(let end, wasStarted: _, hadCompany: _, let hasHead): throw Self.culprit(end, hasHead: hasHead)
    }
  }

  private func run(
    _ request: WireRequest, into sink: any ResponseSink, on worker: WorkerProcess
  ) async -> WorkerExchange.Outcome {
    let current = Mutex<WorkerExchange?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let exchange = WorkerExchange(request, sink: sink, continuation)
        current.withLock { $0 = exchange }
        // Cancelled before: the handler found nothing to cancel.
        if Task.isCancelled { return exchange.finish(.failure(.cancelled)) }
        worker.begin(exchange)
      }
    } onCancel: {
      if let exchange = current.withLock({ $0 }) { worker.end(exchange, .cancelled) }
    }
  }

  // MARK: Workers

  private func sharedWorker() throws(TransportError) -> WorkerProcess {
    let result = shared.withLock { shared -> Result<WorkerProcess, TransportError> in
      if let shared, shared.isUsable { return .success(shared) }
      do throws(TransportError) {
        let worker = try WorkerProcess.start(try workerPath())
        shared = worker
        return .success(worker)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func workerPath() throws(TransportError) -> String {
    if let executablePath { return executablePath }
    return try Self.installedWorker()
  }

  /// The worker's path, or the reason why there is none to start.
  package static func installedWorker() throws(TransportError) -> String {
    let name = "reqrun-urlsession"
    let worker = CompanionProgram(name)
    if let path = worker.path { return path }
    if let path = worker.blockedPath {
      throw TransportError(
        .workerEnded, "the URLSession worker \"\(path)\" may not be executed",
        help: "make it executable (chmod +x), or use `transport: curl`")
    }
    throw TransportError(
      .workerEnded,
      "the URLSession worker \(name) was not found; looked for \(worker.places.joined(separator: " and "))",
      help: "install it beside reqrun, or use `transport: curl`")
  }

  // MARK: Errors

  private static func culprit(_ end: WorkerEnd, hasHead: Bool) -> TransportError {
    TransportError(
      .workerEnded,
      "the response ended the URLSession worker process: it is one \(end.cause(hasHead: hasHead)) (\(end.text))",
      help: "Foundation on Linux traps on such responses; use `transport: curl` (or --transport curl)")
  }

  private static func bystander(_ end: WorkerEnd) -> TransportError {
    TransportError(
      .workerEnded, "was in flight when another response ended the URLSession worker process (\(end.text))",
      help: "send it again, or use `transport: curl` (or --transport curl)")
  }

  private static let retired = TransportError(
    .workerEnded,
    "was in flight in the URLSession worker process when another exchange there ended early and did not let go of it",
    help: "send it again, or use `transport: curl` (or --transport curl)")

  /// The timeout of an exchange whose worker was busy with its response alone.
  private static func busy(_ timeout: TransportError) -> TransportError {
    var error = timeout
    error.help =
      "Foundation on Linux was busy with the response, as it is for seconds with thousands of header lines; use"
      + " `transport: curl` (or --transport curl)"
    return error
  }

  private static func broken(_ end: WorkerEnd) -> TransportError {
    TransportError(
      .workerEnded, "the URLSession worker process ended before it sent anything (\(end.text))",
      help: "install it again, or use `transport: curl`")
  }
}

private struct DiscardingSink: ResponseSink {
  func receive(head: ResponseHead) -> SinkDecision { .more }
  func receive(body chunk: UnsafeRawBufferPointer) -> SinkDecision { .more }
}
