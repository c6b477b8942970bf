import HTTPSemantics
import RequestSpecs
import SpecExecution
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
    let segments = path.split(separator: "/").map(String.init)
    // A value at the beginning is a base.
    return text.hasPrefix("{value}") ? Array(segments.dropFirst()) : segments
  }

  /// Its URL without a query.
  var address: String { origin + "/" + segments.joined(separator: "/") }

  /// The path below a base, such as `/users/{id}`.
  func path(below base: String) -> String {
    let own = "/" + segments.joined(separator: "/")
    return !base.isEmpty && own.hasPrefix(base + "/") ? String(own.dropFirst(base.count)) : own
  }

  /// The path without the names of its parameters.
  static func unnamed(_ path: String) -> String {
    path.split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, part in
      index == 0 ? String(part) : "{" + part[(part.firstIndex(of: "}") ?? part.startIndex)...]
    }.joined()
  }

  /// The parameters of its query, decoded.
  var query: [(name: String, value: String)] {
    (request.request.outgoing.url.query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (percentDecoded(String(parts[0])), parts.count > 1 ? percentDecoded(String(parts[1])) : "")
    }
  }
}

/// The paths with parameters, by their numbers of segments.
struct OpenAPITemplates {
  private var templates: [Int: [(path: String, segments: [Substring])]] = [:]

  init(_ paths: [String]) {
    var seen: Set<String> = []
    for path in paths where path.contains("{") && seen.insert(path).inserted {
      let segments = path.split(separator: "/")
      templates[segments.count, default: []].append((path, segments))
    }
  }

  /// The template that a path with numbers or UUIDs is a case of; the path itself if it is none.
  func known(_ path: String) -> String {
    let own = path.split(separator: "/")
    return templates[own.count]?.first { template in
      template.path != path
        && zip(own, template.segments).allSatisfy { left, right in
          left == right
            || right.contains("{") && (left.contains("{") || left.allSatisfy(\.isNumber) || left.count == 36)
        }
    }?.path ?? path
  }
}
