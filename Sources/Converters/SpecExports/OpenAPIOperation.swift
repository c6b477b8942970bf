import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Values

/// An operation, from the requests that call it.
struct OpenAPIOperation {
  private let calls: [OpenAPICall]
  private let path: String
  private let words: ExportWords

  init(_ calls: [OpenAPICall], at path: String, _ words: ExportWords) {
    (self.calls, self.path, self.words) = (calls, path, words)
  }

  /// - Parameter identifiers: the identifiers of operations so far.
  func value(_ identifiers: inout UniqueNames) -> Value {
    let first = calls[0].request
    let identifier = identifiers.name(OpenAPIOperation.identifier(first.label), "")
    let tags = calls.compactMap(\.tag).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let parameters = pathParameters + queryParameters + headerParameters + cookieParameters
    return jsonObject([
      "operationId": .text(identifier), "summary": .text(first.label),
      "tags": tags.isEmpty ? nil : .list(texts: tags),
      "parameters": parameters.isEmpty ? nil : .list(parameters), "requestBody": body, "responses": responses,
      "security": security,
    ])
  }

  /// `create a user` as `createAUser`.
  private static func identifier(_ label: String) -> String {
    let words = label.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(8).map(String.init)
    let joined = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    return joined.isEmpty ? "operation" : joined
  }

  private var security: Value? {
    let schemes = Set(calls.compactMap(\.security)).sorted { $0.name < $1.name }
    guard !schemes.isEmpty else { return nil }
    var options = schemes.map { Value.mapping(Mapping([($0.name, .list([]))])) }
    // Without credentials, too.
    if calls.contains(where: { $0.security == nil }) { options.append(.mapping(Mapping())) }
    return .list(options)
  }

  // MARK: parameters

  private func parameter(_ name: String, in place: String, required: Bool, _ schema: Value) -> Value {
    jsonObject([
      "name": .text(name), "in": .text(place), "required": required ? .bool(true) : nil, "schema": schema,
    ])
  }

  private var pathParameters: [Value] {
    path.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { piece in
      let name = String(piece.prefix { $0 != "}" })
      return parameter(name, in: "path", required: true, jsonObject(["type": .text("string")]))
    }
  }

  private var queryParameters: [Value] {
    var names: [String] = []
    var values: [String: [[String]]] = [:]
    for call in calls {
      for (name, own) in Dictionary(grouping: call.query, by: \.name) {
        values[name, default: []].append(own.map(\.value))
      }
      for (name, _) in call.query where !names.contains(name) { names.append(name) }
    }
    return names.map { name in
      let all = values[name] ?? []
      var schema = SchemaSketch()
      for value in all.flatMap(\.self) { schema.add(sample: OpenAPIOperation.typed(value)) }
      let isList = all.contains { $0.count > 1 }
      let own = schema.types.count == 1 ? schema.value : jsonObject(["type": .text("string")])
      return parameter(
        name, in: "query", required: all.count == calls.count,
        isList ? jsonObject(["type": .text("array"), "items": own]) : own)
    }
  }

  /// The value that a parameter's text may mean.
  private static func typed(_ text: String) -> Value {
    if text == "true" || text == "false" { return .bool(text == "true") }
    if let number = Int(text), String(number) == text { return .integer(number) }
    return .text(text)
  }

  private static let common: Set<String> = [
    "accept", "content-type", "authorization", "cookie", "user-agent", "x-api-key", "content-length", "host",
    "cache-control", "content-encoding",
  ]

  private var headerParameters: [Value] {
    var names: [String] = []
    for name in calls.flatMap({ $0.request.headers.map(\.name) }) {
      let lower = name.lowercased()
      if !OpenAPIOperation.common.contains(lower), !names.contains(where: { $0.lowercased() == lower }) {
        names.append(name)
      }
    }
    return names.map { parameter($0, in: "header", required: false, jsonObject(["type": .text("string")])) }
  }

  private var cookieParameters: [Value] {
    var names: [String] = []
    for name in calls.flatMap({ $0.request.request.cookies.map(\.name.string) }) where !names.contains(name) {
      names.append(name)
    }
    return names.map { parameter($0, in: "cookie", required: false, jsonObject(["type": .text("string")])) }
  }

  // MARK: the body

  private var body: Value? {
    var types: [(name: String, schema: SchemaSketch)] = []
    var count = 0
    for call in calls {
      let resolved = call.request.request
      let sample: Value?
      switch resolved.body {
      case .none: continue
      case .text(let text): sample = OpenAPIOperation.sample(text.string, resolved)
      case .data, .file: sample = nil
      case .multipart(let parts, _):
        sample = .mapping(Mapping(parts.map { ($0.name.string, Value.text("")) }.uniqueNames))
      }
      count += 1
      let declared = resolved.outgoing.headers.values("Content-Type").last ?? "application/octet-stream"
      let name = String(declared.prefix { $0 != ";" })
      if !types.contains(where: { $0.name == name }) { types.append((name, SchemaSketch())) }
      if let sample, let index = types.firstIndex(where: { $0.name == name }) {
        types[index].schema.add(sample: sample)
      }
    }
    guard !types.isEmpty else { return nil }
    let content = types.map { ($0.name, $0.schema.isEmpty ? jsonObject([:]) : jsonObject(["schema": $0.schema.value])) }
    return jsonObject([
      "required": count == calls.count ? .bool(true) : nil, "content": .mapping(Mapping(content)),
    ])
  }

  /// The value of a body; nil for a text without structure.
  private static func sample(_ text: String, _ resolved: ResolvedRequest) -> Value? {
    let type = resolved.contentType
    if type.contains("json") {
      // A value of its own, whose type isn't known, may be a text.
      let bytes = Array(text.utf8)
      var (quoted, position) = ([UInt8](), 0)
      for word in FoundWord.all(in: bytes) {
        let before = bytes[..<word.range.lowerBound].last { $0 > 0x20 }
        guard let before, ":[,".utf8.contains(before) else { continue }
        quoted += bytes[position..<word.range.lowerBound] + Array("\"\"".utf8)
        position = word.range.upperBound
      }
      return (try? JSONDocument(parsing: quoted + bytes[position...]))?.root.value
    }
    if type.contains("x-www-form-urlencoded") {
      let pairs = text.split(separator: "&").map { pair in
        (percentDecoded(String(pair.prefix { $0 != "=" })), Value.text(""))
      }
      return .mapping(Mapping(pairs.uniqueNames))
    }
    return nil
  }

  // MARK: responses

  private var responses: Value {
    var statuses: [(name: String, calls: [OpenAPICall])] = []
    for call in calls {
      for name in OpenAPIOperation.names(of: call) {
        if let index = statuses.firstIndex(where: { $0.name == name }) {
          statuses[index].calls.append(call)
        } else {
          statuses.append((name, [call]))
        }
      }
    }
    statuses.sort { $0.name < $1.name }
    return .mapping(Mapping(statuses.map { ($0.name, response($0.name, $0.calls)) }))
  }

  /// The statuses that a response may have, as OpenAPI names them.
  private static func names(of call: OpenAPICall) -> [String] {
    let checks = call.request.checks
    guard let status = checks.status else { return ["default"] }
    var names = status.ranges.flatMap { range -> [String] in
      if range.lowerBound % 100 == 0, range.count % 100 == 0 {
        return stride(from: range.lowerBound / 100, to: range.upperBound / 100, by: 1).map { "\($0)XX" }
      }
      return range.count > 10 ? ["default"] : range.map(String.init)
    }
    // The responses before the last one.
    let redirects = call.request.step.settings.redirects
    let isGiven = redirects.max.value != nil || redirects.keepMethod.value != nil || redirects.trustHosts.value != nil
    let follows = call.request.request.outgoing.redirects.mode == .follow
    if follows, isGiven || checks.checks.contains(where: { $0.subject == .redirectCount || $0.subject == .url }) {
      names.append("3XX")
    }
    return names
  }

  private func response(_ status: String, _ calls: [OpenAPICall]) -> Value {
    var schema = SchemaSketch()
    var types: [String] = []
    for call in calls {
      let checks = call.request.checks.checks
      let captured = call.request.checks.captures.compactMap { capture -> ExportedCheck? in
        guard case .subject(.json(let path), _) = capture.source, capture.standard == nil else { return nil }
        return ExportedCheck(subject: .json(path), predicate: .exists(true), label: capture.label)
      }
      schema.add(checks + captured)
      for check in checks where check.subject == .header("Content-Type") {
        if case .startsWith(let type) = check.predicate, !types.contains(type) { types.append(type) }
      }
    }
    var content: Value?
    if !schema.isEmpty, status != "3XX" {
      let accepted = calls[0].request.request.accept ?? "*/*"
      let isPlain = status.hasPrefix("2") && (accepted == "*/*" || accepted == "application/json")
      if types.isEmpty { types = [isPlain ? "application/json" : "*/*"] }
    }
    if !types.isEmpty, calls.count == calls.count(where: { OpenAPIOperation.hasContent($0) }) {
      let body = schema.isEmpty ? jsonObject([:]) : jsonObject(["schema": schema.value(of: calls.count)])
      content = .mapping(Mapping(types.map { ($0, body) }))
    }
    return jsonObject(["description": .text(OpenAPIOperation.description(status)), "content": content])
  }

  /// Returns whether something is expected of a response's body.
  private static func hasContent(_ call: OpenAPICall) -> Bool {
    if call.request.checks.captures.contains(where: { if case .subject(.json, _) = $0.source { true } else { false } })
    {
      return true
    }
    return call.request.checks.checks.contains { check in
      switch check.subject {
      case .json, .header("Content-Type"): true
      default: false
      }
    }
  }

  private static func description(_ status: String) -> String {
    switch status.first {
    case "2": "Success"
    case "3": "A redirect"
    case "4": "An error of the request"
    case "5": "An error of the server"
    default: "Any other response"
    }
  }
}

extension [(String, Value)] {
  /// The first pair of each name.
  fileprivate var uniqueNames: [(String, Value)] {
    var seen: Set<String> = []
    return filter { seen.insert($0.0).inserted }
  }
}
