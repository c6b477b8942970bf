import DocumentQueries
import Templates
import Values
import YAMLNodes

/// `body` as a mapping, while it is read.
struct BodyDraft {
  var file: Field<FileReference>?
  var fillsIn: Located<Bool>?
  var base64: Field<Text>?

  static let keys = Keys<BodyDraft>(
    [
      Key("file", "the file that is sent", synonyms: "path", .field(.filePath)) { $0.file = $1 },
      Key("template", "`true` fills in the templates of the file", .boolean) { reader, member, body in
        body.fillsIn = reader.constant(member.value, as: "template", .boolean).map { Located($0, at: member.keyRange) }
      },
      Key("base64", "the bytes that are sent, in base64", .field(.base64)) { $0.base64 = $1 },
    ],
    advice: [
      "json": "write `json:` instead of `body:`", "type": "write the header `Content-Type`",
      "multipart": "write `multipart:` instead of `body:`",
    ])
}

/// `{file: …, template: true}` while it is read.
struct TextFileDraft {
  var path: Field<FileReference>?
  var fillsIn = false

  static let keys = Keys<TextFileDraft>([
    Key("file", "the file with the text", synonyms: "path", .field(.filePath)) { $0.path = $1 },
    Key("template", "`true` fills in the templates of the file", .constant(.boolean)) { $0.fillsIn = $1 ?? false },
  ])
}

extension SpecReader {
  mutating func form(_ node: YAMLNode) -> BodySpec? {
    guard isUsable(node) else { return nil }
    checkSwallowedKeys(node, as: "form")
    let form = keyed(node, as: "form", nullRemoves: false) { reader, member in
      reader.checkFormFile(member)
      reader.checkEncodedTwice(member, "form")
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
    return .form(form, range: node.range)
  }

  mutating func json(_ node: YAMLNode) -> BodySpec? {
    checkJSONText(node)
    checkSwallowedKeys(node, as: "json")
    checkPaths(node)
    checkTexts(node)
    return valueTemplate(node).map { .json($0) }
  }

  /// Reports an `expect` that is indented too deep: it would be sent, or be a variable, and nothing checked.
  mutating func checkSwallowedKeys(_ node: YAMLNode, as what: String, fate: String = "sent as a part of") {
    for item in node.items ?? [] where item.useSite == nil && item.scalar == nil {
      checkSwallowedKeys(item, as: what, fate: fate)
    }
    guard let members = node.members else { return }
    // Some data describes requests of its own.
    func isRequest() -> Bool { members.contains { ["url", "method", "request", "httpRequest"].contains($0.key) } }
    for member in members where member.value.useSite == nil {
      if what == "json" { checkSigns(member) }
      if isSwallowed(member), !isRequest() {
        bag.warning(
          .suspiciousBody, "`\(member.key)` is \(fate) `\(what)` here", at: member.keyRange, notes: useNote(node),
          help: swallowedHelp(member.key, what))
      } else if member.value.scalar == nil {
        checkSwallowedKeys(member.value, as: what, fate: fate)
      }
    }
  }

  /// Warns of a name with the sign of HTTPie between a name and a number.
  private mutating func checkSigns(_ member: YAMLMember) {
    let last = member.key.utf8.last
    guard last == UInt8(ascii: ":") || last == UInt8(ascii: "=") && member.key.hasSuffix(":="),
      member.key.utf8.count > 2
    else { return }
    let name = member.key.prefix { $0 != ":" }
    bag.warning(
      .suspiciousBody, "`\(jsonEscaped(member.key))` is the name here, with its sign", at: member.keyRange,
      notes: useNote(member.value),
      help: "write `\(jsonEscaped(String(name))): …`")
  }

  private func swallowedHelp(_ key: String, _ what: String) -> String {
    key == "teardown"
      ? "write it without an indentation if it belongs to the file"
      : "indent it only as far as `\(what):` if it belongs to the request"
  }

  private func isSwallowed(_ member: YAMLMember) -> Bool {
    let value = member.value
    switch member.key {
    case "expect":
      // Data that someone copied has quotes around its names.
      if hasExpect || member.keyNode.scalar?.style != .plain { return false }
      if let members = value.members { return !members.isEmpty && members.allSatisfy { expectKeys.contains($0.key) } }
      return value.scalar?.text.namedStatus != nil
    case "capture":
      if let members = value.members, !members.isEmpty {
        return members.allSatisfy { $0.value.scalar?.text.hasPrefix("$") ?? ($0.value.members != nil) }
      }
      return value.scalar.map { $0.text.hasPrefix("$.") || $0.text.hasPrefix("$[") } ?? false
    case "poll": return value.members?.contains { $0.key == "until" && $0.value.members != nil } ?? false
    case "teardown": return value.items?.first?.members?.contains { $0.key == "url" } ?? false
    default: return false
    }
  }

  /// Warns of a body whose members are all named by JSONPaths: those of an expectation.
  private mutating func checkPaths(_ node: YAMLNode) {
    guard let members = node.members, let first = members.first,
      members.allSatisfy({ $0.key.hasPrefix("$.") || $0.key.hasPrefix("$[") })
    else { return }
    bag.warning(
      .suspiciousBody, "this is the body that is sent, with members named `\(jsonEscaped(first.key))`",
      at: first.keyRange,
      notes: useNote(node), help: "write `expect: {json: {\(jsonEscaped(first.key)): …}}` for what the response has")
  }

  mutating func body(_ node: YAMLNode) -> BodySpec? {
    if node.members != nil { return bodyMapping(node) }
    if node.items != nil, isUsable(node) {
      return reject(
        .wrongType, "`body` is text, {file: …} or {base64: …}, found a list", at: node,
        help: "write `json:` in place of `body:` for a list in JSON")
    }
    if let path = node.fileAfterAt {
      warn(
        .suspiciousBody, "this text is sent as it stands, with its `@`", at: node,
        help: "write {file: \(path)} for what is in the file")
    }
    if let text = node.plainText, let key = ["expect", "capture"].first(where: { text.contains("\n\($0):\n") }),
      !hasExpect, !("\n" + text).contains("\nrequest:")
    {
      warn(
        .suspiciousBody, "`\(key)` is a line of the text that is sent here", at: node, help: swallowedHelp(key, "body"))
    }
    return field(node, .scalarText).map { .text($0) }
  }

  private mutating func bodyMapping(_ node: YAMLNode) -> BodySpec? {
    if let members = node.members, isUsable(node), !members.isEmpty, !members.contains(where: isBodyKey) {
      return reject(
        .wrongType, "`body` is text, {file: …} or {base64: …}, found another mapping", at: node.range.firstLine,
        notes: useNote(node), help: "write `json:` in place of `body:` for a mapping in JSON, `form:` for a form")
    }
    if let help = typedBody(node) {
      return reject(
        .misplacedKey, "the kind of a body is a key of the request", at: node.range.firstLine, notes: useNote(node),
        help: help)
    }
    var draft = BodyDraft()
    let isSound = visit(node, as: "`body`", keys: BodyDraft.keys, into: &draft)
    guard isSound else { return nil }
    if draft.base64 != nil, draft.file != nil {
      return reject(.conflictingKeys, "a body is either `file` or `base64`", at: node.range, help: "remove one of them")
    }
    if let base64 = draft.base64 {
      if let fillsIn = draft.fillsIn {
        bag.error(.orphanedKey, "`template` belongs to `file`", at: fillsIn.range, help: "remove it")
      }
      return .base64(base64)
    }
    guard let file = draft.file else {
      return reject(.missingKey, "`body` is text, {file: …} or {base64: …}, found neither of them", at: node.range)
    }
    guard draft.fillsIn?.value == true else { return .file(file) }
    return .textFile(TextFile(path: file, fillsIn: true, range: node.range))
  }

  /// The correct form of a body in the notation of other tools: `{type: json, value: …}` or `{json: …}`.
  private func typedBody(_ node: YAMLNode) -> String? {
    let members = node.members ?? []
    if members.contains(where: { $0.value.hasError }) { return nil }
    let kinds = ["json", "form", "multipart", "graphql"]
    if members.count == 1, let member = members.first, kinds.contains(member.key) {
      return "write `\(member.key): \(flowText(member.value) ?? "…")` in place of `body:`"
    }
    guard let type = members.first(where: { ["type", "mode", "kind", "format"].contains($0.key) }),
      let word = type.value.plainText?.lowercased(), let kind = kinds.first(where: { word.contains($0) }),
      let value = members.first(where: { ["value", "content", "data", "body", kind].contains($0.key) })
    else { return nil }
    return "write `\(kind): \(flowText(value.value) ?? "…")` in place of `body:`"
  }

  private func isBodyKey(_ member: YAMLMember) -> Bool {
    member.value.hasError || BodyDraft.keys.names.synonyms[member.key] != nil
      || BodyDraft.keys.names.advice[member.key] != nil
      || likelyWord(for: member.key, among: BodyDraft.keys.names.known) != nil
  }

  /// A URL-encoded form can't contain files.
  private mutating func checkFormFile(_ member: YAMLMember) {
    let node = member.value
    if let path = node.fileAfterAt {
      warn(
        .suspiciousBody, "this text is sent as it stands, with its `@`", at: node,
        help: "a form with files is `multipart:`, and the field {file: \(path)}")
    } else if let members = node.members, members.count == 1, members[0].key == "file", members[0].value.scalar != nil {
      warn(
        .suspiciousBody, "no file is read here: this is sent as a mapping with the member `file`", at: node,
        help: "write `multipart:` instead of `form:`")
    }
  }

  /// Warns of text that is a JSON document, which is probably meant as that document.
  private mutating func checkJSONText(_ node: YAMLNode) {
    if let path = node.fileAfterAt, path.hasSuffix(".json") {
      warn(
        .suspiciousBody, "this is sent as a JSON string, with its `@`", at: node,
        help: "write `body: {file: \(path)}`, and `Content-Type: application/json` under `headers:`")
    }
    guard let text = node.plainText, let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
      isJSON(text)
    else { return }
    bag.warning(
      .suspiciousBody, "this is sent as one JSON string, not as the structure that it shows", at: node.range,
      help: text.utf8.count <= 80 && !text.contains(where: \.isNewline)
        ? "write `json: \(text)`, without quotes around it" : "write it as a mapping, without quotes, or as `body:`")
  }

  /// `{file: …, template: true}`
  mutating func textFile(_ node: YAMLNode, as what: String) -> TextFile? {
    var draft = TextFileDraft()
    let isSound = visit(node, as: what, keys: TextFileDraft.keys, into: &draft)
    if draft.path == nil, isSound {
      bag.error(.missingKey, "\(what) is text or {file: …}, found no `file`", at: node.range)
    }
    return draft.path.map { TextFile(path: $0, fillsIn: draft.fillsIn, range: node.range) }
  }
}

extension YAMLNode {
  /// The name after the `@` of a text such as `@order.json`, which means a file in curl and other tools.
  var fileAfterAt: String? {
    guard scalar?.text.utf8.first == UInt8(ascii: "@"), let text = plainText, text.utf8.count < 256 else { return nil }
    let path = text.dropFirst()
    let isPath = path.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "./-_~+ ".unicodeScalars.contains(scalar)
    }
    guard isPath, let first = path.first, first != " ", path.contains("/") || path.dropFirst().contains(".") else {
      return nil
    }
    return String(path)
  }
}

/// Returns whether a text is a JSON document.
func isJSON(_ text: String) -> Bool {
  do {
    _ = try JSONDocument(parsing: Array(text.utf8))
    return true
  } catch {
    return false
  }
}
