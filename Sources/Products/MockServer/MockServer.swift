import APIContracts
import DocumentQueries
import HTTPSemantics
import LocalServer
import Synchronization
import Values

/// A stand-in for the servers of contracts: it responds with their examples, or with values made of their schemas.
package final class MockServer: Sendable {
  private let contracts: [APIContract]
  private let playback: Playback
  private let hosts: Set<String>
  private let forward: (@Sendable (ServerRequest) -> ServerResponse)?
  private let options: MockOptions
  private let made: MadeValues
  private let state: MockState
  private let random: Mutex<SplitMix64>
  private let resources: [ObjectIdentifier: MockResources]
  private let log: MockLog
  private let examples = Mutex<[ExampleKey: ResponseExample]>([:])
  private let report: @Sendable (String) -> Void

  private struct ExampleKey: Hashable {
    let operation: ObjectIdentifier
    let wish: ResponseWish
  }

  /// - Parameters:
  ///   - report: gets a line about each call.
  ///   - earlier: a mock whose calls are kept.
  ///   - forward: passes on the requests that no source has a response for; nil rejects them.
  package init(
    _ sources: MockSources, _ options: MockOptions, after earlier: MockServer? = nil,
    forward: (@Sendable (ServerRequest) -> ServerResponse)? = nil,
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.forward, log) = (forward, earlier?.log ?? MockLog())
    (contracts, playback) = (sources.contracts, Playback(sources.exchanges))
    (self.options, hosts, self.report) = (options, sources.hosts, report)
    made = MadeValues(seed: options.seed)
    state = MockState(made)
    resources =
      options.isStateful
      ? Dictionary(
        sources.contracts.map { (ObjectIdentifier($0), MockResources(of: $0)) }, uniquingKeysWith: { first, _ in first }
      )
      : [:]
    random = Mutex(SplitMix64(seed: options.seed ?? .random(in: 0 ... .max)))
  }

  /// Indicates that it responds to all requests alike: there are no sources.
  private var isReceiver: Bool { contracts.isEmpty && playback.count == 0 }

  /// The calls so far, the latest of many, as a list.
  package var calls: Value { log.list }

  /// A phrase that names what it has responses for.
  package var contents: String {
    let described = playback.describedCount
    let operations = contracts.reduce(0) { $0 + $1.operations.count }
    let parts = [
      (described, "request"), (playback.count - described, "recorded exchange"), (operations, "operation"),
    ].filter { $0.0 > 0 }
    return parts.map { counted($0, $1) }.joined(separator: " and ")
  }

  /// The calls with a problem, and the requests of the sources that were not called; nil if there is neither.
  package var complaint: String? { log.complaint(labels) }

  /// The requests of the sources, each with the number of its calls, and the first calls with a problem.
  package var results: (requests: [(title: String, count: Int)], wrong: [MockCall]) { log.results(labels) }

  private var labels: [String] { playback.labels + contracts.flatMap { $0.operations.map(\.label) } }

  /// The problems of the responses that the contracts' own schemas reject, by operation or request.
  package var problems: [String] {
    contracts.flatMap { contract in
      playback.responses.compactMap { title, request, response in
        guard let exchange = ContractExchange(request, response) else { return nil }
        let findings = contract.check(exchange)
        return findings.operation == nil ? nil : findings.violations.first.map { "\(title): \($0.sentence)" }
      }
    }
      + contracts.flatMap { contract in
        contract.operations.compactMap { operation in
          do throws(ContractProblem) {
            return try example(of: operation, in: contract)?.problem.map { "\(operation.label): \($0)" }
          } catch {
            return "\(operation.label): \(error.message)"
          }
        }
      }
  }

  /// Responds to a request; several at once.
  package func respond(_ request: ServerRequest) -> ServerResponse {
    guard request.isForThisMachine || hosts.contains(request.hostName) else {
      return .problem(421, "this server is \"127.0.0.1\" or \"localhost\", not \"\(request.host)\"")
    }
    if request.path == MockLog.path { return log.response(to: request) }
    if let preflight = request.preflight(of: options.origins) { return preflight }
    var call = MockCall(request)
    return response(to: request, &call).changed { [call] in self.finished($0, of: call, request) }
  }

  /// The response as it is sent, with what goes wrong on purpose; notes the call.
  private func finished(_ response: ServerResponse, of call: MockCall, _ request: ServerRequest) -> ServerResponse {
    var (response, call) = (response, call)
    if let (kind, percent) = options.fault, random.withLock({ Double.random(in: 0..<100, using: &$0) }) < percent {
      switch kind {
      case .status(let status): response = .problem(status, "a fault by --fault")
      case .fault(let fault): response = response.with(fault)
      }
    }
    call.status = response.status
    log.add(call)
    report(call.line)
    if case .between(let range) = options.latency { response.delay += random.withLock { range.random(by: &$0) } }
    response.allow(request, from: options.origins)
    if request.method == "HEAD", case .bytes(let bytes) = response.body {
      response.body = .live(length: bytes.count) { _ in .end }
    }
    return response
  }

  private func response(to request: ServerRequest, _ call: inout MockCall) -> ServerResponse {
    let declared = contracts.isEmpty ? .nothing : ContractExchange(request).map(declared) ?? .nothing
    if case .operation(let operation, let contract, let violations) = declared {
      call.operation = operation.label
      call.problems = violations.map(\.sentence)
      if options.isStrict {
        if let problem = contract.missingCredentials(of: operation, in: request) {
          call.problems.append(problem)
          return .problem(401, problem).with("WWW-Authenticate", "Bearer")
        }
        if !violations.isEmpty { return .violations(violations) }
      }
    }
    if let response = playback.response(to: request, &call) { return response }
    switch declared {
    case .operation(let operation, let contract, _): return response(to: request, of: operation, in: contract)
    case .otherMethods(let methods):
      if request.method == "HEAD", methods.contains("GET") {
        var asGet = request
        asGet.method = "GET"
        return response(to: asGet, &call)
      }
      if let forward { return forward(request) }
      call.isMatched = false
      call.problems.append("no operation has this path and the method \(request.method)")
      return .problem(405, call.problems[0]).with("Allow", methods.joined(separator: ", "))
    case .nothing:
      if let forward {
        call.problems = []
        return forward(request)
      }
      if isReceiver { return ServerResponse(status: 204) }
      if call.problems.isEmpty {
        call.problems = [contracts.isEmpty ? "no known request is like this one" : "no operation has this path"]
      }
      call.isMatched = false
      return .problem(404, call.problems[0])
    }
  }

  /// The declaration of a request in the contracts.
  private enum Declared {
    case operation(Operation, APIContract, [ContractViolation])
    case otherMethods([String])
    case nothing
  }

  private func declared(_ exchange: ContractExchange) -> Declared {
    var methods: [String] = []
    for contract in contracts {
      // The methods that are declared come before those that follow from them.
      let (match, violations) = contract.violations(ofRequest: exchange)
      switch match {
      case .none: continue
      case .otherMethods(let path): methods += path.operations.map(\.method)
      case .operation(let operation, _): return .operation(operation, contract, violations)
      }
    }
    return methods.isEmpty ? .nothing : .otherMethods(methods)
  }

  private func response(
    to request: ServerRequest, of operation: Operation, in contract: APIContract
  ) -> ServerResponse {
    do throws(ContractProblem) {
      var wish = ResponseWish(accept: request.header("Accept"))
      for preference in (request.header("Prefer") ?? "").split(separator: ",") {
        let parts = preference.split(separator: "=", maxSplits: 1).map { $0.trimming { $0 == " " || $0 == "\"" } }
        guard parts.count == 2 else { continue }
        if parts[0] == "code" || parts[0] == "status" { wish.status = Int(parts[1]) }
        if parts[0] == "example" { wish.example = String(parts[1]) }
      }
      guard let example = try example(of: operation, in: contract, wish) else {
        return .problem(406, "\(operation.label) declares no such response: its statuses are \(operation.statuses)")
      }
      if options.isStateful, wish.status == nil, wish.example == nil,
        let resource = resources[ObjectIdentifier(contract)]?.resource(
          at: operation.itemParameter == nil ? operation.path : operation.parentPath), resource.isCollection
      {
        let call = MockState.Call(
          request: request, operation: operation, contract: contract, example: example, resource: resource)
        if let response = try state.response(
          to: call,
          declared: { status throws(ContractProblem) in
            try self.example(of: operation, in: contract, ResponseWish(status: status))
          })
        {
          return response
        }
      }
      return ServerResponse(example)
    } catch {
      return .problem(500, "the contract is wrong: \(error.message)")
    }
  }

  /// The response of an operation, made once.
  private func example(
    of operation: Operation, in contract: APIContract, _ wish: ResponseWish = ResponseWish()
  ) throws(ContractProblem) -> ResponseExample? {
    var wish = wish
    wish.variant = made.variant
    let key = ExampleKey(operation: ObjectIdentifier(operation), wish: wish)
    if let known = examples.withLock({ $0[key] }) { return known }
    let made = try contract.responseExample(of: operation, wish)
    examples.withLock { known in
      // Clients choose wishes.
      if known.count > 10_000 { known = [:] }
      known[key] = made
    }
    return made
  }
}

extension Operation {
  fileprivate var statuses: String { declaredStatuses.joined(separator: ", ") }
}

extension ClosedRange<Duration> {
  fileprivate func random(by generator: inout SplitMix64) -> Duration {
    let span = Double((upperBound - lowerBound) / .milliseconds(1))
    return lowerBound + .milliseconds(Int(Double.random(in: 0...Swift.max(span, 0.001), using: &generator)))
  }
}

extension ServerResponse {
  init(_ example: ResponseExample, body: [UInt8]? = nil) {
    // Items are JSON, whether the document says so or not.
    let media = example.type ?? (body?.isEmpty == false ? "application/json" : nil)
    let type = media.map { [(name: "Content-Type", value: $0)] } ?? []
    self.init(
      status: example.status, headers: type + example.headers.map { (name: $0.name, value: $0.value) },
      body: .bytes(body ?? example.body))
  }

  /// A rejected request, with every reason.
  fileprivate static func violations(_ violations: [ContractViolation]) -> ServerResponse {
    let errors = violations.map { violation in
      Value.mapping(
        Mapping([
          ("message", .text(violation.message)), ("expected", .text(violation.expected)),
          ("actual", .text(violation.actual)),
        ]))
    }
    return .problem(400, "the request breaks the contract: \(violations[0].sentence)", [("errors", .list(errors))])
  }
}
