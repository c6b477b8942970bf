import DocumentQueries
import RequestSpecs
import Templates
import Values

/// The messages that a request would send over a WebSocket, for a dry run, in the form of a trace.
struct UnsentMessages {
  private let scope: FileScope
  private var lines: [String] = []
  private var count = 0

  init(_ scope: FileScope) { self.scope = scope }

  /// The report; nil without a message.
  var report: TransferReport? {
    guard !lines.isEmpty else { return nil }
    var report = TransferReport(summary: counted(count, "message"))
    report.details = lines
    return report
  }

  /// Adds the messages of a WebSocket: those of a subscription in the preferred protocol.
  mutating func add(_ stream: ResolvedStream) {
    guard stream.format == .websocket else { return }
    if let subscription = stream.subscription {
      var course = SubscriptionCourse(
        .current, query: subscription.query.string, connection: subscription.connection?.string)
      add(StreamEvent(message: "text", course.opening, isSent: true))
      lines.append("* waits for connection_ack")
      for case .send(let text) in course.receive("{\"type\":\"connection_ack\"}") {
        add(StreamEvent(message: "text", text, isSent: true))
      }
    }
    add(stream.messages)
  }

  mutating func add(_ messages: [MessageSpec]) {
    for message in messages {
      if case .until(let conditions, _) = message.content {
        lines.append("* waits for \(written(conditions.range))")
        continue
      }
      do throws(TemplateError) {
        add(try message.resolve(in: scope).event)
      } catch {
        count += 1
        lines.append("> \(written(message.range))")
      }
    }
  }

  private mutating func add(_ event: StreamEvent) {
    count += 1
    let log = MessageLog()
    log.append(event)
    for message in log.messages(scope.registry, at: { _ in .now }).messages {
      lines += message.line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "> \($0)" }
    }
  }

  /// A part of the spec as it is written, on one line.
  private func written(_ range: SourceRange) -> String {
    // Secrets may have blanks.
    shownLine(
      of: scope.registry.masked(message: range.text).split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}
