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

  package var value: Content? {
    if case .given(let content) = self { content } else { nil }
  }

  /// This layer's word where it has one, else the lower layer's.
  func over(_ base: Setting) -> Setting {
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

  package init() {}

  package var isEmpty: Bool { entries.isEmpty && whole == nil }

  package func over(_ base: KeyedSettings, ignoringCase: Bool = false) -> KeyedSettings {
    if dropsLower || whole != nil { return self }
    var result = base
    for entry in entries {
      let index = result.entries.firstIndex {
        ignoringCase ? equalsIgnoringCase($0.key.text, entry.key.text) : $0.key.text == entry.key.text
      }
      if let index { result.entries[index] = entry } else { result.entries.append(entry) }
    }
    return result
  }
}

extension KeyedSettings<ValueTemplate> {
  /// The mapping's value: the template's members first, then those written out.
  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> Mapping {
    var mapping = try whole?.resolve(in: scope) ?? Mapping()
    for entry in entries {
      guard let value = entry.value else { continue }
      mapping.members.append(
        Mapping.Member(key: try entry.key.resolve(in: scope), value: try value.resolve(in: scope)))
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
  package var transport = Setting<Located<TransportChoice>>.inherited
  package var bodyOnGet = Setting<Field<Bool>>.inherited
  package var delay = Setting<Field<Duration>>.inherited
  package var skip = Setting<Field<SkipRule>>.inherited
  package var when = Setting<Field<Bool>>.inherited
  package var continueOnFailure = Setting<Field<Bool>>.inherited
  package var validate = Setting<ValidateSpec>.inherited
  package var expect = ExpectSettings()
  package var capture = KeyedSettings<CaptureSpec>()

  package init() {}

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
    result.transport = transport.over(base.transport)
    result.bodyOnGet = bodyOnGet.over(base.bodyOnGet)
    result.delay = delay.over(base.delay)
    result.skip = skip.over(base.skip)
    result.when = when.over(base.when)
    result.continueOnFailure = continueOnFailure.over(base.continueOnFailure)
    result.validate = validate.over(base.validate)
    result.expect = expect.over(base.expect)
    result.capture = capture.over(base.capture)
    return result
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

/// What a request sends as its body.
package enum BodySpec: Sendable {
  case form(KeyedSettings<ValueTemplate>, range: SourceRange)
  case json(ValueTemplate)
  case text(Field<Text>)
  case base64(Field<Text>)
  case graphQL(query: Field<Text>, variables: ValueTemplate?, operation: Field<Text>?, range: SourceRange)

  package var range: SourceRange {
    switch self {
    case .form(_, let range), .graphQL(_, _, _, let range): range
    case .json(let value): value.range
    case .text(let field), .base64(let field): field.range
    }
  }
}

package enum AuthSpec: Sendable {
  case none
  case basic(username: Field<Text>, password: Field<Text>)
  case bearer(Field<Text>)
}

/// One choice of `encoding:`.
package enum EncodingOption: Sendable {
  case format(EncodingOptions.Format)
  case destination(EncodingOptions.Destination)
  case array(EncodingOptions.ArrayEncoding)
  case bool(EncodingOptions.BoolEncoding)
  case data(EncodingOptions.DataEncoding)
  case date(EncodingOptions.DateEncoding)
  case key(EncodingOptions.KeyEncoding)
  case keyPath(EncodingOptions.KeyPathEncoding)
  case null(EncodingOptions.NilEncoding)
  case space(EncodingOptions.SpaceEncoding)
  case sort(Bool)
  case json(JSONLayout)
}

package struct EncodingSettings: Sendable {
  package struct Entry: Sendable {
    package let key: String
    package let option: Field<EncodingOption>?
  }

  /// `encoding: alamofire`: starts anew from Alamofire's own defaults.
  package var preset: EncodingOptions?
  package var entries: [Entry] = []

  func over(_ base: EncodingSettings) -> EncodingSettings {
    if preset != nil { return self }
    var result = base
    for entry in entries {
      result.entries.removeAll { $0.key == entry.key }
      result.entries.append(entry)
    }
    return result
  }

  package func resolve(in scope: any TemplateScope) throws(TemplateError) -> EncodingOptions {
    var options = preset ?? .standard
    for entry in entries {
      guard let field = entry.option else { continue }
      switch try field.resolve(in: scope) {
      case .format(let value): options.format = value
      case .destination(let value): options.destination = value
      case .array(let value): options.arrayEncoding = value
      case .bool(let value): options.boolEncoding = value
      case .data(let value): options.dataEncoding = value
      case .date(let value): options.dateEncoding = value
      case .key(let value): options.keyEncoding = value
      case .keyPath(let value): options.keyPathEncoding = value
      case .null(let value): options.nilEncoding = value
      case .space(let value): options.spaceEncoding = value
      case .sort(let value): options.sort = value
      case .json(let value): options.json = value
      }
    }
    return options
  }
}

package struct TimeoutSettings: Sendable {
  package var connect = Setting<Field<Duration>>.inherited
  package var request = Setting<Field<Duration>>.inherited
  package var resource = Setting<Field<Duration>>.inherited

  func over(_ base: TimeoutSettings) -> TimeoutSettings {
    var result = TimeoutSettings()
    result.connect = connect.over(base.connect)
    result.request = request.over(base.request)
    result.resource = resource.over(base.resource)
    return result
  }
}

package enum RedirectMode: String, Sendable, CaseIterable { case follow, none }

package struct RedirectSettings: Sendable {
  package var mode = Setting<Field<RedirectMode>>.inherited
  package var max = Setting<Field<Int>>.inherited
  package var keepMethod = Setting<Field<Bool>>.inherited
  package var trustHosts = Setting<[Field<Text>]>.inherited

  func over(_ base: RedirectSettings) -> RedirectSettings {
    var result = RedirectSettings()
    result.mode = mode.over(base.mode)
    result.max = max.over(base.max)
    result.keepMethod = keepMethod.over(base.keepMethod)
    result.trustHosts = trustHosts.over(base.trustHosts)
    return result
  }
}

package enum CookiePolicy: String, Sendable, CaseIterable { case keep, none }

package struct SessionSettings: Sendable {
  package var cookies = Setting<Field<CookiePolicy>>.inherited
  package var maxConnectionsPerHost = Setting<Field<Int>>.inherited

  func over(_ base: SessionSettings) -> SessionSettings {
    var result = SessionSettings()
    result.cookies = cookies.over(base.cookies)
    result.maxConnectionsPerHost = maxConnectionsPerHost.over(base.maxConnectionsPerHost)
    return result
  }
}

/// `skip`: not, or with a reason.
package enum SkipRule: Sendable, Hashable {
  case no
  case yes(reason: String?)
}

package enum ValidateSpec: Sendable {
  case auto
  case none
  case rules(status: Field<StatusSet>?, contentTypes: [Field<Text>]?)
}
