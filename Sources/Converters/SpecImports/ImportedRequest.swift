/// A request of another tool, in the words of specs.
package struct ImportedRequest: Sendable {
  package struct Header: Sendable, Hashable {
    package var name: ImportedText
    /// Nil removes the header.
    package var value: ImportedText?

    package init(name: ImportedText, value: ImportedText?) {
      self.name = name
      self.value = value
    }
  }

  package enum Body: Sendable, Hashable {
    case text(ImportedText)
    /// A text of JSON; one that isn't valid JSON is sent as it is.
    case json(ImportedText)
    case base64(String)
    case file(ImportedText)
    /// Decoded pairs.
    case form([Pair])
    case multipart([Part])
    /// The variables are a text of JSON.
    case graphql(query: ImportedText, variables: ImportedText?, operation: ImportedText?)
  }

  package struct Pair: Sendable, Hashable {
    package var name: ImportedText
    package var value: ImportedText
  }

  package struct Part: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      case text(ImportedText)
      case file(ImportedText)
    }

    package var name: ImportedText
    package var content: Content
    package var filename: ImportedText?
    package var type: ImportedText?
  }

  package var name: String?
  /// Indicates whether it stands in `setup`, before all others of its file.
  package var isSetup = false
  /// Indicates whether it stands in `teardown`, behind all others of its file.
  package var isTeardown = false
  /// Comments of the source and further explanations, a line each, for the lines above the request.
  package var comments: [String] = []
  /// Nil is the default: POST with a body, else GET.
  package var method: ImportedText?
  /// The URL as it is sent, with its query, percent-encoded.
  package var url: ImportedText
  /// The values of `{name}` in the URL's path, not yet encoded.
  package var path: [Pair] = []
  package var headers: [Header] = []
  package var cookies: [Pair] = []
  package var body: Body?
  package var credentials: ImportedCredentials?
  /// Variables for this request alone.
  package var variables: [ImportedVariable] = []
  /// Other keys of a request with their values.
  package var settings: ImportedSettings = []
  /// The keys of `expect`.
  package var expect: [(key: String, value: ImportedValue)] = []
  /// The items of `expect` that have a condition, `when`.
  var conditionalExpect: [[(key: String, value: ImportedValue)]] = []
  /// The captures, by the names that they have in the source.
  package var captures: [(key: String, value: ImportedValue)] = []
  /// The names among them whose values are certainly texts.
  var textCaptures: Set<String> = []
  /// Indicates whether later requests to the URL of this WebSocket send their messages on the same connection.
  var keepsStreaming = false
  /// The parts of the source that a spec can't say.
  package var untranslated: [Untranslated] = []

  package init(url: ImportedText) {
    self.url = url
  }

  /// The value of a header; nil without it.
  package func header(_ name: String) -> ImportedText? {
    headers.last { $0.name.literal?.lowercased() == name.lowercased() }?.value
  }

  /// Removes a header and returns its value.
  package mutating func takeHeader(_ name: String) -> ImportedText? {
    let value = header(name)
    headers.removeAll { $0.name.literal?.lowercased() == name.lowercased() }
    return value
  }

  /// Finds credentials, and what only specs look at.
  mutating func prepare() {
    openWebSocketOfURL()
    prepareHandshake()
    findCredentials()
    allowOtherTypes()
  }

  /// Leaves the type of the response open where `Accept` names the type of a vendor: other tools don't look at it, and
  /// the type of the response is often a plain one.
  private mutating func allowOtherTypes() {
    guard let accept = header("Accept")?.source, accept.contains("/vnd."), settings[.validate] == nil,
      !expect.contains(where: { $0.key == "status" })
    else { return }
    settings.set(.validate, .mapping([("status", .text("2xx"))]))
  }

  /// The names of the variables that it reads.
  var readVariables: Set<String> {
    var texts = [url] + headers.flatMap { [$0.name, $0.value ?? ImportedText()] }
    texts += (path + cookies).flatMap { [$0.name, $0.value] }
    switch body {
    case .text(let text)?, .json(let text)?, .file(let text)?: texts.append(text)
    case .form(let pairs)?: texts += pairs.flatMap { [$0.name, $0.value] }
    case .multipart(let parts)?:
      for part in parts {
        switch part.content {
        case .text(let text), .file(let text): texts += [part.name, text]
        }
      }
    case .graphql(let query, let variables, let operation)?:
      texts += [query] + [variables, operation].compactMap { $0 }
    case .base64?, nil: break
    }
    for (key, value) in conditionalExpect.flatMap({ $0.first?.value.members ?? [] }) where key == "values" {
      texts += value.members?.map { ImportedText(placeholdersIn: $0.key) { .variable($0) } } ?? []
    }
    let expected = (expect + conditionalExpect.flatMap(\.self)).map(\.value)
    let values = settings.map(\.value) + expected + variables.map(\.value) + (credentials.map { [$0.value] } ?? [])
    return values.reduce(into: texts.reduce(into: []) { $0.formUnion($1.readVariables) }) {
      $0.formUnion($1.readVariables)
    }
  }

  package mutating func remark(_ reason: String, _ source: String) {
    untranslated.remark(reason, source)
  }
}

/// A part of a source that has no form in a spec.
package struct Untranslated: Sendable, Hashable {
  /// The reason, by which a summary counts them: a plural, such as `scripts`.
  package let reason: String
  /// The part as it is written.
  package let source: String
  /// The names of variables that it would set.
  let sets: [String]

  package init(reason: String, source: String, sets: [String] = []) {
    self.reason = reason
    self.source = source
    self.sets = sets
  }
}

extension [Untranslated] {
  /// Adds a part that has no form in a spec.
  mutating func remark(_ reason: String, _ source: String) {
    append(Untranslated(reason: reason, source: source))
  }
}
