import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Values

extension SpecForm {
  /// An OpenAPI document (3.1) of the operations that the specs exercise.
  package static let openapi = SpecForm(supports: { _ in true }) { files, words in
    var document = OpenAPIDocument(words)
    var export = SpecExport()
    for file in files {
      for request in file.requests {
        if let reason = document.add(request, of: file) {
          export.remarks.leaveOut(request, reason)
        } else {
          export.requests += 1
        }
      }
    }
    let title = files.count == 1 ? files[0].title ?? files[0].heading : "API"
    export.files.append(("openapi.json", document.finished(title: title).document))
    return export
  }
}

/// An OpenAPI document that grows with requests.
private struct OpenAPIDocument {
  private let words: ExportWords
  private var calls: [OpenAPICall] = []
  /// The URLs that responses gave, by the names of their captures.
  private var links: [String: String] = [:]

  init(_ words: ExportWords) { self.words = words }

  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

  /// Adds a request; nil, or the reason why it is left out.
  mutating func add(_ request: ExportedRequest, of file: ExportedFile) -> String? {
    let resolved = request.request
    let method = resolved.method.rawValue.lowercased()
    guard OpenAPIDocument.methods.contains(method), resolved.method.rawValue == method.uppercased() else {
      return "OpenAPI has no such method"
    }
    if request.checks.expectsFailure { return "there is no response to describe" }
    guard let call = OpenAPICall(request, of: file, method, links, words) else {
      return "its URL is known only by a run"
    }
    for capture in request.checks.captures {
      guard case .subject(.header(let header), _) = capture.source, header.lowercased() == "location" else { continue }
      // The new member of a collection.
      if method == "post", !request.checks.expectsRedirect { links[capture.name] = call.address + "/{id}" }
    }
    calls.append(call)
    return nil
  }

  func finished(title: String) -> Value {
    let servers = Dictionary(grouping: calls, by: \.origin)
    let main = servers.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? ""
    let bases = Set(calls.filter { $0.origin == main }.map(\.basePath))
    // Paths are below the base of all, or below the origin.
    let base = bases.count == 1 ? bases.first ?? "" : ""
    var paths: [(path: String, methods: [(String, [OpenAPICall])], server: String?)] = []
    var places: [String: Int] = [:]
    let own = calls.map { $0.path(below: $0.origin == main ? base : "") }
    let templates = OpenAPITemplates(own)
    for (call, path) in zip(calls, own) {
      let path = templates.known(path)
      let server = call.origin == main ? nil : call.origin
      let key = "\(server ?? "") \(OpenAPICall.unnamed(path))"
      let place = places[key] ?? paths.count
      places[key] = place
      if place == paths.count { paths.append((path, [], server)) }
      if let index = paths[place].methods.firstIndex(where: { $0.0 == call.method }) {
        paths[place].methods[index].1.append(call)
      } else {
        paths[place].methods.append((call.method, [call]))
      }
    }
    var identifiers = UniqueNames()
    // A path has one item only.
    var seen: Set<String> = []
    let items = paths.filter { seen.insert($0.path).inserted }.map { path, methods, server -> (String, Value) in
      var members: [(String, Value)] = []
      if let server { members.append(("servers", .list([jsonObject(["url": .text(server)])]))) }
      for (method, calls) in methods {
        members.append((method, OpenAPIOperation(calls, at: path, words).value(&identifiers)))
      }
      return (path, .mapping(Mapping(members)))
    }
    let schemes = Set(calls.compactMap(\.security)).sorted { $0.name < $1.name }
    return jsonObject([
      "openapi": .text("3.1.0"), "info": jsonObject(["title": .text(title), "version": .text("1.0.0")]),
      "servers": main.isEmpty ? nil : .list([jsonObject(["url": .text(main + base)])]),
      "paths": .mapping(Mapping(items)),
      "components": schemes.isEmpty
        ? nil
        : jsonObject(["securitySchemes": .mapping(Mapping(schemes.map { ($0.name, $0.value) }))]),
    ])
  }
}

/// The way in which an operation is protected.
struct OpenAPIProtection: Hashable {
  let name: String
  private let type: String
  private let detail: String

  /// Nil for a request without credentials.
  init?(_ request: ExportedRequest) {
    switch request.request.credentials {
    case .bearer: (name, type, detail) = ("bearer", "http", "bearer")
    case .password(.basic, _, _): (name, type, detail) = ("basic", "http", "basic")
    case .password(.digest, _, _): (name, type, detail) = ("digest", "http", "digest")
    case .password(.ntlm, _, _): (name, type, detail) = ("ntlm", "http", "ntlm")
    case .negotiate: (name, type, detail) = ("negotiate", "http", "negotiate")
    case .awsSigV4: (name, type, detail) = ("aws_sigv4", "http", "aws4-hmac-sha256")
    case .netrc, .oauth2, nil:
      guard let header = request.headers.first(where: { $0.name.lowercased() == "x-api-key" }) else { return nil }
      (name, type, detail) = ("api_key", "apiKey", header.name)
    }
  }

  var value: Value {
    type == "http"
      ? jsonObject(["type": .text(type), "scheme": .text(detail)])
      : jsonObject(["type": .text(type), "in": .text("header"), "name": .text(detail)])
  }
}
