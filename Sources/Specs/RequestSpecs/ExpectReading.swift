import Diagnostics
import HTTPMessages
import Matching
import Templates
import URLs
import Values
import YAMLNodes

let expectKeys = KeyTable(
  known: SubjectKey.expected.map(\.name),
  synonyms: ForeignWords.expectSynonyms,
  advice: ForeignWords.expectAdviceWithRequests,
  usual: ["status", "headers", "json", "body", "content_type", "duration"],
  shape: "{status: 200}")

extension SpecReader {
  /// - Parameter key: the key of the assertions.
  mutating func expectations(_ node: YAMLNode, as key: String = "expect") -> ExpectSettings {
    var result = ExpectSettings()
    if node.isNull {
      result.dropsLower = true
      return result
    }
    if node.members?.isEmpty ?? false { reportNothing(node, key) }
    let isStatus = node.scalar.map { (try? ValueDecoder<StatusSet>.status.decode($0.value)) != nil } ?? false
    let instead = isStatus ? "{status: \(node.range.text)}" : node.members == nil ? expectInstead(of: node) : nil
    visitPlaces(node, as: "`\(key)`", keys: expectKeys, instead: instead) { reader, member, place in
      let value = member.value
      if value.isMissing { return }
      switch SubjectKey.expected[place].assertions {
      case .group(let prefix, _) where value.isNull: result.droppedGroups.append(prefix)
      case .one where value.isNull: result.take(member.key, away: value)
      case .group(_, let read), .one(let read), .whole(let read): read(&reader, member, &result)
      case nil: break
      }
    }
    return result
  }

  mutating func each(
    _ node: YAMLNode, of key: String, _ body: (inout SpecReader, YAMLMember) -> Void
  ) {
    guard isUsable(node) else { return }
    guard let members = node.members else {
      bag.error(
        "`\(key)` under `expect` is a mapping, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
        help: shape(of: key, node))
      return
    }
    if members.isEmpty { reportNothing(node, key) }
    var isBelowEmpty = false
    for member in members {
      // A key that isn't a path, below one without a value, belongs to it, and is reported there.
      if key == "json", isBelowEmpty, !member.key.hasPrefix("$") { continue }
      isBelowEmpty = member.value.isMissing
      if !isBelowEmpty { body(&self, member) }
    }
  }

  /// Reports an empty mapping in place of assertions.
  mutating func reportNothing(_ node: YAMLNode, _ key: String) {
    bag.error(
      "an empty mapping checks nothing", at: node.range, notes: useNote(node),
      help: "write what is expected, or remove `\(key)`")
  }

  /// An example of such a mapping.
  private func shape(of key: String, _ node: YAMLNode) -> String? {
    if key != "json", isListOfMembers(node) { return "write the names without `- `" }
    guard key == "json" else { return SubjectKey.byName[key]?.shape.map { "write \($0)" } }
    if let members = membersInstead(of: node) {
      return "write `json: {\(members.map(\.member).joined(separator: ", "))}`"
    }
    if let first = node.items?.first?.members, first.allSatisfy({ $0.key.hasPrefix("$") }) {
      return "write the paths without `- `"
    }
    if let first = node.items?.first?.members,
      let path = first.first(where: { $0.value.plainText?.hasPrefix("$") ?? false })?.value
    {
      return "write the path as the key: {\(path.range.text): …}"
    }
    return node.range.text.contains("\n") || node.range.text.hasPrefix("- ")
      ? "put it under `$`, the whole document" : "write {$: \(node.range.text)}: `$` is the whole document"
  }

  // MARK: Subjects with a key of their own

  mutating func statusAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard member.value.members == nil else { return check(.status, member.key, member.value, &result) }
    if let field = statusField(member.value) { add(.status, member.key, .status(field), member.value, &result) }
  }

  mutating func contentTypeAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard member.value.members == nil else { return check(.contentType, member.key, member.value, &result) }
    if let field = field(member.value, .mediaRange) {
      add(.contentType, member.key, .contentType(field), member.value, &result)
    }
  }

  mutating func bodyAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let node = member.value
    if let inner = node.members?.first(where: { SubjectKey.byName[$0.key]?.prefix != nil }) {
      bag.error(
        "`\(inner.key)` stands under `body`, where predicates are", at: inner.keyRange, notes: useNote(node),
        help: "write `\(inner.key):` beside `body:`, or instead of it")
      return
    }
    if let inner = node.members?.first, !inner.value.hasError, !inner.key.hasPrefix("x-"),
      PredicateKind.named(inner.key) == nil, predicateAdvice(inner) == nil, Template.isName(inner.key)
    {
      bag.error(
        "`body` is text, and `\(inner.key)` is no predicate", at: inner.keyRange, notes: useNote(node),
        help: "write `json: {$.\(inner.key): …}` instead of `body:`")
      return
    }
    check(.body, member.key, node, &result)
  }

  mutating func durationAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    check(.duration, member.key, member.value, &result)
    if member.value.plainText != nil { warnOfExactDuration(member.value) }
  }

  mutating func redirectsAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard case .number(let count)? = member.value.scalar?.meaning else {
      return check(.redirects, member.key, member.value, &result)
    }
    bag.error(
      "`redirects` is the list of those that were followed", at: member.value.range, notes: useNote(member.value),
      help: "write {count: \(count)}")
  }

  mutating func urlAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let node = member.value
    check(.url, member.key, node, &result)
    guard let text = node.plainText, text.hasPrefix("/") else { return }
    bag.warning(
      "the URL of a response is absolute: this never equals it", at: node.range, notes: useNote(node),
      help: "write {ends_with: \(node.range.text)}")
  }

  mutating func cacheAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    if let text = member.value.plainText {
      checkWord(text, member.value, among: CacheOutcome.Word.allCases.map(\.rawValue))
    }
    check(.cache, member.key, member.value, &result)
  }

  private mutating func reportExtractedStatus(_ node: YAMLNode) {
    bag.error(
      "`status` is a number, of which no part is taken", at: node.range, notes: useNote(node),
      help: "write 200, 2xx, 200..<300, a list of these, or predicates without `regex` and `as`")
  }

  /// Warns of an address with a port, as some tools have it.
  mutating func warnOfPort(_ node: YAMLNode) {
    guard let text = node.plainText, let port = splitHostAndPort(text)?.port else { return }
    bag.warning(
      "the address has no port: this never equals it", at: node.range, notes: useNote(node),
      help: "write the port under `remote_port` or `local_port`: \(port)")
  }

  private mutating func warnOfExactDuration(_ node: YAMLNode) {
    guard parseDuration(node.plainText ?? "") != nil else { return }
    bag.warning(
      "no exchange takes exactly this long", at: node.range, notes: useNote(node),
      help: "write {less_than: \(node.plainText ?? "")}")
  }

  /// Adds the predicates of a subject; a plain value is `equals`.
  mutating func check(
    _ subject: ResponseSubject, _ label: String, key: String? = nil, as known: SubjectType? = nil, _ node: YAMLNode,
    _ result: inout ExpectSettings
  ) {
    let type = known ?? subject.type
    guard !hasExtraction(node) else {
      if case .status = subject { return reportExtractedStatus(node) }
      guard let parts = extractedPredicates(node, of: label, type) else { return }
      return add(subject, label, key: key, .extracted(parts), node, &result)
    }
    guard checkPredicates(node, of: label, type), let specs = predicates(node, unit: type.unit) else { return }
    add(subject, label, key: key, .predicates(specs), node, &result)
  }

  func add(
    _ subject: ResponseSubject, _ label: String, key: String? = nil, _ check: Assertion.Check, _ node: YAMLNode,
    _ result: inout ExpectSettings
  ) {
    let assertion = Assertion(subject: subject, label: label, check: check, places: ExpectedPlaces(node))
    result.entries.append(ExpectSettings.Entry(key: key ?? label, range: assertion.range, assertion: assertion))
  }

  // MARK: Headers and cookies

  mutating func headerAssertions(_ node: YAMLNode, _ result: inout ExpectSettings) {
    var seen: [String: SourceRange] = [:]
    each(node, of: "headers") { reader, member in
      let name = member.key.lowercased()
      if let first = seen.updateValue(member.keyRange, forKey: name) {
        reader.reportHeaderTwice(member, first: first)
        return
      }
      guard reader.checkHeaderName(member), let template = reader.textTemplate(member) else { return }
      let key = "header \(name)"
      if member.value.isNull {
        result.take(key, away: member.value)
        return
      }
      if name == "etag" {
        for value in member.value.members?.filter({ $0.key == "equals" }).map(\.value) ?? [member.value] {
          reader.checkEntityTag(value)
        }
      }
      reader.check(.header(template), "header \(member.key)", key: key, member.value, &result)
    }
  }

  mutating func cookieAssertions(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard let name = textTemplate(member) else { return }
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
          "unknown cookie attribute `\(jsonEscaped(member.key))`", at: member.keyRange,
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

  /// Reports a plain value that isn't one of the keywords.
  private mutating func checkWord(_ text: String, _ node: YAMLNode, among words: [String]) {
    guard !words.contains(text) else { return }
    let problem = unknownWord(Text(text), among: words)
    bag.error(problem.message, at: node.range, notes: useNote(node), help: problem.help)
  }

  // MARK: Parts of the response

  mutating func jsonAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard let path = jsonPath(member.key, at: member.keyNode) else { return }
    if path.compiled?.isSingular == false { warnOfSingleValue(member.value) }
    check(.json(path), "json \(member.key)", member.value, &result)
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
      check(.value(ValueTemplate(content: .template(template), range: member.keyRange)), label, member.value, &result)
    }
  }

  /// An expression without the signs of a template.
  private mutating func expression(_ text: String, at node: YAMLNode) -> Template? {
    if Template.isTemplate(text) {
      bag.error(
        "a key of `values` is an expression itself", at: node.range, notes: useNote(node),
        help: "leave out `${{` and `}}`")
      return nil
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
    bag.warning(
      message, at: node.range, notes: useNote(node), help: "write \(instead)[\(value)] or {any: \(value)}")
  }

  /// The keyword that a key is, one of a few; nil, and reported, if it isn't one of them.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    ofKey member: YAMLMember
  ) -> Word? where Word.RawValue == String {
    if let word = Word(rawValue: member.key) { return word }
    let problem = unknownWord(Text(member.key), among: Word.allCases.map(\.rawValue))
    bag.error(problem.message, at: member.keyRange, help: problem.help)
    return nil
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

extension ExpectSettings {
  /// `null`: removes the assertions of lower layers.
  mutating func take(_ key: String, away node: YAMLNode) {
    entries.append(Entry(key: key, range: node.range, assertion: nil))
  }
}
