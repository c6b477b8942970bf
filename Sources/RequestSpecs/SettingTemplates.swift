import Templates

/// Every template of a request, so that the names it reads can be checked before anything is sent.
extension RequestSettings {
  /// Templates that are evaluated before the request is sent.
  package var sendingTemplates: [Template] {
    var result: [Template] = []
    func add<T>(_ setting: Setting<Field<T>>) {
      if let template = setting.value?.template { result.append(template) }
    }
    add(method)
    add(url)
    add(baseURL)
    add(requestTarget)
    add(bodyOnGet)
    add(delay)
    add(skip)
    add(when)
    add(continueOnFailure)
    add(timeout.connect)
    add(timeout.request)
    add(timeout.resource)
    add(redirects.mode)
    add(redirects.max)
    add(redirects.keepMethod)
    result += (redirects.trustHosts.value ?? []).compactMap(\.template)
    add(session.cookies)
    add(session.maxConnectionsPerHost)
    for keyed in [path, headers, parameters, query, cookies] { result += keyed.templates }
    result += encoding.entries.compactMap { $0.option?.template }
    result += body.value?.templates ?? []
    switch auth.value {
    case .basic(let username, let password): result += [username.template, password.template].compactMap { $0 }
    case .bearer(let token): result += [token.template].compactMap { $0 }
    case .some(.none), nil: break
    }
    return result
  }

  /// Templates that are evaluated when the answer is there; they may also read this request's own captures.
  package var checkingTemplates: [Template] {
    var result: [Template] = []
    if case .rules(let status, let types)? = validate.value {
      result += [status?.template].compactMap { $0 } + (types ?? []).compactMap(\.template)
    }
    result += [expect.failure.value?.template].compactMap { $0 }
    for assertion in expect.assertions { result += assertion.templates }
    for entry in capture.entries { result += entry.value?.templates ?? [] }
    return result
  }
}

extension KeyedSettings<ValueTemplate> {
  package var templates: [Template] {
    [whole?.template].compactMap { $0 } + entries.flatMap { $0.key.templates + ($0.value?.templates ?? []) }
  }
}

extension BodySpec {
  var templates: [Template] {
    switch self {
    case .form(let form, _): form.templates
    case .json(let value): value.templates
    case .text(let field), .base64(let field): [field.template].compactMap { $0 }
    case .graphQL(let query, let variables, let operation, _):
      [query.template, operation?.template].compactMap { $0 } + (variables?.templates ?? [])
    }
  }
}

extension Assertion {
  var templates: [Template] {
    let subjectTemplates: [Template] =
      switch subject {
      case .header(let name), .cookie(let name, _): name.templates
      case .json(let path): [path.template].compactMap { $0 }
      default: []
      }
    switch check {
    case .predicates(let specs): return subjectTemplates + specs.flatMap(\.templates)
    case .status(let field): return subjectTemplates + [field.template].compactMap { $0 }
    case .contentType(let field): return subjectTemplates + [field.template].compactMap { $0 }
    }
  }
}

extension CaptureSpec {
  var templates: [Template] {
    var result = [regex?.template].compactMap { $0 } + (defaultValue?.templates ?? [])
    switch source {
    case .json(let path): result += [path.template].compactMap { $0 }
    case .header(let field), .cookie(let field), .link(let field): result += [field.template].compactMap { $0 }
    default: break
    }
    return result
  }
}
