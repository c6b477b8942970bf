import HTTPSemantics
import RequestSpecs
import Templates
import Values

extension RequestResolver {
  func resolvedHeaders() throws(TemplateError) -> [(name: Text, value: Text)] {
    var result = try texts(request.settings.headers, what: "header")
    addBuiltIn("User-Agent", defaults.userAgent, to: &result)
    let readsEvents = request.settings.stream?.format == .sse
    addBuiltIn("Accept", readsEvents ? "text/event-stream" : "*/*", to: &result)
    if readsEvents { addBuiltIn("Cache-Control", "no-cache", to: &result) }
    return result
  }

  /// Adds a default header unless the file has it, even as `null`.
  func addBuiltIn(_ name: String, _ value: String, to headers: inout [(name: Text, value: Text)]) {
    if headers.contains(where: { equalsIgnoringCase($0.name.string, name) }) { return }
    if request.settings.headers.entries.contains(where: { $0.value == nil && equalsIgnoringCase($0.key.text, name) }) {
      return
    }
    headers.append((Text(name), Text(value)))
  }

  /// Names and scalar values; a list means several with one name.
  func texts(
    _ keyed: KeyedSettings<ValueTemplate>, what: String
  ) throws(TemplateError) -> [(name: Text, value: Text)] {
    var result: [(name: Text, value: Text)] = []
    for member in try keyed.whole?.resolve(in: scope).members ?? [] {
      try append(member.key, member.value, what, keyed.whole?.range, &result)
    }
    let names = try keyed.entries.map { entry throws(TemplateError) in try entry.key.resolve(in: scope) }
    // A literal wins over a template's member of that name, or removes it.
    if keyed.whole != nil {
      func key(_ name: Text) -> String { what == "header" ? name.string.lowercased() : name.string }
      let own = Set(names.map(key))
      result.removeAll { own.contains(key($0.name)) }
    }
    for (entry, name) in zip(keyed.entries, names) {
      guard let value = entry.value else { continue }
      if case .template(let template) = value.content, !template.isWhole, name.string.utf8.count == 13,
        equalsIgnoringCase(name.string, "Authorization")
      {
        result.append((name, try template.evaluateText(in: scope, as: "`Authorization`", onlyScalars: true)))
        continue
      }
      try append(name, try value.resolve(in: scope), what, value.range, &result)
      if value.literal == nil, what == "header", name.string.utf8.first == UInt8(ascii: "I") {
        noteEntityTag(result, value)
      }
    }
    return result
  }

  /// Notes an entity tag with two quotes at each end: a captured one has its own.
  private func noteEntityTag(_ headers: [(name: Text, value: Text)], _ written: ValueTemplate) {
    guard let (name, value) = headers.last, ["If-Match", "If-None-Match"].contains(name.string),
      value.string.hasPrefix("\"\""), value.string.hasSuffix("\"\""), value.string.utf8.count > 4
    else { return }
    scope.note(
      Doubt(
        "an entity tag has one quote at each end",
        expected: value.dropping(first: 1).prefix(utf8: value.string.utf8.count - 2),
        actual: value, hint: "leave out the quotes around the template: a captured tag has its own"),
      of: "header \(name.string)", at: written.range)
  }

  func append(
    _ name: Text, _ value: Value, _ what: String, _ range: SourceRange?, _ result: inout [(name: Text, value: Text)]
  ) throws(TemplateError) {
    let items: [Value] = if case .list(let items) = value { items } else { [value] }
    for item in items {
      switch item {
      case .text, .number, .bool, .date, .data: result.append((name, item.asText))
      case .null, .list, .mapping:
        throw TemplateError("the \(what) `\(name.masked)` is \(item.kind.phrase): its value is text", at: range)
      }
    }
  }

  // MARK: bodies

  package func encoded(
    _ keyed: KeyedSettings<ValueTemplate>, _ encoding: EncodingOptions
  ) throws(TemplateError) -> Text {
    guard !keyed.isEmpty else { return Text("") }
    return URLEncodedFormEncoder(options: encoding).encode(try keyed.resolve(in: scope))
  }

  /// Encodes `parameters` into the query or the body, by `encoding` and the method.
  func apply(
    parameters encoding: EncodingOptions, method: HTTPMethod, _ url: inout Text, _ body: inout ResolvedBody,
    _ contentType: inout String?
  ) throws(TemplateError) {
    guard request.settings.parameters.isGiven || !request.settings.parameters.isEmpty else { return }
    let range = request.settings.parameters.whole?.range ?? request.settings.parameters.entries.first?.key.range
    let parts: EncodedParameters
    let mapping = try request.settings.parameters.resolve(in: scope)
    do throws(ParameterEncodingError) {
      parts = try encode(parameters: mapping, method: method.rawValue, options: encoding)
    } catch {
      throw TemplateError(error.message, at: range)
    }
    if let query = parts.query, !query.isEmpty { url = appendingQuery(query, to: url) }
    if let text = parts.body {
      if case .none = body {
        body = .text(text)
        contentType = parts.contentType
      } else {
        throw TemplateError(
          "`parameters` go into the body of a \(method.rawValue) request, and there is another body", at: range,
          help: "write `query`, or `encoding: {destination: query}`")
      }
    }
  }
}
