import Diagnostics
import Templates
import Values
import YAMLNodes

/// Reads nodes into typed settings, collecting every problem on the way.
struct SpecReader {
  var bag = DiagnosticBag()

  /// Visits the members of a mapping whose keys the format defines: unknown keys are errors that name the nearest,
  /// `x-…` keys are ignored, keys of later versions say so.
  mutating func visit(
    _ node: YAMLNode, as what: String, keys: KeyTable, _ body: (inout SpecReader, YAMLMember) -> Void
  ) {
    if node.hasError { return }
    guard let members = node.members else {
      bag.error("\(what) is a mapping, found \(node.kindPhrase)", at: node.range, notes: useNote(node))
      return
    }
    for member in members {
      if member.key.hasPrefix("x-") { continue }
      if keys.known.contains(member.key) {
        body(&self, member)
      } else if keys.later.contains(member.key) {
        bag.error(
          "`\(member.key)` is not available yet in this version", at: member.keyRange,
          help: "remove the key; it is part of the format, and a later version will run it")
      } else {
        unknownKey(member, of: what, keys: keys)
      }
    }
  }

  mutating func unknownKey(_ member: YAMLMember, of what: String, keys: KeyTable) {
    let nearest = keys.misplaced[member.key] ?? suggestion(member.key, among: keys.known + keys.later)
    bag.error(
      "unknown key `\(jsonEscaped(member.key))` in \(what)", at: member.keyRange,
      help: nearest ?? "the keys here are \(keys.known.joined(separator: ", "))")
  }

  func useNote(_ node: YAMLNode) -> [Diagnostic.Note] {
    node.useSite.map { [Diagnostic.Note("used here", at: $0)] } ?? []
  }

  /// A scalar as a field: decoded now, or when its template has a value.
  mutating func field<Output>(_ node: YAMLNode, _ decoder: ValueDecoder<Output>) -> Field<Output>? {
    if let template = templateField(node, decoder) { return template.field }
    guard let value = literal(node) else { return nil }
    do {
      return Field(literal: try decoder.decode(value), decoder: decoder, range: node.range)
    } catch {
      bag.error(error.message, at: node.range, notes: useNote(node), help: error.help)
      return nil
    }
  }

  /// The field of a scalar that holds a template; the outer optional is nil where it holds none.
  private mutating func templateField<Output>(
    _ node: YAMLNode, _ decoder: ValueDecoder<Output>
  ) -> (field: Field<Output>?, Void)? {
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning, Template.isTemplate(text) else { return nil }
    let template = parseTemplate(text, node)
    return (template.map { Field(template: $0, decoder: decoder, range: node.range) }, ())
  }

  mutating func parseTemplate(_ text: String, _ node: YAMLNode) -> Template? {
    cutByComment(node)
    return Template.parse(text, place: { node.range(ofText: $0) }, into: &bag)
  }

  /// A field that `null` removes.
  mutating func setting<Output>(_ node: YAMLNode, _ decoder: ValueDecoder<Output>) -> Setting<Field<Output>> {
    if node.isNull { return .removed }
    return field(node, decoder).map { .given($0) } ?? .inherited
  }

  /// A value without templates.
  mutating func literal(_ node: YAMLNode) -> Value? {
    valueTemplate(node)?.literal
  }

  /// Any value, with templates inside.
  mutating func valueTemplate(_ node: YAMLNode) -> ValueTemplate? {
    if node.hasError { return nil }
    if let tag = node.localTag {
      bag.error("the tag `!\(tag)` is not available yet in this version", at: node.range, help: "remove the tag")
      return nil
    }
    switch node.content {
    case .scalar(let scalar):
      if case .text(let text) = scalar.meaning, Template.isTemplate(text) {
        return parseTemplate(text, node).map { ValueTemplate(content: .template($0), range: node.range) }
      }
      return ValueTemplate(content: .literal(scalar.value), range: node.range)
    case .sequence(let nodes):
      let items = nodes.compactMap { valueTemplate($0) }
      guard items.count == nodes.count else { return nil }
      let literals = items.compactMap(\.literal)
      return ValueTemplate(
        content: literals.count == items.count ? .literal(.list(literals)) : .list(items), range: node.range)
    case .mapping(let members):
      var entries: [ValueTemplate.Member] = []
      for member in members {
        guard let key = textTemplate(member), let value = valueTemplate(member.value) else { continue }
        entries.append(ValueTemplate.Member(key: key, value: value))
      }
      guard entries.count == members.count else { return nil }
      let literals = entries.compactMap { entry -> Mapping.Member? in
        guard entry.key.template == nil, let value = entry.value.literal else { return nil }
        return Mapping.Member(key: Text(entry.key.text), value: value)
      }
      return ValueTemplate(
        content: literals.count == entries.count ? .literal(.mapping(Mapping(literals))) : .mapping(entries),
        range: node.range)
    }
  }

  /// A key of the user's own names; it may hold templates.
  mutating func textTemplate(_ member: YAMLMember) -> TextTemplate? {
    guard Template.isTemplate(member.key) else {
      return TextTemplate(text: member.key, range: member.keyRange, template: nil)
    }
    let range = member.keyRange
    let shown = range.text
    let offset = shown.hasPrefix("\"") || shown.hasPrefix("'") ? 1 : 0
    let place: (Range<Int>) -> SourceRange = { part in
      let start = range.bytes.lowerBound + offset + part.lowerBound
      let end = range.bytes.lowerBound + offset + part.upperBound
      return end <= range.bytes.upperBound ? SourceRange(range.source, start..<end) : range
    }
    return Template.parse(member.key, place: place, into: &bag).map {
      TextTemplate(text: member.key, range: range, template: $0)
    }
  }

  /// A mapping of the user's own names; `null` values remove, `null` for the whole drops what lower layers gave.
  mutating func keyed<Content>(
    _ node: YAMLNode, as what: String, nullRemoves: Bool = true,
    _ read: (inout SpecReader, YAMLMember) -> Content?
  ) -> KeyedSettings<Content> {
    var result = KeyedSettings<Content>()
    if node.hasError { return result }
    if node.isNull {
      result.dropsLower = true
      return result
    }
    if let scalar = node.scalar, case .text(let text) = scalar.meaning, Template.isTemplate(text) {
      result.whole = field(node, .mapping)
      return result
    }
    guard let members = node.members else {
      bag.error("`\(what)` is a mapping, found \(node.kindPhrase)", at: node.range, notes: useNote(node))
      return result
    }
    for member in members {
      guard let key = textTemplate(member) else { continue }
      if nullRemoves, member.value.isNull {
        result.entries.append(KeyedSettings.Entry(key: key, value: nil))
      } else if let value = read(&self, member) {
        result.entries.append(KeyedSettings.Entry(key: key, value: value))
      }
    }
    return result
  }

  /// A plain scalar that ` #` cuts short is a silent trap: what follows was meant, or wants a space less.
  mutating func cutByComment(_ node: YAMLNode) {
    guard let comment = YAMLReader.trailingCommentCut(of: node), let scalar = node.scalar, scalar.style == .plain else { return }
    let opened = scalar.text.components(of: "${{")
    let isCutTemplate = opened > scalar.text.components(of: "}}")
    guard isCutTemplate else { return }
    bag.error(
      "` #` begins a comment and cuts the template short", at: comment, help: "put the whole value in single quotes")
  }

  mutating func stringList(_ node: YAMLNode, as what: String) -> [Located<String>] {
    let nodes = node.items ?? [node]
    return nodes.compactMap { item in
      guard let scalar = item.scalar, case .text(let text) = scalar.meaning else {
        bag.error("`\(what)` is text or a list of texts, found \(item.kindPhrase)", at: item.range)
        return nil
      }
      if Template.isTemplate(text) {
        bag.error("`\(what)` takes no template", at: item.range, help: "write the text itself")
        return nil
      }
      return Located(text, at: item.range)
    }
  }

  mutating func plainText(_ node: YAMLNode, as what: String) -> String? {
    if node.hasError { return nil }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning else {
      bag.error("`\(what)` is text, found \(node.kindPhrase)", at: node.range)
      return nil
    }
    return text
  }
}

/// The keys that a mapping of the format has.
struct KeyTable {
  let known: [String]
  /// Part of the format, but not of this version.
  var later: [String] = []
  /// Words that people try here, and what to write instead.
  var misplaced: [String: String] = [:]
}

/// A help text that names the nearest of the known words.
func suggestion(_ word: String, among known: [String]) -> String? {
  nearestWord(to: word, among: known).map { "did you mean `\($0)`?" }
}

extension ValueDecoder where Output == Mapping {
  static var mapping: ValueDecoder {
    ValueDecoder("a mapping") { value throws(DecodingProblem) in
      if case .mapping(let mapping) = value { mapping } else { nil }
    }
  }
}

extension YAMLNode {
  var isNull: Bool {
    if let scalar, case .null = scalar.meaning { true } else { false }
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

extension String {
  /// How often a text occurs, without overlaps.
  func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
