import HTTPSemantics
import Synchronization
import Values

/// Answers from a script instead of a network, and remembers what it was asked.
final class ScriptedTransport: Transport {
  struct Response: Sendable {
    var status = 200
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    var informational: [ResponseHead] = []
    var trailers: [(String, String)] = []
    /// How long the response takes; a limit that is shorter ends it.
    var delay: Duration = .zero
    /// What fails once head and body were delivered.
    var failure: TransportError?
    var hasHead = true

    static func redirect(_ status: Int = 302, to location: String, _ headers: [(String, String)] = []) -> Response {
      Response(status: status, headers: [("Location", location)] + headers, body: Array("moved".utf8))
    }
  }

  private let script: @Sendable (WireRequest, Int) -> Response
  private let received = Mutex<[WireRequest]>([])
  private let stops = Mutex(0)

  init(_ script: @escaping @Sendable (WireRequest, Int) -> Response) { self.script = script }

  /// Responses in that order; the last one again and again.
  convenience init(_ answers: [Response]) {
    self.init { _, index in answers[min(index, answers.count - 1)] }
  }

  var requests: [WireRequest] { received.withLock { $0 } }
  /// How often a sink wanted no more.
  var stopCount: Int { stops.withLock { $0 } }

  func exchange(_ request: WireRequest, into sink: any ResponseSink) async throws(TransportError) -> ExchangeSummary {
    let index = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    let answer = script(request, index)
    if let total = request.limits.total, total < answer.delay {
      try? await Task.sleep(for: total)
      throw TransportError(.timeout(.resource), "the transport's own words")
    }
    if answer.delay > .zero { try? await Task.sleep(for: answer.delay) }
    if answer.hasHead {
      for head in answer.informational { sink.receive(informational: head) }
      var decision = sink.receive(
        head: ResponseHead(status: answer.status, headers: HeaderFields(answer.headers)))
      var rest = answer.body[...]
      while decision == .more, !rest.isEmpty {
        let chunk = Array(rest.prefix(16 * 1024))
        rest = rest.dropFirst(chunk.count)
        decision = chunk.withUnsafeBytes { sink.receive(body: $0) }
      }
      if decision == .stop {
        stops.withLock { $0 += 1 }
        return ExchangeSummary()
      }
      if !answer.trailers.isEmpty { sink.receive(trailers: HeaderFields(answer.trailers)) }
    }
    if let failure = answer.failure { throw failure }
    return ExchangeSummary(remoteAddress: "192.0.2.1:\(index)")
  }
}

func url(_ text: String) throws -> HTTPURL { try HTTPURL(parsing: text) }

func text(_ body: RequestBody) -> String? {
  switch body {
  case .none: nil
  case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
  case .pieces, .stream, .upgrade: nil
  }
}
