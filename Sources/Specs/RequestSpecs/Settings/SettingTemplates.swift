import HTTPSemantics
import Templates
import Values

/// The templates of a request, whose names are checked before anything is sent, and its transport needs.
extension RequestSettings {
  /// Templates that are evaluated before the request is sent.
  package var sendingTemplates: [Template] { templates(of: given.subtracting(RequestSettings.checkingPlaces)) }

  /// Templates that are evaluated with the response; they may also read this request's own captures.
  package var checkingTemplates: [Template] {
    let found = templates(of: given.intersection(RequestSettings.checkingPlaces))
    // Each message is made when it is sent, from what the messages before it gave.
    return stream.map { found + $0.messages.flatMap(\.templates) } ?? found
  }

  private func templates(of set: SettingSet) -> [Template] {
    var found: [Template] = []
    for place in set.places { RequestSettings.keys[place].addTemplates(self, &found) }
    return found
  }

  /// The transport features that the request needs, as far as the file says.
  package var transportNeeds: [Located<TransportFeature>] {
    var needs: [Located<TransportFeature>] = []
    if let range = bodyRange {
      needs.append(Located(.requestBody, at: range))
      if knownMethod == .get || knownMethod == .head { needs.append(Located(.bodyOnGet, at: range)) }
    }
    for place in given.places { RequestSettings.keys[place].addNeeds(self, &needs) }
    return needs
  }

  private var bodyRange: SourceRange? {
    if let body = body.value { return body.range }
    if let upload = transferBox?.content.upload.value { return upload.range.firstLine }
    guard sendsParametersAsBody == true else { return nil }
    return parameters.whole?.range ?? parameters.entries.first?.key.range
  }
}

extension Setting {
  /// The templates of a setting that is a field.
  func templates<Output>() -> [Template] where Content == Field<Output> { value?.templates ?? [] }

  func addTemplates<Output>(to found: inout [Template]) where Content == Field<Output> {
    if case .given(let field) = self, field.isTemplate { found += field.templates }
  }
}

extension KeyedSettings<ValueTemplate> {
  package var templates: [Template] {
    var found: [Template] = []
    addTemplates(to: &found)
    return found
  }

  func addTemplates(to found: inout [Template]) {
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
    case .graphQL(let query, let variables, let operation, let connection, _):
      query.templates + (operation?.templates ?? []) + (variables?.templates ?? []) + (connection?.templates ?? [])
    }
  }
}

extension Assertion {
  func addTemplates(to found: inout [Template]) {
    found += subject.templates
    switch check {
    case .predicates(let specs): addTemplates(of: specs, to: &found)
    case .extracted(let parts):
      for part in parts {
        found += part.extractions.flatMap(\.templates)
        addTemplates(of: part.predicates, to: &found)
      }
    case .status(let field): if field.isTemplate { found += field.templates }
    case .contentType(let field): if field.isTemplate { found += field.templates }
    case .schema: break
    case .snapshot(let spec): found += (spec.name?.templates ?? []) + spec.ignored.compactMap(\.template)
    }
  }

  private func addTemplates(of specs: [PredicateSpec], to found: inout [Template]) {
    for spec in specs {
      if case .fixed = spec { continue }
      found += spec.templates
    }
  }
}

extension Extraction {
  fileprivate var templates: [Template] { regex?.templates ?? [] }
}

extension CaptureSpec {
  package var templates: [Template] {
    var found: [Template] = []
    addTemplates(to: &found)
    return found
  }

  func addTemplates(to found: inout [Template]) {
    if let defaultValue { found += defaultValue.templates }
    for source in sources {
      if let extraction = source.extraction { found += extraction.templates }
      found += source.subject.templates
    }
  }
}

extension Assertion {
  func addNeeds(to needs: inout [Located<TransportFeature>]) {
    if let feature = subject.need ?? (countsLines ? .headerLines : nil) { needs.append(Located(feature, at: range)) }
  }
}

extension CaptureSpec {
  func addNeeds(to needs: inout [Located<TransportFeature>]) {
    for source in sources {
      if let feature = source.subject.need { needs.append(Located(feature, at: source.range)) }
    }
  }
}

extension ResponseSubject {
  /// The transport feature that the subject needs; nil if every transport provides it.
  fileprivate var need: TransportFeature? {
    switch self {
    case .httpVersion, .bytes(.wire), .address, .port: .responseDetails
    case .certificate: .certificates
    case .trailer: .trailers
    case .status, .contentType, .header, .cookie, .link, .json, .events, .calls, .xpath, .body, .bytes, .duration,
      .timing,
      .redirects, .url, .cache, .csv, .file, .snapshot, .schema, .value:
      nil
    }
  }
}
