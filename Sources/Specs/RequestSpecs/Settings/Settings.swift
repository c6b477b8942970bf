import HTTPSemantics
import Matching
import Templates
import Values

/// A setting in one layer: absent, removed by `null`, or given.
@usableFromInline package enum Setting<Content: Sendable>: Sendable {
  case inherited
  case removed
  case given(Content)

  @inlinable package var value: Content? {
    if case .given(let content) = self { content } else { nil }
  }

  package var isMentioned: Bool { if case .inherited = self { false } else { true } }

  /// This layer's value if it has one, else the lower layer's.
  package func over(_ base: Setting) -> Setting {
    if case .inherited = self { base } else { self }
  }
}

/// A mapping with the user's own names, which is merged key by key.
@usableFromInline package struct KeyedSettings<Content: Sendable>: Sendable {
  @usableFromInline package struct Entry: Sendable {
    package let key: TextTemplate
    /// The value; nil removes that of a lower layer.
    package let value: Content?

    package init(key: TextTemplate, value: Content?) {
      self.key = key
      self.value = value
    }
  }

  /// `null` for the whole mapping: nothing is inherited from lower layers.
  package var dropsLower = false
  /// A template that yields the mapping.
  @usableFromInline package var whole: Field<Mapping>?
  @usableFromInline package var entries: [Entry] = []
  /// Indicates whether the mapping is present at all, even as `{}`.
  package var isGiven = false
  /// Keys with an invalid value, which has been reported.
  package var unreadableKeys: Set<String> = []

  package init() {}

  /// The content that removes everything from lower layers.
  static var removed: KeyedSettings {
    var result = KeyedSettings()
    result.dropsLower = true
    return result
  }

  @inlinable package var isEmpty: Bool { entries.isEmpty && whole == nil }

  package func over(_ base: KeyedSettings, ignoringCase: Bool = false) -> KeyedSettings {
    if dropsLower || whole != nil { return self }
    if !isGiven, entries.isEmpty, unreadableKeys.isEmpty { return base }
    var result = base
    result.isGiven = isGiven || base.isGiven
    result.unreadableKeys.formUnion(unreadableKeys)
    // Names of one layer differ, except in case.
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
  /// The mapping's value: the template's members, then the literal ones, which win over and remove members of the same
  /// name.
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

/// All settings of a request in one layer: project, file's defaults, or the request itself.
@usableFromInline package struct RequestSettings: Sendable {
  /// The keys that this layer, or one that it was merged with, gives.
  var given = SettingSet()
  package internal(set) var method = Setting<Field<HTTPMethod>>.inherited
  package internal(set) var url = Setting<Field<Text>>.inherited
  package internal(set) var baseURL = Setting<Field<Text>>.inherited
  package internal(set) var path = KeyedSettings<ValueTemplate>()
  package internal(set) var requestTarget = Setting<Field<Text>>.inherited
  package internal(set) var headers = KeyedSettings<ValueTemplate>()
  package internal(set) var parameters = KeyedSettings<ValueTemplate>()
  package internal(set) var query = KeyedSettings<ValueTemplate>()
  package internal(set) var body = Setting<BodySpec>.inherited
  package internal(set) var encoding = EncodingSettings()
  package internal(set) var cookies = KeyedSettings<ValueTemplate>()
  package internal(set) var auth = Setting<AuthSpec>.inherited
  package internal(set) var timeout = TimeoutSettings()
  package internal(set) var redirects = RedirectSettings()
  package internal(set) var session = SessionSettings()
  package private(set) var connectionBox: Box<ConnectionSettings>?
  @usableFromInline package private(set) var transferBox: Box<TransferSettings>?
  @usableFromInline package private(set) var bodyCodingBox: Box<BodyCodingSettings>?
  package private(set) var repetitionBox: Box<RepetitionSettings>?
  package internal(set) var transport = Setting<Located<TransportChoice>>.inherited
  package internal(set) var bodyOnGet = Setting<Field<Bool>>.inherited
  package internal(set) var delay = Setting<Field<Duration>>.inherited
  package internal(set) var skip = Setting<Field<SkipRule>>.inherited
  package internal(set) var when = Setting<Field<Bool>>.inherited
  package internal(set) var continueOnFailure = Setting<Field<Bool>>.inherited
  package internal(set) var validate = Setting<ValidateSpec>.inherited
  /// The URI of each prefix in XPaths.
  package internal(set) var namespaces = KeyedSettings<Located<String>>()
  package internal(set) var expect = ExpectSettings()
  package internal(set) var capture = KeyedSettings<CaptureSpec>()
  package internal(set) var contract = Setting<ContractUse>.inherited

  package init() {}

  /// Nil if there is none, as nearly everywhere.
  package internal(set) var connection: ConnectionSettings? {
    get { connectionBox?.content }
    set { connectionBox = newValue.map { Box($0) } }
  }

  /// Nil if there is none, as nearly everywhere.
  package internal(set) var transfer: TransferSettings? {
    @inlinable get { transferBox?.content }
    set { transferBox = newValue.map { Box($0) } }
  }

  /// Nil if there is none, as nearly everywhere.
  package internal(set) var bodyCoding: BodyCodingSettings? {
    @inlinable get { bodyCodingBox?.content }
    set { bodyCodingBox = newValue.map { Box($0) } }
  }

  /// Nil if there is none, as nearly everywhere.
  package internal(set) var repetition: RepetitionSettings? {
    get { repetitionBox?.content }
    set { repetitionBox = newValue.map { Box($0) } }
  }

  @inlinable package var stream: StreamSpec? { transferBox?.content.stream.value }

  /// Visits the subjects of its assertions, captures and conditions, each with its place.
  package func forEachSubject(_ body: (ResponseSubject, SourceRange) -> Void) {
    expect.forEachAssertion { body($0.subject, $0.range) }
    for entry in capture.entries { for source in entry.value?.sources ?? [] { body(source.subject, source.range) } }
    if let poll = repetitionBox?.content.poll.value {
      for assertion in poll.conditions.flatMap(\.assertions) { body(assertion.subject, assertion.range) }
    }
  }

  /// The default method of a request; nil if it is only known at run time.
  package var impliedMethod: HTTPMethod? {
    if let upload = transfer?.upload.value { return upload.method }
    return body.value == nil || stream?.format == .websocket ? .get : .post
  }

  /// The method as far as it is literal; nil for a template.
  package var knownMethod: HTTPMethod? {
    guard let field = method.value else { return impliedMethod }
    return field.literal
  }

  /// This layer merged over a lower one.
  package func over(_ base: RequestSettings) -> RequestSettings {
    var result = base
    for place in given.places { RequestSettings.keys[place].merge(self, &result) }
    result.given.formUnion(given)
    // Each is a body, and replaces the other in a lower layer.
    if transferBox?.content.upload.value != nil, case .inherited = body {
      result.body = .removed
    } else if body.value != nil, result.transferBox?.content.upload.value != nil,
      transferBox?.content.upload.value == nil
    {
      result.transfer?.upload = .removed
    }
    return result
  }

  /// These settings with the command line's connection settings.
  package func with(_ command: ConnectionSettings) -> RequestSettings {
    var result = RequestSettings()
    result.connection = command
    result.given = RequestSettings.connectionPlaces
    return result.over(self)
  }

  /// These settings with a URL.
  package func with(url: Field<Text>) -> RequestSettings {
    var result = RequestSettings()
    result.url = .given(url)
    result.given = RequestSettings.urlPlace
    return result.over(self)
  }

  /// Adds a capture.
  mutating func capture(_ spec: CaptureSpec, as name: String) {
    capture.isGiven = true
    capture.entries.append(.init(key: TextTemplate(text: name, range: spec.range, template: nil), value: spec))
    given.formUnion(RequestSettings.capturePlace)
  }

  /// These settings with another layer's transfer in place of their own.
  package func with(transferOf other: RequestSettings) -> RequestSettings {
    var result = self
    result.transferBox = other.transferBox
    return result
  }

  /// The settings for connections, timeouts, redirects and the transport alone.
  package var connecting: RequestSettings {
    var settings = self
    settings.given.formIntersection(RequestSettings.connectingPlaces)
    return settings.over(RequestSettings())
  }
}

/// Keeps large and rare content out of its owner's own size.
@usableFromInline package final class Box<Content: Sendable>: Sendable {
  @usableFromInline package let content: Content

  init(_ content: Content) {
    self.content = content
  }
}

/// A value and its place.
package struct Located<Content: Sendable>: Sendable {
  package let value: Content
  package let range: SourceRange

  package init(_ value: Content, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

/// The values of `transport:`.
package enum TransportChoice: String, Sendable, Hashable, CaseIterable {
  case auto, urlsession, curl
}
