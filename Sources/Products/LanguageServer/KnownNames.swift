import APIContracts
import DocumentQueries
import JSONSchemas
import OperatingSystem
import ReqrunKit
import RequestSpecs
import Values

nonisolated(unsafe) private let anyTemplate = /\$\{\{.*?\}\}/
nonisolated(unsafe) private let pathParameter = /\{([A-Za-z_][A-Za-z0-9_]*)\}/

/// Completions from what specs, their contracts and the last run know.
struct KnownNames {
  let context: CursorContext
  let document: OpenDocument
  let reading: Reading
  let last: LastResults?
  let offset: Int

  private enum Subject {
    case headers, parameters(String), body, responsePath, address, tag, mediaType, schema
  }

  /// Returns whether there may be something to know at a place, for which the document is read.
  static func concerns(_ context: CursorContext) -> Bool { subject(context) != nil }

  private static func subject(_ context: CursorContext) -> Subject? {
    let keys = context.keys
    if let schema = keys.firstIndex(of: "schema"), keys[..<schema].contains("expect") { return .schema }
    switch (context.kind, keys.last) {
    case (.key, "headers"): return .headers
    case (.key, "query"), (.key, "path"): return keys.last.map { .parameters($0) }
    case (.key, "json"): return keys.contains("expect") ? .responsePath : .body
    case (.value, "url"): return .address
    case (.value, "tags"): return .tag
    case (.value, let key?) where ["content-type", "accept"].contains(key.lowercased()): return .mediaType
    case (.value, _) where keys.dropLast().last == "capture": return .responsePath
    default: return nil
    }
  }

  var items: [CompletionItem] {
    switch KnownNames.subject(context) {
    case .headers: keyItems(knownHeaders.values.sorted().map { ($0, nil) } + parameters(in: "header"))
    case .parameters(let location): keyItems(parameters(in: location))
    case .body: keyItems(operation.map { $0.bodyMembers(of: $1).map { ($0.name, $0.description) } } ?? [])
    case .responsePath where context.kind == .key: keyItems(responsePaths.map { ($0, nil) })
    case .responsePath: responsePaths.map { CompletionItem($0, .value) }
    case .address: addresses
    case .tag: tags.map { CompletionItem($0, .value) }
    case .mediaType: Set(mediaTypes.values).sorted().map { CompletionItem($0, .value) }
    case .schema: schemaItems
    case nil: []
    }
  }

  /// Keywords of JSON Schema, and their values.
  private var schemaItems: [CompletionItem] {
    let steps = context.path.drop { $0 != .key("schema") }.dropFirst()
    let path = (steps.first == .key("inline") ? steps.dropFirst() : steps).map { step -> String? in
      if case .key(let name) = step { name } else { nil }
    }
    if context.kind == .key { return keyItems(SchemaDialect.draft202012.keywords(at: path).map { ($0, nil) }) }
    return (context.keys.last.map(SchemaDialect.words) ?? []).map { CompletionItem($0, .value) }
  }

  private func keyItems(_ names: [(name: String, documentation: String?)]) -> [CompletionItem] {
    names.filter { !context.siblings.contains($0.name) }.map { name, documentation in
      CompletionItem(name, .property, text: name + (context.hasColon ? "" : ": "), documentation: documentation)
    }
  }

  private var tags: [String] {
    let files = reading.inspection.specs.map(\.file)
    let all = files.flatMap { file in
      file.tags + file.flows.flatMap(\.allTags) + file.allRequests.flatMap(\.tags)
    }
    return Set(all).sorted()
  }

  // MARK: the contract

  /// The request around the cursor.
  private var request: RequestSpec? {
    reading.file(document.path)?.allRequests.last { $0.range.bytes.lowerBound <= offset }
  }

  /// The operation that the request calls.
  private var operation: (APIContract, Operation)? {
    guard let settings = request?.settings, let url = settings.url.value?.range.text else { return nil }
    let method = settings.knownMethod?.rawValue ?? ""
    let path = KnownNames.path(ofURL: url)
    for contract in reading.inspection.contracts {
      if case .operation(let operation, _) = contract.match(method: method, path: path) { return (contract, operation) }
    }
    return nil
  }

  private func parameters(in location: String) -> [(String, String?)] {
    operation.map { $0.parameters(of: $1, in: location).map { ($0.name, $0.description) } } ?? []
  }

  /// The path of a URL as written: templates in it are segments.
  static func path(ofURL text: String) -> String {
    let plain = text.replacing(anyTemplate, with: "x").prefix { $0 != "?" && $0 != "#" }
    let rest = plain.trimming { $0 == "\"" || $0 == "'" }
    let start = rest.firstRange(of: "://").map { rest[$0.upperBound...] } ?? rest[...]
    return start.firstIndex(of: "/").map { String(start[$0...]) } ?? "/"
  }

  /// The paths of the contracts, behind what names the server.
  private var addresses: [CompletionItem] {
    let typed = document.text.text(in: context.word.lowerBound..<max(context.word.lowerBound, offset))
    let rest = typed.firstRange(of: "://").map { typed[$0.upperBound...] } ?? typed[...]
    guard let slash = rest.firstIndex(of: "/") else { return [] }
    let server = typed[..<slash]
    return reading.inspection.contracts.flatMap(\.operations).map { operation in
      let path = operation.path.replacing(pathParameter) { "${{ \($0.1) }}" }
      return CompletionItem(
        server + path, .value, detail: operation.label, documentation: operation.node["summary"]?.string)
    }
  }

  // MARK: the last response

  /// The JSONPaths of the members of the request's last response.
  private var responsePaths: [String] {
    guard let line = request?.range.start.line, let body = last?.requests[line]?.response?.body?.bytes(),
      let json = try? JSONDocument(parsing: body)
    else { return [] }
    var paths: [String] = []
    KnownNames.add(json.root.value, at: "$", to: &paths)
    return paths
  }

  /// Adds the members of a value, outer ones first, up to a limit.
  private static func add(_ value: Value, at path: String, to paths: inout [String]) {
    var level = [(path, value)]
    for _ in 0..<8 where !level.isEmpty && paths.count < 300 {
      var next: [(String, Value)] = []
      for (path, value) in level {
        switch value {
        case .mapping(let mapping):
          next += mapping.members.prefix(100).map { (path + nameSegment($0.key.string), $0.value) }
        case .list(let items): next += items.prefix(1).map { ("\(path)[0]", $0) }
        default: break
        }
      }
      paths += next.map(\.0)
      level = next
    }
  }
}
