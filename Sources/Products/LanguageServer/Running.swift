import JSONRPC
import OperatingSystem
import ReqrunKit
import RequestSpecs
import Synchronization
import Values

/// A command of the server, which lenses name.
enum EditorCommand: String, CaseIterable {
  case run = "reqrun.run"
  case runFile = "reqrun.runFile"
  case curl = "reqrun.curl"
  case response = "reqrun.response"
  /// Runs a request, and responds with the page of its response.
  case send = "reqrun.send"
}

/// A run that the client asked for.
struct EditorRun: Sendable {
  /// The request that has the result as its response.
  let id: JSONValue
  let command: EditorCommand
  /// The line for which the command was called, counted from 1; nil for files.
  var line: Int?
  /// The versions of the open documents, by URI.
  let versions: [String: Int]
}

/// The results of a document's last run.
struct LastResults: Sendable {
  /// The version that ran; nil if the document wasn't open.
  let version: Int?
  /// The requests by line.
  let requests: [Int: RequestResult]
  /// The failures as diagnostics of the protocol.
  var problems: [JSONValue]
  /// The page of the HTML report.
  let page: [UInt8]
}

extension LanguageServer {
  /// Carries out a command; nil if its response follows the end of a run.
  mutating func execute(_ id: JSONValue, _ params: JSONValue) async throws(ResponseError) -> JSONValue? {
    guard let command = params["command"]?.stringValue.flatMap(EditorCommand.init) else {
      throw .invalid("there is no such command")
    }
    guard let target = params["arguments"]?[0], let uri = target["uri"]?.stringValue else {
      throw .invalid("the argument is {uri, line}")
    }
    let line = line(of: target)
    if command == .response || command == .curl, let last = results[uri] {
      let request = last.requests[await firstLine(ofRequestAt: line ?? 1, in: uri)]
      if command == .response { return page(of: request, last).map { ["html": .string($0)] } ?? .null }
      // That of the last run has the values of captures.
      if last.version == documents[uri]?.version, let text = request?.curlCommand { return ["text": .string(text)] }
    }
    if command == .response { return .null }
    try start(id, command, await specs(target), line: line)
    return nil
  }

  /// Runs tests of the client's explorer.
  mutating func runTests(_ id: JSONValue, _ params: JSONValue) async throws(ResponseError) -> JSONValue? {
    guard case .array(let tests)? = params["tests"] else { throw .invalid("`tests` is a list of {uri, line}") }
    var specs: [String] = []
    for test in tests { specs += await self.specs(test) }
    try start(id, .runFile, specs)
    return nil
  }

  /// The line of a target, counted from 1; nil for the whole file.
  private func line(of target: JSONValue) -> Int? { target["line"]?.intValue.map { $0.addingClamped(1) } }

  /// A target as arguments of a run: with `upTo`, all requests up to its line.
  private func specs(_ target: JSONValue) async -> [String] {
    guard let path = target["uri"]?.stringValue.flatMap(path(ofURI:)) else { return [] }
    guard let line = line(of: target) else { return [path] }
    guard target["upTo"]?.boolValue == true, let file = await read([.path(path)]).file(path) else {
      return ["\(path):\(line)"]
    }
    let lines = (file.requests + file.flows.flatMap(\.requests)).map(\.range.start.line)
    return lines.filter { $0 <= line }.map { "\(path):\($0)" }
  }

  private mutating func start(
    _ id: JSONValue, _ command: EditorCommand, _ specs: [String], line: Int? = nil
  ) throws(ResponseError) {
    guard isTrusted else { throw .failed("the workspace is not trusted, so nothing is sent") }
    guard !specs.isEmpty else { throw .failed("only files on disk can run") }
    let run = EditorRun(id: id, command: command, line: line, versions: documents.mapValues(\.version))
    var options = readingOptions
    options.specs = specs.map { .path($0) }
    options.dryRun = command == .curl
    options.collectedDetails = [.bodies, .curlCommands]
    if command != .curl { options.reports = [.custom(ResultNotifier(server: self))] }
    runs[id] = Task { [events, options] in
      let (result, page) = await options.runWithPage()
      events.yield(.ran(run, result, page: page))
    }
  }

  /// Responds with the result of a run, and shows what failed.
  mutating func finish(_ run: EditorRun, _ result: RunResult, page: [UInt8]) async {
    runs[run.id] = nil
    if result.isCancelled || connection.isCancelled(run.id) {
      return connection.respond(run.id, .failure(.cancelled))
    }
    if let problem = result.diagnostics.first(where: { $0.severity == .error }), result.requests.isEmpty {
      return connection.respond(run.id, .failure(.failed(problem.description)))
    }
    if run.command == .curl {
      let request = result.requests.last { $0.line == run.line } ?? result.requests.last
      let text = request?.curlCommand ?? request?.problem?.message
      return connection.respond(run.id, .success(["text": text.map { .string($0) } ?? .null]))
    }
    await show(result.requests, run, page: page)
    let failed = result.failed + result.transportErrors + result.specErrors
    var response: [String: JSONValue] = [
      "ok": .bool(result.isSuccess), "passed": number(result.passed), "failed": number(failed),
      "skipped": number(result.skipped),
    ]
    if let problem = result.diagnostics.first(where: { $0.severity == .error }) {
      response["message"] = .string(problem.description)
    }
    if run.command == .send, let last = result.requests.last {
      let results = results[uriOfOpen(last.path)]
      response["html"] = results.flatMap { self.page(of: last, $0) }.map { .string($0) }
    }
    connection.respond(run.id, .success(.object(response)))
  }

  /// Keeps results, and shows the failures in place of those of the run before.
  private mutating func show(_ requests: [RequestResult], _ run: EditorRun, page: [UInt8]) async {
    var byURI: [String: [RequestResult]] = [:]
    for request in requests {
      byURI[uriOfOpen(request.path), default: []].append(request)
      // Places in files that it uses or extends.
      for place in request.failures.compactMap(\.location) where place.path != request.path {
        byURI[uriOfOpen(place.path), default: []] += []
      }
    }
    let before = results.keys.filter { results[$0]?.problems.isEmpty == false }
    for uri in before { results[uri]?.problems = [] }
    for (uri, own) in byURI {
      results[uri] = LastResults(
        version: run.versions[uri], requests: Dictionary(own.map { ($0.line, $0) }, uniquingKeysWith: { $1 }),
        problems: requests.flatMap { problems(of: $0, in: uri) }, page: page)
    }
    for uri in Set(before).union(byURI.keys) {
      if let document = documents[uri] {
        publish(await reading(of: document), of: document)
      } else {
        publish(results[uri]?.problems ?? [], for: uri)
      }
    }
  }

  func uriOfOpen(_ path: String) -> String {
    documents.values.first { $0.path == path }?.uri ?? uri(ofPath: path)
  }

  /// The failures of a request at places of one file.
  private func problems(of request: RequestResult, in uri: String) -> [JSONValue] {
    var places: [(place: SpecLocation, message: String)] = request.failures.map { failure in
      let place = failure.location ?? SpecLocation(path: request.path, line: request.line)
      return (place, failure.message + (failure.hint.map { "\n\($0)" } ?? ""))
    }
    if let problem = request.problem {
      let place = problem.location ?? SpecLocation(path: request.path, line: request.line)
      places.append((place, problem.message + (problem.fix.map { "\n\($0)" } ?? "")))
    }
    return places.filter { uriOfOpen($0.place.path) == uri }.map { place, message in
      [
        "range": range(of: place, in: uri), "severity": 1, "source": "reqrun run",
        "message": .string("\(request.name): \(message)"),
      ]
    }
  }

  /// A place to the end of its line.
  private func range(of place: SpecLocation, in uri: String) -> JSONValue {
    guard let text = documents[uri]?.text, place.line > 0 else {
      let position: JSONValue = ["line": number(place.line - 1), "character": number(place.column - 1)]
      return ["start": position, "end": position]
    }
    let line = text.lineBytes(min(place.line - 1, text.lineIndex(at: text.utf8.count)))
    let start = text.text(in: line).prefix(place.column - 1).utf8.count
    return text.range(line.lowerBound + start..<line.upperBound, encoding)
  }

  /// The first line of the request around a line, counted from 1.
  private mutating func firstLine(ofRequestAt line: Int, in uri: String) async -> Int {
    guard let document = documents[uri] else { return line }
    let lines = await reading(of: document).file(document.path)?.allRequests.map(\.range.start.line) ?? []
    return lines.last { $0 <= line } ?? line
  }

  /// The page of a request's last response.
  private func page(of request: RequestResult?, _ last: LastResults) -> String? {
    guard let request, !last.page.isEmpty else { return nil }
    return String(decoding: last.page, as: UTF8.self).replacing(
      "<html lang=\"en\">",
      with: "<html lang=\"en\" data-address=\"#q=\(percentEncoded("\"\(request.name)\"", allowed: .unreserved))\">",
      maxReplacements: 1)
  }
}

func number(_ value: Int) -> JSONValue { .number(String(value)) }

extension RunOptions {
  /// Runs the specs, and returns the result with the page of the HTML report, which is empty if there is no place for it.
  fileprivate func runWithPage() async -> (RunResult, [UInt8]) {
    let directory =
      "\(environmentSetting("TMPDIR") ?? "/tmp")/reqrun-\(processIdentifier)-\(UInt64.random(in: 0 ... .max))"
    var options = self
    guard !dryRun, (try? makeDirectory(directory, isPrivate: true)) != nil else {
      return (await Runner(options).run(), [])
    }
    let path = "\(directory)/page.html"
    options.reports.append(.html(path: path))
    let result = await Runner(options).run()
    let page = try? readFile(path, limit: 64 << 20).get()
    removeFile(path)
    removeDirectoryIfEmpty(directory)
    return (result, page ?? [])
  }
}

/// Sends the client the results of requests, flows and used files as soon as they are there.
private final class ResultNotifier: Reporter {
  private let server: LanguageServer
  private let groups = Mutex<[RequestResult.ID: (group: RunEvent.Group, failures: [JSONValue])]>([:])

  init(server: LanguageServer) { self.server = server }

  func receive(_ event: RunEvent) {
    switch event {
    case .requestFinished(let request): notify(request)
    case .groupStarted(let group): groups.withLock { $0[group.id] = (group, []) }
    case .groupFinished(let id, let totals):
      guard let (group, failures) = groups.withLock({ $0.removeValue(forKey: id) }) else { return }
      let isFailed = totals.failed + totals.transportErrors + totals.specErrors > 0
      notify(
        group.path, group.line, group.name,
        isFailed ? "failed" : totals.passed > 0 ? "passed" : "skipped", totals.duration, failures)
    default: break
    }
  }

  private func notify(_ request: RequestResult) {
    let outcome =
      switch request.outcome {
      case .passed: "passed"
      case .skipped, .notSent: "skipped"
      case .failed, .transportError, .specError: "failed"
      }
    let failures: [JSONValue] = request.failures.map { failure in
      [
        "line": number((failure.location?.line ?? request.line) - 1), "message": .string(failure.message),
        "expected": .string(failure.expected), "actual": .string(failure.actual),
      ]
    }
    let problem: [JSONValue] =
      request.problem.map { problem in
        [["line": number((problem.location?.line ?? request.line) - 1), "message": .string(problem.message)]]
      } ?? []
    notify(request.path, request.line, request.name, outcome, request.duration, failures + problem)
    groups.withLock { groups in
      // A file that is used fails where it is used, for the reasons in it.
      guard let parent = request.parent, let group = groups[parent]?.group, group.path != request.path else { return }
      groups[parent]?.failures += (failures + problem).map { failure in
        let message = "\(request.name): \(failure["message"]?.stringValue ?? "")"
        return ["line": number(group.line - 1), "message": .string(message)]
      }
    }
  }

  private func notify(
    _ path: String, _ line: Int, _ name: String, _ outcome: String, _ duration: Duration, _ messages: [JSONValue] = []
  ) {
    server.connection.notify(
      "reqrun/testResult",
      [
        "uri": .string(server.uriOfOpen(path)), "line": number(line - 1), "name": .string(name),
        "outcome": .string(outcome), "duration": number(Int(duration / .milliseconds(1))),
        "messages": .array(messages),
      ])
  }
}
