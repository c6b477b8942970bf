import HTTPSemantics
import RequestSpecs
import Values

/// Reads a response event by event, on as many connections as needed.
struct StreamTransfer: Transfer {
  let stream: ResolvedStream

  func run(_ exchange: TransferExchange) async -> TransferOutcome {
    let sink = StreamSink(stream, exchange)
    let executor = exchange.context.executor
    let connection = Task(executorPreference: executor) {
      await StreamConnections(stream: stream, exchange: exchange, sink: sink).run()
    }
    let timer = stream.timeout.map { limit in
      Task(executorPreference: executor) {
        guard (try? await Task.sleep(for: limit)) != nil, sink.end(.timeout(limit)) else { return }
        sink.hangUp(connection)
      }
    }
    let during = exchange.during.map { requests in
      Task(executorPreference: executor) {
        let isOpen = await sink.opening.wait()
        let failed = await requests(isOpen ? nil : "the stream was not open", sink.conversation)
        if let failed, stream.hasEndCondition, sink.end(.requestFailed(failed)) { sink.hangUp(connection) }
        if sink.conversation?.failure != nil, sink.end(.failed) { sink.hangUp(connection) }
      }
    }
    return await withTaskCancellationHandler {
      let connected = await connection.value
      timer?.cancel()
      sink.opening.open(false)
      exchange.meter.finish()
      sink.conversation?.finish()
      // Messages that follow its requests are part of the conversation.
      if sink.conversation != nil { await during?.value }
      let outcome = StreamEvaluation(stream: stream, exchange: exchange, sink: sink, connected: connected).outcome
      await during?.value
      return outcome
    } onCancel: {
      connection.cancel()
      timer?.cancel()
      during?.cancel()
    }
  }
}

/// The result of all connections of a stream.
struct ConnectedStream: Sendable {
  /// The last connection that was a stream, however it ended; without one the response, or the failure.
  var result: Result<ExchangeResult, ExchangeFailure>
  var reconnections = 0
  /// The reason why the last connection broke.
  var lost: TransportError?
}

/// Connects, and reconnects if a stream of server-sent events ends too early (WHATWG HTML, section 9.2.3).
struct StreamConnections {
  let stream: ResolvedStream
  let exchange: TransferExchange
  let sink: StreamSink

  /// The time that a WebSocket's server has to reply to a close frame.
  static let closingTime = Duration.seconds(1)

  /// Reconnects after the time in the server's `retry`, within bounds.
  private var retries: RetryPolicy {
    RetryPolicy(
      attempts: max(0, stream.reconnectionLimit).addingClamped(1), methods: [.get],
      failures: .transient.union([.tls, .invalidResponse]), interval: sink.reconnectionTime ?? .seconds(1),
      maximumInterval: .seconds(30))
  }

  func run() async -> ConnectedStream {
    let start = ContinuousClock.now
    var request = exchange.resolved.outgoing
    let timeouts = request.timeouts
    var wireBytes: Int64? = 0
    var stream = ConnectedStream(result: await result(of: request))
    guard let first = opened(stream.result, total: .now - start, &wireBytes) else { return stream }
    var last = stream.result
    stream.result = .success(first)
    while true {
      stream.lost = if case .failure(let failure) = last { failure.error } else { nil }
      sink.endConnection(isWhole: stream.lost == nil)
      guard sink.ending == nil, let delay = delay(after: stream) else { break }
      if !isFieldValue(sink.lastEventID) {
        stream.lost = .unsendableEventID
        break
      }
      guard (try? await Task.sleep(for: delay)) != nil else { break }
      stream.reconnections += 1
      sink.beginConnection()
      if !sink.lastEventID.isEmpty { request.headers.set("Last-Event-ID", sink.lastEventID) }
      request.timeouts = timeouts.left(after: .now - start)
      last = await result(of: request)
      if let next = opened(last, total: .now - start, &wireBytes) {
        stream.result = .success(next)
      } else if case .success(let response) = last {
        _ = sink.end(.refused(response.head.status))
        break
      }
    }
    if sink.ending == nil, Task.isCancelled {
      stream.result = .failure(ExchangeFailure(.cancelled, hops: first.hops, total: .now - start))
    }
    if let closing = sink.course.closing {
      _ = sink.end(.closed(closing.code, reason: closing.reason))
    } else if sink.conversation != nil, case .cancelled? = stream.lost?.kind {
      _ = sink.end(.noReply)
    } else if let lost = stream.lost {
      _ = sink.end(.lost(lost))
    } else {
      _ = sink.end(sink.isCutWithinMessage() ? .failed : .server)
    }
    return stream
  }

  /// The result of one connection; a WebSocket has a second to end after its close frame.
  private func result(of request: OutgoingRequest) async -> Result<ExchangeResult, ExchangeFailure> {
    guard let (connection, closing) = sink.conversation?.begin() else {
      return await exchange.client.result(of: request, into: sink)
    }
    let request = sink.beginConversation(request, connection)
    let executor = exchange.context.executor
    let task = Task(executorPreference: executor) { await exchange.client.result(of: request, into: sink) }
    let timer = Task(executorPreference: executor) {
      if await closing.wait(), (try? await Task.sleep(for: Self.closingTime)) != nil { task.cancel() }
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    timer.cancel()
    closing.open(false)
    return result
  }

  /// The response of a connection that was a stream; nil otherwise.
  ///
  /// - Parameter wireBytes: the total of all connections so far; nil if one doesn't report it.
  private func opened(
    _ result: Result<ExchangeResult, ExchangeFailure>, total: Duration, _ wireBytes: inout Int64?
  ) -> ExchangeResult? {
    guard sink.isOpen else { return nil }
    switch result {
    case .success(let response):
      var hops = response.hops
      let last = hops.count - 1
      wireBytes = wireBytes.flatMap { sum in hops[last].summary.wireBodyBytes.map { sum + $0 } }
      hops[last].summary.wireBodyBytes = wireBytes
      return ExchangeResult(hops: hops, total: total, note: response.note)
    case .failure(let failure):
      guard let request = failure.request, let head = failure.head else { return nil }
      let summary = failure.error.summary ?? ExchangeSummary()
      wireBytes = wireBytes.flatMap { sum in summary.wireBodyBytes.map { sum + $0 } }
      var hop = ExchangeHop(request: request, head: head, summary: summary)
      hop.begin = failure.begin
      hop.summary.wireBodyBytes = wireBytes
      return ExchangeResult(hops: failure.hops + [hop], total: total)
    }
  }

  /// The delay before the next connection; nil if there is none.
  private func delay(after stream: ConnectedStream) -> Duration? {
    let retries = retries
    guard self.stream.reconnects, sink.conversation?.isClosedBySpec != true, self.stream.hasEndCondition,
      retries.retries(exchange.resolved.method),
      stream.lost.map(retries.retries) ?? true, !Task.isCancelled
    else { return nil }
    return retries.delay(after: stream.reconnections + 1)
  }
}

extension TransportError {
  fileprivate static let unsendableEventID = TransportError(
    .invalidResponse, "the last event ID has a control character, which no header may contain (RFC 9110, section 5.5)",
    help: "fix the server's `id` fields: a stream continues only if they can be sent as `Last-Event-ID`")
}
