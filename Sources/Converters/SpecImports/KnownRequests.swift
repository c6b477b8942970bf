import RequestSpecs
import Values
import YAMLNodes

/// The requests that specs have already, by their methods and paths.
package struct KnownRequests {
  private var keys: Set<String> = []
  /// The paths of all files that exist.
  private var files: Set<String> = []

  package init() {}

  /// Indicates whether there are no specs.
  package var isEmpty: Bool { files.isEmpty }

  /// - Parameter bytes: nil for other files than specs.
  package mutating func add(_ path: String, _ bytes: [UInt8]?) {
    files.insert(path)
    guard let bytes else { return }
    var bag = DiagnosticBag()
    if let root = YAMLReader.read(bytes: bytes, name: path, into: &bag).root { add(root) }
  }

  /// Nodes nest as deep as YAML may.
  private mutating func add(_ node: YAMLNode) {
    if let url = node["url"]?.scalar?.text {
      let hasBody = ["body", "form", "graphql", "json", "multipart"].contains { node[$0] != nil }
      keys.insert(Self.key(node["method"]?.scalar?.text ?? (hasBody ? "POST" : "GET"), Self.segments(url)))
    }
    for key in ["setup", "requests", "teardown", "flows", "during"] {
      for item in node[key]?.items ?? [] { add(item) }
    }
  }

  // MARK: what is new

  /// Removes requests that are known, but for those that others get values from, and safe ones that are repeated.
  ///
  /// - Returns: what was known.
  package func complete(_ collection: inout ImportedCollection) -> [String] {
    var known: [String] = []
    var sent: Set<String> = []
    for index in collection.files.indices {
      let requests = Self.withoutRepetitions(collection.files[index].requests)
      var kept: [ImportedRequest] = []
      var needed: Set<String> = []
      var hasNew = false
      for request in requests.reversed() {
        let isKnown = contains(request)
        let isNeeded = request.isSetup ? hasNew : request.captures.contains { needed.contains($0.key) }
        if isKnown, !request.isSetup { known.append("\(request.usualMethod) \(Self.path(request))") }
        guard isNeeded || !isKnown && !request.isSetup else { continue }
        hasNew = hasNew || !request.isSetup && !isKnown
        kept.append(request)
        needed.formUnion(request.readVariables)
        sent.formUnion(request.sentFiles)
      }
      collection.files[index].requests = kept.reversed()
    }
    collection.files.removeAll { $0.requests.isEmpty }
    collection.attachments.removeAll { files.contains($0.path) || !sent.contains($0.path) }
    collection.takenPaths = files
    return known.reversed()
  }

  private func contains(_ request: ImportedRequest) -> Bool {
    let segments = Self.segments(
      request.url.parts.map { part in if case .text(let text) = part { text } else { Self.open } }.joined())
    // An identifier that no response has given is one that a template may have.
    let open = segments.map { HARNames.isIdentifying($0) ? Self.open : $0 }
    return [segments, open].contains { keys.contains(Self.key(request.usualMethod, $0)) }
  }

  /// The requests without safe ones that were sent before in the same way, with nothing written in between.
  private static func withoutRepetitions(_ requests: [ImportedRequest]) -> [ImportedRequest] {
    var seen: Set<String> = []
    return requests.filter { request in
      guard ["GET", "HEAD"].contains(request.usualMethod), request.captures.isEmpty, !request.isSetup else {
        if !request.isSetup { seen = [] }
        return true
      }
      var status = ""
      if case .node(let node)? = request.expect.first(where: { $0.key == "status" })?.value {
        status = node.scalar?.text ?? ""
      }
      let headers = request.headers.map { "\($0.name.source): \($0.value?.source ?? "")" }.joined(separator: "\n")
      return seen.insert("\(request.usualMethod) \(request.url.source) \(status)\n\(headers)").inserted
    }
  }

  // MARK: keys

  /// The mark in place of a template.
  private static let open = "\0"

  private static func key(_ method: String, _ segments: [String]) -> String {
    "\(method.uppercased()) /\(segments.joined(separator: "/"))"
  }

  private static func path(_ request: ImportedRequest) -> String {
    let url = request.url.source.prefix { $0 != "?" }
    return url.firstRange(of: "://").map { String(url[$0.upperBound...].drop { $0 != "/" }) } ?? String(url)
  }

  /// The segments of a URL's path; one with a template is open.
  private static func segments(_ url: String) -> [String] {
    var text = url.replacing(template, with: open)[...]
    if let scheme = text.firstRange(of: "://") {
      text = text[scheme.upperBound...].drop { $0 != "/" }
    } else if text.hasPrefix(open) {
      text = text.drop { $0 != "/" }
    }
    return text.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
      .map { $0.contains(open) || $0.contains("{") ? open : String($0) }
  }
}

extension ImportedRequest {
  fileprivate var usualMethod: String { method?.literal ?? (body == nil ? "GET" : "POST") }

  /// The paths of the files that it sends.
  fileprivate var sentFiles: [String] {
    switch body {
    case .file(let path)?: [path.literal].compactMap(\.self)
    case .multipart(let parts)?:
      parts.compactMap { if case .file(let path) = $0.content { path.literal } else { nil } }
    default: []
    }
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let template = /\$\{\{.*?\}\}/
