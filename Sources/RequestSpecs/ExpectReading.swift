import Diagnostics
import HTTPMessages
import JSONQueries
import Matching
import Templates
import Values
import YAMLNodes

private let expectKeys = KeyTable(
  known: [
    "status", "content_type", "headers", "cookies", "json", "body", "bytes", "duration", "timing", "redirects", "url",
    "http_version", "error",
  ],
  later: ["schema", "xpath", "certificate", "snapshot"],
  misplaced: [
    "header": "did you mean `headers`?", "cookie": "did you mean `cookies`?", "jsonpath": "write `json`",
    "code": "did you mean `status`?",
  ])

extension SpecReader {
  mutating func expectations(_ node: YAMLNode) -> ExpectSettings {
    var result = ExpectSettings()
    if node.isNull {
      result.dropsLower = true
      return result
    }
    visit(node, as: "`expect`", keys: expectKeys) { reader, member in
      let value = member.value
      switch member.key {
      case "error":
        result.failure = reader.setting(value, .word())
      case "headers":
        reader.named(value, member.key) { reader, entry in reader.headerAssertion(entry, &result) }
      case "cookies":
        reader.named(value, member.key) { reader, entry in reader.cookieAssertions(entry, &result) }
      case "json":
        reader.named(value, member.key) { reader, entry in reader.jsonAssertion(entry, &result) }
      case "timing":
        reader.named(value, member.key) { reader, entry in reader.timingAssertion(entry, &result) }
      case "bytes": reader.bytesAssertions(value, &result)
      default: reader.simple(member, &result)
      }
    }
    return result
  }

  private mutating func named(
    _ node: YAMLNode, _ key: String, _ body: (inout SpecReader, YAMLMember) -> Void
  ) {
    guard let members = node.members else {
      bag.error("`\(key)` under `expect` is a mapping, found \(node.kindPhrase)", at: node.range)
      return
    }
    for member in members { body(&self, member) }
  }

  private mutating func simple(_ member: YAMLMember, _ result: inout ExpectSettings) {
    let node = member.value
    if node.isNull {
      result.entries.append(ExpectSettings.Entry(label: member.key, assertion: nil))
      return
    }
    switch member.key {
    case "status" where node.members == nil:
      if let field = statusField(node) { add(.status, "status", .status(field), node, &result) }
    case "content_type" where node.members == nil:
      if let field = field(node, .text) { add(.contentType, "content_type", .contentType(field), node, &result) }
    case "status": predicates(.status, "status", node, &result)
    case "content_type": predicates(.contentType, "content_type", node, &result)
    case "body": predicates(.body, "body", node, &result)
    case "duration": predicates(.duration, "duration", node, unit: .duration, &result)
    case "redirects": predicates(.redirects, "redirects", node, &result)
    case "url": predicates(.url, "url", node, &result)
    default: predicates(.httpVersion, "http_version", node, &result)
    }
  }

  private mutating func predicates(
    _ subject: AssertionSubject, _ label: String, _ node: YAMLNode, unit: OperandUnit = .plain,
    _ result: inout ExpectSettings
  ) {
    guard let specs = predicates(node, unit: unit, of: label) else { return }
    add(subject, label, .predicates(specs), node, &result)
  }

  private func add(
    _ subject: AssertionSubject, _ label: String, _ check: Assertion.Check, _ node: YAMLNode,
    _ result: inout ExpectSettings
  ) {
    let range = node.useSite ?? node.range
    result.entries.append(
      ExpectSettings.Entry(
        label: label, assertion: Assertion(subject: subject, label: label, check: check, range: range)))
  }

  private mutating func headerAssertion(_ entry: YAMLMember, _ result: inout ExpectSettings) {
    guard let name = textTemplate(entry) else { return }
    if name.template == nil, !isToken(entry.key) {
      bag.error("\"\(jsonEscaped(entry.key))\" is not a header name", at: entry.keyRange)
      return
    }
    if entry.value.isNull {
      bag.error("a header is never null", at: entry.value.range, help: "write {exists: false}")
      return
    }
    if let scalar = entry.value.scalar, scalar.style == .plain, case .number = scalar.meaning {
      // A header's value is text; `content-length: 12` means that text.
      let operand = ValueTemplate(content: .literal(.text(scalar.text)), range: entry.value.range)
      guard let literal = operand.literal else { return }
      add(.header(name), "header \(entry.key)", .predicates([.fixed(.equals(literal))]), entry.value, &result)
      return
    }
    predicates(.header(name), "header \(entry.key)", entry.value, &result)
  }

  private mutating func cookieAssertions(_ entry: YAMLMember, _ result: inout ExpectSettings) {
    guard let name = textTemplate(entry) else { return }
    guard let members = entry.value.members else {
      predicates(.cookie(name, .value), "cookie \(entry.key)", entry.value, &result)
      return
    }
    let attributes = CookieAttribute.allCases.map(\.rawValue)
    let attributeMembers = members.filter { attributes.contains($0.key) }
    if attributeMembers.isEmpty {
      predicates(.cookie(name, .value), "cookie \(entry.key)", entry.value, &result)
      return
    }
    for member in members {
      guard let attribute = CookieAttribute(rawValue: member.key) else {
        bag.error(
          "unknown cookie attribute `\(member.key)`", at: member.keyRange,
          help: suggestion(member.key, among: attributes) ?? "the attributes are \(attributes.joined(separator: ", "))")
        continue
      }
      let label = "cookie \(entry.key) \(attribute.rawValue)"
      predicates(.cookie(name, attribute), label, member.value, &result)
    }
  }

  private mutating func jsonAssertion(_ entry: YAMLMember, _ result: inout ExpectSettings) {
    guard let path = jsonPath(entry.key, range: entry.keyRange, key: entry) else { return }
    if path.compiled?.isSingular == false, entry.value.scalar != nil, !Template.isTemplate(entry.value.scalar?.text ?? "") {
      bag.warning(
        "the path yields a list, however many values it finds; a single value never equals it",
        at: entry.value.range, help: "write [\(entry.value.range.text)] or {any: \(entry.value.range.text)}")
    }
    predicates(.json(path), "json \(entry.key)", entry.value, &result)
  }

  private mutating func timingAssertion(_ entry: YAMLMember, _ result: inout ExpectSettings) {
    guard let phase = TimingPhase(rawValue: entry.key) else {
      let words = TimingPhase.allCases.map(\.rawValue)
      let problem = unknownWord(entry.key, among: words)
      bag.error(problem.message, at: entry.keyRange, help: problem.help)
      return
    }
    predicates(.timing(phase), "timing \(entry.key)", entry.value, unit: .duration, &result)
  }

  private mutating func bytesAssertions(_ node: YAMLNode, _ result: inout ExpectSettings) {
    guard let members = node.members else {
      bag.error(
        "`bytes` takes predicates or a hash, found \(node.kindPhrase)", at: node.range,
        help: "write {count: …}, {sha256: …} or {md5: …}")
      return
    }
    for member in members {
      let single = YAMLNode(content: .mapping([member]), range: member.value.range)
      switch member.key {
      case "sha256": predicates(.bytes(.sha256), "bytes sha256", member.value, &result)
      case "md5": predicates(.bytes(.md5), "bytes md5", member.value, &result)
      default:
        guard let specs = predicates(single, of: "bytes") else { continue }
        add(.bytes(.content), "bytes \(member.key)", .predicates(specs), member.value, &result)
      }
    }
  }

  /// A JSONPath: compiled now, or checked with a stand-in for each template.
  mutating func jsonPath(_ text: String, range: SourceRange, key: YAMLMember? = nil, node: YAMLNode? = nil)
    -> JSONPathSpec?
  {
    let place: (Range<Int>) -> SourceRange = { part in
      if let node { return node.range(ofText: part) }
      let shown = range.text
      let offset = shown.hasPrefix("\"") || shown.hasPrefix("'") ? 1 : 0
      let start = range.bytes.lowerBound + offset + part.lowerBound
      let end = range.bytes.lowerBound + offset + part.upperBound
      return end <= range.bytes.upperBound ? SourceRange(range.source, start..<max(start, end)) : range
    }
    guard Template.isTemplate(text) else {
      do {
        return JSONPathSpec(text: text, range: range, compiled: try JSONPath(text), template: nil)
      } catch {
        bag.error("invalid JSONPath: \(error.message)", at: place(error.range), help: error.help)
        return nil
      }
    }
    guard let template = Template.parse(text, place: place, into: &bag) else { return nil }
    return JSONPathSpec(text: text, range: range, compiled: nil, template: template)
  }
}
