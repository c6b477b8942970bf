import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// Checks that need the whole request, or the defaults.
  mutating func checkRequest(_ request: RequestDraft, members: [YAMLMember]) {
    checkBodies(members)
    checkHashedBody(members)
    checkOwnCaptures(members)
    checkSwallowed(members)
    guard let field = request.settings.expect.failure.value else { return }
    let expect = request.settings.expect
    if let assertion = expect.assertions.first ?? expect.groups.first?.assertions.first {
      bag.error(
        .conflictingKeys, "`error` stands alone under `expect`: a failed exchange has no response to check",
        at: field.range, notes: [Diagnostic.Note("this looks at the response", at: assertion.range)])
    }
    if let capture = request.settings.capture.entries.first(where: { $0.value != nil }) {
      bag.error(
        .conflictingKeys, "a request that expects an error has no response to capture from", at: capture.key.range,
        notes: [Diagnostic.Note("the error is expected here", at: field.range)])
    }
  }

  /// Warns of an `expect` that is a part of the description or of a body, since it is indented too far.
  private mutating func checkSwallowed(_ members: [YAMLMember]) {
    for name in ["description", "body"] {
      guard let node = members.first(where: { $0.key == name })?.value, let scalar = node.scalar else { continue }
      let text = scalar.text
      // Also in the middle of a line that is folded.
      let isFolded = name == "description"
      // A text of such lines is YAML itself.
      if !isFolded,
        scalar.style != .literal
          || text.prefix(while: { $0 != "\n" }).utf8.drop(while: isWordCharacter).first == UInt8(ascii: ":")
      {
        continue
      }
      let key = ["expect", "capture"].first { key in
        text.contains("\(isFolded ? "" : "\n")\(key): {") || text.contains("\n\(key):\n")
      }
      guard let key, !members.contains(where: { $0.key == key }) else { continue }
      warn(
        .suspiciousBody, "`\(key)` is a part of the text here", at: node, help: "indent it only as far as `\(name):`")
    }
  }

  /// Warns of a value that is compared with its own capture, which always holds.
  private mutating func checkOwnCaptures(_ members: [YAMLMember]) {
    func part(_ key: String, of members: [YAMLMember]) -> [YAMLMember] {
      members.first { $0.key == key }?.value.members ?? []
    }
    let captures = part("capture", of: members)
    if captures.isEmpty { return }
    for member in part("json", of: part("expect", of: members)) {
      let operand = member.value.members.flatMap { $0.count == 1 && $0[0].key == "equals" ? $0[0].value : nil }
      guard let text = (operand ?? member.value).scalar?.text, text.hasPrefix("${{"), text.hasSuffix("}}") else {
        continue
      }
      let name = text.dropFirst(3).dropLast(2).filter { $0 != " " }
      guard let capture = captures.first(where: { $0.key == name }), capture.value.plainText == member.key else {
        continue
      }
      bag.warning(
        .alwaysTrue, "this compares `\(jsonEscaped(member.key))` with itself: `\(name)` is captured there",
        at: member.keyRange, notes: [Diagnostic.Note("captured here", at: capture.keyRange)],
        help: "compare it with what it should be, or with a capture of an earlier request")
    }
  }

  /// Reports two body keys in one request.
  private mutating func checkBodies(_ members: [YAMLMember]) {
    let bodies = members.filter { RequestSettings.bodyNames.contains($0.key) && (!$0.value.isNull || $0.key == "json") }
    guard let first = bodies.first, let other = bodies.dropFirst().first else { return }
    let names = bodies.count == 2 ? [other, first] : bodies
    let list = names.dropLast().map { "`\($0.key)`" }.joined(separator: ", ") + " and `\(names[names.count - 1].key)`"
    bag.error(
      .conflictingKeys, "\(list) are \(names.count == 2 ? "both" : "all") bodies: a request has one",
      at: other.keyRange,
      notes: bodies.filter { $0.key != other.key }.map { Diagnostic.Note("another body stands here", at: $0.keyRange) },
      help: names.count == 2 ? help(first.key, other.key) : "keep one of them")
  }

  private func help(_ first: String, _ second: String) -> String {
    let keys: Set = [first, second]
    if keys == ["json", "form"] {
      return "put the fields of `form:` into `json:`, or those of `json:` into `form:`; `query:` goes beside either"
    }
    if keys == ["form", "multipart"] { return "put the fields of `form:` into `multipart:`" }
    if keys.contains("graphql"), keys.contains("json") {
      return "put `query` and `variables` into `graphql:`, and remove `json:`"
    }
    return "remove `\(first):` or `\(second):`"
  }

  /// Warns about a final line break: in a block text it is part of the body, and so of its hash.
  private mutating func checkHashedBody(_ members: [YAMLMember]) {
    guard let body = members.first(where: { $0.key == "body" })?.value, let text = body.scalar,
      text.style == .literal || text.style == .folded, text.text.hasSuffix("\n"),
      let headers = members.first(where: { $0.key == "headers" })?.value.members,
      let header = headers.first(where: { sendsHash($0) })
    else { return }
    bag.warning(
      .suspiciousBody, "this body ends with a line break, which belongs to what is hashed", at: body.range.firstLine,
      notes: [Diagnostic.Note("the hash is sent here", at: header.keyRange)],
      help: "write `\(text.style == .literal ? "|-" : ">-")` to leave it out")
  }

  private func sendsHash(_ header: YAMLMember) -> Bool {
    if ["content-md5", "digest", "content-digest", "repr-digest"].contains(header.key.lowercased()) { return true }
    guard let text = header.value.scalar?.text, Template.isTemplate(text) else { return false }
    return ["md5", "sha256"].contains { text.contains($0) }
  }
}

extension SourceRange {
  /// The range cut to its first line.
  package var firstLine: SourceRange {
    let source = source
    let line = source.lineBytes(source.lineIndex(at: bytes.lowerBound))
    return moved(to: bytes.lowerBound..<max(bytes.lowerBound, min(bytes.upperBound, line.upperBound)))
  }
}
