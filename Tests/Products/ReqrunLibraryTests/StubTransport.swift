import ReqrunKit
import Synchronization

/// Responses every request by a function, and remembers what was sent.
final class StubTransport: Transport {
  private let respond: @Sendable (TransportRequest) async throws -> TransportResponse
  private let requests = Mutex<[TransportRequest]>([])

  init(_ respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse) {
    self.respond = respond
  }

  var sent: [TransportRequest] { requests.withLock { $0 } }

  func response(to request: TransportRequest) async throws -> TransportResponse {
    requests.withLock { $0.append(request) }
    return try await respond(request)
  }
}

/// A runner of one spec in memory that a function responses.
func runner(
  _ spec: String,
  _ respond: @escaping @Sendable (TransportRequest) async throws -> TransportResponse = { _ in
    TransportResponse(json: #"{"id": 7, "token": "s3cret-token", "roles": ["admin"]}"#)
  }
) -> Runner {
  var runner = Runner(specs: [.text(spec, name: "memory.yaml")])
  runner.options.transport = .custom(StubTransport(respond))
  return runner
}
