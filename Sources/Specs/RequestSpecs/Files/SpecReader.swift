import Templates
import Values
import YAMLNodes

/// Reads nodes into typed settings, and collects all problems.
struct SpecReader {
  var bag = DiagnosticBag()
  /// Keys that are missing because they are misspelt or planned.
  var missedKeys: Set<String> = []
  /// The names that these would have declared, which aren't reported as unknown.
  var missedNames = MissedNames()
  /// Names in the notation of other tools, which text may contain.
  var foreignTemplates: [ForeignTemplate] = []
  /// The places of texts with such names that were reported.
  var foreignPlaces: Set<Int> = []
  /// The names of headers that were compared with those that servers know.
  var headerNames: Set<String> = []
  /// Indicates whether the request that is read has an `expect` of its own.
  var hasExpect = false
  /// Indicates whether all values of the file are secrets.
  var isPrivate = false
  /// Indicates whether the reader is inside the `during` of a stream.
  var isWithinDuring = false
  /// Indicates whether the reader is inside the `stream` of a WebSocket.
  var isWithinWebSocket = false
  /// The parts of the file that could not be read.
  var missing: BrokenPieces?
  /// The number of predicates around the current node that negate it.
  var denials = 0

  /// Visits the members of a mapping whose keys the format defines: unknown keys are errors that name the nearest,
  /// `x-…` keys are ignored, planned keys are reported as such.
  ///
  /// - Parameter instead: the correct form if the node isn't a mapping.
  /// - Returns: whether it has no errors.
  @discardableResult
  mutating func visit<Owner>(
    _ node: YAMLNode, as what: String, keys: Keys<Owner>, instead: String? = nil, into owner: inout Owner
  ) -> Bool {
    let errorsBefore = bag.errorCount
    visitPlaces(node, as: what, keys: keys.names, instead: instead) { reader, member, place in
      keys.all[place].read(&reader, member, &owner)
    }
    return bag.errorCount == errorsBefore && !node.hasError && !isIncomplete(node)
  }

  mutating func visit(
    _ node: YAMLNode, as what: String, keys: KeyTable, instead: String? = nil,
    _ body: (inout SpecReader, YAMLMember) -> Void
  ) {
    visitPlaces(node, as: what, keys: keys, instead: instead) { reader, member, _ in body(&reader, member) }
  }

  /// - Parameter body: also receives the index of the member's key in the table.
  mutating func visitPlaces(
    _ node: YAMLNode, as what: String, keys: KeyTable, instead: String? = nil,
    _ body: (inout SpecReader, YAMLMember, Int) -> Void
  ) {
    guard isUsable(node) else { return }
    guard let members = node.members else {
      report(
        .wrongType, "\(what) is a mapping, found \(node.kindPhrase)", at: node,
        help: (instead ?? keys.shape).map { $0.hasPrefix("write") ? $0 : "write \($0)" } ?? keys.list)
      return
    }
    if isIncomplete(node) { missedKeys.formUnion(keys.known) }
    var isBelowEmpty = false
    for member in members {
      if isOwnKey(member, besides: keys) { continue }
      if let place = keys.index(of: member.key) {
        isBelowEmpty = member.value.isMissing
        if isBelowEmpty { missedKeys.insert(member.key) }
        body(&self, member, place)
      } else if !isBelowEmpty {
        // A node below a key without a value belongs to it, and a key in braces that holds its value is reported there.
        if member.value.isMissing, member.key.contains(where: { ": ".contains($0) }) {
          missedKeys.formUnion(member.key.split { ": ".contains($0) }.prefix(1).map(String.init))
        } else {
          unknownKey(member, of: what, keys: keys)
        }
        isBelowEmpty = member.value.isMissing
      }
    }
  }

  mutating func unknownKey(_ member: YAMLMember, of what: String, keys: KeyTable) {
    let key = member.key
    if let name = keys.name(behind: key) {
      miss(name, member.value)
      reportMisleadingKey(member, meant: name)
      return
    }
    let header = keys.contains("url") && keys.synonyms[key] == nil ? knownHeaders[key.lowercased()] : nil
    let asHeader = header.map { "write `headers: {\($0): …}`" }
    let advice = keys.advice[key] ?? MigrationHints.advice(for: key, in: keys) ?? asHeader
    let nearest = keys.synonyms[key] ?? (advice == nil ? likelyWord(for: key, among: keys.known) : nil)
    if let nearest { miss(nearest, member.value) }
    if MigrationHints.wordsForUse.contains(key), keys.contains("url") { miss("use", member.value) }
    if keys.contains("expect"), key == "status" || MigrationHints.expectSynonyms[key] == "status" {
      let value = member.value.scalar == nil ? "…" : member.value.range.firstLine.text
      bag.error(
        .unknownKey, "unknown key `\(jsonEscaped(key))` in \(what)", at: member.keyRange,
        help: "write `expect: {status: \(value)}`")
      return
    }
    if keys.contains("method"), let help = wholeRequest(member) {
      missedKeys.formUnion(["url", "expect"])
      for inner in member.value.members ?? [] where inner.key == "capture" { miss(inner.key, inner.value) }
      bag.error(.unknownKey, "unknown key `\(jsonEscaped(key))` in \(what)", at: member.keyRange, help: help)
      return
    }
    if key == "location", let url = member.value.plainText, url.contains("://") || url.hasPrefix("/") {
      missedKeys.insert("url")
      bag.error(
        .unknownKey, "unknown key `location` in \(what)", at: member.keyRange,
        help: "write `url: \(url)`, or under `expect:` what it must be: `headers: {Location: …}`")
      return
    }
    if let written = MigrationHints.replacement(of: member, meaning: nearest) {
      bag.error(
        .unknownKey, "unknown key `\(jsonEscaped(key))` in \(what)", at: member.keyRange, help: "write `\(written)`")
      return
    }
    if nearest == "requests", member.value.members != nil {
      bag.error(
        .unknownKey, "unknown key `\(jsonEscaped(key))` in \(what)", at: member.keyRange,
        help: "write `requests:`, and below it each request behind `- `")
      return
    }
    let isScript = ["test", "tests"].contains(key) && member.value.plainText != nil
    let isExpectation = keys.contains("status") && keys.contains("json")
    let path = isExpectation ? MigrationHints.expectationPath(key) : nil
    bag.error(
      .unknownKey, "unknown key `\(jsonEscaped(key))` in \(what)", at: member.keyRange,
      help: isScript
        ? MigrationHints.script
        : advice ?? path ?? nearest.map {
          keys.synonyms[key] == nil ? "did you mean `\($0)`?" : "write `\($0)`"
        }
          ?? elsewhere(key, than: what, keys) ?? keys.help(for: key))
  }

  /// The right place of a key that belongs to a request.
  private func elsewhere(_ key: String, than what: String, _ keys: KeyTable) -> String? {
    guard what.hasPrefix("`"), !keys.contains("url"), requestKeys.names.contains(key) else { return nil }
    return "it belongs to the request: indent it as \(what)"
  }

  /// Reports a key that differs from a known one by an invisible character, or a dash without its space.
  private mutating func reportMisleadingKey(_ member: YAMLMember, meant name: String) {
    if member.key.hasPrefix("-") {
      bag.error(
        .yamlStructure, "a space is missing after `-`", at: member.keyRange,
        help: "write `- \(jsonEscaped(String(member.key.dropFirst())))`")
    } else if let (scalar, letter) = misleadingCharacter(in: member.key) {
      bag.error(
        .unknownKey,
        "`\(jsonEscaped(member.key))` is not `\(name)`: it has \(characterName(scalar)), which "
          + (letter.map { "only looks like `\($0)`" } ?? "is not seen"),
        at: member.keyRange, help: "write `\(name)` anew")
    }
  }

  /// The correct form of a key that holds a whole request: its method, or a word for it.
  private func wholeRequest(_ member: YAMLMember) -> String? {
    let method = member.key.uppercased()
    guard standardMethods.contains(method), [method, method.lowercased()].contains(member.key),
      method != "OPTIONS" || member.value.scalar != nil
    else { return MigrationHints.wordsForRequest.contains(member.key) ? MigrationHints.requestAdvice[member.key] : nil }
    let url = member.value.scalar == nil ? "…" : member.value.range.text
    return "write " + (method == "GET" ? "" : "`method: \(method)` and ") + "`url: \(url.utf8.count > 200 ? "…" : url)`"
  }

  /// The note on the alias that a node stands for.
  func useNote(_ node: YAMLNode) -> [Diagnostic.Note] {
    node.useSite.map { [Diagnostic.Note("used here", at: $0)] } ?? []
  }

  /// Reports a problem of a node; it may be that of a part that could not be read.
  mutating func report(_ code: DiagnosticCode, _ message: String, at node: YAMLNode, help: String? = nil) {
    if node.scalar == nil, isIncomplete(node) { return }
    bag.error(code, message, at: node.range, notes: useNote(node), help: help)
  }

  mutating func warn(_ code: DiagnosticCode, _ message: String, at node: YAMLNode, help: String? = nil) {
    bag.warning(code, message, at: node.range, notes: useNote(node), help: help)
  }

  /// Reports a problem of a node for which there is no result.
  mutating func reject<Result>(
    _ code: DiagnosticCode, _ message: String, at node: YAMLNode, help: String? = nil
  ) -> Result? {
    report(code, message, at: node, help: help)
    return nil
  }

  mutating func reject<Result>(
    _ code: DiagnosticCode, _ message: String, at range: SourceRange, notes: [Diagnostic.Note] = [], help: String? = nil
  ) -> Result? {
    bag.error(code, message, at: range, notes: notes, help: help)
    return nil
  }

  mutating func reject<Result>(_ problem: DecodingProblem, at node: YAMLNode) -> Result? {
    report(problem, at: node)
    return nil
  }

  /// Returns whether a node can be read: no problem was reported for it, and it has no tag of expectations.
  mutating func isUsable(_ node: YAMLNode) -> Bool {
    if node.hasError { return false }
    guard let tag = node.localTag else { return true }
    bag.error(
      .misplacedTag, "`\(tag.text)` describes a value that is expected: it cannot stand here", at: tag.range,
      notes: useNote(node),
      help: "such tags belong to values under `expect`; what several share may be anchored under an `x-…` key")
    return false
  }

  /// A value as a field: decoded now, or once its templates have a value.
  mutating func field<Output>(_ node: YAMLNode, _ decoder: ValueDecoder<Output>) -> Field<Output>? {
    guard let value = valueTemplate(node) else { return nil }
    guard let literal = value.literal else {
      if node.members == nil { return Field(template: value, decoder: decoder) }
      return reject(.wrongType, "expected \(decoder.expected), found a mapping", at: node)
    }
    do {
      return Field(literal: try decoder.decode(literal), range: node.range)
    } catch {
      return reject(error, at: node)
    }
  }

  /// Reports a decoder's problem with a node, at the invalid part of its text.
  mutating func report(_ problem: DecodingProblem, at node: YAMLNode) {
    bag.error(
      problem.code, problem.message, at: problem.textRange.map { node.range(ofText: $0) } ?? node.range,
      notes: useNote(node), help: problem.help)
  }

  /// A field that `null` removes.
  mutating func setting<Output>(_ node: YAMLNode, _ decoder: ValueDecoder<Output>) -> Setting<Field<Output>> {
    if node.isNull { return .removed }
    return field(node, decoder).map { .given($0) } ?? .inherited
  }

  /// A value that must be a literal.
  mutating func constant<Output>(
    _ node: YAMLNode, as what: String, _ decoder: ValueDecoder<Output>
  ) -> Output? {
    guard let field = field(node, decoder) else { return nil }
    if field.literal == nil {
      report(.templateNotAllowed, "`\(what)` takes no template", at: node, help: "write the value itself")
    }
    return field.literal
  }

  /// Text without templates, or a list of texts.
  mutating func stringList(_ node: YAMLNode, as what: String) -> [Located<String>] {
    guard isUsable(node) else { return [] }
    return (node.items ?? [node]).compactMap { item in
      guard isUsable(item) else { return nil }
      guard let scalar = item.scalar, case .text(let text) = scalar.meaning else {
        return reject(
          .wrongType, "`\(what)` is text or a list of texts, found \(item.kindPhrase)", at: item,
          help: item.scalar.map { $0.text.isEmpty ? "leave the key out" : "quote it: \"\($0.text)\"" })
      }
      if Template.isTemplate(text) {
        return reject(.templateNotAllowed, "`\(what)` takes no template", at: item, help: "write the text itself")
      }
      return Located(text, at: item.range)
    }
  }

  /// Tags; one with a comma could never be selected.
  mutating func tags(_ node: YAMLNode) -> [String] {
    stringList(node, as: "tags").map { tag in
      if tag.value.contains(",") {
        let words = tag.value.split(separator: ",").map { $0.drop { $0 == " " } }
        bag.error(
          .invalidName, "a tag has no comma: `--tags` separates tags by it", at: tag.range,
          help: "write [\(jsonEscaped(words.joined(separator: ", ")))]")
      }
      return tag.value
    }
  }

  /// Text for people, whatever it contains.
  mutating func plainText(_ node: YAMLNode, as what: String) -> String? {
    guard isUsable(node) else { return nil }
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning else {
      return reject(.wrongType, "`\(what)` is text, found \(node.kindPhrase)", at: node)
    }
    return text
  }
}
