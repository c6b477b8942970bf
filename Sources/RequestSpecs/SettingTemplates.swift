import Templates

/// Every template of a request, so that the names it reads can be checked before anything is sent.
extension RequestSettings {
  /// Templates that are evaluated before the request is sent.
  package var sendingTemplates: [Template] {
    var result = method.templates() + url.templates()
    // A base is not looked at where the URL stands without it.
    if !(url.value?.literal.map { isAbsoluteURL($0.string) } ?? false) { result += baseURL.templates() }
    result += requestTarget.templates() + bodyOnGet.templates()
    result += delay.templates() + skip.templates() + when.templates() + continueOnFailure.templates()
    result += timeout.connect.templates() + timeout.request.templates() + timeout.resource.templates()
    result += redirects.mode.templates() + redirects.max.templates() + redirects.keepMethod.templates()
    result += redirects.allowHTTP.templates()
    result += (redirects.trustHosts.value ?? []).flatMap(\.templates)
    result += session.cookies.templates() + session.maxConnectionsPerHost.templates()
    result += session.cache.templates() + session.cacheDirectory.templates()
    if let connection { result += connection.templates }
    for keyed in [path, headers, parameters, query, cookies] { result += keyed.templates }
    result += encoding.entries.flatMap { $0.option?.templates ?? [] }
    result += body.value?.templates ?? []
    result += auth.value?.templates ?? []
    return result
  }

  /// Templates that are evaluated when the answer is there; they may also read this request's own captures.
  package var checkingTemplates: [Template] {
    var result: [Template] = []
    if case .rules(let status, let types)? = validate.value {
      result += (status?.templates ?? []) + (types ?? []).flatMap(\.templates)
    }
    result += expect.failure.templates()
    for assertion in expect.assertions { result += assertion.templates }
    for entry in capture.entries { result += entry.value?.templates ?? [] }
    return result
  }
}

extension Setting {
  /// The templates of a setting that is a field.
  func templates<Output>() -> [Template] where Content == Field<Output> { value?.templates ?? [] }
}

extension KeyedSettings<ValueTemplate> {
  package var templates: [Template] {
    (whole?.templates ?? []) + entries.flatMap { $0.key.templates + ($0.value?.templates ?? []) }
  }
}

extension BodySpec {
  var templates: [Template] {
    switch self {
    case .form(let form, _): form.templates
    case .json(let value): value.templates
    case .text(let field), .base64(let field): field.templates
    case .graphQL(let query, let variables, let operation, _):
      query.templates + (operation?.templates ?? []) + (variables?.templates ?? [])
    }
  }
}

extension Assertion {
  var templates: [Template] {
    let subjectTemplates: [Template] =
      switch subject {
      case .header(let name), .cookie(let name, _): name.templates
      case .json(let path): path.template.map { [$0] } ?? []
      case .xpath(let path): path.template.map { [$0] } ?? []
      default: []
      }
    switch check {
    case .predicates(let specs): return specs.reduce(into: subjectTemplates) { $0 += $1.templates }
    case .status(let field): return subjectTemplates + field.templates
    case .contentType(let field): return subjectTemplates + field.templates
    }
  }
}

extension CaptureSpec {
  var templates: [Template] {
    let own = (regex?.templates ?? []) + (defaultValue?.templates ?? [])
    switch source {
    case .json(let path): return own + (path.template.map { [$0] } ?? [])
    case .xpath(let path): return own + (path.template.map { [$0] } ?? [])
    case .header(let field), .cookie(let field), .link(let field): return own + field.templates
    case .timing, .certificate, .body, .status, .url, .duration, .bytes, .redirects, .httpVersion, .remoteAddress,
      .localAddress:
      return own
    }
  }
}
