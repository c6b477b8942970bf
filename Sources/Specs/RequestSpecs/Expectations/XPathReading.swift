import DocumentQueries
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// An XPath: compiled now, or validated around its templates.
  mutating func xpath(_ text: String, at node: YAMLNode) -> XPathSpec? {
    do {
      guard Template.isTemplate(text) else {
        let compiled = try XPath(text)
        return xpathSpec(text, node, compiled, checked: compiled, template: nil)
      }
      guard let template = parseTemplate(text, node) else { return nil }
      let checked = try XPath(template.text(standIn: "'x'"))
      return xpathSpec(text, node, nil, checked: checked, template: template)
    } catch {
      let isQuoted = text.contains("'${{") || text.contains("\"${{")
      return reject(
        .xpathSyntax, "invalid XPath: \(error.message)",
        at: Template.isTemplate(text) ? node.range : node.range(ofText: error.range), notes: useNote(node),
        help: isQuoted ? "leave out the quotes around a template: its value becomes a literal" : error.help)
    }
  }

  private mutating func xpathSpec(
    _ text: String, _ node: YAMLNode, _ compiled: XPath?, checked: XPath, template: Template?
  ) -> XPathSpec {
    warnOfConstant(checked, node, isTemplate: template != nil)
    let prefixes = checked.prefixes.map { prefix in
      Located(prefix.name, at: template == nil ? node.range(ofText: prefix.range) : node.range)
    }
    return XPathSpec(
      text: text, range: node.range, type: checked.type, prefixes: prefixes, compiled: compiled, template: template)
  }

  /// Warns of a literal in place of a condition.
  private mutating func warnOfConstant(_ xpath: XPath, _ node: YAMLNode, isTemplate: Bool) {
    // The text that stands for a template may be a condition.
    guard let constant = xpath.constantCondition, !isTemplate || constant.text.map({ $0 != "x" }) ?? true else {
      return
    }
    let meant = isTemplate ? nil : constant.meant
    bag.warning(
      .alwaysTrue,
      "`\(constant.written)` always holds: \(constant.text == nil ? "a number" : "a text") compares nothing",
      at: isTemplate ? node.range : node.range(ofText: constant.range), notes: useNote(node),
      help: meant.map { "write `\($0)`" } ?? "write a comparison, such as `@id=…`")
  }

  /// Checks an expectation against the type of the expression; false for one that checks nothing.
  mutating func checkExpectation(_ value: YAMLNode, of spec: XPathSpec) -> Bool {
    if spec.type == .nodeSet {
      warnOfSingleValue(
        value, "this expression yields the list of its nodes, however many it finds: a single value never equals it",
        instead: "`string(\(spec.text))` for one text, or ")
      return true
    }
    let kind = value.members?.first { $0.key == PredicateKind.isKind.name }?.value
    if let name = kind?.plainText ?? value.localTag?.name, name == spec.type.kind?.rawValue {
      warn(
        .alwaysTrue, "this expression always yields \(spec.type.valuePhrase): this always holds", at: kind ?? value,
        help: "write the value that is expected")
    }
    guard let existence = value.members?.first(where: { $0.key == PredicateKind.exists.name }) else { return true }
    bag.error(
      .alwaysTrue, "this expression always yields \(spec.type.valuePhrase): `exists` says nothing of it",
      at: existence.keyRange, notes: useNote(value),
      help: spec.compiled?.innerNodeSet.map { "write `\($0): {exists: …}`" } ?? "write `exists` beside a path")
    return false
  }

  /// Prefixes and their namespaces.
  mutating func namespaces(_ node: YAMLNode) -> KeyedSettings<Located<String>> {
    keyed(node, as: "namespaces", takesTemplate: false) { reader, member in
      let prefix = member.key
      let isName = (try? XPath("\(prefix):a"))?.prefixes.first?.name == prefix
      guard isName, !["xml", "xmlns"].contains(prefix) else {
        return reader.reject(
          .invalidName,
          isName ? "the prefix `\(prefix)` has its own meaning" : "\"\(jsonEscaped(prefix))\" is not a prefix",
          at: member.keyRange, help: "a prefix is a name such as `atom`, and stands before the `:` in an XPath")
      }
      guard let uri = reader.constant(member.value, as: "namespaces", .text)?.string else { return nil }
      if uri.isEmpty {
        return reader.reject(
          .emptyValue, "no namespace is empty", at: member.value.range,
          help: "elements that are in no namespace are written without a prefix")
      }
      return Located(uri, at: member.value.range)
    }
  }
}

extension XPathType {
  /// The kind that each of its values is of.
  fileprivate var kind: MatchKind? {
    switch self {
    case .nodeSet: nil
    case .string: .string
    case .number: .number
    case .boolean: .boolean
    }
  }

  fileprivate var valuePhrase: String {
    switch self {
    case .nodeSet: "a list"
    case .string: "a text"
    case .number: "a number"
    case .boolean: "true or false"
    }
  }
}
