import ReqrunKit
import RequestSpecs
import Templates
import Values

extension LanguageServer {
  /// The commands that stand above requests.
  mutating func lenses(_ document: OpenDocument) async -> JSONValue {
    guard let file = await reading(of: document).file(document.path), !file.allRequests.isEmpty else {
      return .array([])
    }
    func lens(_ title: String, _ command: EditorCommand, _ line: Int, _ more: [String: JSONValue] = [:]) -> JSONValue {
      var target: [String: JSONValue] = ["uri": .string(document.uri)]
      if command != .runFile { target["line"] = number(line) }
      let place: JSONValue = ["line": number(line), "character": 0]
      return [
        "range": ["start": place, "end": place],
        "command": [
          "title": .string(title), "command": .string(command.rawValue),
          "arguments": [.object(target.merging(more) { $1 })],
        ],
      ]
    }
    let first = file.allRequests.first?.range.start.line
    let lenses = file.allRequests.flatMap { request -> [JSONValue] in
      let line = request.range.start.line - 1
      return [lens("run", .run, line)]
        + (request.range.start.line == first ? [] : [lens("run up to here", .run, line, ["upTo": true])])
        + (request.use == nil ? [lens("send", .send, line), lens("copy as curl", .curl, line)] : [])
        + (results[document.uri]?.requests[line + 1] == nil ? [] : [lens("open response", .response, line)])
    }
    return .array((file.allRequests.count > 1 ? [lens("run file", .runFile, 0)] : []) + lenses)
  }

  /// The flows and requests of a file for a test explorer; null if it isn't a spec.
  func tests(_ params: JSONValue) async -> JSONValue {
    guard let path = params["uri"]?.stringValue.flatMap(path(ofURI:)), let file = await read([.path(path)]).file(path)
    else { return .null }
    func test(_ request: RequestSpec, in flow: FlowSpec? = nil) -> JSONValue {
      var test: [String: JSONValue] = [
        "name": .string(request.title), "line": number(request.range.start.line - 1),
      ]
      if let flow, !flow.isWholeFile { test["flow"] = .string(flow.staticName) }
      return .object(test)
    }
    let flows = file.flows.filter { !$0.isWholeFile }.map { flow -> JSONValue in
      ["name": .string(flow.staticName), "line": number(flow.range.start.line - 1)]
    }
    let requests =
      (file.setup + file.requests).map { test($0) }
      + file.flows.flatMap { flow in flow.allRequests.map { test($0, in: flow) } } + file.teardown.map { test($0) }
    let fileName = path.split(separator: "/").last.map(String.init) ?? path
    return ["file": .string(file.name ?? fileName), "flows": .array(flows), "requests": .array(requests)]
  }

  /// The environments that the project of a file has, and the one that runs take.
  func environments(_ params: JSONValue) async -> JSONValue {
    let path = params["uri"]?.stringValue.flatMap(path(ofURI:)) ?? folders.first
    let inspection = await read(path.map { [.path($0)] } ?? []).inspection
    let chosen = inspection.specs.lazy.compactMap { $0.environments?.chosen?.value }.first ?? options.environment
    return [
      "environments": .array(inspection.environmentNames.map { .string($0) }),
      "current": chosen.map { .string($0) } ?? .null,
    ]
  }

  /// The status and the duration of each request in the last run, and URLs with the values of variables.
  mutating func inlayHints(_ document: OpenDocument, _ params: JSONValue) async -> JSONValue {
    let reading = await reading(of: document)
    guard let file = reading.file(document.path) else { return .array([]) }
    let first = params["range"]?["start"]?["line"]?.intValue ?? 0
    let last = params["range"]?["end"]?["line"]?.intValue ?? .max
    let values = Dictionary(
      reading.inspection.variables(ofFileAt: document.path).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    func hint(_ text: String, behind line: Int) -> JSONValue? {
      guard (first...max(first, last)).contains(line) else { return nil }
      return [
        "position": document.text.position(document.text.lineBytes(line).upperBound, encoding),
        "label": .string(text), "paddingLeft": true,
      ]
    }
    let uses = Dictionary(
      grouping: reading.names.uses.map(\.reference).filter { $0.range.source === file.source },
      by: \.range.line)
    return .array(
      file.allRequests.flatMap { request -> [JSONValue] in
        let line = request.range.line - 1
        let result = results[document.uri]?.requests[line + 1].flatMap { hint($0.inEditor, behind: line) }
        let url = request.settings.url.value?.range
        let address = url.flatMap { url in
          resolved(url, uses[url.line] ?? [], by: values).flatMap { hint($0, behind: url.line - 1) }
        }
        return [result, address].compactMap(\.self)
      })
  }

  /// A URL with the values of the variables that it reads; nil if it reads none, or one without a known value.
  ///
  /// - Parameter uses: the names that its line reads.
  private func resolved(_ range: SourceRange, _ uses: [TemplateReference], by values: [String: String]) -> String? {
    let uses = uses.filter { range.bytes.contains($0.range.bytes.lowerBound) }
    guard !uses.isEmpty else { return nil }
    var text = range.source.text(in: range.bytes)
    for use in Set(uses.map(\.name)) {
      guard let value = values[use], !value.hasPrefix("("), !value.contains("\\") else { return nil }
      for template in ["${{ \(use) }}", "${{\(use)}}"] {
        text = text.replacing(template, with: value.trimming { $0 == "\"" })
      }
    }
    return text.contains("${{") ? nil : "→ " + text.trimming { $0 == "\"" || $0 == "'" }
  }
}

extension RequestResult {
  /// Status and duration.
  fileprivate var inEditor: String {
    let milliseconds = Int(duration / .milliseconds(1))
    let sign = isFailure ? "✗" : "✓"
    return "\(sign) \(status.map { "\($0), " } ?? "")\(milliseconds) ms"
  }
}
