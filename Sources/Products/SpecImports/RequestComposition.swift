import Diagnostics
import Templates
import Values
import YAMLNodes

/// The nodes of requests.
extension SpecComposer {
  mutating func requestNode(_ request: ImportedRequest, _ draft: inout SpecDraft) -> YAMLNode {
    var request = request
    var members: [(key: String, value: YAMLNode)] = []
    draft.own = Dictionary(request.variables.map { ($0.name, $0.isText) }, uniquingKeysWith: { $1 })
    defer { draft.own = [:] }
    if !request.variables.isEmpty {
      members.append(
        ("variables", .mapping(request.variables.map { (names.variable($0.name), node($0.value, &draft)) })))
    }
    if let name = request.name?.trimmed, !name.isEmpty { members.append(("name", .text(escaped(name)))) }
    let usual = request.body == nil ? "GET" : "POST"
    if let method = request.method, method.literal != usual { members.append(("method", .text(text(method, &draft)))) }
    members.append(("url", .text(text(request.url, &draft))))
    if !request.path.isEmpty { members.append(("path", pairs(request.path, &draft))) }
    let body = bodyMembers(&request, &draft)
    if !request.headers.isEmpty { members.append(("headers", headers(request.headers, &draft))) }
    if !request.cookies.isEmpty { members.append(("cookies", pairs(request.cookies, &draft))) }
    if let credentials = request.credentials { members.append(("auth", node(credentials, &draft))) }
    members += body
    if request.body != nil, ["GET", "HEAD"].contains(request.method?.literal) {
      request.settings.set("body_on_get", .bool(true))
    }
    for (key, value) in request.settings {
      let node = node(value, &draft)
      members.append((key, key == "query" ? node.withPlainNumbers : node))
    }
    draft.captured.formUnion(request.captures.map(\.key))
    if !request.expect.isEmpty { members.append(("expect", expectations(request.expect, &draft))) }
    if !request.captures.isEmpty {
      let captures = request.captures.map { ($0.key, $0.value) }
      members.append(("capture", .mapping(captures.map { (names.variable($0), node($1, &draft)) })))
    }
    draft.told += request.untranslated
    return .mapping(members)
  }

  /// The keys of `expect`. Those of `values` are expressions.
  private mutating func expectations(
    _ members: [(key: String, value: ImportedValue)], _ draft: inout SpecDraft
  ) -> YAMLNode {
    .mapping(
      members.map { subject, value in
        guard subject == "values", let expressions = value.members else { return (subject, node(value, &draft)) }
        return (subject, .mapping(expressions.map { (expression($0, &draft), node($1, &draft)) }))
      })
  }

  // MARK: bodies

  /// The body. Removes a `Content-Type` that the body brings itself.
  private mutating func bodyMembers(
    _ request: inout ImportedRequest, _ draft: inout SpecDraft
  ) -> [(key: String, value: YAMLNode)] {
    let type = request.header("Content-Type")?.literal?.lowercased()
    let mediaType = type?.prefix { $0 != ";" }.description.trimmed
    switch request.body {
    case nil: return []
    case .text(let text)?:
      // The type says otherwise, as in many examples for curl, but a person would write JSON.
      if mediaType == "application/x-www-form-urlencoded", text.hasPrefix("{") || text.hasPrefix("["),
        let value = text.json
      {
        return [("json", node(value, &draft))]
      }
      return [("body", .text(self.text(text, &draft)))]
    case .base64(let text)?: return [("body", .mapping([("base64", .text(text))]))]
    case .file(let path)?: return [("body", .mapping([("file", .text(file(path, &draft)))]))]
    case .json(let text)?:
      guard let value = text.json else {
        if type == nil {
          request.headers.append(.init(name: ImportedText("Content-Type"), value: ImportedText("application/json")))
        }
        return [("body", .text(self.text(text, &draft)))]
      }
      if type == "application/json" { _ = request.takeHeader("Content-Type") }
      return [("json", node(value, &draft))]
    case .form(let pairs)?:
      if mediaType == "application/x-www-form-urlencoded" { _ = request.takeHeader("Content-Type") }
      return [("form", self.pairs(pairs, &draft))]
    case .multipart(let parts)?:
      if mediaType == "multipart/form-data" { _ = request.takeHeader("Content-Type") }
      return [("multipart", node(parts, &draft))]
    case .graphql(let query, let variables, let operation)?:
      if type == "application/json" { _ = request.takeHeader("Content-Type") }
      var members: [(key: String, value: YAMLNode)] = [("query", .text(text(query, &draft)))]
      if let variables, !variables.trimmed.isEmpty {
        if let value = variables.json {
          members.append(("variables", node(value, &draft)))
        } else {
          draft.told.append(Untranslated(reason: "variables of GraphQL that are no JSON", source: variables.source))
        }
      }
      if let operation { members.append(("operation", .text(text(operation, &draft)))) }
      return [("graphql", .mapping(members))]
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

  mutating func node(_ credentials: ImportedRequest.Credentials, _ draft: inout SpecDraft) -> YAMLNode {
    func account(_ scheme: String, _ username: YAMLNode, _ password: YAMLNode) -> YAMLNode {
      .mapping([(scheme, .mapping([("username", username), ("password", password)]))])
    }
    switch credentials {
    case .basic(let username, let password):
      return account("basic", .text(text(username, &draft)), .text(text(password, &draft)))
    case .digest(let username, let password):
      return account("digest", .text(text(username, &draft)), .text(text(password, &draft)))
    case .ntlm(let username, let password):
      return account("ntlm", .text(text(username, &draft)), .text(text(password, &draft)))
    case .bearer(let token): return .mapping([("bearer", .text(text(token, &draft)))])
    case .aws(let accessKey, let secretKey, let region, let service, let sessionToken):
      var members: [(key: String, value: YAMLNode)] = [
        ("access_key", .text(text(accessKey, &draft))), ("secret_key", .text(text(secretKey, &draft))),
      ]
      if let sessionToken { members.append(("session_token", .text(text(sessionToken, &draft)))) }
      if let region { members.append(("region", .text(text(region, &draft)))) }
      if let service { members.append(("service", .text(text(service, &draft)))) }
      return .mapping([("aws_sigv4", .mapping(members))])
    case .netrc: return .text("netrc")
    case .negotiate: return .text("negotiate")
    case .none: return .text("none")
    }
  }
}

/// Values and texts.
extension SpecComposer {
  mutating func node(_ value: ImportedValue, _ draft: inout SpecDraft) -> YAMLNode {
    switch value {
    case .text(let text): return .text(self.text(text, &draft))
    case .json(let text, let isQuoted): return json(text, isQuoted: isQuoted, &draft)
    case .node(let node): return node.escapingTemplates
    case .list(let items): return .list(items.map { node($0, &draft) })
    case .mapping(let members): return .mapping(members.map { ($0.key, node($0.value, &draft)) })
    case .keyed(let members): return .mapping(members.map { (text($0, &draft), node($1, &draft)) })
    }
  }

  /// A text within JSON. Captures have JSON's types, variables have texts.
  private mutating func json(_ text: ImportedText, isQuoted: Bool, _ draft: inout SpecDraft) -> YAMLNode {
    guard text.parts.count == 1 else { return .text(self.text(text, &draft)) }
    switch text.parts[0] {
    case .variable(let name):
      let isText =
        draft.own[name] ?? (!draft.captured.contains(name) && (draft.declared[name] ?? (captures[name] == nil)))
      let reference = reference(to: name, &draft)
      if isQuoted { return .text(isText ? "${{ \(reference) }}" : "${{ to_string(\(reference)) }}") }
      return .text(isText ? "${{ from_json(\(reference)) }}" : "${{ \(reference) }}")
    case .expression(let expression) where isQuoted && yieldsNumber(expression):
      return .text("${{ to_string(\(self.expression(expression, &draft))) }}")
    case .unknown(let source) where !isQuoted:
      draft.told.append(Untranslated(reason: "expressions", source: source))
      return .text(escaped(source))
    default: return .text(self.text(text, &draft))
    }
  }

  /// Returns whether an expression of an importer is a number.
  private func yieldsNumber(_ expression: String) -> Bool {
    ["random_int(", "to_integer(", "to_number(", "round(", "floor(", "ceil(", "length("].contains {
      expression.hasPrefix($0)
    } || expression.hasSuffix("format(\"unix\")") || expression.hasSuffix("format(\"unix_ms\")")
  }

  /// The text as a template.
  mutating func text(_ text: ImportedText, _ draft: inout SpecDraft) -> String {
    var result = ""
    for part in text.parts {
      switch part {
      case .text(let text): result += escaped(text)
      case .variable(let name): result += "${{ \(reference(to: name, &draft)) }}"
      case .expression(let expression): result += "${{ \(self.expression(expression, &draft)) }}"
      case .secret(let value, let kind):
        let name = names.secret(value, kind: kind)
        if !draft.credentials.contains(name) { draft.credentials.append(name) }
        result += "${{ \(name) }}"
      case .unknown(let source):
        draft.told.append(Untranslated(reason: "expressions", source: source))
        result += escaped(source)
      }
    }
    return result
  }

  /// An expression with the names of the specs in place of `{{name}}`.
  private mutating func expression(_ text: String, _ draft: inout SpecDraft) -> String {
    guard text.contains("{{") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let name = rest[start.upperBound..<end.lowerBound]
      if name.isEmpty || name.contains(where: { " '\"()|{".contains($0) }) {
        result += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
      } else {
        result += rest[..<start.lowerBound] + reference(to: String(name), &draft)
        rest = rest[end.upperBound...]
      }
    }
    return result + rest
  }

  /// The expression for the value of a variable.
  private mutating func reference(to source: String, _ draft: inout SpecDraft) -> String {
    let name = names.variable(source)
    if draft.captured.contains(source) || draft.own[source] != nil { return name }
    if let path = draft.earlierCaptures[source]?.last {
      return "\(need(of: path, in: &draft)).\(name)"
    }
    if draft.declared[source] == nil, !draft.missing.contains(name) { draft.missing.append(name) }
    return name
  }

  /// The name of the need that is another spec.
  private mutating func need(of path: String, in draft: inout SpecDraft) -> String {
    if let need = draft.needs.first(where: { $0.path == path }) { return need.name }
    let name = names.need(path)
    draft.needs.append((name, path))
    return name
  }

  func escaped(_ text: String) -> String { text.replacing("${{", with: "$${{") }
}

extension YAMLNode {
  /// The node with numbers in place of texts that look like them, which are sent alike where all values are texts.
  fileprivate var withPlainNumbers: YAMLNode {
    switch content {
    case .scalar(let scalar):
      guard case .text(let text) = scalar.meaning, isPlainNumber(text) else { return self }
      return .number(text)
    case .sequence(let items): return .list(items.map(\.withPlainNumbers))
    case .mapping(let members): return .mapping(members.map { ($0.key, $0.value.withPlainNumbers) })
    }
  }

  /// The node with texts that are no templates.
  fileprivate var escapingTemplates: YAMLNode {
    switch content {
    case .scalar(let scalar):
      guard case .text(let text) = scalar.meaning, text.contains("${{") else { return self }
      return .text(text.replacing("${{", with: "$${{"))
    case .sequence(let items):
      return items.contains(where: \.hasTemplates) ? .list(items.map(\.escapingTemplates)) : self
    case .mapping(let members):
      guard members.contains(where: \.value.hasTemplates) else { return self }
      return .mapping(members.map { ($0.key, $0.value.escapingTemplates) })
    }
  }

  private var hasTemplates: Bool {
    switch content {
    case .scalar(let scalar): if case .text(let text) = scalar.meaning { text.contains("${{") } else { false }
    case .sequence(let items): items.contains(where: \.hasTemplates)
    case .mapping(let members): members.contains(where: \.value.hasTemplates)
    }
  }
}

/// Returns whether a text is a number as a person writes one: without a sign but `-`, an exponent and leading zeros.
private func isPlainNumber(_ text: String) -> Bool {
  let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
  let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  return text.utf8.count - digits.count < 2 && parts.count < 3
    && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    && (parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"))
}
