import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// Evaluates a stream's end against its expectations.
struct StreamEvaluation {
  let stream: ResolvedStream
  let exchange: TransferExchange
  let sink: StreamSink
  let connected: ConnectedStream

  private var registry: SecretRegistry { exchange.scope.registry }

  var outcome: TransferOutcome {
    let budget = exchange.context.control.evaluationBudget(exchange.request.stage)
    var outcome = budget.limit { evaluated }
    if budget.isExhausted, sink.ending?.isEvaluation != true { outcome.failures = [tooLong] }
    return outcome
  }

  private var evaluated: TransferOutcome {
    var outcome = TransferOutcome(connected.result)
    guard case .success = connected.result, let events = sink.events else { return notOpened(outcome) }
    outcome.events = events
    outcome.report = report
    outcome.assertionCount = stream.until.reduce(0) { $0 + max(1, $1.predicates.count) }
    outcome.assertionCount += sink.course.waitCount
    switch sink.ending {
    case .condition, .scripted, .failed, nil: break
    case .evaluation:
      outcome.assertionCount = max(1, outcome.assertionCount)
      outcome.failures = [tooLong]
    case .unreadable(let error):
      outcome.assertionCount = max(1, outcome.assertionCount)
      outcome.failures = [failure(error)]
    case .lost(let error) where stream.until.isEmpty:
      if case .success(let response) = connected.result { outcome.result = .failure(failure(error, response)) }
    case .timeout, .requestFailed:
      if !stream.until.isEmpty {
        outcome.failures = unmet
      } else if let count = stream.maxEvents {
        outcome.assertionCount = 1
        outcome.failures = [tooFew(count)]
      }
    case .maxEvents, .server, .completed, .closed, .noReply, .lost, .refused:
      if !stream.until.isEmpty { outcome.failures = unmet }
    }
    return noting(conversationFailures, in: outcome)
  }

  // MARK: no stream

  /// Handles an ordinary response, which is a failure unless it is expected.
  private func notOpened(_ ordinary: TransferOutcome) -> TransferOutcome {
    var outcome = ordinary
    switch connected.result {
    case .failure(let failure):
      guard case .timeout(let limit)? = sink.ending else { break }
      let error = TransportError(
        .timeout(.resource), "the stream was not open after \(durationText(limit)) (stream.timeout)",
        help: "find out what takes the server so long, or raise the stream's timeout")
      outcome.result = .failure(failure.with(error))
    case .success(let response):
      if sink.course.problem != nil { return noting(conversationFailures, in: outcome) }
      guard !isReportedElsewhere(response.head) else { break }
      let type = response.head.headers.first("Content-Type")
      let actual =
        (200..<300).contains(response.head.status) && response.head.status != 204
        ? "the content type \(type.map { "\"\(registry.masked($0))\"" } ?? "is missing")"
        : "status \(response.head.status)"
      outcome.assertionCount += 1
      outcome.failures.append(
        AssertionReport(
          subject: "stream", range: stream.range.firstLine,
          expected: stream.format == .sse
            ? "a stream of events (text/event-stream)"
            : stream.format == .websocket ? "a WebSocket (status 101)" : "a stream", actual: actual))
    }
    return outcome
  }

  private func isReportedElsewhere(_ head: ResponseHead) -> Bool {
    if exchange.request.settings.expect.expectsStatus, !(200..<300).contains(head.status) { return true }
    do throws(TemplateError) {
      let source = try ValidationRulesSource(
        exchange.request, accept: exchange.resolved.accept, scope: exchange.scope)
      return !source.rules.failures(
        status: head.status, contentType: head.headers.first("Content-Type"),
        bodyIsEmpty: exchange.collector.count == 0
      ).isEmpty
    } catch {
      return true
    }
  }

  // MARK: a premature end

  /// The conditions that the last event doesn't meet.
  private var unmet: [AssertionReport] { unmet(stream.until, "stream until", at: stream.untilRange) }

  private func unmet(_ conditions: [ResolvedCondition], _ subject: String, at range: SourceRange) -> [AssertionReport] {
    guard let last = sink.last else {
      return [
        AssertionReport(
          subject: subject, range: range.firstLine, expected: "an event that meets it", actual: "no event", hint: story)
      ]
    }
    let inspected = InspectedEvent(last, registry: registry, storage: exchange.context.storage)
    var reports: [AssertionReport] = []
    for condition in conditions {
      for var failure in failures(of: condition, inspected) {
        let hints = [failure.hint, inspected.absence(of: condition)]
        failure.hint = hints.compactMap(\.self).joined(separator: "\n")
        if failure.hint?.isEmpty == true { failure.hint = nil }
        var report = AssertionReport(
          subject: "\(subject) \(condition.spec.label)",
          range: condition.spec.places.range(ofPredicate: failure.index, line: nil, paths: []), failure: failure,
          registry: registry)
        if reports.isEmpty { report = report.adding(hint: "\(story)\nthe last event: \(shown(last))") }
        reports.append(report)
      }
    }
    return reports
  }

  /// The failures of a WebSocket's conversation itself: a violation of the protocol, or a part of `send` that wasn't.
  private var conversationFailures: [AssertionReport] {
    guard let conversation = sink.conversation else { return [] }
    if let problem = sink.course.problem { return [problem.report(in: exchange.scope).adding(hint: story)] }
    if let failure = conversation.failure { return [failure.adding(hint: story)] }
    guard let step = sink.course.script.first else { return [] }
    if let awaited = sink.course.awaited {
      let reports = unmet(awaited, "stream send until", at: step.range)
      if !reports.isEmpty { return reports }
    }
    return [
      AssertionReport(
        subject: "stream send", range: step.range.firstLine, expected: "all of `send` is sent",
        actual: "this was not sent yet", hint: story)
    ]
  }

  private func noting(_ failures: [AssertionReport], in outcome: TransferOutcome) -> TransferOutcome {
    var outcome = outcome
    outcome.assertionCount += failures.count
    outcome.failures += failures
    return outcome
  }

  private func failures(of condition: ResolvedCondition, _ event: InspectedEvent) -> [MatchFailure] {
    do throws(JSONPathError) {
      return Matching.failures(of: condition.predicates, against: try event.subject(of: condition))
    } catch {
      return [
        MatchFailure(
          predicate: Text(""), expected: Text("a value"), actual: registry.filtered(error.message), hint: error.help)
      ]
    }
  }

  private var noun: String { sink.conversation == nil ? "event" : "message" }

  private var tooLong: AssertionReport {
    AssertionReport(
      subject: "stream until", range: stream.untilRange.firstLine, expected: "an event that meets it",
      actual: "holding an event against it took longer than \(durationText(RunControl.evaluationLimit))",
      hint: "ask for less of the events")
  }

  private func tooFew(_ wanted: Int) -> AssertionReport {
    AssertionReport(
      subject: "stream max_events", range: stream.range.firstLine, expected: counted(wanted, noun),
      actual: counted(sink.conversation == nil ? sink.count : sink.course.receivedCount, noun), hint: story)
  }

  private func failure(_ error: EventStreamError) -> AssertionReport {
    switch error {
    case .tooLarge(let limit):
      return AssertionReport(
        subject: "stream", range: stream.range.firstLine,
        expected: "\(stream.format == .sse ? "events" : "lines") of at most \(limit >> 20) MiB", actual: "a longer one",
        hint: "\(counted(sink.count, "event")) came before it")
    case .notJSON(let line, let column, let message, let text):
      // The message quotes words of the line, which may be parts of secrets.
      let reason = registry.filtered(text).isSecret ? "" : ": \(message)"
      return AssertionReport(
        subject: "stream", range: stream.range.firstLine, expected: "JSON in each line",
        actual: "line \(line) is not JSON (column \(column)\(reason)): \(shortened(text))")
    }
  }

  /// The failure of a connection that broke when only its end was expected.
  private func failure(_ error: TransportError, _ response: ExchangeResult) -> ExchangeFailure {
    let last = response.hops[response.hops.count - 1]
    var error = error
    error.message += " (\(counted(sink.count, "event")) came before)"
    return ExchangeFailure(
      error, hops: Array(response.hops.dropLast()), request: last.request, head: last.head, begin: last.begin,
      total: response.total)
  }

  // MARK: wording

  private var report: TransferReport {
    var report = TransferReport(summary: number)
    report.details = ["* \(story)"]
    return report
  }

  /// The number of events, and why there are no more.
  private var story: String {
    let again =
      connected.reconnections == 0
      ? "" : ", on \(connected.reconnections + 1) connections"
    return "\(number)\(sink.conversation == nil ? " came" : "")\(again): \(reason)"
  }

  /// The number of events, or of messages.
  private var number: String {
    guard let conversation = sink.conversation else { return counted(sink.count, "event") }
    return "\(conversation.sentCount) sent, \(sink.course.receivedCount) received"
  }

  private var reason: String {
    switch sink.ending {
    case .condition: "the last one meets `until`"
    case .maxEvents: "that is `max_events`"
    case .timeout(let limit): "the stream's timeout of \(durationText(limit)) was up"
    case .server:
      stream.format == .websocket
        ? "the server ended the connection without a close frame (RFC 6455, section 7.1.5)"
        : "the server ended the stream"
    case .completed: "the server completed the subscription"
    case .closed(let code, let reason):
      "the server closed the connection" + (code.map { " with the code \($0)" } ?? "")
        + (reason.isEmpty ? "" : ": \(shortened(reason))")
    case .noReply: "the server did not reply to the close frame (RFC 6455, section 5.5.1)"
    case .scripted: "`send` is done"
    case .failed: "the conversation failed"
    case .refused(let status): "the server answered \(status) to the next connection"
    case .lost(let error): registry.masked(exchange.resolved.masked(error.message))
    case .unreadable: "what followed cannot be read"
    case .evaluation: "holding an event against `until` took too long"
    case .requestFailed(let name): "the request \"\(name)\" failed meanwhile"
    case nil: "the request was cut short"
    }
  }

  private func shown(_ event: StreamEvent) -> String {
    // The text is masked as received and then written as JSON, not the other way round.
    var event = event
    event.type = event.type.map { registry.masked($0) }
    event.id = event.id.map { registry.masked($0) }
    event.data = registry.masked(event.data)
    return shortened(String(decoding: event.jsonText, as: UTF8.self))
  }

  /// Foreign text for a line of a message.
  private func shortened(_ text: String) -> String {
    shownLine(of: registry.masked(text))
  }
}

/// The beginning of a masked text, on one line.
func shownLine(of masked: String) -> String {
  let line = masked.split(whereSeparator: \.isNewline).joined(separator: " ")
  return line.utf8.count > 240 && line.count > 240 ? line.prefix(200) + "…" : line
}

extension AssertionReport {
  /// Adds hints, each on a line of its own; masked already.
  fileprivate func adding(hint more: String) -> AssertionReport {
    var report = self
    report.mismatch.hint = mismatch.hint.map { "\($0)\n\(more)" } ?? more
    return report
  }
}
