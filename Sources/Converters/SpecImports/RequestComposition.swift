import HTTPSemantics
import RequestSpecs
import Templates
import Values
import YAMLNodes

/// The nodes of requests.
extension SpecComposer {
  mutating func requestNode(_ request: ImportedRequest, _ draft: inout SpecDraft) -> YAMLNode {
    var request = request
    var members: [(key: RequestKey, value: YAMLNode)] = []
    draft.own = Dictionary(request.variables.map { ($0.name, $0.isText) }, uniquingKeysWith: { $1 })
    defer { draft.own = [:] }
    if !request.variables.isEmpty {
      members.append(
        (.variables, .mapping(request.variables.map { (names.variable($0.name), node($0.value, &draft)) })))
    }
    if let name = request.name?.trimmed, !name.isEmpty {
      members.append((.name, .text(self.name(name, of: request, &draft))))
    }
    let usual = request.body == nil ? "GET" : "POST"
    if let method = request.method, method.literal != usual { members.append((.method, .text(text(method, &draft)))) }
    members.append((.url, .text(text(request.url, &draft))))
    if !request.path.isEmpty { members.append((.path, pairs(request.path, &draft))) }
    let body = bodyMembers(&request, &draft)
    if !request.headers.isEmpty { members.append((.headers, headers(request.headers, &draft))) }
    if !request.cookies.isEmpty { members.append((.cookies, pairs(request.cookies, &draft))) }
    if let credentials = request.credentials { members.append((.auth, node(credentials.value, &draft))) }
    members += body
    if request.body != nil, ["GET", "HEAD"].contains(request.method?.literal) {
      request.settings.set(.bodyOnGet, .bool(true))
    }
    for (key, value) in request.settings {
      let node = node(value, &draft)
      members.append((key, key == .query ? node.withPlainNumbers : node))
    }
    // Captured by none before.
    var fresh = Set(request.captures.map(\.key)).subtracting(draft.captured)
    draft.captured.formUnion(fresh)
    draft.capturedTexts.formUnion(request.textCaptures)
    if request.conditionalExpect.isEmpty {
      if !request.expect.isEmpty { members.append((.expect, expectations(request.expect, &draft))) }
    } else {
      let items = (request.expect.isEmpty ? [] : [request.expect]) + request.conditionalExpect
      members.append((.expect, .list(items.map { expectations($0, &draft) })))
    }
    if !request.captures.isEmpty {
      let captures = request.captures.map { name, value in
        let value = value.withDefault {
          draft.declared[$0] != nil || draft.captured.contains($0) && !fresh.contains($0)
        }
        fresh.remove(name)
        return (names.variable(name), node(value, &draft))
      }
      members.append((.capture, .mapping(captures)))
    }
    draft.remarks += request.untranslated
    return .mapping(members.map { ($0.key.rawValue, $0.value) })
  }

  /// The name of a request, with the variables that the request reads anyway.
  private mutating func name(_ name: String, of request: ImportedRequest, _ draft: inout SpecDraft) -> String {
    guard name.contains("{{") else { return escaped(name) }
    let text = ImportedText(placeholdersIn: name) { .variable($0) }
    let known = request.readVariables.subtracting(request.captures.map(\.key))
    return text.readVariables.isSubset(of: known) ? self.text(text, &draft) : escaped(name)
  }

  /// The keys of `expect`. Those of `values` are expressions.
  private mutating func expectations(
    _ members: [(key: String, value: ImportedValue)], _ draft: inout SpecDraft
  ) -> YAMLNode {
    .mapping(
      members.map { subject, value in
        if subject == "when", let condition = value.members { return (subject, expectations(condition, &draft)) }
        guard subject == "values", let expressions = value.members else { return (subject, node(value, &draft)) }
        return (subject, .mapping(expressions.map { (expression($0, &draft), node($1, &draft)) }))
      })
  }

  // MARK: bodies

  /// The body. Removes a `Content-Type` that the body brings itself.
  private mutating func bodyMembers(
    _ request: inout ImportedRequest, _ draft: inout SpecDraft
  ) -> [(key: RequestKey, value: YAMLNode)] {
    let type = request.header("Content-Type")?.literal?.lowercased()
    let media = type.map { mediaType(of: $0) }
    switch request.body {
    case nil: return []
    case .text(let text)?:
      // The type says otherwise, as in many examples for curl, but a person would write JSON.
      if media == "application/x-www-form-urlencoded", text.hasPrefix("{") || text.hasPrefix("["),
        let value = text.json
      {
        return [(.json, node(value, &draft))]
      }
      return [(.body, .text(self.text(text, &draft)))]
    case .base64(let text)?: return [(.body, .mapping([("base64", .text(text))]))]
    case .file(let path)?: return [(.body, .mapping([("file", .text(file(path, &draft)))]))]
    case .json(let text)?:
      guard let value = text.json else {
        if type == nil {
          request.headers.append(.init(name: ImportedText("Content-Type"), value: ImportedText("application/json")))
        }
        return [(.body, .text(self.text(text, &draft)))]
      }
      if type == "application/json" { _ = request.takeHeader("Content-Type") }
      return [(.json, node(value, &draft))]
    case .form(let pairs)?:
      if media == "application/x-www-form-urlencoded" { _ = request.takeHeader("Content-Type") }
      return [(.form, self.pairs(pairs, &draft))]
    case .multipart(let parts)?:
      if media == "multipart/form-data" { _ = request.takeHeader("Content-Type") }
      return [(.multipart, node(parts, &draft))]
    case .graphql(let query, let variables, let operation)?:
      if type == "application/json" { _ = request.takeHeader("Content-Type") }
      var members: [(key: String, value: YAMLNode)] = [("query", .text(text(query, &draft)))]
      if let variables, !variables.trimmed.isEmpty {
        if let value = variables.json {
          members.append(("variables", node(value, &draft)))
        } else {
          draft.remarks.remark("variables of GraphQL that are not JSON", variables.source)
        }
      }
      if let operation { members.append(("operation", .text(text(operation, &draft)))) }
      return [(.graphql, .mapping(members))]
    }
  }

  /// The path of a file that is sent.
  private mutating func file(_ path: ImportedText, _ draft: inout SpecDraft) -> String {
    if let path = path.literal { sentFiles.append((draft.path, path)) }
    return text(path, &draft)
  }

  private mutating func node(_ parts: [ImportedRequest.Part], _ draft: inout SpecDraft) -> YAMLNode {
    grouped(
      parts.map { part in
        var members: [(key: String, value: YAMLNode)] = []
        var content: YAMLNode
        switch part.content {
        case .text(let value):
          content = YAMLNode.text(text(value, &draft)).withPlainNumbers
          members.append(("value", content))
        case .file(let path):
          members.append(("file", .text(file(path, &draft))))
          content = .mapping(members)
        }
        if let filename = part.filename { members.append(("filename", .text(text(filename, &draft)))) }
        if let type = part.type { members.append(("type", .text(text(type, &draft)))) }
        if members.count > 1 { content = .mapping(members) }
        return (text(part.name, &draft), content)
      })
  }

  // MARK: mappings

  mutating func headers(_ headers: [ImportedRequest.Header], _ draft: inout SpecDraft) -> YAMLNode {
    grouped(headers.map { (text($0.name, &draft), $0.value.map { .text(text($0, &draft)) } ?? .null) }).withPlainNumbers
  }

  private mutating func pairs(_ pairs: [ImportedRequest.Pair], _ draft: inout SpecDraft) -> YAMLNode {
    grouped(pairs.map { (text($0.name, &draft), .text(text($0.value, &draft))) }).withPlainNumbers
  }

  /// A mapping, with a list under a name that occurs several times.
  private func grouped(_ members: [(name: String, value: YAMLNode)]) -> YAMLNode {
    var order: [String] = []
    var values: [String: [YAMLNode]] = [:]
    for (name, value) in members {
      if values[name] == nil { order.append(name) }
      values[name, default: []].append(value)
    }
    return .mapping(order.map { name in (name, values[name].map { $0.count == 1 ? $0[0] : .list($0) } ?? .null) })
  }
}

extension ImportedValue {
  /// A capture that is null by default in place of a variable that has no value before.
  fileprivate func withDefault(ofKnown isKnown: (String) -> Bool) -> ImportedValue {
    guard case .mapping(let members) = self else { return self }
    return .mapping(
      members.map { key, value in
        guard key == "default", case .text(let text) = value, case .variable(let name)? = text.parts.first,
          !isKnown(name)
        else { return (key, value) }
        return (key, .node(.null))
      })
  }
}
