import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

/// A key of a capture beside its source.
struct CaptureKey: Sendable {
  let name: String
  /// Words of other tools for it.
  var words: [String] = []
  let documentation: String
  let shape: SchemaShape
  let read: @Sendable (inout SpecReader, YAMLMember, inout CaptureParts) -> Void

  /// Keys that take a part of a value, under `expect` too.
  static let extraction: [CaptureKey] = [
    CaptureKey(
      name: "regex", words: ["pattern"],
      documentation:
        "the pattern (PCRE2) whose match in the value is taken: its first group, or all of it if it has none; alone it reads the body",
      shape: .text
    ) { reader, member, parts in
      parts.regex = reader.field(member.value, .pattern)
      reader.checkPattern(member.value)
    },
    CaptureKey(
      name: "group",
      documentation:
        "another group: `2`, `month`, `0` for the whole match, `[year, month]` for a mapping of those names",
      shape: .any([.text, .integer(0...Int.max), .list(of: .text)])
    ) { $2.group = $0.patternGroup($1.value) },
    CaptureKey(
      name: "as", words: ["type"],
      documentation: "the type: `integer`, `number`, `boolean`, `string`, `date`, `url`, `json`, or `first` of a list",
      shape: ValueDecoder<Extraction.Conversion>.word().shape
    ) {
      $2.conversion = $0.constant(
        $1.value, as: "as", ValueDecoder<Extraction.Conversion>.word(instead: kindWord))
    },
  ]

  /// Keys of a source in a list of such.
  static let ofSource: [CaptureKey] =
    extraction + [
      CaptureKey(
        name: "attribute",
        documentation:
          "of a cookie: `value`, `domain`, `path`, `expires` (a date), `max_age` (milliseconds), `secure`, `http_only` or `same_site`",
        shape: .words(CookieAttribute.allCases.map(\.rawValue))
      ) { reader, member, parts in
        let word = ValueDecoder<CookieAttribute>.word(instead: {
          guard case .text(let text) = $0 else { return nil }
          return CookieAttribute(named: text.string).map { "`\($0.rawValue)`" }
        })
        parts.attribute = reader.constant(member.value, as: "attribute", word).map { Located($0, at: member.keyRange) }
      }
    ]

  static let all: [CaptureKey] =
    ofSource + [
      CaptureKey(
        name: "first", words: ["coalesce", "sources"],
        documentation:
          "in place of a source, a list of such: the first that is found gives the value; a key of a source beside it is for all of them",
        shape: .list(of: listedSourceShape, atLeast: 1)
      ) { $2.first = Located($1.value, at: $1.keyRange) },
      CaptureKey(
        name: "default",
        documentation: "the value if there is none, or if it cannot be converted; without it the request fails",
        shape: .anything
      ) { $2.defaultValue = $0.valueTemplate($1.value) },
      CaptureKey(
        name: "secret", words: ["mask"], documentation: "`true` masks the value in all output", shape: .boolean
      ) { $2.isSecret = $0.constant($1.value, as: "secret", .boolean) ?? false },
    ]

  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  static let byNameOfSource = Dictionary(uniqueKeysWithValues: ofSource.map { ($0.name, $0) })
}

/// The parts of a capture, as far as they are read.
struct CaptureParts {
  var source: (subject: ResponseSubject, label: String, range: SourceRange)?
  /// The list of sources.
  var first: Located<YAMLNode>?
  var regex: Field<PatternSpec>?
  var group: Located<PatternGroup>?
  var conversion: Extraction.Conversion?
  /// The attribute of a cookie.
  var attribute: Located<CookieAttribute>?
  var defaultValue: ValueTemplate?
  var isSecret = false

  var extraction: Extraction? {
    regex == nil && conversion == nil ? nil : Extraction(regex: regex, group: group?.value, conversion: conversion)
  }
}

/// The names of the sources for captures: a pattern alone searches the body.
private let captureSources = SubjectKey.captured.map(\.sourceName) + ["regex"]

let captureKeys = KeyTable(
  known: SubjectKey.captured.map(\.sourceName) + CaptureKey.all.map(\.name),
  synonyms: captureSynonyms(CaptureKey.all))

/// The keys of a source in a list.
private let sourceKeys = KeyTable(
  known: SubjectKey.captured.map(\.sourceName) + CaptureKey.ofSource.map(\.name),
  synonyms: captureSynonyms(CaptureKey.ofSource),
  advice: [
    "default": "write it beside `first`", "secret": "write it beside `first`",
    "first": "write its sources into the list around it",
  ])

private func captureSynonyms(_ keys: [CaptureKey]) -> [String: String] {
  Dictionary(
    uniqueKeysWithValues: SubjectKey.captured.flatMap { key in key.sourceWords.map { ($0, key.sourceName) } }
      + keys.flatMap { key in key.words.map { ($0, key.name) } })
}

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
        "a capture takes a JSONPath or a source, found \(node.kindPhrase)", at: node,
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
      bag.error("`\(text)` needs what to take", at: node.range, help: "write {\(text): …}")
    } else {
      report(
        "`\(jsonEscaped(text))` is not something to capture", at: node,
        help: suggestion(text, among: captureSources) ?? sourceHelp(text))
    }
    return nil
  }

  private func sourceHelp(_ text: String) -> String {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    if words.count == 2, let source = SubjectKey.bySourceName[words[0].lowercased()], source.needsPart {
      return "write {\(source.sourceName): \(words[1])}"
    }
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
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
        "`first` is in place of a source, and there is another", at: source.range,
        help: "write it as one of the sources in the list")
    }
    if let attribute = outer.attribute {
      return reject(
        "`attribute` belongs to a `cookie`, and there is none", at: attribute.range,
        help: "write it beside {cookie: …} in the list")
    }
    guard let items = first.value.items, !items.isEmpty else {
      return reject("`first` is a list of sources", at: first.value, help: "write [$.id, {header: X-Id}]")
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
          "a capture has one source", at: member.keyRange,
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
        bag.error("a capture needs a source", at: node.range, help: "one of \(captureSources.joined(separator: ", "))")
      }
      return nil
    }
    var (subject, label) = (source.subject, source.label)
    if let attribute = parts.attribute {
      guard case .cookie(let name, _) = subject else {
        return reject(
          "`attribute` belongs to a `cookie`, and there is none", at: attribute.range,
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
        "`\(member.key)` takes no value to capture it", at: node,
        help: node.plainText?.hasPrefix("$") == true
          ? "write {json: \(node.range.text)}" : "write `\(member.key): true` here, or the bare word `\(member.key)`")
    }
    return nil
  }

  // MARK: Parts of sources

  mutating func headerSource(_ node: YAMLNode) -> (subject: ResponseSubject, label: String)? {
    let source = named("header", node) { .header($0) }
    if case .header(let name)? = source?.subject, name.template == nil, !isToken(name.text) {
      bag.error("\"\(jsonEscaped(name.text))\" is not a header name", at: node.range)
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
