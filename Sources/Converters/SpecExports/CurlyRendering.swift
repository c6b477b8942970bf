import Values

/// Puts variables in double braces in place of words.
struct CurlyRendering {
  let words: ExportWords
  /// The text of a function between the braces; nil if the tool lacks it.
  let function: @Sendable (ExportFunction) -> String?
  /// A capture that is a JSON value of its own, by its name.
  let json: @Sendable (String) -> String

  /// The encoded value of a variable that a URL can't have as it is, by its name.
  private var encoded: @Sendable (String) -> String? = { _ in nil }

  init(
    words: ExportWords, function: @escaping @Sendable (ExportFunction) -> String?,
    json: @escaping @Sendable (String) -> String = { "\"{{\($0)}}\"" }
  ) {
    (self.words, self.function, self.json) = (words, function, json)
  }

  /// The rendering of a tool that puts values into a URL unencoded.
  func encoding(for request: ExportedRequest) -> CurlyRendering {
    var result = self
    result.encoded = { [variables = request.variables] name in
      guard let text = variables.first(where: { $0.name == name })?.value.asText.string,
        !ExportWords.hasWord(text[...])
      else { return nil }
      let encoded = percentEncoded(Array(text.utf8)[...], also: "!$&'()*+,;=:@/?")
      return encoded == text ? nil : encoded
    }
    return result
  }

  func callAsFunction(_ text: String, escaping escape: (String) -> String = { $0 }) -> String {
    words.rendered(text, escaping: escape) { reference($0) }
  }

  func reference(_ value: ExportedValue) -> String {
    switch value {
    case .variable(let name), .environment(let name), .capture(let name), .function(_, let name?):
      "{{\(exportedName(name))}}"
    case .function(let function, nil): "{{\(self.function(function) ?? "")}}"
    case .placed(.variable(let name), .parameter): encoded(name) ?? reference(.variable(name))
    case .placed(let value, .parameter): reference(value)
    case .placed(.capture(let name), .json): json(exportedName(name))
    case .placed(let value, .json): "\"\(reference(value))\""
    case .placed(let value, .link(let base)): base.map { self($0) + reference(value) } ?? reference(value)
    }
  }

  /// The parameters of a query or a form, decoded; nil if they would be encoded in another way.
  func parameters(_ text: String) -> [(name: String, value: String)]? {
    var result: [(name: String, value: String)] = []
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      let (name, value) = (String(pair[..<equals]), String(pair[pair.index(after: equals)...]))
      let plain = words.rendered(value) { _ in "" }
      guard CurlyRendering.isStrict(name), CurlyRendering.isStrict(plain), !ExportWords.hasWord(name[...]) else {
        return nil
      }
      result.append((percentDecoded(name), percentDecoded(value)))
    }
    return result
  }

  /// Returns whether everything but the unreserved characters is encoded.
  private static func isStrict(_ text: String) -> Bool {
    percentEncoded(Array(percentDecoded(text).utf8)[...], also: "!$&'()*+,;=:@/?") == text
  }
}

/// The captures that the requests so far have given.
struct KnownCaptures {
  private var names: Set<String> = []

  /// The reason why a request can't be sent that reads what no request before it gives; nil if there is none.
  func obstacle(for request: ExportedRequest) -> String? {
    for case .capture(let name) in request.values.map(\.plain) {
      if !names.contains(name), !request.checks.captures.contains(where: { $0.name == name }) {
        return "it needs `\(name)`, which is not exported"
      }
    }
    return nil
  }

  mutating func add(_ name: String) { names.insert(name) }
}
