import Diagnostics
import HTTPMessages
import Matching
import Templates
import Values
import YAMLNodes

let expectKeys = KeyTable(
  known: [
    "status", "content_type", "headers", "cookies", "json", "xpath", "body", "bytes", "duration", "timing", "redirects",
    "url", "http_version", "remote_address", "local_address", "cache", "certificate", "snapshot", "schema", "error",
    "events",
  ],
  synonyms: ForeignWords.expectSynonyms,
  advice: ForeignWords.expectAdviceWithRequests,
  usual: ["status", "headers", "json", "body", "content_type", "duration"],
  shape: "{status: 200}")

/// How the keys of the assertions begin that stand in a mapping of their own.
private let expectGroups = [
  "headers": "header ", "cookies": "cookie ", "json": "json ", "xpath": "xpath ", "timing": "timing ",
  "bytes": "bytes ",
  "certificate": "certificate ", "events": "events",
]

extension SpecReader {
  mutating func expectations(_ node: YAMLNode) -> ExpectSettings {
    var result = ExpectSettings()
    if node.isNull {
      result.dropsLower = true
      return result
    }
    if node.members?.isEmpty ?? false { reportNothing(node, "expect") }
    let isStatus = node.scalar.map { (try? ValueDecoder<StatusSet>.status.decode($0.value)) != nil } ?? false
    let instead = isStatus ? "{status: \(node.range.text)}" : node.members == nil ? expectInstead(of: node) : nil
    visit(node, as: "`expect`", keys: expectKeys, instead: instead) {
      reader, member in
      let value = member.value
      if value.isMissing { return }
      if value.isNull, let group = expectGroups[member.key] {
        result.droppedGroups.append(group)
        return
      }
      switch member.key {
      case "error": result.failure = reader.setting(value, .word())
      case "headers": reader.headerAssertions(value, &result)
      case "cookies": reader.each(value, of: "cookies") { $0.cookieAssertions($1, &result) }
      case "json": reader.each(value, of: "json") { $0.jsonAssertion($1, &result) }
      case "xpath": reader.each(value, of: "xpath") { $0.xpathAssertion($1, &result) }
      case "timing": reader.each(value, of: "timing") { $0.timingAssertion($1, &result) }
      case "certificate": reader.each(value, of: "certificate") { $0.certificateAssertion($1, &result) }
      case "events": reader.eventAssertions(value, &result)
      case "bytes": reader.each(value, of: "bytes") { $0.bytesAssertion($1, &result) }
      default: reader.plainAssertion(member, &result)
      }
    }
    return result
  }

  private mutating func each(
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
      // What is no path and stands below one without a value belongs to it, and is told there.
      if key == "json", isBelowEmpty, !member.key.hasPrefix("$") { continue }
      isBelowEmpty = member.value.isMissing
      if !isBelowEmpty { body(&self, member) }
    }
  }

  /// Reports what is empty where assertions would stand.
  mutating func reportNothing(_ node: YAMLNode, _ key: String) {
    bag.error(
      "an empty mapping checks nothing", at: node.range, notes: useNote(node),
      help: "write what is expected, or remove `\(key)`")
  }

  /// How such a mapping is written.
  private func shape(of key: String, _ node: YAMLNode) -> String? {
    if key != "json", isListOfMembers(node) { return "write the names without `- `" }
    switch key {
    case "bytes": return bytesHelp
    case "json":
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
    case "headers": return "write {content-type: text/html}: a name and what is expected of it"
    case "cookies": return "write {session: {exists: true}}: a name and what is expected of it"
    case "xpath": return "write {string(//title): Hello}: an expression and what is expected of it"
    case "timing": return "write {total: {less_than: 500ms}}"
    case "certificate": return "write {expires_in: {at_least: 30d}}"
    default: return nil
    }
  }

  // MARK: Subjects with a key of their own

  private mutating func plainAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let node = member.value
    if node.isNull {
      result.entries.append(ExpectSettings.Entry(key: member.key, range: node.range, assertion: nil))
      return
    }
    switch member.key {
    case "status" where node.members == nil:
      if let field = statusField(node) { add(.status, member.key, .status(field), node, &result) }
    case "content_type" where node.members == nil:
      if let field = field(node, .mediaRange) { add(.contentType, member.key, .contentType(field), node, &result) }
    case "status": check(.status, member.key, node, .plain, &result)
    case "content_type": check(.contentType, member.key, node, .text, &result)
    case "body":
      if let inner = node.members?.first(where: { expectGroups[$0.key] != nil }) {
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
      check(.body, member.key, node, .text, &result)
    case "duration":
      check(.duration, member.key, node, .duration, &result)
      if node.plainText != nil { warnOfExactDuration(node) }
    case "redirects":
      if case .number(let count)? = node.scalar?.meaning {
        bag.error(
          "`redirects` is the list of those that were followed", at: node.range, notes: useNote(node),
          help: "write {count: \(count)}")
      } else {
        check(.redirects, member.key, node, .plain, &result)
      }
    case "url":
      check(.url, member.key, node, .text, &result)
      if let text = node.plainText, text.hasPrefix("/") {
        bag.warning(
          "the URL of a response is absolute: this never equals it", at: node.range, notes: useNote(node),
          help: "write {ends_with: \(node.range.text)}")
      }
    case "remote_address": check(.address(.remote), member.key, node, .text, &result)
    case "local_address": check(.address(.local), member.key, node, .text, &result)
    case "cache":
      if let text = node.plainText { checkWord(text, node, among: CacheOutcome.Word.allCases.map(\.rawValue)) }
      check(.cache, member.key, node, .text, &result)
    case "schema":
      if let spec = schema(node) { add(.schema, spec.label, key: member.key, .schema(spec), node, &result) }
    case "snapshot":
      if let spec = snapshot(node) { add(.snapshot, member.key, .snapshot(spec), node, &result) }
    default: check(.httpVersion, member.key, node, .text, &result)
    }
  }

  private mutating func warnOfExactDuration(_ node: YAMLNode) {
    guard parseDuration(node.plainText ?? "") != nil else { return }
    bag.warning(
      "no exchange takes exactly this long", at: node.range, notes: useNote(node),
      help: "write {less_than: \(node.plainText ?? "")}")
  }

  /// Adds the predicates of a subject; a bare value is `equals`.
  mutating func check(
    _ subject: AssertionSubject, _ label: String, key: String? = nil, _ node: YAMLNode, _ unit: OperandUnit,
    _ result: inout ExpectSettings
  ) {
    guard checkPredicates(node, of: label, subject.type), let specs = predicates(node, unit: unit) else { return }
    add(subject, label, key: key, .predicates(specs), node, &result)
  }

  func add(
    _ subject: AssertionSubject, _ label: String, key: String? = nil, _ check: Assertion.Check, _ node: YAMLNode,
    _ result: inout ExpectSettings
  ) {
    let assertion = Assertion(subject: subject, label: label, check: check, places: ExpectedPlaces(node))
    result.entries.append(ExpectSettings.Entry(key: key ?? label, range: assertion.range, assertion: assertion))
  }

  // MARK: Headers and cookies

  private mutating func headerAssertions(_ node: YAMLNode, _ result: inout ExpectSettings) {
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
        result.entries.append(ExpectSettings.Entry(key: key, range: member.value.range, assertion: nil))
        return
      }
      if name == "etag" {
        for value in member.value.members?.filter({ $0.key == "equals" }).map(\.value) ?? [member.value] {
          reader.checkEntityTag(value)
        }
      }
      reader.check(.header(template), "header \(member.key)", key: key, member.value, .text, &result)
    }
  }

  private mutating func cookieAssertions(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard let name = textTemplate(member) else { return }
    let label = "cookie \(member.key)"
    let valueKey = "\(label) value"
    if member.value.isNull {
      result.entries.append(ExpectSettings.Entry(key: valueKey, range: member.value.range, assertion: nil))
      return
    }
    let attributes = CookieAttribute.allCases.map(\.rawValue)
    guard member.value.localTag == nil, isUsable(member.value), let members = member.value.members,
      members.contains(where: { attributes.contains($0.key) })
    else {
      check(.cookie(name, .value), label, key: valueKey, member.value, .text, &result)
      return
    }
    for member in members where !member.key.hasPrefix("x-") {
      guard let attribute = CookieAttribute(rawValue: member.key) else {
        bag.error(
          "unknown cookie attribute `\(jsonEscaped(member.key))`", at: member.keyRange,
          help: suggestion(member.key, among: attributes) ?? "the attributes are \(attributes.joined(separator: ", "))")
        continue
      }
      let subject = AssertionSubject.cookie(name, attribute)
      if attribute == .sameSite, let word = checkedSameSite(member.value) {
        let predicate = Predicate(.equals, .value(.text(Text(word))))
        add(subject, "\(label) \(member.key)", .predicates([.fixed(predicate)]), member.value, &result)
        continue
      }
      let unit: OperandUnit =
        switch attribute {
        case .value, .domain, .path, .sameSite: .text
        case .maxAge: .duration
        case .expires, .secure, .httpOnly: .plain
        }
      check(subject, "\(label) \(member.key)", member.value, unit, &result)
    }
  }

  /// The word of a bare `same_site`, in lower case as responses' are read; nil for predicates and templates.
  private mutating func checkedSameSite(_ node: YAMLNode) -> String? {
    guard let text = node.plainText else { return nil }
    checkWord(text.lowercased(), node, among: ["strict", "lax", "none"])
    return text.lowercased()
  }

  /// Reports a bare value that is none of the words.
  private mutating func checkWord(_ text: String, _ node: YAMLNode, among words: [String]) {
    guard !words.contains(text) else { return }
    let problem = unknownWord(Text(text), among: words)
    bag.error(problem.message, at: node.range, notes: useNote(node), help: problem.help)
  }

  // MARK: Parts of the response

  private mutating func jsonAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard let path = jsonPath(member.key, at: member.keyNode) else { return }
    if path.compiled?.isSingular == false { warnOfSingleValue(member.value) }
    check(.json(path), "json \(member.key)", member.value, .plain, &result)
  }

  private mutating func xpathAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let label = "xpath \(member.key)"
    if member.value.isNull {
      result.entries.append(ExpectSettings.Entry(key: label, range: member.value.range, assertion: nil))
    } else if let spec = xpath(member.key, at: member.keyNode), checkExpectation(member.value, of: spec) {
      let isText = spec.type == .nodeSet || spec.type == .string
      check(.xpath(spec), label, member.value, isText ? .text : .plain, &result)
    }
  }

  /// A path that isn't singular yields a list, which no single value equals.
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

  /// The word that a key is, of a few; nil, and reported, where it is none of them.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    ofKey member: YAMLMember
  ) -> Word? where Word.RawValue == String {
    if let word = Word(rawValue: member.key) { return word }
    let problem = unknownWord(Text(member.key), among: Word.allCases.map(\.rawValue))
    bag.error(problem.message, at: member.keyRange, help: problem.help)
    return nil
  }

  private mutating func timingAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let label = "timing \(member.key)"
    guard let phase: TimingPhase = word(ofKey: member) else { return }
    if member.value.isNull {
      result.entries.append(ExpectSettings.Entry(key: label, range: member.value.range, assertion: nil))
    } else {
      check(.timing(phase), label, member.value, .duration, &result)
    }
  }
}
