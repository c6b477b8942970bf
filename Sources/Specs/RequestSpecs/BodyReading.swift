import Diagnostics
import JSONQueries
import Templates
import Values
import YAMLNodes

private let bodyMappingKeys = KeyTable(
  known: ["file", "template", "base64"], synonyms: ["path": "file"],
  advice: [
    "json": "write `json:` instead of `body:`", "type": "write the header `Content-Type`",
    "multipart": "write `multipart:` instead of `body:`",
  ])

private let graphQLKeys = KeyTable(
  known: ["query", "variables", "operation"],
  synonyms: ["mutation": "query", "operation_name": "operation", "operationName": "operation", "vars": "variables"],
  shape: "{query: …}")

extension SpecReader {
  mutating func body(_ key: String, _ node: YAMLNode) -> BodySpec? {
    switch key {
    case "form":
      guard isUsable(node) else { return nil }
      checkSwallowedKeys(node, as: key)
      let form = keyed(node, as: "form", nullRemoves: false) { reader, member in
        reader.checkFormFile(member)
        return reader.valueTemplate(member.value, nonFinite: .text)
      }
      return .form(form, range: node.range)
    case "json":
      checkJSONText(node)
      checkSwallowedKeys(node, as: key)
      return valueTemplate(node).map { .json($0) }
    case "graphql": return graphQL(node)
    case "multipart":
      guard isUsable(node) else { return nil }
      return .multipart(multipart(node), range: node.range)
    default: return body(node)
    }
  }

  /// `expect` that is indented too deep would be sent, and nothing checked.
  mutating func checkSwallowedKeys(_ node: YAMLNode, as what: String) {
    for member in node.members ?? [] {
      guard let members = member.value.members, !members.isEmpty, member.value.useSite == nil else { continue }
      let isMeant =
        switch member.key {
        case "expect": members.allSatisfy { expectKeys.known.contains($0.key) }
        case "capture": members.allSatisfy { $0.value.scalar?.text.hasPrefix("$") ?? ($0.value.members != nil) }
        default: false
        }
      if isMeant {
        bag.warning(
          "`\(member.key)` is sent as a part of `\(what)` here", at: member.keyRange, notes: useNote(node),
          help: "indent it as `\(what):` if it belongs to the request")
      }
    }
  }

  private mutating func body(_ node: YAMLNode) -> BodySpec? {
    if node.members != nil { return bodyMapping(node) }
    if node.items != nil, isUsable(node) {
      bag.error(
        "`body` is text, {file: …} or {base64: …}, found a list", at: node.range, notes: useNote(node),
        help: "write `json:` for a list in JSON")
      return nil
    }
    if let path = node.fileAfterAt {
      bag.warning(
        "this text is sent as it stands, with its `@`", at: node.range, notes: useNote(node),
        help: "write {file: \(path)} for what is in the file")
    }
    return field(node, .scalarText).map { .text($0) }
  }

  private mutating func bodyMapping(_ node: YAMLNode) -> BodySpec? {
    if let members = node.members, isUsable(node), !members.isEmpty, !members.contains(where: isBodyKey) {
      bag.error(
        "`body` is text, {file: …} or {base64: …}, found another mapping", at: node.range.firstLine,
        notes: useNote(node), help: "write `json:` for a mapping in JSON, `form:` for a form")
      return nil
    }
    let errorsBefore = bag.errorCount
    var base64: Field<Text>?
    var file: Field<FileReference>?
    var fillsIn: Located<Bool>?
    visit(node, as: "`body`", keys: bodyMappingKeys) { reader, member in
      switch member.key {
      case "base64": base64 = reader.field(member.value, .base64)
      case "file": file = reader.field(member.value, .filePath)
      default:
        fillsIn = reader.constant(member.value, as: "template", .boolean).map { Located($0, at: member.keyRange) }
      }
    }
    guard bag.errorCount == errorsBefore, !node.hasError else { return nil }
    if base64 != nil, file != nil {
      bag.error("a body is either `file` or `base64`", at: node.range, help: "remove one of them")
      return nil
    }
    if let base64 {
      if let fillsIn { bag.error("`template` belongs to `file`", at: fillsIn.range, help: "remove it") }
      return .base64(base64)
    }
    guard let file else {
      bag.error("`body` is text, {file: …} or {base64: …}, found neither of them", at: node.range)
      return nil
    }
    return fillsIn?.value == true ? .textFile(TextFile(path: file, fillsIn: true, range: node.range)) : .file(file)
  }

  private func isBodyKey(_ member: YAMLMember) -> Bool {
    member.value.hasError || bodyMappingKeys.synonyms[member.key] != nil || bodyMappingKeys.advice[member.key] != nil
      || likelyWord(for: member.key, among: bodyMappingKeys.known) != nil
  }

  /// A URL-encoded form has no files.
  private mutating func checkFormFile(_ member: YAMLMember) {
    let node = member.value
    if let path = node.fileAfterAt {
      bag.warning(
        "this text is sent as it stands, with its `@`", at: node.range, notes: useNote(node),
        help: "a form with files is `multipart:`, and the field {file: \(path)}")
    } else if let members = node.members, members.count == 1, members[0].key == "file", members[0].value.scalar != nil {
      bag.warning(
        "no file is read here: this is sent as a mapping with the member `file`", at: node.range,
        notes: useNote(node), help: "write `multipart:` instead of `form:`")
    }
  }

  /// A text that is a JSON document is most likely meant as that document.
  private mutating func checkJSONText(_ node: YAMLNode) {
    if let path = node.fileAfterAt {
      bag.warning(
        "this is sent as a JSON string, with its `@`", at: node.range, notes: useNote(node),
        help: "write `body: {file: \(path)}`, and `Content-Type: application/json` under `headers:`")
    }
    guard let text = node.plainText, let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
      isJSON(text)
    else { return }
    bag.warning(
      "this is sent as one JSON string, not as the structure that it shows", at: node.range,
      help: "did you mean a mapping, or `body:`?")
  }

  private mutating func graphQL(_ node: YAMLNode) -> BodySpec? {
    let errorsBefore = bag.errorCount
    var query: TextSource?
    var variables: ValueTemplate?
    var operation: Field<Text>?
    visit(node, as: "`graphql`", keys: graphQLKeys) { reader, member in
      switch member.key {
      case "query":
        query =
          member.value.members == nil
          ? reader.field(member.value, .text).map { .field($0) }
          : reader.textFile(member.value, as: "`query`").map { .file($0) }
      case "variables":
        variables = reader.valueTemplate(member.value)
        if let literal = variables?.literal, literal.kind != .mapping, literal.kind != .null {
          reader.bag.error("`variables` of a query is a mapping, found \(literal.phrase)", at: member.value.range)
        }
      default: operation = reader.field(member.value, .text)
      }
    }
    if query == nil, bag.errorCount == errorsBefore, !node.hasError {
      bag.error("`graphql` needs `query`", at: node.range)
    }
    return query.map { .graphQL(query: $0, variables: variables, operation: operation, range: node.range) }
  }

  /// `{file: …, template: true}`
  private mutating func textFile(_ node: YAMLNode, as what: String) -> TextFile? {
    let errorsBefore = bag.errorCount
    var path: Field<FileReference>?
    var fillsIn = false
    visit(node, as: what, keys: KeyTable(known: ["file", "template"], synonyms: ["path": "file"])) { reader, member in
      if member.key == "file" {
        path = reader.field(member.value, .filePath)
      } else {
        fillsIn = reader.constant(member.value, as: "template", .boolean) ?? false
      }
    }
    if path == nil, bag.errorCount == errorsBefore, !node.hasError {
      bag.error("\(what) is text or {file: …}, found no `file`", at: node.range)
    }
    return path.map { TextFile(path: $0, fillsIn: fillsIn, range: node.range) }
  }
}

extension YAMLNode {
  /// What stands behind the `@` of a text such as `@order.json`, by which curl and others name a file.
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

private func isJSON(_ text: String) -> Bool {
  do {
    _ = try JSONDocument(parsing: Array(text.utf8))
    return true
  } catch {
    return false
  }
}
