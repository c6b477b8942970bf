import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

let expectKeys = KeyTable(
  known: SubjectKey.expected.map(\.name),
  synonyms: MigrationHints.expectSynonyms,
  advice: MigrationHints.expectAdviceWithRequests,
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
      report(
        .wrongType, "`\(key)` under `expect` is a mapping, found \(node.kindPhrase)", at: node,
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
    report(.emptyValue, "an empty mapping checks nothing", at: node, help: "write what is expected, or remove `\(key)`")
  }

  /// An example of such a mapping.
  private func shape(of key: String, _ node: YAMLNode) -> String? {
    if key != "json", isListOfMembers(node) { return "write the names without `- `" }
    guard key == "json" else { return SubjectKey.byName[key]?.shape.map { "write \($0)" } }
    if let members = membersInstead(of: node) {
      return "write `json: {\(members.map(\.member).joined(separator: ", "))}`"
    }
    if let text = node.plainText, text.hasPrefix("$"), let blank = text.firstIndex(of: " "), !text.contains("\n") {
      return "write {\(text[..<blank]): \(text[blank...].drop { $0 == " " })}"
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
    guard member.value.members == nil else {
      check(.status, member.key, member.value, &result)
      if case .predicates(let specs)? = result.entries.last?.assertion?.check { warnIfAlwaysTrue(specs, member.value) }
      return
    }
    let field = statusField(member.value)
    if let literal = field?.literal, (200..<600).allSatisfy(literal.contains) {
      warn(.alwaysTrue, Self.anyStatus, at: member.value, help: "name those that may come")
    }
    if let field { add(.status, member.key, .status(field), member.value, &result) }
  }

  private static let anyStatus = "any status is one of these: the assertion always holds"

  /// Warns of predicates that every status meets, such as `less_than: 600`.
  private mutating func warnIfAlwaysTrue(_ specs: [PredicateSpec], _ node: YAMLNode) {
    let predicates = specs.compactMap { if case .fixed(let predicate) = $0 { predicate } else { nil } }
    guard predicates.count == specs.count, !predicates.isEmpty,
      (200..<600).allSatisfy({ hold(predicates, for: .value(.integer($0))) })
    else { return }
    if let other = node.members?.first?.value, let text = other.plainText {
      return warn(
        .alwaysTrue, "this compares with one status, and \(jsonEscaped(text)) is none: it always holds", at: other,
        help: "write those that may come: {status: [2xx, 3xx]}")
    }
    warn(.alwaysTrue, Self.anyStatus, at: node, help: "write 2xx, or a list of those that may come")
  }

  mutating func contentTypeAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    guard member.value.members == nil else { return check(.contentType, member.key, member.value, &result) }
    if let field = field(member.value, .mediaRange) {
      if member.value.plainText == "*/*" {
        warn(
          .alwaysTrue, "any content type is one of these: the assertion always holds", at: member.value,
          help: "write one, such as application/json")
      }
      if let text = member.value.plainText, let end = text.firstIndex(of: ";") {
        let (type, parameters) = (text[..<end], text[end...].dropFirst().drop { $0 == " " })
        warn(
          .alwaysTrue, "the media type alone is compared, and not what follows `;`", at: member.value,
          help: "write {starts_with: \(type), contains: \(parameters)}, or leave it out")
      }
      add(.contentType, member.key, .contentType(field), member.value, &result)
    }
  }

  mutating func bodyAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let node = member.value
    if let inner = node.members?.first(where: { SubjectKey.byName[$0.key]?.prefix != nil }) {
      bag.error(
        .misplacedKey, "`\(inner.key)` stands under `body`, where predicates are", at: inner.keyRange,
        notes: useNote(node), help: "write `\(inner.key):` beside `body:`, or instead of it")
      return
    }
    if let inner = node.members?.first, !inner.value.hasError, !inner.key.hasPrefix("x-"),
      PredicateKind.named(inner.key) == nil, predicateAdvice(inner) == nil, Template.isName(inner.key)
    {
      bag.error(
        .unknownPredicate, "`body` is text, and `\(inner.key)` is not a predicate", at: inner.keyRange,
        notes: useNote(node), help: "write `json: {$.\(inner.key): …}` instead of `body:`")
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
      warnOfUnknownMembers(member.value, among: ["status", "url"])
      return check(.redirects, member.key, member.value, &result)
    }
    report(
      .mismatchedPredicate, "`redirects` is the list of those that were followed", at: member.value,
      help: "write {count: \(count)}")
  }

  mutating func cacheAssertion(_ member: YAMLMember, _ result: inout ExpectSettings) {
    if let text = member.value.plainText,
      !checkWord(text, member.value, among: CacheOutcome.Word.allCases.map(\.rawValue))
    {
      return
    }
    check(.cache, member.key, member.value, &result)
  }

  private mutating func reportExtractedStatus(_ node: YAMLNode) {
    report(
      .mismatchedPredicate, "`status` is a number, of which no part is taken", at: node,
      help: "write 200, 2xx, 200..<300, a list of these, or predicates without `regex` and `as`")
  }

  private mutating func warnOfExactDuration(_ node: YAMLNode) {
    guard parseDuration(node.plainText ?? "") != nil else { return }
    warn(
      .alwaysFalse, "no exchange takes exactly this long", at: node, help: "write {less_than: \(node.plainText ?? "")}")
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
    warnOfTautology(specs, node, in: subject.domain)
    warnOfImpossibleTexts(node, of: subject)
    add(subject, label, key: key, .predicates(specs), node, &result)
  }

  func add(
    _ subject: ResponseSubject, _ label: String, key: String? = nil, _ check: Assertion.Check, _ node: YAMLNode,
    _ result: inout ExpectSettings
  ) {
    let assertion = Assertion(subject: subject, label: label, check: check, places: ExpectedPlaces(node))
    result.entries.append(ExpectSettings.Entry(key: key ?? label, range: assertion.range, assertion: assertion))
  }
}

extension ExpectSettings {
  /// `null`: removes the assertions of lower layers.
  mutating func take(_ key: String, away node: YAMLNode) {
    entries.append(Entry(key: key, range: node.range, assertion: nil))
  }
}
