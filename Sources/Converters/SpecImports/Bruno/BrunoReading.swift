import Values

/// A request of Bruno in the words of specs.
struct BrunoReading {
  private let source: BrunoRequest
  /// The number of folders above the spec: files are relative to the collection.
  private let depth: Int
  private var request = ImportedRequest(url: ImportedText())
  private var bodyType: String?

  static func item(_ source: BrunoRequest, depth: Int) -> ImportedItem {
    var reader = BrunoReading(source: source, depth: depth)
    reader.read()
    var scope = ImportedScope(source.scope, assertions: source.assertions)
    reader.request.untranslated += scope.untranslated
    scope.untranslated = []
    return ImportedItem(scope: scope, request: reader.request, bodyType: reader.bodyType)
  }

  private mutating func read() {
    request.url = url
    request.method = ImportedText(bruno: source.method)
    let docs = source.scope.docs.trimmed
    if !docs.isEmpty { request.settings.set(.description, .text(docs)) }
    if !source.tags.isEmpty { request.settings.set(.tags, .list(source.tags.map { .text($0) })) }
    for pair in source.path where pair.isEnabled && request.url.source.contains("{\(pair.name)}") {
      // A value that is still to be filled in is a variable.
      let value = pair.value.isEmpty ? ImportedText(.variable(pair.name)) : ImportedText(bruno: pair.value)
      request.path.append(.init(name: ImportedText(pair.name), value: value))
    }
    readBody(source.body)
    readSettings(source.settings)
  }

  // MARK: URL

  private var url: ImportedText {
    var text = source.url.trimmed
    if !text.contains("?"), source.query.contains(where: \.isEnabled) {
      text += "?" + source.query.filter(\.isEnabled).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
    let names = Set(source.path.filter { $0.isEnabled && !$0.name.isEmpty }.map(\.name))
    let (address, query) = ImportedText(bruno: text).mapText(encodedAsInPostman).halves(at: "?")
    var url = address.mapText { Self.path($0, names) }
    if let query { url = url + "?" + query }
    if case .text(let start)? = url.parts.first, !start.contains("://"), !start.hasPrefix("/") {
      url = ImportedText("http://") + url
    }
    return url
  }

  /// A path with `{name}` for `:name`.
  private static func path(_ text: String, _ names: Set<String>) -> String {
    text.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.first == ":" && names.contains(String(segment.dropFirst())) ? "{\(segment.dropFirst())}" : String(segment)
    }.joined(separator: "/")
  }

  // MARK: body

  private mutating func readBody(_ body: BrunoBody) {
    let pairs = body.pairs.filter(\.isEnabled)
    let text = ImportedText(bruno: body.text)
    switch body.mode {
    case "json":
      let plain = ImportedText(bruno: withoutComments(body.text))
      if !body.text.trimmed.isEmpty { request.body = .json(plain.json == nil ? text : plain) }
    case "text", "xml", "sparql":
      request.body = .text(text)
      bodyType = ["text": "text/plain", "xml": "application/xml"][body.mode] ?? "application/sparql-query"
    case "graphql":
      let variables = ImportedText(bruno: withoutComments(body.variables)).trimmed
      request.body = .graphql(query: text.trimmed, variables: variables.isEmpty ? nil : variables, operation: nil)
    case "form-urlencoded":
      request.body = .form(
        pairs.map { .init(name: ImportedText(bruno: $0.name), value: ImportedText(bruno: $0.value)) })
    case "multipart-form":
      var parts: [ImportedRequest.Part] = []
      for pair in pairs {
        let name = ImportedText(bruno: pair.name)
        let type = pair.contentType.map { ImportedText(bruno: $0) }
        for value in pair.isFile ? pair.value.split(separator: "|").map(String.init) : [pair.value] {
          let content = pair.isFile ? .file(file(value)) : ImportedRequest.Part.Content.text(ImportedText(bruno: value))
          parts.append(ImportedRequest.Part(name: name, content: content, type: type))
        }
      }
      request.body = .multipart(parts)
    case "file":
      guard let pair = pairs.first else { return }
      request.body = .file(file(pair.value))
      if let type = pair.contentType, !type.isEmpty { bodyType = type }
    case "", "none": break
    default: request.remark("kinds of bodies", "body: \(body.mode)")
    }
  }

  private mutating func file(_ path: String) -> ImportedText {
    if path.hasPrefix("\\") || path.contains(":\\") { return ImportedText(bruno: request.localFile(path)) }
    let isAbsolute = path.hasPrefix("/") || path.hasPrefix("{{")
    return ImportedText(isAbsolute ? "" : String(repeating: "../", count: depth)) + ImportedText(bruno: path)
  }

  // MARK: settings

  private mutating func readSettings(_ settings: [String: String]) {
    if settings["followRedirects"] == "false" {
      request.settings.set(.redirects, .text("none"))
    } else if let count = settings["maxRedirects"].flatMap({ Int($0) }), count != 5 {
      request.settings.set(.redirects, count == 0 ? .text("none") : .mapping([("max", .integer(min(count, 1000)))]))
    }
    if let time = settings["timeout"].flatMap({ Int($0) }), time > 0 {
      request.settings.set(.timeout, .text(time.isMultiple(of: 1000) ? "\(time / 1000)s" : "\(time)ms"))
    }
  }
}

/// JSON without comments, which Bruno allows.
private func withoutComments(_ text: String) -> String {
  guard text.contains("//") || text.contains("/*") else { return text }
  return text.replacing(textOrComment) { match in
    match.output.hasPrefix("\"") ? match.output : ""
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let textOrComment = /"(?:[^"\\]++|\\.)*+"?|\/\/[^\n]*+|\/\*(?s:.*?)(?:\*\/|$)/
