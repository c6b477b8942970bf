import ReqrunKit
import Synchronization
import Testing

@Suite("A transport around the network, as a user writes one")
struct TransportTests {
  /// Signs what passes through it, and remembers it.
  final class Signing: Transport {
    private let network = NetworkTransport()
    private let exchanges = Mutex<[(request: TransportRequest, response: TransportResponse)]>([])

    var all: [(request: TransportRequest, response: TransportResponse)] { exchanges.withLock { $0 } }

    func response(to request: TransportRequest) async throws -> TransportResponse {
      var request = request
      request.headers["X-Signature"] = "\(request.method) \(request.body.count)"
      var response = try await network.response(to: request)
      exchanges.withLock { $0.append((request, response)) }
      response.headers["X-Seen"] = "yes"
      return response
    }
  }

  /// Responds what was recorded.
  struct Replay: Transport {
    let exchanges: [(request: TransportRequest, response: TransportResponse)]

    func response(to request: TransportRequest) async throws -> TransportResponse {
      guard let known = exchanges.first(where: { $0.request.url == request.url }) else {
        throw TransportFailure(.connection, "not recorded: \(request.url)")
      }
      return known.response
    }
  }

  private func run(_ spec: String, _ transport: any Transport, demo: Bool = true) async -> RunResult {
    var runner = Runner(specs: [.text(spec, name: "memory.yaml")])
    runner.options.demo = demo
    runner.options.transport = .custom(transport)
    runner.options.collectedDetails = .bodies
    return await runner.run()
  }

  @Test("requests are signed, sent and answered; redirects and gzip work; what was recorded is replayed")
  func signing() async throws {
    let transport = Signing()
    let spec = """
      requests:
        - method: POST
          url: ${{ demo }}/anything
          json: {a: 1}
          expect: {json: {"$.headers['X-Signature']": POST 7, $.json.a: 1}, headers: {X-Seen: yes}}
        - {url: "${{ demo }}/redirect/2", expect: {status: 200}}
        - {url: "${{ demo }}/gzip", expect: {status: 200, json: {$.gzipped: true}}}
      """
    let result = await run(spec, transport)
    #expect(result.problems == [])
    #expect(transport.all.map(\.response.status) == [200, 302, 302, 200, 200])
    let hop = try #require(result.requests.first?.hops?.first)
    #expect(hop.response?.reason == "OK" && hop.remoteAddress?.hasPrefix("127.0.0.1:") == true && hop.timings != nil)
    let address = try #require(transport.all.first?.request.url.dropLast("/anything".count))
    let replayed = await run(
      spec.replacing("${{ demo }}", with: address).replacing("headers: {X-Seen: yes}", with: "status: 200"),
      Replay(exchanges: transport.all), demo: false)
    #expect(replayed.problems == [])
  }

  @Test(
    "kinds of failures of the network come through",
    arguments: [
      ("url: http://127.0.0.1:1/\nexpect: {error: connection}", RequestResult.Outcome.passed),
      ("url: http://nowhere.invalid/\nexpect: {error: dns}", .passed),
      ("url: ${{ demo }}/delay/5\ntimeout: 100ms\nexpect: {error: timeout}", .passed),
      ("url: http://127.0.0.1:1/", .transportError),
    ])
  func failures(_ spec: String, _ outcome: RequestResult.Outcome) async {
    let result = await run(spec, Signing())
    #expect(result.requests.map(\.outcome) == [outcome], "\(result.problems)")
  }

  @Test("a failure of the network that a transport around it changes is what it says") func changedFailure() async {
    struct Renaming: Transport {
      func response(to request: TransportRequest) async throws -> TransportResponse {
        do {
          return try await NetworkTransport().response(to: request)
        } catch var failure as TransportFailure {
          (failure.kind, failure.message) = (.tls, "renamed")
          throw failure
        }
      }
    }
    #expect(await run("url: http://127.0.0.1:1/\nexpect: {error: tls}", Renaming(), demo: false).problems == [])
  }

  @Test("the connection options of a spec hold") func options() async {
    let result = await run("url: http://h.invalid/\nproxy: http://127.0.0.1:1\nexpect: {error: connection}", Signing())
    #expect(result.problems == [])
  }

  @Test("a stub, and the network, are called by hand") func byHand() async throws {
    let stub = StubTransport { TransportResponse(json: "{\"url\": \"\($0.url)\"}") }
    let request = TransportRequest(method: "PUT", url: "http://h/", headers: ["A": "b"], body: [1])
    #expect(try await stub.response(to: request) == TransportResponse(json: #"{"url": "http://h/"}"#))
    #expect(stub.sent == [request])
    let failure = await #expect(throws: TransportFailure.self) {
      try await NetworkTransport().response(to: TransportRequest(url: "http://127.0.0.1:1/"))
    }
    #expect(failure?.kind == .connection && failure?.message.isEmpty == false)
    await #expect(throws: TransportFailure.self) {
      try await NetworkTransport().response(to: TransportRequest(url: "no URL"))
    }
  }
}
