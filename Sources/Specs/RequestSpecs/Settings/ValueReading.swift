import Templates
import Values
import YAMLNodes

/// The treatment of `.inf` and `.nan`: they aren't JSON, but valid text in a query or a header.
enum NonFiniteNumbers {
  case refused, text
}

/// Values, and mappings with the user's own names, with templates inside.
extension SpecReader {
  mutating func parseTemplate(_ text: String, _ node: YAMLNode) -> Template? {
    if isCutByComment(node) { return nil }
    return Template.parse(text, place: node.rangesOfText, into: &bag)
  }

  /// Any value, with templates inside.
  mutating func valueTemplate(_ node: YAMLNode, nonFinite: NonFiniteNumbers = .refused) -> ValueTemplate? {
    guard isUsable(node) else { return nil }
    switch node.content {
    case .scalar(let scalar):
      if case .text(let text) = scalar.meaning, Template.isTemplate(text) {
        guard let template = parseTemplate(text, node) else { return nil }
        let value = ValueTemplate(content: .template(template), range: node.range)
        return isPrivate ? ValueTemplate(content: .secret(value), range: node.range) : value
      }
      if let sign = node.bareTagSign {
        return reject(
          .emptyValue, "a `!` without a name is the empty text", at: sign, notes: useNote(node),
          help: "write the name of what is expected, such as `!string` or `!uuid`, or `\"\"`")
      }
      if case .nonFinite(let text) = scalar.meaning, nonFinite == .refused {
        return reject(.invalidValue, "`\(text)` cannot be written as JSON", at: node, help: "quote it to mean the text")
      }
      noteForeignTemplates(in: scalar, node)
      let value = scalar.value
      return ValueTemplate(content: .literal(isPrivate ? value.tainted : value), range: node.range)
    case .sequence(let nodes):
      let items = nodes.compactMap { valueTemplate($0, nonFinite: nonFinite) }
      guard items.count == nodes.count else { return nil }
      let literals = items.compactMap(\.literal)
      return ValueTemplate(
        content: literals.count == items.count ? .literal(.list(literals)) : .list(items), range: node.range)
    case .mapping(let members): return mappingTemplate(members, node.range, nonFinite)
    }
  }

  private mutating func mappingTemplate(
    _ members: [YAMLMember], _ range: SourceRange, _ nonFinite: NonFiniteNumbers
  ) -> ValueTemplate? {
    var entries: [ValueTemplate.Member] = []
    for member in members {
      let key = textTemplate(member)
      guard let value = valueTemplate(member.value, nonFinite: nonFinite), let key else { continue }
      entries.append(ValueTemplate.Member(key: key, value: value))
    }
    guard entries.count == members.count else { return nil }
    let literals = entries.compactMap { entry -> Mapping.Member? in
      guard entry.key.template == nil, let value = entry.value.literal else { return nil }
      return Mapping.Member(key: Text(entry.key.text), value: value)
    }
    return ValueTemplate(
      content: literals.count == entries.count ? .literal(.mapping(Mapping(literals))) : .mapping(entries),
      range: range)
  }

  /// A key with the user's own names; it may contain templates.
  mutating func textTemplate(_ member: YAMLMember) -> TextTemplate? {
    guard Template.isTemplate(member.key) else {
      return TextTemplate(text: member.key, range: member.keyRange, template: nil)
    }
    let node = member.keyNode
    return Template.parse(member.key, place: node.rangesOfText, into: &bag).map {
      TextTemplate(text: member.key, range: member.keyRange, template: $0)
    }
  }

  /// A mapping with the user's own names; `null` values remove, `null` for the whole drops those of lower layers.
  mutating func keyed<Content>(
    _ node: YAMLNode, as what: String, nullRemoves: Bool = true, takesTemplate: Bool = true,
    _ read: (inout SpecReader, YAMLMember) -> Content?
  ) -> KeyedSettings<Content> {
    var result = KeyedSettings<Content>()
    guard isUsable(node) else { return result }
    if node.isNull {
      result.dropsLower = true
      return result
    }
    result.isGiven = true
    if takesTemplate, let scalar = node.scalar, case .text(let text) = scalar.meaning, Template.isTemplate(text) {
      result.whole = field(node, .mapping)
      return result
    }
    guard let members = node.members else {
      miss(what, node)
      report(
        .wrongType, "`\(what)` is a mapping, found \(node.kindPhrase)", at: node,
        help: isListOfMembers(node)
          ? "write the names without `- `"
          : urlInstead(of: node, as: what) ?? pairsInstead(of: node, as: what) ?? shapes[what].map { "write \($0)" })
      return result
    }
    for member in members {
      guard let key = textTemplate(member) else { continue }
      if nullRemoves, member.value.isNull {
        result.entries.append(KeyedSettings.Entry(key: key, value: nil))
      } else if let value = read(&self, member) {
        result.entries.append(KeyedSettings.Entry(key: key, value: value))
      } else {
        result.unreadableKeys.insert(member.key)
      }
    }
    return result
  }

  /// Reports a ` #` within a plain scalar that starts a comment but was meant as part of a template.
  private mutating func isCutByComment(_ node: YAMLNode) -> Bool {
    guard let scalar = node.scalar, let comment = YAMLReader.trailingCommentCut(of: node),
      occurrences(of: "${{", in: scalar.text) > occurrences(of: "}}", in: scalar.text)
    else { return false }
    bag.error(
      .yamlComment, "` #` begins a comment and cuts the template short", at: comment,
      help: "put the whole value in single quotes")
    return true
  }

  /// The key to write in place of `path: /users`.
  private func urlInstead(of node: YAMLNode, as what: String) -> String? {
    guard what == "path", let text = node.plainText, text.hasPrefix("/"), text.utf8.count <= 80 else { return nil }
    return "write `url: \(text)`; `path` has a value for each `{id}` of the URL"
  }

  /// The mapping to write in place of a list of names and values.
  private func pairsInstead(of node: YAMLNode, as what: String) -> String? {
    let items = node.items ?? []
    let pairs = items.prefix(5).compactMap { item -> String? in
      guard let value = item.members?.first(where: { $0.key == "value" })?.value,
        let name = item.members?.first(where: { ["name", "key"].contains($0.key) })?.value.plainText
      else { return nil }
      return pair(name, value.scalar == nil ? "" : value.range.text, what)
    }
    if pairs.count == items.count, !pairs.isEmpty { return "write {\(pairs.joined(separator: ", "))}" }
    guard let text = node.plainText, text.utf8.count <= 200, !text.contains(where: \.isNewline) else { return nil }
    // `page=1&tag=a`, or the line of a header.
    let texts = text.contains("=") ? text.split(separator: "&") : [text[...]]
    let parts = texts.compactMap { part -> String? in
      let blank = part.firstIndex { $0 == " " }
      guard let sign = part.firstIndex(where: { $0 == "=" || $0 == ":" }) ?? blank else { return nil }
      let name = part[..<sign]
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }) else { return nil }
      return pair(String(name), String(part[part.index(after: sign)...].drop { $0 == " " }), what)
    }
    return parts.count == texts.count ? "write {\(parts.joined(separator: ", "))}" : nil
  }

  /// A member to write; the value of one that may be secret isn't shown.
  private func pair(_ name: String, _ value: String, _ what: String) -> String {
    let isPlain = !value.isEmpty && value.utf8.count <= 40 && !value.contains { "{}[],#&*!|>%@`'\":".contains($0) }
    return
      "\(jsonEscaped(name)): \(isPlain && what != "cookies" && !isSecretName(name) && !isMaskedHeader(name) ? value : "…")"
  }
}

/// The correct form of a mapping with the user's own names.
private let shapes = [
  "headers": "{Accept: text/html}: a name and a value for each, without `- `",
  "query": "{page: 1, tag: [a, b]}, or put it into the `url` after a `?`",
  "parameters": "{page: 1, tag: [a, b]}",
  "form": "{name: Ann, tag: [a, b]}; what is encoded already is a `body`",
  "multipart": "{title: Holiday, photo: {file: sea.png}}: a name for each part",
  "cookies": "{session: abc}: a name and a value for each",
  "path": "{id: 7}: a value for each `{id}` of the URL",
  "variables": "{host: example.com}: a name and a value for each",
  "capture": "{token: $.access_token}: a name, and what to take",
  "namespaces": "{atom: \"http://www.w3.org/2005/Atom\"}: a URI for each prefix",
]

private func occurrences(of part: String, in text: String) -> Int {
  var count = 0
  var rest = text[...]
  while let range = rest.firstRange(of: part) {
    count += 1
    rest = rest[range.upperBound...]
  }
  return count
}

extension YAMLMember {
  /// The key as a node, with the places of all parts of its text.
  package var keyNode: YAMLNode {
    let style: YAMLScalar.Style =
      // Only quotes make a key's place longer than its text.
      switch keyRange.bytes.count == key.utf8.count ? nil : keyRange.utf8.first {
      case UInt8(ascii: "\""): .doubleQuoted
      case UInt8(ascii: "'"): .singleQuoted
      default: .plain
      }
    return YAMLNode(content: .scalar(YAMLScalar(meaning: .text(key), style: style, text: key)), range: keyRange)
  }
}

extension YAMLNode {
  /// The place of a `!` that stands alone in place of a value.
  fileprivate var bareTagSign: SourceRange? {
    guard let scalar, scalar.style == .plain, scalar.text.isEmpty, case .text = scalar.meaning else { return nil }
    let utf8 = range.source.utf8
    guard let sign = utf8[..<min(range.bytes.lowerBound, utf8.count)].lastIndex(where: { $0 != 0x20 && $0 != 0x09 }),
      utf8[sign] == UInt8(ascii: "!"), sign == 0 || " \t\n[{,".utf8.contains(utf8[sign - 1])
    else { return nil }
    return SourceRange(range.source, sign..<sign + 1)
  }

  var isNull: Bool {
    // A node that consists of a tag alone isn't null.
    if localTag == nil, let scalar, case .null = scalar.meaning { true } else { false }
  }

  /// The text of a scalar that is text, without a template.
  var plainText: String? {
    guard localTag == nil, let scalar, case .text(let text) = scalar.meaning, !Template.isTemplate(text) else {
      return nil
    }
    return text
  }
}

extension YAMLScalar {
  var value: Value {
    switch meaning {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let lexeme): .number(Number(lexeme: lexeme))
    case .text(let text): .text(text)
    case .timestamp(let text): Timestamp(rfc3339: text).map { .date($0) } ?? .text(text)
    case .binary(let bytes): .data(Bytes(bytes))
    case .nonFinite(let text): .text(text)
    }
  }
}
