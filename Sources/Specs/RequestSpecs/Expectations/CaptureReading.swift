import DocumentQueries
import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  mutating func captures(_ node: YAMLNode) -> KeyedSettings<CaptureSpec> {
    keyed(node, as: "capture", takesTemplate: false) { reader, member in
      guard reader.checkName(member.key, at: member.keyRange, of: "a capture") else { return nil }
      return reader.capture(member.value)
    }
  }

  mutating func capture(_ node: YAMLNode) -> CaptureSpec? {
    guard isUsable(node) else { return nil }
    guard node.members != nil else {
      return source(node).map { CaptureSpec(sources: [$0], range: node.range) }
    }
    if let help = foreignSource(node) {
      return reject(.misplacedKey, "the source of a capture is a key of its own", at: node.range.firstLine, help: help)
    }
    guard let parts = captureParts(node, keys: captureKeys, CaptureKey.byName),
      let sources = parts.first == nil ? source(parts, node).map({ [$0] }) : sources(parts)
    else { return nil }
    return CaptureSpec(
      sources: sources, defaultValue: parts.defaultValue, isSecret: parts.isSecret, range: node.range)
  }

  /// A source without keys: a JSONPath or a keyword.
  private mutating func source(_ node: YAMLNode) -> CaptureSpec.Source? {
    guard let scalar = node.scalar, case .text(let text) = scalar.meaning else {
      return reject(
        .wrongType, "a capture takes a JSONPath or a source, found \(node.kindPhrase)", at: node,
        help: node.items != nil
          ? "write {first: […]}: the first source in the list that is found gives the value"
          : "write a JSONPath such as $.id, or one of \(captureSources.joined(separator: ", "))")
    }
    func source(_ subject: ResponseSubject, _ label: String) -> CaptureSpec.Source {
      CaptureSpec.Source(subject: subject, extraction: nil, range: node.range, label: label)
    }
    if text.hasPrefix("$"), !text.hasPrefix("${{") {
      return jsonPath(text, at: node).map { source(.json($0), "json \(text)") }
    }
    let key = SubjectKey.bySourceName[text]
    if let subject = key?.whole { return source(subject, text) }
    if key != nil || text == "regex" {
      let part = text == "link" ? "next" : "…"
      bag.error(.missingKey, "`\(text)` needs what to take", at: node.range, help: "write {\(text): \(part)}")
    } else {
      report(
        .unknownValue, "`\(jsonEscaped(text))` is not something to capture", at: node,
        help: suggestion(text, among: captureSources) ?? sourceHelp(text))
    }
    return nil
  }

  /// The correct form of `{from: header, name: ETag}`.
  private func foreignSource(_ node: YAMLNode) -> String? {
    let members = node.members ?? []
    guard let from = members.first(where: { ["from", "source", "in", "location"].contains($0.key) }),
      let word = from.value.plainText?.lowercased(), !members.contains(where: { $0.value.hasError }),
      let source = SubjectKey.bySourceName[captureKeys.synonyms[word] ?? word]
    else { return nil }
    let part = members.first { ["name", "key", "path", "expression", "jsonpath", "json"].contains($0.key) }
    guard let text = part?.value.plainText else { return "write {\(source.sourceName): …}" }
    return "write {\(text.hasPrefix("$") ? "json" : source.sourceName): \(text)}"
  }

  private func sourceHelp(_ text: String) -> String {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    if words.count == 2, let source = SubjectKey.bySourceName[words[0].lowercased()], source.needsPart {
      return "write {\(source.sourceName): \(words[1])}"
    }
    var parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    if ["response", "res"].contains(parts[0]), parts.count == 2 {
      let inner = parts[1].split(separator: ".", maxSplits: 1).map(String.init)
      let roots = ["body", "json", "data", "headers", "header", "cookies"]
      if inner.count == 2, roots.contains(inner[0]) { parts = inner }
    }
    let root = parts.first.map { captureKeys.synonyms[$0] ?? $0 } ?? ""
    if parts.count == 2, ["json", "body", "response", "data", "res"].contains(root), isMemberName(parts[1]) {
      return "write `$.\(parts[1])`"
    }
    if parts.count == 2, SubjectKey.bySourceName[root]?.needsPart ?? false { return "write {\(root): \(parts[1])}" }
    if isMemberName(text) { return "write `$.\(text)`, or {header: …}, {cookie: …}, {regex: …}" }
    return "write a JSONPath such as $.id, or {header: …}, {cookie: …}, {regex: …}"
  }

  /// Returns whether the text could be a JSONPath without its `$.`.
  private func isMemberName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "."), !Template.isTemplate(text) else { return false }
    return text.utf8.allSatisfy { byte in
      isAlphanumeric(byte) || ".[]_".utf8.contains(byte)
    }
  }

  /// The sources of a list; `regex`, `group` and `as` beside it are for each that has none of them.
  private mutating func sources(_ outer: CaptureParts) -> [CaptureSpec.Source]? {
    guard let first = outer.first, checkGroup(of: outer) else { return nil }
    if let source = outer.source {
      return reject(
        .conflictingKeys, "`first` is in place of a source, and there is another", at: source.range,
        help: "write it as one of the sources in the list")
    }
    if let attribute = outer.attribute {
      return reject(
        .orphanedKey, "`attribute` belongs to a `cookie`, and there is none", at: attribute.range,
        help: "write it beside {cookie: …} in the list")
    }
    guard let items = first.value.items, !items.isEmpty else {
      return reject(.wrongType, "`first` is a list of sources", at: first.value, help: "write [$.id, {header: X-Id}]")
    }
    let errorsBefore = bag.errorCount
    var sources: [CaptureSpec.Source] = []
    for item in items where isUsable(item) {
      guard item.members != nil else {
        guard let found = source(item) else { continue }
        sources.append(
          CaptureSpec.Source(
            subject: found.subject, extraction: outer.extraction, range: found.range, label: found.label))
        continue
      }
      guard var parts = captureParts(item, keys: sourceKeys, CaptureKey.byNameOfSource) else { continue }
      if parts.extraction == nil {
        (parts.regex, parts.group, parts.conversion) = (outer.regex, outer.group, outer.conversion)
      }
      if let source = source(parts, item) { sources.append(source) }
    }
    for (item, source) in zip(items, sources).dropLast() {
      guard case .value(let value) = source.subject, value.literal != nil else { continue }
      warn(.noEffect, "a value is always found: the sources after it are never read", at: item, help: "write it last")
    }
    return bag.errorCount == errorsBefore ? sources : nil
  }

  private mutating func captureParts(
    _ node: YAMLNode, keys: KeyTable, _ known: [String: CaptureKey]
  ) -> CaptureParts? {
    var parts = CaptureParts()
    let errorsBefore = bag.errorCount
    visit(node, as: "a capture", keys: keys) { reader, member in
      if let key = known[member.key] {
        key.read(&reader, member, &parts)
      } else if let source = parts.source {
        reader.bag.error(
          .conflictingKeys, "a capture has one source", at: member.keyRange,
          notes: [Diagnostic.Note("the other source stands here", at: source.range)],
          help: "give each a name of its own, or write {first: […]} for the first that is found")
      } else if let key = SubjectKey.bySourceName[member.key], let source = reader.captureSource(key, member) {
        parts.source = (source.subject, source.label, member.keyRange)
      }
    }
    return bag.errorCount == errorsBefore ? parts : nil
  }

  /// The source that the parts of a mapping are.
  private mutating func source(_ given: CaptureParts, _ node: YAMLNode) -> CaptureSpec.Source? {
    guard checkGroup(of: given) else { return nil }
    var parts = given
    if parts.source == nil, parts.regex != nil { parts.source = (.body, "body", node.range) }
    guard let source = parts.source else {
      // Whoever read the file has reported what could not be read.
      if node.members?.contains(where: { $0.value.hasError }) != true {
        bag.error(
          .missingKey, "a capture needs a source", at: node.range,
          help: "one of \(captureSources.joined(separator: ", "))")
      }
      return nil
    }
    var (subject, label) = (source.subject, source.label)
    if let attribute = parts.attribute {
      guard case .cookie(let name, _) = subject else {
        return reject(
          .orphanedKey, "`attribute` belongs to a `cookie`, and there is none", at: attribute.range,
          help: "write it beside {cookie: …}")
      }
      subject = .cookie(name, attribute.value)
      label += " \(attribute.value.rawValue)"
    }
    return CaptureSpec.Source(subject: subject, extraction: parts.extraction, range: node.range, label: label)
  }

  private mutating func captureSource(
    _ key: SubjectKey, _ member: YAMLMember
  ) -> (subject: ResponseSubject, label: String)? {
    let node = member.value
    switch key.source {
    case .part(let read): return read(&self, node)
    case .wholeOrPart(_, let read) where node.plainText != nil: return read(&self, node)
    case .word, .wholeOrPart, nil: break
    }
    // `{status: true}` is readable beside `as` or `secret`.
    if case .bool(true)? = node.scalar?.meaning, let subject = key.whole { return (subject, member.key) }
    if isUsable(node) {
      report(
        .misplacedKey, "`\(member.key)` takes no value to capture it", at: node,
        help: node.plainText?.hasPrefix("$") == true
          ? "write {json: \(node.range.text)}" : "write `\(member.key): true` here, or the bare word `\(member.key)`")
    }
    return nil
  }

  // MARK: Parts of sources

  /// Warns of a JSONPath as a value, which is text.
  mutating func warnOfPathAsValue(_ node: YAMLNode) {
    guard let text = node.plainText, text.hasPrefix("$."), (try? JSONPath(text)) != nil else { return }
    warn(
      .misplacedKey, "this is text, and not what the path finds", at: node, help: "write `json:` in place of `value:`")
  }

  /// A field of the header or of the trailers.
  mutating func fieldSource(
    _ node: YAMLNode, _ section: String, _ subject: (TextTemplate) -> ResponseSubject
  ) -> (subject: ResponseSubject, label: String)? {
    var name: TextTemplate?
    let source = named(section, node) { template in
      name = template
      return subject(template)
    }
    if let name, name.template == nil, !isToken(name.text) || name.text.hasPrefix("$.") {
      bag.error(.invalidHeader, "\"\(jsonEscaped(name.text))\" is not a \(section) name", at: node.range)
    }
    return source
  }

  /// A source with a name, which may be a template.
  mutating func named(
    _ source: String, _ node: YAMLNode, _ subject: (TextTemplate) -> ResponseSubject
  ) -> (subject: ResponseSubject, label: String)? {
    guard let name = field(node, .text) else { return nil }
    let text = name.literal?.string ?? node.scalar?.text ?? ""
    return (
      subject(TextTemplate(text: text, range: node.range, template: name.templates.first)),
      "\(source) \(node.scalar?.text ?? "")"
    )
  }

  /// A source with one of a few keywords.
  mutating func word<Word: RawRepresentable & CaseIterable & Sendable>(
    _ source: String, _ node: YAMLNode, _ subject: (Word) -> ResponseSubject
  ) -> (subject: ResponseSubject, label: String)? where Word.RawValue == String {
    constant(node, as: source, ValueDecoder<Word>.word()).map { (subject($0), "\(source) \($0.rawValue)") }
  }
}
