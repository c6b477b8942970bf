import HTTPSemantics
import SpecExecution
import RequestSpecs
import Values

/// A request as a call of an operation.
struct OpenAPICall {
  let request: ExportedRequest
  let method: String
  let tag: String?
  /// The scheme and the host of the server.
  let origin: String
  /// The path of the base URL, without a slash at its end.
  let basePath: String
  /// The segments of the path, in which `{name}` stands for a value.
  private let segments: [String]
  let security: OpenAPISecurity?

  /// Nil for a URL that only a run knows.
  ///
  /// - Parameter links: the URLs that responses gave, by the names of their captures.
  init?(
    _ request: ExportedRequest, of file: ExportedFile, _ method: String, _ links: [String: String],
    _ words: ExportWords
  ) {
    (self.request, self.method) = (request, method)
    tag = file.title
    security = OpenAPISecurity(request)
    var names: Set<String> = []
    /// The text with the values of variables that are parts of its address, and names for all others.
    func shown(_ text: String) -> String {
      words.rendered(text) { value in
        switch value.plain {
        case .variable(let name):
          guard let known = request.variables.first(where: { $0.name == name }) else { return "{\(name)}" }
          let own = known.value.asText.string
          return own.contains("://") ? shown(own) : "{\(exportedName(name))}"
        case .environment(let name), .capture(let name): return "{\(exportedName(name))}"
        case .function(_, let name): return "{\(name ?? "id")}"
        case .placed: return "{value}"
        }
      }
    }
    var url = shown(request.request.outgoing.url.string)
    if case .placed(.capture(let name), .link)? = words.value(of: request.request.outgoing.url.string) {
      guard let known = links[name] else { return nil }
      url = known
    }
    guard let match = url.prefixMatch(of: /https?:\/\/[^\/?#{}]+/) else { return nil }
    origin = String(match.output)
    let path = url[match.range.upperBound...].prefix { $0 != "?" && $0 != "#" }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let written = OpenAPICall.written(request)
    for (offset, own) in zip(parts.indices.reversed(), written.reversed()) where own.contains("{") {
      if !parts[offset].contains("{") { parts[offset] = own }
    }
    for index in parts.indices {
      var name = parts[index]
      // A name stands in a path once.
      parts[index] = parts[index].replacing(/\{([^{}]*)\}/) { match in
        name = exportedName(String(match.output.1))
        let base = name
        var number = 2
        while !names.insert(name).inserted {
          name = "\(base)_\(number)"
          number += 1
        }
        return "{\(name)}"
      }
    }
    segments = parts
    let base = request.base.map(shown) ?? ""
    basePath =
      base.hasPrefix(origin) && url.hasPrefix(base)
      ? String(base.dropFirst(origin.count)).replacing(/\/+$/, with: "") : ""
  }

  /// The segments of the URL as the spec has it, with `{value}` for what differs by row.
  private static func written(_ request: ExportedRequest) -> [String] {
    guard let field = request.step.settings.url.value,
      let text = field.literal?.string ?? field.text(standIn: "{value}")
    else { return [] }
    let path = text.replacing(/^[a-z]+:\/\/[^\/]*/, with: "").prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").map(String.init).map { segment in
      ExportWords.hasWord(segment[...]) ? "" : segment
    }
  }

  /// Its URL without a query.
  var address: String { origin + "/" + segments.joined(separator: "/") }

  /// The path below a base, such as `/users/{id}`.
  func path(below base: String) -> String {
    let own = "/" + segments.joined(separator: "/")
    return !base.isEmpty && own.hasPrefix(base + "/") ? String(own.dropFirst(base.count)) : own
  }

  /// The template among paths that a path with numbers or UUIDs is a case of.
  static func known(_ path: String, among templates: [String]) -> String {
    templates.first { template in
      let (own, other) = (path.split(separator: "/"), template.split(separator: "/"))
      guard template.contains("{"), own.count == other.count, template != path else { return false }
      return zip(own, other).allSatisfy { left, right in
        left == right || right.contains("{") && (left.contains("{") || left.allSatisfy(\.isNumber) || left.count == 36)
      }
    } ?? path
  }

  /// Returns whether paths differ at most by the names of their parameters.
  static func isSame(_ left: String, _ right: String) -> Bool {
    left.replacing(/\{[^{}]*\}/, with: "{}") == right.replacing(/\{[^{}]*\}/, with: "{}")
  }

  /// The parameters of its query, decoded.
  var query: [(name: String, value: String)] {
    (request.request.outgoing.url.query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (percentDecoded(String(parts[0])), parts.count > 1 ? percentDecoded(String(parts[1])) : "")
    }
  }
}
