import Diagnostics
import MarkupQueries
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// An XPath: compiled now, or checked around its templates.
  mutating func xpath(_ text: String, at node: YAMLNode) -> (spec: XPathSpec, type: XPathType)? {
    do {
      guard Template.isTemplate(text) else {
        let compiled = try XPath(text)
        return (xpathSpec(text, node, compiled, checked: compiled, template: nil), compiled.type)
      }
      guard let template = parseTemplate(text, node) else { return nil }
      let checked = try XPath(template.text(standIn: "'x'"))
      return (xpathSpec(text, node, nil, checked: checked, template: template), checked.type)
    } catch {
      let isQuoted = text.contains("'${{") || text.contains("\"${{")
      bag.error(
        "invalid XPath: \(error.message)",
        at: Template.isTemplate(text) ? node.range : node.range(ofText: error.range), notes: useNote(node),
        help: isQuoted ? "leave out the quotes around a template: its value becomes a literal" : error.help)
      return nil
    }
  }

  private func xpathSpec(
    _ text: String, _ node: YAMLNode, _ compiled: XPath?, checked: XPath, template: Template?
  ) -> XPathSpec {
    let prefixes = checked.prefixes.map { prefix in
      Located(prefix.name, at: template == nil ? node.range(ofText: prefix.range) : node.range)
    }
    return XPathSpec(text: text, range: node.range, prefixes: prefixes, compiled: compiled, template: template)
  }

  /// What `xpath` expects of an expression; texts are compared with texts.
  mutating func xpathPredicates(_ member: YAMLMember) -> (spec: XPathSpec, predicates: [PredicateSpec])? {
    guard let (spec, type) = xpath(member.key, at: member.keyNode) else { return nil }
    let value = member.value
    if type == .nodeSet, let scalar = value.scalar, !Template.isTemplate(scalar.text) {
      let written = value.range.text
      bag.warning(
        "this expression yields the list of its nodes, however many it finds: a single value never equals it",
        at: value.range, notes: useNote(value),
        help: "write `string(\(member.key))` for one text, or [\(written)] or {any: \(written)}")
    }
    if type != .nodeSet, let existence = value.members?.first(where: { $0.key == "exists" }) {
      bag.error(
        "this expression always yields \(type.valuePhrase): `exists` says nothing of it", at: existence.keyRange,
        notes: useNote(value),
        help: spec.compiled?.innerNodeSet.map { "write `\($0): {exists: …}`" } ?? "write `exists` beside a path")
      return nil
    }
    let unit: OperandUnit = type == .nodeSet || type == .string ? .text : .plain
    return predicates(value, unit: unit).map { (spec, $0) }
  }

  /// Prefixes and the namespaces that they stand for.
  mutating func namespaces(_ node: YAMLNode) -> KeyedSettings<Located<String>> {
    keyed(node, as: "namespaces", takesTemplate: false) { reader, member in
      let prefix = member.key
      let isName = (try? XPath("\(prefix):a"))?.prefixes.first?.name == prefix
      guard isName, !["xml", "xmlns"].contains(prefix) else {
        reader.bag.error(
          isName ? "the prefix `\(prefix)` has its own meaning" : "\"\(jsonEscaped(prefix))\" is not a prefix",
          at: member.keyRange, help: "a prefix is a name such as `atom`, and stands before the `:` in an XPath")
        return nil
      }
      guard let uri = reader.constant(member.value, as: "namespaces", .text)?.string else { return nil }
      if uri.isEmpty {
        reader.bag.error(
          "no namespace is empty", at: member.value.range,
          help: "elements that are in no namespace are written without a prefix")
        return nil
      }
      return Located(uri, at: member.value.range)
    }
  }
}

extension XPathType {
  fileprivate var valuePhrase: String {
    switch self {
    case .nodeSet: "a list"
    case .string: "a text"
    case .number: "a number"
    case .boolean: "true or false"
    }
  }
}
