import Diagnostics
import HTTPMessages
import Matching
import ParameterEncoding
import Templates
import Values

/// A setting in one layer: not mentioned, removed by `null`, or given.
package enum Setting<Content: Sendable>: Sendable {
  case inherited
  case removed
  case given(Content)

  @inlinable package var value: Content? {
    if case .given(let content) = self { content } else { nil }
  }

  package var isMentioned: Bool { if case .inherited = self { false } else { true } }

  /// This layer's word where it has one, else the lower layer's.
  package func over(_ base: Setting) -> Setting {
    if case .inherited = self { base } else { self }
  }
}

/// A mapping of the user's own names, which merges key by key.
package struct KeyedSettings<Content: Sendable>: Sendable {
  package struct Entry: Sendable {
    package let key: TextTemplate
    /// Nil removes what a lower layer gave.
    package let value: Content?
  }

  /// `null` for the whole mapping: nothing of the lower layers is taken.
  package var dropsLower = false
  /// A template that yields the mapping.
  package var whole: Field<Mapping>?
  package var entries: [Entry] = []
  /// Whether the mapping is written at all, if only as `{}`.
  package var isGiven = false
  /// Keys whose value was wrong and has been reported.
  package var unreadableKeys: Set<String> = []

  package init() {}

  @inlinable package var isEmpty: Bool { entries.isEmpty && whole == nil }

  package func over(_ base: KeyedSettings, ignoringCase: Bool = false) -> KeyedSettings {
    if dropsLower || whole != nil { return self }
    if !isGiven, entries.isEmpty, unreadableKeys.isEmpty { return base }
    var result = base
    result.isGiven = isGiven || base.isGiven
    result.unreadableKeys.formUnion(unreadableKeys)
    // Names of one layer differ, but in case.
    if base.entries.isEmpty, !ignoringCase || entries.count < 2 {
      result.entries = entries
      return result
    }
    func name(_ entry: Entry) -> String {
      ignoringCase ? String(decoding: entry.key.text.utf8.map(lowercasedASCII), as: UTF8.self) : entry.key.text
    }
    var places = Dictionary(
      base.entries.enumerated().map { (name($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      let name = name(entry)
      if let index = places[name] {
        result.entries[index] = entry
      } else {
        places[name] = result.entries.count
        result.entries.append(entry)
      }
    }
    return result
  }
}

extension KeyedSettings<ValueTemplate> {
  /// The mapping's value: the template's members, then those written out, which win over and remove members of the
  /// same name.
  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Mapping {
    var mapping = try whole?.resolve(in: scope) ?? Mapping()
    var limit = ResultLimit()
    let keys = try entries.map { entry throws(TemplateError) in try entry.key.resolve(in: scope) }
    if whole != nil {
      let own = Set(keys)
      mapping.members.removeAll { own.contains($0.key) }
    }
    for (entry, key) in zip(entries, keys) {
      guard let template = entry.value else { continue }
      let value = try template.resolve(in: scope)
      if template.literal == nil { try limit.take(value, at: template.range) }
      mapping.members.append(Mapping.Member(key: key, value: value))
    }
    return mapping
  }
}

/// All that a request may say, in one layer: project, file's defaults, or the request itself.
package struct RequestSettings: Sendable {
  package var method = Setting<Field<HTTPMethod>>.inherited
  package var url = Setting<Field<Text>>.inherited
  package var baseURL = Setting<Field<Text>>.inherited
  package var path = KeyedSettings<ValueTemplate>()
  package var requestTarget = Setting<Field<Text>>.inherited
  package var headers = KeyedSettings<ValueTemplate>()
  package var parameters = KeyedSettings<ValueTemplate>()
  package var query = KeyedSettings<ValueTemplate>()
  package var body = Setting<BodySpec>.inherited
  package var encoding = EncodingSettings()
  package var cookies = KeyedSettings<ValueTemplate>()
  package var auth = Setting<AuthSpec>.inherited
  package var timeout = TimeoutSettings()
  package var redirects = RedirectSettings()
  package var session = SessionSettings()
  package private(set) var connectionBox: Box<ConnectionSettings>?
  package private(set) var transferBox: Box<TransferSettings>?
  package private(set) var bodyCodingBox: Box<BodyCodingSettings>?
  package var transport = Setting<Located<TransportChoice>>.inherited
  package var bodyOnGet = Setting<Field<Bool>>.inherited
  package var delay = Setting<Field<Duration>>.inherited
  package var skip = Setting<Field<SkipRule>>.inherited
  package var when = Setting<Field<Bool>>.inherited
  package var continueOnFailure = Setting<Field<Bool>>.inherited
  package var validate = Setting<ValidateSpec>.inherited
  /// The URI of each prefix that XPaths use.
  package var namespaces = KeyedSettings<Located<String>>()
  package var expect = ExpectSettings()
  package var capture = KeyedSettings<CaptureSpec>()
  package var contract = Setting<ContractUse>.inherited

  package init() {}

  /// Nil where nothing is said of it, as nearly everywhere.
  package var connection: ConnectionSettings? {
    get { connectionBox?.content }
    set { connectionBox = newValue.map { Box($0) } }
  }

  /// Nil where there is none, as nearly everywhere.
  package var transfer: TransferSettings? {
    get { transferBox?.content }
    set { transferBox = newValue.map { Box($0) } }
  }

  /// Nil where nothing is said of it, as nearly everywhere.
  package var bodyCoding: BodyCodingSettings? {
    get { bodyCodingBox?.content }
    set { bodyCodingBox = newValue.map { Box($0) } }
  }

  package var stream: StreamSpec? { transfer?.stream.value }

  /// What its assertions and captures look at, each with its place.
  package var subjects: [(subject: ResponseSubject, range: SourceRange)] {
    expect.assertions.map { ($0.subject, $0.range) }
      + capture.entries.compactMap { entry in entry.value.map { ($0.subject, $0.range) } }
  }

  /// The method of a request that says none; nil where only running tells.
  package var impliedMethod: HTTPMethod? {
    if let upload = transfer?.upload.value { return upload.method }
    return body.value == nil ? .get : .post
  }

  /// This layer merged over a lower one.
  package func over(_ base: RequestSettings) -> RequestSettings {
    var result = RequestSettings()
    result.method = method.over(base.method)
    result.url = url.over(base.url)
    result.baseURL = baseURL.over(base.baseURL)
    result.path = path.over(base.path)
    result.requestTarget = requestTarget.over(base.requestTarget)
    result.headers = headers.over(base.headers, ignoringCase: true)
    result.parameters = parameters.over(base.parameters)
    result.query = query.over(base.query)
    result.body = body.over(base.body)
    result.encoding = encoding.over(base.encoding)
    result.cookies = cookies.over(base.cookies)
    result.auth = auth.over(base.auth)
    result.timeout = timeout.over(base.timeout)
    result.redirects = redirects.over(base.redirects)
    result.session = session.over(base.session)
    result.connectionBox = connectionBox ?? base.connectionBox
    if let connection, let lower = base.connection { result.connection = connection.over(lower) }
    result.bodyCodingBox = bodyCodingBox ?? base.bodyCodingBox
    if let bodyCoding, let lower = base.bodyCoding { result.bodyCoding = bodyCoding.over(lower) }
    result.transferBox = transferBox ?? base.transferBox
    if let transfer, let lower = base.transfer { result.transfer = transfer.over(lower) }
    // Each is a body, and takes the place of the other in a lower layer.
    if transfer?.upload.value != nil, case .inherited = body {
      result.body = .removed
    } else if body.value != nil, result.transfer?.upload.value != nil, transfer?.upload.value == nil {
      result.transfer?.upload = .removed
    }
    result.transport = transport.over(base.transport)
    result.bodyOnGet = bodyOnGet.over(base.bodyOnGet)
    result.delay = delay.over(base.delay)
    result.skip = skip.over(base.skip)
    result.when = when.over(base.when)
    result.continueOnFailure = continueOnFailure.over(base.continueOnFailure)
    result.validate = validate.over(base.validate)
    result.namespaces = namespaces.over(base.namespaces)
    result.expect = expect.over(base.expect)
    result.capture = capture.over(base.capture)
    result.contract = contract.over(base.contract)
    return result
  }
}

/// Keeps what is large and seldom there out of its owner's own size.
package final class Box<Content: Sendable>: Sendable {
  package let content: Content

  init(_ content: Content) {
    self.content = content
  }
}

/// A value and where it stands.
package struct Located<Content: Sendable>: Sendable {
  package let value: Content
  package let range: SourceRange

  package init(_ value: Content, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

/// The words of `transport:`.
package enum TransportChoice: String, Sendable, Hashable, CaseIterable {
  case auto, urlsession, curl
}
