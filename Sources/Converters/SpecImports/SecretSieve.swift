import RequestSpecs
import Values
import YAMLNodes

/// The place of a value in a spec, by which it is a secret or not.
private struct SieveContext {
  /// The nearest name of what the value is.
  var name = ""
  /// Indicates that the value is a secret by its name.
  var isSecret = false
  /// Indicates that names are those of the source, not keys of specs.
  var isOfSource = true
  /// Indicates that all values are sent as texts, numbers too.
  var isText = false
  /// Indicates that long values are secrets: names of sessions differ.
  var isCookie = false

  /// The members of a key whose values are secrets if the key is the name of one.
  private static let valueKeys: Set<String> = ["equals", "not_equals", "value"]
  /// The keys of specs that have the names of secrets, but none as values.
  private static let plainKeys: Set<String> = ["auth", "client_auth", "cookies"]
  private static let plurals = ["cookies", "credentials", "passwords", "secrets", "tokens"]

  func member(_ key: String) -> SieveContext {
    var inner = self
    if isSecretName(key), isOfSource || !Self.plainKeys.contains(key) {
      inner.name = key
      inner.isSecret = true
    } else if isSecret {
      let name = name.lowercased()
      inner.isSecret = Self.valueKeys.contains(key) || Self.plurals.contains(where: name.hasSuffix)
    } else {
      inner.name = key
    }
    return inner
  }
}

/// The sieve at the end of all imports: no text of a spec is written before it has been looked at. Secrets become
/// secrets of the spec, and variables that stand in place of one are secrets.
extension SpecComposer {
  /// The value of a key of a request, of `defaults` or of a file, without secrets.
  mutating func sieved(_ key: String, _ node: YAMLNode, _ draft: inout SpecDraft) -> YAMLNode {
    var context = SieveContext(name: key)
    switch key {
    case "name", "description": return node.mappingText(concealed)
    case "capture":
      // Sources name what they are; only values are what they say.
      return node.mappingMembers { name, source in
        source.mappingMembers { sieved($1, $0 == "value" ? context.member(name) : SieveContext(name: $0), &draft) }
      }
    case "auth":
      // The key of an API is a user without a password.
      if let basic = node["basic"], basic["password"]?.scalar?.text == "", let user = basic["username"]?.scalar {
        _ = sieved(user.text, SieveContext(name: "api_key", isSecret: true, isText: true), &draft)
      }
      context.isOfSource = false
    case "expect", "poll": return node.mappingMembers { sieved($1, SieveContext(name: $0), &draft) }
    case "variables":
      return node.mappingMembers { name, value in
        var context = context.member(name)
        if credentialVariables.contains(name) { context.isSecret = true }
        return sieved(value, context, &draft)
      }
    case "cookies", "form", "headers", "multipart", "path", "query":
      context.isText = true
      context.isCookie = key == "cookies"
    case "each", "graphql", "json": break
    default: context.isOfSource = false
    }
    return sieved(node, context, &draft)
  }

  private mutating func sieved(_ node: YAMLNode, _ context: SieveContext, _ draft: inout SpecDraft) -> YAMLNode {
    switch node.content {
    case .sequence, .mapping:
      return node.mappingChildren { name, value in
        let value = sieved(value, name.map(context.member) ?? context, &draft)
        return (context.isOfSource ? name.map { sieved($0, SieveContext(), &draft) } : name, value)
      }
    case .scalar(let scalar):
      let text: String
      switch scalar.meaning {
      case .text(let known): text = known
      case .number where context.isText: text = scalar.text
      // That of `max_tokens` is a count.
      case .number where context.isSecret && scalar.text.utf8.count > 3 && !context.name.lowercased().hasSuffix("s"):
        return .text("${{ to_number(\(secret(scalar.text, kind: context.name, &draft))) }}")
      default: return node
      }
      let result = sieved(text, context, &draft)
      return result == text ? node : .text(result)
    }
  }

  private mutating func sieved(_ text: String, _ context: SieveContext, _ draft: inout SpecDraft) -> String {
    var sieve = SieveText(text)
    if context.isSecret || context.isCookie && text.utf8.count >= 20 && sieve.templates.isEmpty {
      guard context.isText || text.utf8.count > 3 else { return text }
      sieve.findCredential(named: context.name)
    }
    sieve.findSecrets(named: context.name, known: knownSecrets)
    for template in sieve.credentialTemplates {
      sieve.replace(template, with: credential(sieve[template], &draft))
    }
    for (range, name) in sieve.secrets {
      let reference = secret(sieve[range].replacing("$${{", with: "${{"), kind: name, &draft)
      // Within an expression, the name stands in place of the quoted text.
      if sieve.template(at: range.lowerBound) != nil {
        sieve.replace(range.lowerBound - 1..<range.upperBound + 1, with: reference)
      } else {
        sieve.replace(range, with: "${{ \(reference) }}")
      }
    }
    return sieve.result
  }

  /// A template in place of a credential: the variables in it are secrets, and so is a text that it has by default.
  private mutating func credential(_ template: String, _ draft: inout SpecDraft) -> String {
    var result = ""
    var rest = template[...]
    while let first = rest.first {
      if first == "'" || first == "\"", let close = rest.dropFirst().firstIndex(of: first) {
        let text = rest[rest.index(after: rest.startIndex)..<close]
        let isArgument = !["[", "file(", "env("].contains(where: result.hasSuffix)
        if isArgument, text.utf8.count >= 8 || result.hasSuffix(", ") && result.contains("default("), !text.isEmpty {
          result += secret(String(text), kind: "secret", &draft)
        } else {
          result += rest[...close]
        }
        rest = rest[rest.index(after: close)...]
        continue
      }
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if !word.isEmpty, result.last != "." { credentialVariables.insert(String(word)) }
      result += word.isEmpty ? rest.prefix(1) : word
      rest = rest.dropFirst(max(word.count, 1))
    }
    return result
  }

  /// The name of the secret that holds a literal credential, which a draft then declares.
  mutating func secret(_ value: String, kind: String, _ draft: inout SpecDraft) -> String {
    let name = names.secret(value, kind: kind)
    draft.declare(credential: name)
    return name
  }

  // MARK: what is declared

  /// Finds all variables that stand in place of a secret, and makes secrets of those with a value.
  mutating func findCredentialVariables(_ drafts: inout [SpecDraft], _ project: inout SpecDraft) {
    var known = 0
    repeat {
      known = credentialVariables.count
      hideVariables(of: &project)
      for index in drafts.indices { hideVariables(of: &drafts[index]) }
      for variable in collection.environments.flatMap(\.variables)
      where credentialVariables.contains(names.variable(variable.name)) {
        for name in variable.value.readVariables { credentialVariables.insert(names.variable(name)) }
      }
    } while credentialVariables.count > known
  }

  /// Looks at everything once more, now that all secrets and the variables in place of some are known.
  mutating func sieveAgain(
    _ drafts: inout [SpecDraft], _ project: inout SpecDraft, _ environments: inout [(key: String, value: YAMLNode)]
  ) {
    knownSecrets = SecretFilter(secrets: (result.secrets + names.secrets).map(\.value).filter(\.isDistinctive))
    environments = environments.map { ($0.key, $0.value.mappingMembers { sieved($0, $1, &project) }) }
    if knownSecrets.isEmpty, credentialVariables.isEmpty { return }
    sieve(&project)
    for index in drafts.indices {
      sieve(&drafts[index])
      for request in drafts[index].requests.indices {
        let node = drafts[index].requests[request].node
        drafts[index].requests[request].node = node.mappingMembers { sieved($0, $1, &drafts[index]) }
      }
    }
  }

  /// Sieves what a draft says of all its requests.
  mutating func sieve(_ draft: inout SpecDraft) {
    draft.members = draft.members.map { ($0.key, sieved($0.key, $0.value, &draft)) }
    draft.defaults = draft.defaults.map { ($0.key, sieved($0.key, $0.value, &draft)) }
    draft.variables = sieved("variables", .mapping(draft.variables), &draft).members?.map { ($0.key, $0.value) } ?? []
  }

  /// Makes secrets of the variables that stand in place of one.
  private mutating func hideVariables(of draft: inout SpecDraft) {
    for (name, node) in draft.variables where credentialVariables.contains(name) {
      guard case .text(let text)? = node.scalar?.meaning, !text.isEmpty else { continue }
      if SieveText(text).templates.isEmpty {
        draft.variables.removeAll { $0.key == name }
        draft.secrets.append(name)
        result.secrets.append((name, text.replacing("$${{", with: "${{")))
      } else {
        _ = sieved("variables", .mapping([(name, node)]), &draft)
      }
    }
  }
}

extension String {
  /// Indicates that a text, wherever it stands, is most likely the same secret, and no word.
  fileprivate var isDistinctive: Bool {
    utf8.count >= 16 || utf8.count >= 8 && utf8.contains(where: isDigit) && utf8.contains(where: isLetter)
  }
}

extension YAMLNode {
  /// The node with others in place of its children, each with its name if it has one.
  fileprivate func mappingChildren(_ child: (String?, YAMLNode) -> (name: String?, value: YAMLNode)) -> YAMLNode {
    let content: Content
    switch self.content {
    case .scalar: return self
    case .sequence(let items): content = .sequence(items.map { child(nil, $0).value })
    case .mapping(let members):
      content = .mapping(
        members.map { member in
          let (name, value) = child(member.key, member.value)
          return YAMLMember(key: name ?? member.key, keyRange: member.keyRange, value: value)
        })
    }
    return YAMLNode(content: content, range: range, localTag: localTag, hasMapTag: hasMapTag)
  }

  /// The node with others in place of its members; another kind of node stays as it is.
  func mappingMembers(_ member: (String, YAMLNode) -> YAMLNode) -> YAMLNode {
    members == nil ? self : mappingChildren { ($0, member($0 ?? "", $1)) }
  }

  /// A text, converted.
  fileprivate func mappingText(_ convert: (String) -> String) -> YAMLNode {
    if case .text(let text)? = scalar?.meaning { .text(convert(text)) } else { self }
  }
}
