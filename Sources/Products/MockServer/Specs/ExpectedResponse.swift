import APIContracts
import DocumentQueries
import HTTPSemantics
import LocalServer
import Matching
import RequestSpecs
import SpecExecution
import Templates
import Values

/// The response that meets the expectations of a request, and has what it captures.
struct ExpectedResponse: MockedResponse {
  private var status = 200
  var headers: [(name: String, value: String)] = []
  var json: JSONSketch?
  var body = JSONSketch.open
  /// The words of the values that it gives.
  var given: [Int] = []
  /// The parts that can't be met.
  var missing: [String] = []
  let path: String
  /// The word of the first identifier that the response gives.
  var identifier: Int?
  let words: OpenWords
  /// The flows, rows or files of its requests.
  private var groups: Set<String>
  let scope: FileScope

  /// - Parameters:
  ///   - method: the method of the request.
  ///   - path: the path of the request.
  ///   - group: its flow, its row or its file.
  init(
    _ step: RequestStep, _ method: String, at path: String, of group: String, in scope: FileScope, _ words: OpenWords
  ) {
    self.path = path
    (self.words, self.scope, groups) = (words, scope, [group])
    let settings = step.settings
    if case .rules(let expected, let types)? = settings.validate.value {
      if let set = try? expected?.resolve(in: scope) { status = set.usual }
      if let type = try? types?.first?.resolve(in: scope), !type.string.contains("*") {
        setHeader("Content-Type", .value(.text(type)))
      }
    }
    let expected = settings.expect.assertions.lazy.compactMap { assertion in
      if case .status(let field) = assertion.check { try? field.resolve(in: scope).usual } else { nil }
    }.first
    if let contract = step.contract?.contract { take(contract, method, expected) }
    // What is expected of parts stands in the place of those that a schema lets be made.
    for (assertion, schema) in settings.expect.schemas {
      if let value = example(of: schema) { json = .made(value) } else { missing.append(assertion.label) }
    }
    for assertion in settings.expect.assertions {
      if case .snapshot(let spec) = assertion.check, !take(spec, of: step) { missing.append(assertion.label) }
    }
    for assertion in settings.expect.assertions { take(assertion) }
    for assertion in step.poll?.until?.assertions ?? [] { take(assertion) }
    let captures = settings.capture.entries.compactMap { entry in entry.value.map { (entry.key.text, $0) } }
    // URLs consist of identifiers.
    for (name, capture) in captures.filter({ !$1.isOfHeader }) + captures.filter(\.1.isOfHeader) {
      take(capture, as: name)
    }
  }

  /// Takes what the contract of the file declares for the request.
  private mutating func take(_ contract: APIContract, _ method: String, _ expected: Int?) {
    guard case .operation(let operation, _) = contract.match(method: method, path: path),
      let example = try? contract.responseExample(of: operation, ResponseWish(status: expected))
    else { return }
    status = example.status
    for header in example.headers { setHeader(header.name, .value(.text(Text(header.value)))) }
    if let type = example.type { setHeader("Content-Type", .value(.text(Text(type)))) }
    if let value = example.value {
      json = .made(value)
    } else if !example.body.isEmpty {
      body = .made(.text(Text(String(decoding: example.body, as: UTF8.self))))
    }
  }

  /// Takes the body of a snapshot; false if there is none, or only its hash.
  private mutating func take(_ spec: SnapshotSpec, of step: RequestStep) -> Bool {
    guard let name = try? step.snapshotName(of: spec, in: scope),
      let (kind, content) = try? scope.snapshotFolder(makes: false).content(of: name)
    else { return false }
    switch content {
    case .json(let value): json = .made(value)
    case .text(let text):
      body = .made(.text(Text(text)))
      if kind != .text { setHeader("Content-Type", .value(.text(kind == .html ? "text/html" : "application/xml"))) }
    case .binary: return false
    }
    return true
  }

  // MARK: expectations

  private mutating func take(_ assertion: Assertion) {
    switch assertion.check {
    case .status(let field): if let set = try? field.resolve(in: scope) { status = set.usual }
    case .contentType(let field):
      if let type = try? field.resolve(in: scope), !type.string.contains("*") {
        setHeader("Content-Type", .value(.text(type)))
      }
    case .schema, .snapshot: break
    case .extracted: missing.append(assertion.label)
    case .predicates(let specs):
      for spec in specs {
        guard let predicate = try? spec.resolve(in: scope), take(predicate, of: assertion.subject) else {
          missing.append(assertion.label)
          continue
        }
      }
    }
  }

  /// Takes what a predicate expects of a subject; false if it can't.
  private mutating func take(_ predicate: Predicate, of subject: ResponseSubject) -> Bool {
    switch subject {
    case .json(let path):
      guard var steps = (try? path.resolve(in: scope))?.steps?[...] else { return false }
      if case .flag(false) = predicate.operand { return true }
      var (json, isTaken) = (json ?? .open, true)
      // A predicate for the values that a wildcard finds is one for the list.
      if case .all? = steps.last { steps = steps.dropLast() }
      var predicates = [predicate]
      if case .predicates(let inner) = predicate.operand, predicate.kind !== PredicateKind.count,
        steps.contains(where: { if case .all = $0 { true } else { false } })
      {
        predicates = inner
      }
      json.change(steps) { part in isTaken = predicates.allSatisfy { part.take($0) } }
      self.json = json
      return isTaken
    case .body: return body.take(predicate)
    case .header(let name):
      guard let name = try? name.resolve(in: scope).string else { return false }
      if case .flag(false) = predicate.operand { return true }
      var value = header(name)
      let isTaken = value.take(predicate)
      setHeader(name, value)
      return isTaken
    case .contentType:
      var value = header("Content-Type")
      defer { setHeader("Content-Type", value) }
      return value.take(predicate)
    case .cookie(let name, let attribute):
      guard let name = try? name.resolve(in: scope).string, attribute == .value else { return false }
      var value = JSONSketch.open
      let isTaken = value.take(predicate)
      headers.append(("Set-Cookie", "\(name)=\(value.value.asText.string); Path=/"))
      return isTaken
    case .status:
      var value = JSONSketch.open
      guard value.take(predicate), case .number(let number) = value.value, let code = number.int else { return false }
      status = code
      return true
    // They are met by any response, or by none that is made.
    case .duration, .timing, .redirects, .url, .address, .port, .httpVersion, .cache, .value, .calls: return true
    case .trailer, .link, .events, .csv, .xpath, .bytes, .certificate, .file, .snapshot, .schema: return false
    }
  }

  func header(_ name: String) -> JSONSketch {
    headers.first { equalsIgnoringCase($0.name, name) }.map { .value(.text(Text($0.value))) } ?? .open
  }

  mutating func setHeader(_ name: String, _ sketch: JSONSketch) {
    headers.removeAll { equalsIgnoringCase($0.name, name) }
    // The server sets its own.
    if !["content-length", "date", "transfer-encoding", "connection"].contains(name.lowercased()) {
      headers.append((name, sketch.value.asText.string))
    }
  }

  private func example(of schema: SchemaSpec) -> Value? {
    let bytes: [UInt8]
    switch schema.content {
    case .file(let path): bytes = Array("{\"$ref\": \(Value.text(Text(path.value)).jsonText().string)}".utf8)
    case .inline(let document): bytes = document.json.utf8
    }
    let (access, source) = (scope.fileAccess, schema.range.source.name)
    let main = DocumentBytes(bytes, name: source, location: source)
    let documents = try? DocumentSet(main: main) { (reference, base) throws(ContractReadingProblem) in
      do throws(DecodingProblem) {
        let location = try access.locate(reference, beside: base)
        return DocumentBytes(try access.read(location, beside: ""), name: reference, location: location)
      } catch {
        throw ContractReadingProblem(error.message, help: error.help)
      }
    }
    return documents?.exampleOfMain()
  }

  /// A response that meets the expectations of both; nil if they contradict each other.
  func merged(with other: ExpectedResponse) -> ExpectedResponse? {
    guard status == other.status, let body = body.merged(with: other.body) else { return nil }
    var result = self
    result.body = body
    for (name, value) in other.headers {
      guard let known = headers.first(where: { equalsIgnoringCase($0.name, name) }) else {
        result.headers.append((name, value))
        continue
      }
      if known.value != value, !equalsIgnoringCase(name, "set-cookie") { return nil }
    }
    if let json = other.json {
      guard let both = (self.json ?? .open).merged(with: json) else { return nil }
      result.json = both
    }
    result.given += other.given.filter { !given.contains($0) }
    result.groups.formUnion(other.groups)
    return result
  }

  // MARK: responses

  var madePaths: [String] { [] }

  func belongs(_ bindings: Bindings) -> Bool { !words.groups(of: bindings).isDisjoint(with: groups) }

  func response(to request: ServerRequest, _ bindings: Bindings) -> ServerResponse {
    words.remember(bindings)
    var texts = bindings.texts
    for number in given { texts[number] = words.make(number, in: groups, at: request.baseURL) }
    var response = ServerResponse(status: status, headers: headers.map { ($0.name, words.filled($0.value, texts)) })
    if let json {
      response.body = .bytes(Array(words.filled(json.value, texts).jsonText().string.utf8))
      if response.header("Content-Type") == nil { response.headers.append(("Content-Type", "application/json")) }
    } else if let value = body.knownValue {
      response.body = .bytes(Array(words.filled(value.asText.string, texts).utf8))
      if response.header("Content-Type") == nil {
        response.headers.append(("Content-Type", "text/plain; charset=utf-8"))
      }
    }
    return response
  }
}

extension StatusSet {
  /// The status that a response has if several are expected.
  fileprivate var usual: Int { contains(200) ? 200 : ranges.first?.lowerBound ?? 200 }
}
