import ReqrunKit
import Synchronization
import Testing

/// A transport without a network: the place for a stub, or for the handler of your server.
struct StubTransport: Transport {
  func response(to request: TransportRequest) async throws -> TransportResponse {
    switch (request.method, request.url) {
    case ("GET", "http://stub/users/7"): TransportResponse(json: #"{"id": 7, "name": "Freja"}"#)
    case ("GET", "http://stub/down"): throw TransportFailure(.connection, "nobody listens")
    default: TransportResponse(status: 404)
    }
  }
}

extension Runner {
  func usingStub() -> Runner {
    var runner = self
    runner.options.transport = .custom(StubTransport())
    return runner
  }
}

/// A reporter of one's own: it notes the slowest request.
final class SlowestRequest: Reporter {
  private let slowest = Mutex<RequestResult?>(nil)

  var name: String? { slowest.withLock { $0?.name } }

  func receive(_ event: RunEvent) {
    guard case .requestFinished(let request) = event else { return }
    slowest.withLock { known in
      if request.duration >= known?.duration ?? .zero { known = request }
    }
  }
}

@Suite("A stub in place of the network")
struct StubTests {
  @Test("a spec in memory, and a reporter of one's own")
  func memory() async {
    let spec = """
      name: Freja
      url: http://stub/users/7
      expect: {json: {$.name: Freja}}
      """
    var runner = Runner(specs: [.text(spec, name: "freja.yaml")]).usingStub()
    let reporter = SlowestRequest()
    runner.options.reports = [.custom(reporter)]
    let result = await runner.run()
    result.recordIssues()
    #expect(result.passed == 1)
    #expect(reporter.name == "Freja")
  }

  @Test("events as they come")
  func events() async {
    var outcomes: [RequestResult.Outcome] = []
    let spec = "requests: [{url: http://stub/users/7}, {url: http://stub/down, expect: {error: connection}}]"
    for await event in Runner(specs: [.text(spec, name: "two.yaml")]).usingStub().events() {
      if case .requestFinished(let request) = event { outcomes.append(request.outcome) }
    }
    #expect(outcomes == [.passed, .passed])
  }
}
