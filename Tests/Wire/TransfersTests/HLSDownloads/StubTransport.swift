import HTTPSemantics
import Synchronization

/// A response that needs no network.
struct StubResponse: Sendable {
  var status = 200
  var headers: [(String, String)] = []
  var body: [UInt8] = []
  /// The exchange fails after the body.
  var error: TransportError?

  static func text(_ lines: String...) -> StubResponse {
    StubResponse(body: Array(lines.joined(separator: "\n").utf8))
  }

  static func bytes(_ bytes: [UInt8]) -> StubResponse { StubResponse(body: bytes) }

  static func status(_ status: Int) -> StubResponse { StubResponse(status: status) }

  static func redirect(_ location: String) -> StubResponse {
    StubResponse(status: 302, headers: [("Location", location)])
  }

  static func failure(_ kind: TransportError.Kind) -> StubResponse {
    StubResponse(error: TransportError(kind, "the connection broke"))
  }
}

/// Responses by URL: each response in its turn, the last again and again.
final class StubTransport: Transport {
  private struct State {
    var requests: [WireRequest] = []
    var inFlight = 0
    var maxInFlight = 0
    var heldURL: String?
  }

  private let answers: [String: [StubResponse]]
  private let pause: Duration
  private let state: Mutex<State>

  /// - Parameter heldURL: one to which it responds once it is released.
  init(_ answers: [String: [StubResponse]], pause: Duration = .zero, holding heldURL: String? = nil) {
    self.answers = answers
    self.pause = pause
    state = Mutex(State(heldURL: heldURL))
  }

  func release() { state.withLock { $0.heldURL = nil } }

  var requests: [WireRequest] { state.withLock { $0.requests } }
  var maxInFlight: Int { state.withLock { $0.maxInFlight } }

  func requests(of url: String) -> [WireRequest] { requests.filter { $0.url.string == url } }

  func exchange(_ request: WireRequest, into sink: any ResponseSink) async throws(TransportError) -> ExchangeSummary {
    let turn = state.withLock { state in
      state.requests.append(request)
      state.inFlight += 1
      state.maxInFlight = max(state.maxInFlight, state.inFlight)
      return state.requests.count { $0.url == request.url } - 1
    }
    defer { state.withLock { $0.inFlight -= 1 } }
    if pause > .zero { try? await Task.sleep(for: pause) }
    while state.withLock({ $0.heldURL }) == request.url.string, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(5))
    }
    if Task.isCancelled { throw .cancelled }
    let turns = answers[request.url.string] ?? [.status(404)]
    let answer = turns[min(turn, turns.count - 1)]
    var isMore = answer.error == nil || !answer.body.isEmpty
    if isMore {
      let head = ResponseHead(status: answer.status, headers: HeaderFields(answer.headers))
      isMore = sink.receive(head: head) == .more
    }
    for start in stride(from: 0, to: answer.body.count, by: 7) where isMore {
      isMore =
        answer.body[start..<min(start + 7, answer.body.count)].withUnsafeBytes { sink.receive(body: $0) } == .more
    }
    if let error = answer.error, isMore || answer.body.isEmpty { throw error }
    return ExchangeSummary()
  }
}
