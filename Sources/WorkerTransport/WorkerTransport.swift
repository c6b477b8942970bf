import HTTPMessages
import Synchronization

/// Exchanges by URLSession in a worker process, since on Linux a bad answer can end the process that reads it.
package final class WorkerTransport: Transport {
  package static let capabilities = TransportCapabilities(
    kind: .urlsession, unsoundness: LinuxURLSession.unsoundness, unsupported: LinuxURLSession.unsupported)

  /// The worker keeps the deadlines; this much later ours fire, which it then must have missed.
  private static let grace = Duration.milliseconds(500)

  private let executablePath: String?
  private let shared = Mutex<WorkerProcess?>(nil)
  /// Each second attempt costs a process.
  private let secondAttempts = Gate(limit: 4)

  /// - Parameter executablePath: of the worker; nil looks beside the running program and in `../libexec/reqrun`.
  package init(executablePath: String? = nil) {
    self.executablePath = executablePath
  }

  deinit { shared.withLock { $0?.retire() } }

  package func exchange(
    _ request: WireRequest, into sink: any ResponseSink
  ) async throws(TransportError) -> ExchangeSummary {
    if let error = request.framingFault ?? Self.capabilities.refusal(of: request) { throw error }
    var unstarted = 0
    while true {
      switch await run(request, into: sink, on: try sharedWorker()) {
      case .finished(let result): return try result.get()
      case .workerEnded(let end, wasStarted: true, hadCompany: false, hasHead: _): throw Self.culprit(end)
      case .workerEnded(let end, wasStarted: true, hadCompany: true, let hasHead):
        guard request.method.isSafe else { throw Self.bystander(end) }
        return try await secondAttempt(request, into: sink, hasHead: hasHead, end)
      case .workerEnded(let end, wasStarted: false, hadCompany: _, hasHead: _):
        // Not sent: another worker will do, unless none of them works.
        unstarted += 1
        if unstarted == 3 { throw Self.broken(end) }
      }
    }
  }

  /// Alone in a fresh worker: if that ends too, this answer is the culprit.
  private func secondAttempt(
    _ request: WireRequest, into sink: any ResponseSink, hasHead: Bool, _ first: WorkerEnd
  ) async throws(TransportError) -> ExchangeSummary {
    await secondAttempts.enter()
    defer { secondAttempts.leave() }
    if Task.isCancelled { throw .cancelled }
    let worker = try WorkerProcess.start(try workerPath())
    defer { worker.retire() }
    // A sink that has had a head must not get another: then the attempt only finds out whose fault it was.
    let outcome = await run(request, into: hasHead ? DiscardingSink() : sink, on: worker)
    switch outcome {
    case .finished(let result):
      if hasHead { throw Self.bystander(first) }
      return try result.get()
    case .workerEnded(let end, wasStarted: _, hadCompany: _, hasHead: _): throw Self.culprit(end)
    }
  }

  private func run(
    _ request: WireRequest, into sink: any ResponseSink, on worker: WorkerProcess
  ) async -> WorkerExchange.Outcome {
    let exchange = WorkerExchange(limits: request.limits, sink: sink)
    guard let id = worker.begin(exchange, request) else {
      return .workerEnded(
        WorkerEnd(end: .unknown, lastLine: ""), wasStarted: false, hadCompany: false, hasHead: false)
    }
    let watch = Task { await Self.watch(exchange, id, worker) }
    defer { watch.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { exchange.wait($0) }
    } onCancel: {
      worker.end(id, .cancelled)
    }
  }

  private static func watch(_ exchange: WorkerExchange, _ id: UInt32, _ worker: WorkerProcess) async {
    while !Task.isCancelled, let deadline = exchange.nearestDeadline {
      if deadline.instant + grace <= .now {
        // The worker hangs: nothing new may go there.
        worker.end(id, deadline.error)
        return worker.retire()
      }
      try? await Task.sleep(until: deadline.instant + grace, clock: .continuous)
    }
  }

  // MARK: Workers

  private func sharedWorker() throws(TransportError) -> WorkerProcess {
    let path = try workerPath()
    let result = shared.withLock { shared -> Result<WorkerProcess, TransportError> in
      if let shared, shared.isUsable { return .success(shared) }
      do throws(TransportError) {
        let worker = try WorkerProcess.start(path)
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
    let name = "reqrun-urlsession"
    var tried: [String] = []
    if let folder = currentExecutablePath()?.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      tried = [
        (folder + [Substring(name)]).joined(separator: "/"),
        (folder.dropLast() + ["libexec", "reqrun", Substring(name)]).joined(separator: "/"),
      ]
    }
    if let path = tried.first(where: isExecutable) { return path }
    throw TransportError(
      .workerEnded, "the URLSession worker \(name) was not found; looked for \(tried.joined(separator: " and "))",
      help: "install it beside reqrun, or use `transport: curl`")
  }

  // MARK: Errors

  private static func culprit(_ end: WorkerEnd) -> TransportError {
    TransportError(
      .workerEnded, "the answer ended the URLSession worker process (\(end.text))",
      help: "Foundation on Linux traps on such answers; use `transport: curl`")
  }

  private static func bystander(_ end: WorkerEnd) -> TransportError {
    TransportError(
      .workerEnded, "was in flight when another answer ended the URLSession worker process (\(end.text))",
      help: "send it again, or use `transport: curl`")
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
