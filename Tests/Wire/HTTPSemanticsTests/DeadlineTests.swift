import HTTPSemantics
import TestSupport
import Testing

@Suite("Deadlines")
struct DeadlineTests {
  @Test("Each hop gets what is left of the whole")
  func spansHops() async throws {
    let transport = ScriptedTransport { _, index in
      var answer: ScriptedTransport.Response = index < 2 ? .redirect(to: "/\(index)") : .init()
      answer.delay = .milliseconds(30)
      return answer
    }
    let request = OutgoingRequest(
      method: .get, url: try url("http://a/"), timeouts: ExchangeTimeouts(resource: .seconds(60)))
    let result = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    let totals = transport.requests.compactMap(\.limits.total)
    #expect(totals.count == 3)
    #expect(totals[0] <= .seconds(60))
    #expect(totals[1] <= totals[0] - .milliseconds(30))
    #expect(totals[2] <= totals[1] - .milliseconds(30))
    #expect(result.total >= .milliseconds(90))
  }

  @Test("The resource timeout cuts a chain of redirects, each of them quick")
  func cutsTheChain() async throws {
    let transport = ScriptedTransport { _, index in
      var answer = ScriptedTransport.Response.redirect(to: "/\(index)")
      answer.delay = .milliseconds(900)
      return answer
    }
    let request = OutgoingRequest(
      method: .get, url: try url("http://a:81/"), redirects: RedirectPolicy(maxCount: 1000),
      timeouts: ExchangeTimeouts(resource: .seconds(3)))
    let clock = ContinuousClock()
    let start = clock.now
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(clock.now - start < .seconds(30))
    #expect(failure?.error.kind == .timeout(.resource))
    let hops = failure?.hops.count ?? 0
    #expect((1...3).contains(hops))
    let count = hops == 1 ? "1 redirect" : "\(hops) redirects"
    // While a response is waited for, or between two requests.
    let whole = [
      "no response from a:81 within 3s (timeout.resource), \(count) included; a redirect (302) led from http://a:81/"
        + (hops == 1 ? "" : "\(hops - 2)") + " to http://a:81/\(hops - 1)",
      "the exchange with a:81 was not complete after 3s (timeout.resource), \(count) included",
    ]
    #expect(whole.contains(failure?.error.message ?? ""))
  }

  @Test("A resource timeout of nothing sends nothing")
  func zero() async throws {
    let transport = ScriptedTransport([.init()])
    let request = OutgoingRequest(method: .get, url: try url("http://a/"), timeouts: ExchangeTimeouts(resource: .zero))
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(failure?.error.kind == .timeout(.resource))
    #expect(transport.requests.isEmpty)
  }

  @Test(
    "A timeout says which clock and how long",
    arguments: [
      (TransportError.Clock.connect, "no connection to a within 250ms (timeout.connect)"),
      (.request, "a sent nothing for 1.5s (timeout.request)"),
      (.resource, "no response from a within 2m (timeout.resource)"),
    ])
  func words(_ which: TransportError.Clock, _ message: String) async throws {
    let transport = ScriptedTransport([.init(failure: TransportError(.timeout(which), "?"), hasHead: false)])
    let request = OutgoingRequest(
      method: .get, url: try url("http://a/"),
      timeouts: ExchangeTimeouts(connect: .milliseconds(250), request: .milliseconds(1500), resource: .seconds(120)))
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(failure?.error.message == message)
    #expect(failure?.request?.url.string == "http://a/")
  }

  @Test("A failure keeps the transport's words, the hops before it and the head that came")
  func failure() async throws {
    let reset = TransportError(.reset, "the connection was reset")
    let transport = ScriptedTransport([
      .redirect(to: "/x"), .init(status: 206, headers: [("X-A", "1")], failure: reset),
    ])
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(
        OutgoingRequest(method: .get, url: try url("http://a/")), into: CollectingSink())
    }
    #expect(failure?.error.kind == .reset)
    #expect(
      failure?.error.message == "the connection was reset; a redirect (302) led from http://a/ to http://a/x")
    #expect(failure?.hops.map(\.head.status) == [302])
    #expect(failure?.request?.url.string == "http://a/x")
    #expect(failure?.head?.status == 206)
  }

  @Test("A transport that ends without a response is an error")
  func noHead() async throws {
    let transport = ScriptedTransport([.init(hasHead: false)])
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(
        OutgoingRequest(method: .get, url: try url("http://a/")), into: CollectingSink())
    }
    #expect(failure?.error.kind == .invalidResponse)
  }

  @Test("A cancelled task sends nothing")
  func cancelled() async throws {
    let transport = ScriptedTransport([.init()])
    let request = OutgoingRequest(method: .get, url: try url("http://a/"))
    let task = Task { () -> TransportError.Kind? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(ExchangeFailure) {
        _ = try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
        return nil
      } catch {
        return error.error.kind
      }
    }
    #expect(await task.value == .cancelled)
    #expect(transport.requests.isEmpty)
  }

  @Test("Where no connection is made through a proxy, it is named without its credentials")
  func proxy() async throws {
    let transport = ScriptedTransport([.init(failure: TransportError(.timeout(.connect), "?"), hasHead: false)])
    var outgoing = OutgoingRequest(
      method: .get, url: try url("http://a/"), timeouts: ExchangeTimeouts(connect: .seconds(1)))
    outgoing.proxies = ProxyRules(try Proxy(parsing: "https://ann:hidden@p.test:3128"))
    let request = outgoing
    let failure = await #expect(throws: ExchangeFailure.self) {
      try await HTTPClient(transport: transport).perform(request, into: CollectingSink())
    }
    #expect(
      failure?.error.message
        == "no connection to a through the proxy https://p.test:3128 within 1s (timeout.connect)")
    #expect(failure?.error.help?.contains("proxy") == true)
  }
}
