import HTTPSemantics
import RequestSpecs
import Transfers
import Values

/// Sends one file in segments, several at a time; failed ones are sent again after the others.
struct SegmentedUpload {
  private let file: UploadedFile
  private let segments: ResolvedUpload.Segments
  private let retries: RetryPolicy
  private let exchange: TransferExchange
  private let journal: UploadJournal
  private var message: UploadMessage
  private var queue: SegmentQueue
  private var account: UploadStatistics
  /// The most significant response for the whole upload.
  private var response: Attempt?
  private let start = ContinuousClock.now

  /// A segment that was sent.
  private struct Attempt: Sendable {
    let segment: FileSegment
    let result: Result<ExchangeResult, ExchangeFailure>
    let collector: ResponseCollector
    let part: TransferPart
    let time: Duration
  }

  private enum Event: Sendable {
    case attempt(Attempt)
    /// The end of a wait.
    case wakened
  }

  /// The reason why nothing more is sent.
  private enum End {
    case complete
    /// The attempt whose result is that of the upload.
    case failed(Attempt)
    case interrupted
    case changed
    /// The server doesn't know the segments of an earlier run.
    case forgotten
  }

  init(
    upload: ResolvedUpload, segments: ResolvedUpload.Segments, file: UploadedFile, exchange: TransferExchange
  ) {
    self.file = file
    self.exchange = exchange
    let request = exchange.resolved.outgoing
    message = UploadMessage(upload: upload, file: file, request: request)
    message.segmentSize = upload.equalSize(of: file.size)
    self.segments = ResolvedUpload.Segments(
      size: message.segmentSize.map { .fixed($0) } ?? segments.size, parallel: segments.parallel,
      retries: segments.retries)
    var identity = [request.method.rawValue, request.url.string, request.requestTarget ?? "", upload.style.rawValue]
    if let size = message.segmentSize {
      identity += ["\(size)", upload.field] + upload.fields.map { "\($0.name)=\($0.content.rawValue)" }
    }
    journal = UploadJournal(
      beside: exchange.scope.fileAccess.mayWrite ? file.path : nil,
      UploadJournal.Identity(
        request: identity, size: file.size, modified: "\(file.version.seconds).\(file.version.nanoseconds)",
        inode: file.version.inode, start: file.start),
      newID: newUploadID())
    retries = .segments(retries: segments.retries)
    queue = SegmentQueue(length: 0, size: segments.size, parallel: 1, retries: retries)
    account = UploadStatistics(
      size: file.size, registry: exchange.scope.registry, keepsLines: exchange.context.needs.contains(.hops))
  }

  mutating func run() async -> TransferOutcome {
    prepare()
    var end = await send()
    if case .forgotten = end {
      journal.restart(newID: newUploadID())
      exchange.meter.restart()
      account = account.begunAnew
      prepare()
      end = await send()
    }
    return finish(end)
  }

  private mutating func prepare() {
    // Everything is stored, but a response is needed.
    if let last = journal.done.ranges.last, journal.done.count == file.size {
      let size = if case .fixed(let size) = segments.size { size } else { SegmentSizing.first }
      journal.forget(max(last.lowerBound, (file.size - 1) / size * size)..<file.size)
    }
    message.uploadID = journal.uploadID
    account.resumedBytes = journal.done.count
    if account.resumedBytes > 0 { exchange.meter.resume(at: account.resumedBytes) }
    queue = SegmentQueue(
      length: file.size, done: journal.done, size: segments.size, parallel: segments.parallel, retries: retries)
  }

  // MARK: sending

  private var isDraining: Bool {
    let phase = exchange.context.control.phase
    return Task.isCancelled || phase == .aborting || phase == .draining && exchange.request.stage != .teardown
  }

  private mutating func send() async -> End {
    await withTaskGroup(of: Event.self) { group in
      defer { group.cancelAll() }
      var inFlight = 0
      var wakeTime: ContinuousClock.Instant?
      while true {
        next: while !isDraining {
          switch queue.next(at: .now) {
          case .send(let segment):
            inFlight += 1
            let (request, exchange) = (message.segment(segment.range), exchange)
            group.addTask { .attempt(await SegmentedUpload.send(segment, as: request, by: exchange)) }
          case .wait(let time?):
            if wakeTime.map({ $0 <= .now || time < $0 }) ?? true {
              wakeTime = time
              group.addTask {
                try? await Task.sleep(until: time, clock: .continuous)
                return .wakened
              }
            }
            break next
          case .wait(nil), .drained: break next
          }
        }
        if inFlight == 0, queue.isFinished { return file.isUnchanged ? .complete : .changed }
        if inFlight == 0, isDraining { return .interrupted }
        guard let event = await group.next() else { return .interrupted }
        guard case .attempt(let attempt) = event else { continue }
        inFlight -= 1
        if let end = take(attempt) { return end }
      }
    }
  }

  private static func send(
    _ segment: FileSegment, as request: OutgoingRequest, by exchange: TransferExchange
  ) async -> Attempt {
    let collector = ResponseCollector(exchange.request.interest, budget: exchange.context.storage)
    let start = ContinuousClock.now
    let part = exchange.meter.part(length: Int64(segment.range.count))
    let result = await exchange.client.result(of: request, into: collector.metered(by: part, exchange.meter))
    return Attempt(segment: segment, result: result, collector: collector, part: part, time: .now - start)
  }

  /// Handles the result of an attempt; nil to continue.
  private mutating func take(_ attempt: Attempt) -> End? {
    let segment = attempt.segment
    defer { attempt.part.settle() }
    switch attempt.result {
    case .success(let result):
      let decision = SegmentOutcome(result.head, to: segment, retries: retries)
      account.note(segment, result, decision, attempt.time)
      switch decision {
      case .accepted:
        accepted(segment.range, of: attempt)
        queue.succeeded(segment, after: attempt.time)
        let completion = SegmentOutcome.completion(result.head.status)
        if completion >= response.map({ SegmentOutcome.completion($0.result.status) }) ?? 0 { response = attempt }
        return nil
      case .acceptedUpTo(let end):
        accepted(segment.range.lowerBound..<end, of: attempt)
        return queue.succeeded(segment, upTo: end) ? nil : .failed(attempt)
      case .later(let pause):
        if exchange.expects(result.head) { return .failed(attempt) }
        return queue.failed(segment, at: .now, pause: pause) ? nil : .failed(attempt)
      case .refused:
        let isFirst = account.sentBytes == 0 && account.resumedBytes > 0 && !account.isBegunAnew
        if isFirst, !SegmentOutcome.mayGoOn(after: result.head.status), !exchange.expects(result.head) {
          return .forgotten
        }
        return .failed(attempt)
      }
    case .failure(let failure):
      account.note(segment, failure, attempt.time)
      if case .cancelled = failure.error.kind { return isDraining ? .interrupted : .failed(attempt) }
      guard retries.retries(failure.error) else { return .failed(attempt) }
      return queue.failed(segment, at: .now) ? nil : .failed(attempt)
    }
  }

  private mutating func accepted(_ range: Range<Int64>, of attempt: Attempt) {
    account.sentBytes += Int64(range.count)
    attempt.part.accept(Int64(range.count))
    // A single request can't be resumed.
    if range.count < file.size { journal.add(range) }
  }

  // MARK: the end

  private mutating func finish(_ end: End) -> TransferOutcome {
    var outcome: TransferOutcome
    switch end {
    case .complete:
      journal.close(isNeeded: false)
      outcome = whole()
    case .failed(let attempt):
      journal.close(isNeeded: file.isUnchanged && attempt.result.mayGoOn)
      outcome = failed(attempt)
    case .changed:
      journal.close(isNeeded: false)
      let error = TransportError(
        .body, "the file \"\(file.path)\" changed while it was sent", help: "do not change the file during the run")
      outcome = TransferOutcome(.failure(ExchangeFailure(error, total: .now - start)))
    case .interrupted, .forgotten:
      let help = account.restText(isKept: keepsJournal())
      outcome = TransferOutcome(
        .failure(
          ExchangeFailure(TransportError(.cancelled, "the exchange was cancelled", help: help), total: .now - start)))
    }
    outcome.report = account.report(journalProblem: journal.problem)
    return outcome
  }

  /// Returns whether the next run can resume the upload.
  private func keepsJournal() -> Bool {
    journal.close(isNeeded: true)
    return journal.problem == nil && journal.done.count > 0
  }

  private func whole() -> TransferOutcome {
    guard let response, case .success(let result) = response.result else {
      preconditionFailure("every upload ends with a response")
    }
    let note = result.head.status == 308 ? "the server did not say that it has all of the file" : nil
    var outcome = TransferOutcome(.success(result.of(total: .now - start, note: note ?? result.note)))
    outcome.collector = response.collector
    return outcome
  }

  /// A note about a pause that is too long to wait for.
  private func pauseText(_ head: ResponseHead) -> String {
    guard let pause = retryAfter(head), retries.exceedsMaximum(pause) else { return "" }
    return ", and the server wants no more for \(durationText(pause))"
  }

  private func failed(_ attempt: Attempt) -> TransferOutcome {
    let place = account.placeText(attempt.segment)
    switch attempt.result {
    case .success(let result):
      let rest = account.restText(isKept: journal.problem == nil && attempt.result.mayGoOn)
      let note = [result.note, place + pauseText(result.head), rest].compactMap { $0 }.joined(separator: "; ")
      var outcome = TransferOutcome(.success(result.of(total: .now - start, note: note)))
      outcome.collector = attempt.collector
      if exchange.accepts(result.head), !exchange.expects(result.head) {
        outcome.assertionCount = 1
        outcome.failures = [
          AssertionReport(
            subject: "upload", range: exchange.request.settings.transfer?.upload.value?.range.firstLine,
            expected: "all segments accepted", actual: "status \(result.head.status) for \(place)")
        ]
      }
      return outcome
    case .failure(let failure):
      var error = failure.error
      if error.kind != .body {
        error.message += " (\(place))"
        let rest = account.restText(isKept: journal.problem == nil)
        let help = [error.help, rest].compactMap { $0 }
        error.help = help.isEmpty ? nil : help.joined(separator: "; ")
      }
      return TransferOutcome(.failure(failure.with(error, total: .now - start)))
    }
  }
}

extension Result<ExchangeResult, ExchangeFailure> {
  /// The status of the response; 0 without one.
  fileprivate var status: Int { if case .success(let result) = self { result.head.status } else { 0 } }

  /// Indicates whether earlier segments may still be valid.
  fileprivate var mayGoOn: Bool {
    switch self {
    case .success(let result): SegmentOutcome.mayGoOn(after: result.head.status)
    case .failure(let failure): failure.error.kind != .body
    }
  }
}

extension TransferExchange {
  /// Returns whether `expect.status` names that status explicitly.
  fileprivate func expects(_ head: ResponseHead) -> Bool {
    request.settings.expect.expectsStatus && accepts(head)
  }
}

/// A random UUID (RFC 9562, version 4).
private func newUploadID() -> String {
  var generator = SystemRandomNumberGenerator()
  var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexEncoded(bytes[$0]) }.joined(separator: "-")
}
