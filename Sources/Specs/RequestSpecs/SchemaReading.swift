import Diagnostics
import JSONSchemas
import Templates
import Values
import YAMLNodes

/// Neither `file` nor `inline` is a keyword of JSON Schema: a mapping that has one of them is the long form.
private let schemaKeys = KeyTable(
  known: ["file", "inline", "draft", "format", "resources"], synonyms: ["path": "file", "schema": "inline"])

private let drafts: [(name: String, dialect: SchemaDialect)] = [
  ("2020-12", .draft202012), ("2019-09", .draft201909), ("7", .draft7), ("4", .draft4),
]

private let schemaHelp = "write the path of a file, a schema as a mapping, or {file: …, draft: …, format: …}"

extension SpecReader {
  /// A path, a schema, or the long form.
  mutating func schema(_ node: YAMLNode) -> SchemaSpec? {
    guard isUsable(node) else { return nil }
    let range = node.useSite ?? node.range
    guard let members = node.members else {
      return schemaPath(node).map { SchemaSpec(.file($0), range: range) }
    }
    guard members.contains(where: { $0.key == "file" || $0.key == "inline" }) else {
      return inlineSchema(node).map { SchemaSpec(.inline($0), range: range) }
    }
    let errors = bag.errorCount
    var content: SchemaSpec.Content?
    var options = SchemaOptions()
    var resources: [Located<String>] = []
    visit(node, as: "`schema`", keys: schemaKeys) { reader, member in
      switch member.key {
      case "file", "inline":
        if content != nil {
          reader.bag.error("a schema is either `file` or `inline`", at: member.keyRange, help: "remove one of them")
        }
        content =
          member.key == "file"
          ? reader.schemaPath(member.value).map { .file($0) } : reader.inlineSchema(member.value).map { .inline($0) }
      case "draft": options.dialect = reader.draft(member.value) ?? options.dialect
      case "format": options.format = reader.formatMode(member.value) ?? options.format
      default: resources = reader.stringList(member.value, as: "resources")
      }
    }
    guard bag.errorCount == errors, let content else { return nil }
    return SchemaSpec(content, options: options, resources: resources, range: range)
  }

  private mutating func schemaPath(_ node: YAMLNode) -> Located<String>? {
    guard isUsable(node) else { return nil }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, !text.isEmpty else {
      bag.error(
        "`schema` is a file or a schema, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: schemaHelp)
      return nil
    }
    if text.hasPrefix("{") {
      bag.error(
        "a text is read as the path of a schema, and this is a schema itself", at: node.range, notes: useNote(node),
        help: "write it as a mapping, without quotes")
      return nil
    }
    if Template.isTemplate(text) {
      bag.error(
        "`schema` takes no template: schemas are read before anything is sent", at: node.range, notes: useNote(node),
        help: "write the path itself")
      return nil
    }
    return Located(text, at: node.range)
  }

  private mutating func inlineSchema(_ node: YAMLNode) -> SchemaDocument? {
    guard isUsable(node) else { return nil }
    guard node.members != nil else {
      bag.error(
        "a schema in a spec is a mapping, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: "leave `schema` out where every body is right")
      return nil
    }
    if let place = templatePlace(in: node) {
      bag.error(
        "a schema takes no templates: it is read before anything is sent", at: place,
        help: "check what depends on variables under `json`")
      return nil
    }
    // Where it stands among files is known when it is loaded.
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

  private mutating func draft(_ node: YAMLNode) -> SchemaDialect? {
    guard isUsable(node) else { return nil }
    if let dialect = drafts.first(where: { $0.name == node.scalar?.text })?.dialect { return dialect }
    bag.error(
      "there is no such draft here", at: node.range, notes: useNote(node),
      help: "the drafts are \(drafts.map(\.name).joined(separator: ", "))")
    return nil
  }

  mutating func formatMode(_ node: YAMLNode) -> SchemaOptions.FormatMode? {
    guard isUsable(node) else { return nil }
    if let mode = node.plainText.flatMap(SchemaOptions.FormatMode.init) { return mode }
    let problem = unknownWord(
      Text(node.scalar?.text ?? node.kindPhrase), among: SchemaOptions.FormatMode.allCases.map(\.rawValue))
    bag.error(problem.message, at: node.range, notes: useNote(node), help: problem.help)
    return nil
  }
}
