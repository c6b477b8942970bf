import Templates

/// Every template of a request, so that the names it reads can be checked before anything is sent.
extension RequestSettings {
  /// Templates that are evaluated before the request is sent.
  package var sendingTemplates: [Template] {
    var found: [Template] = []
    method.addTemplates(to: &found)
    url.addTemplates(to: &found)
    // A base is not looked at where the URL stands without it.
    if !(url.value?.literal.map { isAbsoluteURL($0.string) } ?? false) { baseURL.addTemplates(to: &found) }
    requestTarget.addTemplates(to: &found)
    bodyOnGet.addTemplates(to: &found)
    delay.addTemplates(to: &found)
    skip.addTemplates(to: &found)
    when.addTemplates(to: &found)
    continueOnFailure.addTemplates(to: &found)
    timeout.connect.addTemplates(to: &found)
    timeout.request.addTemplates(to: &found)
    timeout.resource.addTemplates(to: &found)
    redirects.mode.addTemplates(to: &found)
    redirects.max.addTemplates(to: &found)
    redirects.keepMethod.addTemplates(to: &found)
    redirects.allowHTTP.addTemplates(to: &found)
    for host in redirects.trustHosts.value ?? [] { found += host.templates }
    session.cookies.addTemplates(to: &found)
    session.maxConnectionsPerHost.addTemplates(to: &found)
    session.cache.addTemplates(to: &found)
    session.cacheDirectory.addTemplates(to: &found)
    if let connection { found += connection.templates }
    path.addTemplates(to: &found)
    headers.addTemplates(to: &found)
    parameters.addTemplates(to: &found)
    query.addTemplates(to: &found)
    cookies.addTemplates(to: &found)
    for entry in encoding.entries { found += entry.option?.templates ?? [] }
    if let body = body.value { found += body.templates }
    if let auth = auth.value { found += auth.templates }
    if let transfer { found += transfer.templates }
    if let bodyCoding { found += bodyCoding.templates }
    return found
  }

  /// Templates that are evaluated when the response is there; they may also read this request's own captures.
  package var checkingTemplates: [Template] {
    var found: [Template] = []
    if case .rules(let status, let types)? = validate.value {
      found += (status?.templates ?? []) + (types ?? []).flatMap(\.templates)
    }
    expect.failure.addTemplates(to: &found)
    for case let assertion? in expect.entries.lazy.map(\.assertion) { assertion.addTemplates(to: &found) }
    for entry in capture.entries { entry.value?.addTemplates(to: &found) }
    return found
  }
}

extension Setting {
  /// The templates of a setting that is a field.
  func templates<Output>() -> [Template] where Content == Field<Output> { value?.templates ?? [] }

  fileprivate func addTemplates<Output>(to found: inout [Template]) where Content == Field<Output> {
    if case .given(let field) = self, field.isTemplate { found += field.templates }
  }
}

extension KeyedSettings<ValueTemplate> {
  package var templates: [Template] {
    var found: [Template] = []
    addTemplates(to: &found)
    return found
  }

  fileprivate func addTemplates(to found: inout [Template]) {
    if let whole { found += whole.templates }
    for entry in entries {
      if let template = entry.key.template { found.append(template) }
      if let value = entry.value, value.literal == nil { found += value.templates }
    }
  }
}

extension BodySpec {
  var templates: [Template] {
    switch self {
    case .form(let form, _): form.templates
    case .json(let value): value.templates
    case .text(let field), .base64(let field): field.templates
    case .file(let path): path.templates
    case .textFile(let file): file.templates
    case .multipart(let parts, _):
      (parts.whole?.templates ?? [])
        + parts.entries.flatMap { entry in entry.key.templates + (entry.value ?? []).flatMap(\.templates) }
    case .graphQL(let query, let variables, let operation, _):
      query.templates + (operation?.templates ?? []) + (variables?.templates ?? [])
    }
  }
}

extension Assertion {
  fileprivate func addTemplates(to found: inout [Template]) {
    found += subject.templates
    switch check {
    case .predicates(let specs):
      for spec in specs {
        if case .fixed = spec { continue }
        found += spec.templates
      }
    case .status(let field): if field.isTemplate { found += field.templates }
    case .contentType(let field): if field.isTemplate { found += field.templates }
    case .schema: break
    case .snapshot(let spec): found += (spec.name?.templates ?? []) + spec.ignored.compactMap(\.template)
    }
  }
}

extension CaptureSpec {
  fileprivate func addTemplates(to found: inout [Template]) {
    if let regex { found += regex.templates }
    if let defaultValue { found += defaultValue.templates }
    found += subject.templates
  }
}
