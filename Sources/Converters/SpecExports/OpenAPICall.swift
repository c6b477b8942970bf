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
  let security: OpenAPIProtection?

  /// Nil for a URL that only a run knows.
  ///
  /// - Parameter links: the URLs that responses gave, by the names of their captures.
  init?(
    _ request: ExportedRequest, of file: ExportedFile, _ method: String, _ links: [String: String],
    _ words: ExportWords
  ) {
    (self.request, self.method) = (request, method)
    tag = file.title
    security = OpenAPIProtection(request)
    var names = UniqueNames()
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
    guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else { return nil }
    let host = url.dropFirst(scheme.count).prefix { !"/?#{}".contains($0) }
    if host.isEmpty { return nil }
    origin = scheme + host
    let path = url[host.endIndex...].prefix { $0 != "?" && $0 != "#" }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let written = OpenAPICall.written(request)
    for (offset, own) in zip(parts.indices.reversed(), written.reversed()) where own.contains("{") {
      if !parts[offset].contains("{") { parts[offset] = own }
    }
    // A name stands in a path once.
    for index in parts.indices where parts[index].contains("{") {
      let pieces = parts[index].split(separator: "{", omittingEmptySubsequences: false)
      parts[index] =
        pieces[0]
        + pieces.dropFirst().map { piece in
          guard let end = piece.firstIndex(of: "}") else { return "{\(piece)" }
          return "{\(names.name(exportedName(String(piece[..<end]))))\(piece[end...])"
        }.joined()
    }
    segments = parts
    let base = request.base.map(shown) ?? ""
    basePath =
      base.hasPrefix(origin) && url.hasPrefix(base)
      ? String(base.dropFirst(origin.count).reversed().drop { $0 == "/" }.reversed()) : ""
  }

  /// The segments of the URL as the spec has it, with `{value}` for what differs by row.
  private static func written(_ request: ExportedRequest) -> [String] {
    guard let field = request.step.settings.url.value,
      let text = field.literal?.string ?? field.text(standIn: "{value}")
    else { return [] }
    var path = text[...]
    if let end = text.firstRange(of: "://"), text[..<end.lowerBound].allSatisfy(\.isLetter) {
      path = text[end.upperBound...].drop { $0 != "/" }
    }
    let segments = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map(String.init)
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

/// The paths with parameters.
struct OpenAPITemplates {
  /// The first path of each form, by the places of parameters in it, and by the segments with nothing at these places.
  private var templates: [[Bool]: [[Substring]: (number: Int, path: String)]] = [:]

  init(_ paths: [String]) {
    for (number, path) in paths.enumerated() where path.contains("{") {
      let segments = path.split(separator: "/")
      let form = segments.map { $0.contains("{") }
      let key = OpenAPITemplates.key(segments, form)
      if templates[form]?[key] == nil { templates[form, default: [:]][key] = (number, path) }
    }
  }

  private static func key(_ segments: [Substring], _ form: [Bool]) -> [Substring] {
    zip(segments, form).map { $1 ? "" : $0 }
  }

  /// The template that a path with numbers or UUIDs is a case of; the path itself if it is none.
  func known(_ path: String) -> String {
    let segments = path.split(separator: "/")
    let mayVary = segments.map { $0.contains("{") || $0.allSatisfy(\.isNumber) || $0.count == 36 }
    let found = templates.compactMap { form, templates in
      form.count == segments.count && zip(form, mayVary).allSatisfy({ !$0 || $1 })
        ? templates[OpenAPITemplates.key(segments, form)] : nil
    }
    return found.min { $0.number < $1.number }?.path ?? path
  }
}
