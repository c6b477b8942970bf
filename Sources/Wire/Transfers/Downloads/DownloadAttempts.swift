import Cryptography
import HTTPSemantics
import OperatingSystem

/// Fetches the missing parts of a file: in one exchange if that is enough, in several if the server supports ranges.
struct DownloadAttempts: Sendable {
  let task: DownloadTask
  let mayAskForParts: Bool

  private enum End: Sendable {
    case finished(DownloadOutcome)
    /// Repeats the request, from the beginning.
    case again
  }

  func run() async -> DownloadOutcome {
    let start = ContinuousClock.now
    // A part, the whole file, and the whole file once more if it changed meanwhile.
    for attempt in 0..<3 {
      switch await fetch(attempt, since: start) {
      case .finished(let outcome): return outcome
      case .again:
        do throws(SystemProblem) {
          try task.store.restart(validator: nil, total: nil)
        } catch {
          return failed(.notWritten(task.partPath, error), since: start)
        }
        task.meter.restart()
      }
    }
    return failed(
      TransportError(.invalidResponse, "the file changed again and again while it was downloaded"), since: start)
  }

  private func failed(_ error: TransportError, since start: ContinuousClock.Instant) -> DownloadOutcome {
    DownloadOutcome(result: .failure(ExchangeFailure(error, total: .now - start)))
  }

  /// The part to request; nil for the whole file.
  private func part(_ attempt: Int) -> Range<Int64>? {
    guard attempt == 0, mayAskForParts else { return nil }
    if task.store.count > 0 {
      if let gap = task.store.gaps.first { return gap }
      // Complete, but not validated: a request for the last byte shows whether the server's file is unchanged.
      return task.store.total.map { max(0, $0 - 1)..<$0 }
    }
    return task.plan.parallel > 1 ? 0..<Int64.max : nil
  }

  private func request(for part: Range<Int64>?, since start: ContinuousClock.Instant) -> OutgoingRequest {
    var request = task.request
    if mayAskForParts, task.plan.wantsIdentity, task.plan.resumes || task.plan.parallel > 1,
      !request.headers.contains("Accept-Encoding")
    {
      request.headers.append("Accept-Encoding", "identity")
    }
    if let part {
      let isOpen = part.upperBound == task.store.total ?? .max || part.upperBound == .max
      request.headers.append("Range", "bytes=\(part.lowerBound)-" + (isOpen ? "" : String(part.upperBound - 1)))
      if let validator = task.store.validator { request.headers.append("If-Range", validator.text) }
    }
    // The time of the whole download.
    request.timeouts = task.request.timeouts.left(after: .now - start)
    return request
  }

  // MARK: exchanges

  /// The result of the exchange that decides on further ones.
  fileprivate struct First: Sendable {
    let decision: DownloadSink.Decision
    let result: Result<ExchangeResult, ExchangeFailure>
  }

  private func fetch(_ attempt: Int, since start: ContinuousClock.Instant) async -> End {
    let part = part(attempt)
    let queue = PieceQueue()
    let request = request(for: part, since: start)
    guard part != nil, task.plan.parallel > 1 else {
      let sink = DownloadSink(task, asked: part, queue: queue) {}
      let first = await fetchFirst(request, sink, queue, since: start)
      return conclude(first, queue, since: start)
    }
    return await withTaskGroup(of: First?.self) { group in
      let (decisions, decision) = AsyncStream.makeStream(of: Void.self)
      let sink = DownloadSink(task, asked: part, queue: queue) { decision.yield() }
      group.addTask {
        defer { decision.finish() }
        return await fetchFirst(request, sink, queue, since: start)
      }
      var iterator = decisions.makeAsyncIterator()
      if await iterator.next() != nil {
        for _ in 1..<task.plan.parallel {
          group.addTask {
            await fetchPieces(queue, since: start)
            return nil
          }
        }
      }
      var first: First?
      while let one = await group.next() {
        if queue.end != nil { group.cancelAll() }
        if let one { first = one }
      }
      return first.map { conclude($0, queue, since: start) } ?? .again
    }
  }

  /// Performs the exchange that decides, then fetches the pieces left over by the others.
  private func fetchFirst(
    _ request: OutgoingRequest, _ sink: DownloadSink, _ queue: PieceQueue, since start: ContinuousClock.Instant
  ) async -> First {
    let result = await exchange(request, by: task.client, into: sink)
    let first = First(decision: sink.decision, result: result)
    guard case .accepted = first.decision else { return first }
    if case .failure(let failure) = result {
      await retry(sink.rest, after: failure, mayPass: PieceQueue.retries.retries(failure.error), queue)
    } else if !sink.isOpenEnded {
      queue.giveBack(sink.rest)
    }
    await fetchPieces(queue, since: start)
    return first
  }

  private func fetchPieces(_ queue: PieceQueue, since start: ContinuousClock.Instant) async {
    while !Task.isCancelled, let piece = queue.take() {
      let sink = PieceSink(task, piece)
      let result = await exchange(request(for: piece, since: start), by: task.pieceClient, into: sink)
      switch (sink.decision, result) {
      case (.changed, _): queue.stop(.changed)
      case (.failed(let error), _): queue.stop(.failed(ExchangeFailure(error)))
      case (.refused(let status), _):
        let error = TransportError(
          .invalidResponse, "the server answered \(status) when it was asked for a part of the file",
          help: "`parallel: 1` asks for all of it at once")
        let mayPass = PieceQueue.retries.retries(status: status)
        await retry(sink.rest, after: ExchangeFailure(error), mayPass: mayPass, queue)
      case (_, .failure(let failure)):
        await retry(sink.rest, after: failure, mayPass: PieceQueue.retries.retries(failure.error), queue)
      case (_, .success):
        if sink.rest.lowerBound > piece.lowerBound {
          queue.noteSuccess()
          queue.giveBack(sink.rest)
        } else {
          await retry(sink.rest, after: ExchangeFailure(.shortPart), mayPass: true, queue)
        }
      }
    }
  }

  /// Appends the missing rest of a piece to the queue, unless that is pointless. A single connection isn't retried.
  private func retry(
    _ rest: Range<Int64>, after failure: ExchangeFailure, mayPass: Bool, _ queue: PieceQueue
  ) async {
    guard task.plan.parallel > 1, rest.upperBound < .max, task.store.validator != nil,
      let delay = queue.noteFailure(failure, mayPass: mayPass)
    else {
      queue.stop(.failed(failure))
      return
    }
    queue.giveBack(rest)
    try? await Task.sleep(for: delay)
  }

  private func exchange(
    _ request: OutgoingRequest, by client: HTTPClient, into sink: any ResponseSink
  ) async -> Result<ExchangeResult, ExchangeFailure> {
    await client.result(of: request, into: sink).mapError { failure in
      guard case .timeout(.resource) = failure.error.kind, let whole = task.request.timeouts.resource else {
        return failure
      }
      // The time left for this exchange alone means nothing to users.
      return failure.with(.timeout(.resource, after: whole))
    }
  }

  // MARK: the end

  private func conclude(_ first: First, _ queue: PieceQueue, since start: ContinuousClock.Instant) -> End {
    func failed(_ failure: ExchangeFailure) -> End {
      .finished(DownloadOutcome(result: .failure(failure.with(total: .now - start))))
    }
    // A single connection may have been cut because the others had finished.
    if Task.isCancelled { return failed(first.failure(.cancelled)) }
    switch first.decision {
    case .none:
      if case .failure(let failure) = first.result { return failed(failure) }
      return failed(ExchangeFailure(.noResponse))
    case .refused: return .finished(DownloadOutcome(result: first.result))
    case .startOver(let reason):
      task.note(restart: reason)
      return .again
    case .failed(let error): return failed(first.failure(error))
    case .differs(let head, let difference):
      let result = first.response(head, since: start, wireBytes: nil)
      return .finished(DownloadOutcome(result: result, differences: [difference]))
    case .accepted(let head, let path):
      switch queue.end {
      case .failed(let failure): return failed(failure)
      case .changed:
        task.note(restart: "the file changed while it was downloaded")
        return .again
      case nil: break
      }
      return .finished(
        DownloadEnd(task: task, pieces: queue.taken).outcome(
          first.response(head, since: start, wireBytes: task.isDecoded(head) ? nil : task.store.received), path: path))
    }
  }
}

extension DownloadAttempts.First {
  /// The response with another head.
  fileprivate func response(
    _ head: ResponseHead, since start: ContinuousClock.Instant, wireBytes: Int64?
  ) -> Result<ExchangeResult, ExchangeFailure> {
    var hops: [ExchangeHop]
    var note: String?
    switch result {
    case .success(let result):
      hops = result.hops
      note = result.note
    case .failure(let failure):
      // The other exchanges received what this one lacks.
      guard let request = failure.request else { return result }
      var hop = ExchangeHop(request: request, head: head, summary: ExchangeSummary())
      hop.begin = failure.begin
      hops = failure.hops + [hop]
    }
    if let wireBytes { hops[hops.count - 1].summary.wireBodyBytes = wireBytes }
    return .success(ExchangeResult(hops: hops, total: .now - start, note: note, head: head))
  }

  fileprivate func failure(_ error: TransportError) -> ExchangeFailure {
    switch result {
    case .success(let result):
      return ExchangeFailure(
        error, hops: Array(result.hops.dropLast()), request: result.hops.last?.request, head: result.head,
        begin: result.hops.last?.begin)
    case .failure(let failure): return failure.with(error)
    }
  }
}

extension TransportError {
  fileprivate static let shortPart = TransportError(
    .truncated, "the server sent less of the file than it was asked for")

  fileprivate static let noResponse = TransportError(.invalidResponse, "the exchange ended without a response")
}
