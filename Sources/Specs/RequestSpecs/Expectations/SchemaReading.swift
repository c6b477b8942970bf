import JSONSchemas
import Matching
import Templates
import Values
import YAMLNodes

/// The long form of `schema`, while it is read.
///
/// Neither `file` nor `inline` is a keyword of JSON Schema: a mapping that has one of them is the long form.
struct SchemaDraft {
  var content: SchemaSpec.Content?
  var options = SchemaOptions()
  var resources: [Located<String>] = []

  static let keys = Keys<SchemaDraft>([
    Key("file", "the path of a schema", synonyms: "path", .someText) { reader, member, draft in
      reader.checkOnly(member, draft)
      draft.content = reader.schemaPath(member.value).map { .file($0) }
    },
    Key("inline", "a schema as a mapping", synonyms: "schema", .names(of: .anything)) { reader, member, draft in
      reader.checkOnly(member, draft)
      draft.content = reader.inlineSchema(member.value).map { .inline($0) }
    },
    Key("draft", "the draft of a schema that names none", .constants(draftNames)) {
      $2.options.dialect = $0.draft($1.value) ?? $2.options.dialect
    },
    Key(
      "format", "whether `format` is checked", .words(SchemaOptions.FormatMode.allCases.map(\.rawValue))
    ) { $2.options.format = $0.formatMode($1.value) ?? $2.options.format },
    Key("resources", "files with schemas that are referred to", SchemaShape.text.orList) {
      $2.resources = $0.stringList($1.value, as: "resources")
    },
  ])

  private static var draftNames: [Value] {
    drafts.flatMap { draft -> [Value] in
      [.text(Text(draft.name))] + (Int(draft.name).map { [.integer($0)] } ?? [])
    }
  }
}

private let drafts: [(name: String, dialect: SchemaDialect)] = [
  ("2020-12", .draft202012), ("2019-09", .draft201909), ("7", .draft7), ("4", .draft4),
]

private let schemaHelp = "write the path of a file, a schema as a mapping, or {file: …, draft: …, format: …}"

extension SpecReader {
  /// A path, a schema, or the long form.
  mutating func schema(_ node: YAMLNode) -> SchemaSpec? {
    guard isUsable(node), !isIncomplete(node) else { return nil }
    let range = node.useSite ?? node.range
    guard let members = node.members else {
      return schemaPath(node).map { SchemaSpec(.file($0), range: range) }
    }
    guard members.contains(where: { $0.key == "file" || $0.key == "inline" }) else {
      return inlineSchema(node).map { SchemaSpec(.inline($0), range: range) }
    }
    let errors = bag.errorCount
    var draft = SchemaDraft()
    visit(node, as: "`schema`", keys: SchemaDraft.keys, into: &draft)
    guard bag.errorCount == errors, let content = draft.content else { return nil }
    return SchemaSpec(content, options: draft.options, resources: draft.resources, range: range)
  }

  fileprivate mutating func checkOnly(_ member: YAMLMember, _ draft: SchemaDraft) {
    guard draft.content != nil else { return }
    bag.error(
      .conflictingKeys, "a schema is either `file` or `inline`", at: member.keyRange, help: "remove one of them")
  }

  fileprivate mutating func schemaPath(_ node: YAMLNode) -> Located<String>? {
    guard isUsable(node) else { return nil }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, !text.isEmpty else {
      return reject(.wrongType, "`schema` is a file or a schema, found \(node.kindPhrase)", at: node, help: schemaHelp)
    }
    if text.hasPrefix("{") {
      return reject(
        .wrongType, "a text is read as the path of a schema, and this is a schema itself", at: node,
        help: "write it as a mapping, without quotes")
    }
    if MatchKind(rawValue: text) != nil {
      return reject(
        .wrongType, "a text is read as the path of a schema, and this is a type", at: node,
        help: "write {type: \(text)}")
    }
    if Template.isTemplate(text) {
      return reject(
        .templateNotAllowed, "`schema` takes no template: schemas are read before anything is sent", at: node,
        help: "write the path itself")
    }
    return Located(text, at: node.range)
  }

  fileprivate mutating func inlineSchema(_ node: YAMLNode) -> SchemaDocument? {
    guard isUsable(node) else { return nil }
    guard node.members != nil else {
      return reject(
        .wrongType, "a schema in a spec is a mapping, found \(node.kindPhrase)", at: node,
        help: "leave `schema` out where every body is right")
    }
    if let place = templatePlace(in: node) {
      return reject(
        .templateNotAllowed, "a schema takes no templates: it is read before anything is sent", at: place,
        help: "check what depends on variables under `json`")
    }
    // Its position among files is known when it is loaded.
    return SchemaDocument(node: node, url: "", source: node.range.source, into: &bag)
  }

  private func templatePlace(in node: YAMLNode) -> SourceRange? {
    switch node.content {
    case .scalar(let scalar): return Template.isTemplate(scalar.text) ? node.range : nil
    case .sequence(let items):
      for item in items { if let place = templatePlace(in: item) { return place } }
      return nil
    case .mapping(let members):
      for member in members { if let place = templatePlace(in: member.value) { return place } }
      return nil
    }
  }

  fileprivate mutating func draft(_ node: YAMLNode) -> SchemaDialect? {
    guard isUsable(node) else { return nil }
    if let dialect = drafts.first(where: { $0.name == node.scalar?.text })?.dialect { return dialect }
    return reject(
      .unknownValue, "there is no such draft here", at: node,
      help: "the drafts are \(drafts.map(\.name).joined(separator: ", "))")
  }

  mutating func formatMode(_ node: YAMLNode) -> SchemaOptions.FormatMode? {
    guard isUsable(node) else { return nil }
    if let mode = node.plainText.flatMap(SchemaOptions.FormatMode.init) { return mode }
    let problem = unknownWord(
      Text(node.scalar?.text ?? node.kindPhrase), among: SchemaOptions.FormatMode.allCases.map(\.rawValue))
    return reject(problem, at: node)
  }
}
