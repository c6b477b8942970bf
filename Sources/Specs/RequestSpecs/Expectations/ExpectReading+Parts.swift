import DocumentQueries
import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

/// The keys of `expect` that nothing sends as headers.
private let namesOfBodyParts: Set = [
  "body", "bytes", "content_type", "cookies", "csv", "events", "json", "schema", "snapshot", "values", "xpath",
]

extension SpecReader {
  /// Assertions about fields of a section, `header` or `trailer`.
  mutating func fieldAssertions(
    _ node: YAMLNode, _ section: String, _ subject: (TextTemplate) -> ResponseSubject, _ result: inout ExpectSettings
  ) {
    var seen: [String: SourceRange] = [:]
    each(node, of: "\(section)s") { reader, member in
      let name = member.key.lowercased()
      if let first = seen.updateValue(member.keyRange, forKey: name) {
        reader.reportHeaderTwice(member, first: first, section)
        return
      }
      if namesOfBodyParts.contains(name), member.value.members?.contains(where: { $0.key == "exists" }) == true {
        reader.bag.warning(
          .suspiciousHeader, "`\(member.key)` is the name of a header here, which no server sends", at: member.keyRange,
          help: "indent `\(member.key):` only as far as `headers:`")
      }
      guard reader.checkHeaderName(member, section), let template = reader.textTemplate(member) else { return }
      let key = "\(section) \(name)"
      if member.value.isNull {
        result.take(key, away: member.value)
        return
      }
      if name == "etag" {
        for value in member.value.members?.filter({ $0.key == "equals" }).map(\.value) ?? [member.value] {
          reader.checkEntityTag(value)
        }
      }
      reader.check(subject(template), "\(section) \(member.key)", key: key, member.value, &result)
    }
  }

  mutating func cookieAssertions(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard let name = textTemplate(member) else { return }
    if member.key.contains("="), !Template.isTemplate(member.key) {
      bag.warning(
        .suspiciousRequest, "no cookie has `=` in its name", at: member.keyRange,
        help: "write `\(jsonEscaped(String(member.key.prefix { $0 != "=" }))): …` with what is expected of its value")
    }
    let label = "cookie \(member.key)"
    let valueKey = "\(label) value"
    if member.value.isNull {
      result.take(valueKey, away: member.value)
      return
    }
    guard member.value.localTag == nil, isUsable(member.value), let members = member.value.members,
      members.contains(where: { CookieAttribute(named: $0.key) != nil })
    else {
      check(.cookie(name, .value), label, key: valueKey, member.value, &result)
      return
    }
    for member in members where !member.key.hasPrefix("x-") {
      guard let attribute = CookieAttribute(rawValue: member.key) else {
        let attributes = CookieAttribute.allCases.map(\.rawValue)
        bag.error(
          .unknownKey, "unknown cookie attribute `\(jsonEscaped(member.key))`", at: member.keyRange,
          help: CookieAttribute(named: member.key).map { "write `\($0.rawValue)`" }
            ?? suggestion(member.key, among: attributes) ?? "the attributes are \(attributes.joined(separator: ", "))")
        continue
      }
      let subject = ResponseSubject.cookie(name, attribute)
      if attribute == .sameSite, let word = checkedSameSite(member.value) {
        let predicate = Predicate(.equals, .value(.text(Text(word))))
        add(subject, "\(label) \(member.key)", .predicates([.fixed(predicate)]), member.value, &result)
        continue
      }
      check(subject, "\(label) \(member.key)", member.value, &result)
    }
  }

  /// The keyword of a plain `same_site`, in lower case like those of responses; nil for predicates and templates.
  private mutating func checkedSameSite(_ node: YAMLNode) -> String? {
    guard let text = node.plainText else { return nil }
    checkWord(text.lowercased(), node, among: ["strict", "lax", "none"])
    return text.lowercased()
  }

  /// Returns whether a plain value is one of the keywords, and reports it if not.
  @discardableResult
  mutating func checkWord(_ text: String, _ node: YAMLNode, among words: [String]) -> Bool {
    if words.contains(text) { return true }
    report(unknownWord(Text(text), among: words), at: node)
    return false
  }

  // MARK: Parts of the response

  mutating func jsonAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    if member.key == "unordered" || PredicateKind.named(member.key) != nil {
      bag.error(
        .misplacedKey, "`\(member.key)` is a predicate, and a path is wanted here", at: member.keyRange,
        help: member.key == "unordered"
          ? "write it below the path, beside `equals`: `$.a: {equals: […], unordered: true}`"
          : "write it below a path: `$.a: {\(member.key): …}`; `$` is the whole document")
      return
    }
    guard let path = jsonPath(member.key, at: member.keyNode) else { return }
    if path.compiled?.isSingular == false {
      if let reason = path.compiled?.emptiness {
        warn(.alwaysTrue, "this path finds nothing: \(reason)", at: member.keyNode, help: "write what it should find")
      }
      warnOfSingleValue(member.value)
      warnOfListType(member.value)
      warnOfSingleItem(member.value, path.compiled)
    }
    check(.json(path), "json \(member.key)", member.value, &result)
  }

  /// Warns of `is: array` for a path that isn't singular: what it finds is a list in any case.
  private mutating func warnOfListType(_ node: YAMLNode) {
    let isTagged = node.localTag?.name == MatchKind.array.rawValue
    let kind = node.members?.first { $0.key == PredicateKind.isKind.name }?.value
    guard isTagged || kind?.plainText == MatchKind.array.rawValue else { return }
    warn(
      .alwaysTrue, "this path yields a list, however many values it finds: this always holds", at: kind ?? node,
      help: "write `{every: {is: array}}` if each value is an array, or `{count: {at_least: 1}}`")
  }

  /// Warns of `unique` or `sorted` for a path that finds one value at most.
  private mutating func warnOfSingleItem(_ node: YAMLNode, _ path: JSONPath?) {
    guard path?.isOfOneItem == true,
      let member = node.members?.first(where: {
        ["unique", "sorted"].contains($0.key) && $0.value.range.text != "false"
      })
    else { return }
    bag.warning(
      .alwaysTrue, "this path finds one value at most: that always holds", at: member.keyRange, notes: useNote(node),
      help: "write `[*]` in place of the slice")
  }

  mutating func xpathAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let label = "xpath \(member.key)"
    if member.value.isNull {
      result.take(label, away: member.value)
    } else if let spec = xpath(member.key, at: member.keyNode), checkExpectation(member.value, of: spec) {
      check(.xpath(spec), label, member.value, &result)
    }
  }

  /// An assertion whose key is an expression.
  mutating func valueAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let label = "value \(member.key)"
    if member.value.isNull {
      result.take(label, away: member.value)
    } else if let template = expression(member.key, at: member.keyNode) {
      warnOfNoCondition(template, member)
      check(.value(ValueTemplate(content: .template(template), range: member.keyRange)), label, member.value, &result)
    }
  }

  /// Warns of an expression that nothing is checked by.
  private mutating func warnOfNoCondition(_ template: Template, _ member: YAMLMember) {
    let wanted =
      member.value.members.flatMap { $0.count == 1 && $0[0].key == "equals" ? $0[0].value : nil } ?? member.value
    if let (message, help) = template.constancy {
      bag.warning(.alwaysTrue, message, at: member.keyRange, help: help)
    } else if let text = wanted.scalar?.text, text.hasPrefix("${{"), text.hasSuffix("}}"),
      trimmingBlanks(text.dropFirst(3).dropLast(2)) == trimmingBlanks(member.key[...]), !member.key.contains("(")
    {
      bag.warning(
        .alwaysTrue, "this compares `\(jsonEscaped(member.key))` with itself", at: member.keyRange,
        help: "compare it with what it should be")
    } else if template.isCondition, let members = member.value.members, !members.isEmpty,
      members.allSatisfy({
        ["exists", "is", "is_not"].contains($0.key) || $0.key == "one_of" && $0.value.items?.count ?? 0 > 1
      })
    {
      warn(
        .alwaysTrue, "a condition is always `true` or `false`: this says nothing of it", at: member.value,
        help: "write `true`")
    }
  }

  /// An expression without the signs of a template.
  private mutating func expression(_ text: String, at node: YAMLNode) -> Template? {
    if Template.isTemplate(text) {
      return reject(
        .templateNotAllowed, "a key of `values` is an expression itself", at: node, help: "leave out `${{` and `}}`")
    }
    return Template.parse(expression: text, place: node.rangesOfText, into: &bag)
  }

  /// Warns of a single value for a path that isn't singular: it selects a list, which no single value equals.
  mutating func warnOfSingleValue(
    _ node: YAMLNode,
    _ message: String = "this path yields a list, however many values it finds: a single value never equals it",
    instead: String = ""
  ) {
    guard let scalar = node.scalar, !Template.isTemplate(scalar.text) else { return }
    if let tag = node.localTag, ["any", "array", "each", "is"].contains(tag.name) { return }
    let value = node.localTag == nil ? node.range.text : node.place.text
    warn(.alwaysFalse, message, at: node, help: "write \(instead)[\(value)] or {any: \(value)}")
  }

  /// The keyword that a key is, one of a few; nil, and reported, if it isn't one of them.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    ofKey member: YAMLMember
  ) -> Word? where Word.RawValue == String {
    if let word = Word(rawValue: member.key) { return word }
    let problem = unknownWord(Text(member.key), among: Word.allCases.map(\.rawValue))
    return reject(problem.code, problem.message, at: member.keyRange, help: problem.help)
  }

  mutating func timingAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let label = "timing \(member.key)"
    guard let phase: TimingPhase = word(ofKey: member) else { return }
    if member.value.isNull {
      result.take(label, away: member.value)
    } else {
      check(.timing(phase), label, member.value, &result)
    }
  }
}
