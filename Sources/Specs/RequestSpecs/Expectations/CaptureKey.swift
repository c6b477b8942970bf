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
      reader.checkEmptyMatch(parts.regex?.literal, member.value)
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

  static let byName = Dictionary(namedBy: all.map { ($0.name, $0) })
  static let byNameOfSource = Dictionary(namedBy: ofSource.map { ($0.name, $0) })
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
let captureSources = SubjectKey.captured.map(\.sourceName) + ["regex"]

let captureKeys = KeyTable(
  known: SubjectKey.captured.map(\.sourceName) + CaptureKey.all.map(\.name),
  synonyms: captureSynonyms(CaptureKey.all))

/// The keys of a source in a list.
let sourceKeys = KeyTable(
  known: SubjectKey.captured.map(\.sourceName) + CaptureKey.ofSource.map(\.name),
  synonyms: captureSynonyms(CaptureKey.ofSource),
  advice: [
    "default": "write it beside `first`", "secret": "write it beside `first`",
    "first": "write its sources into the list around it",
  ])

private func captureSynonyms(_ keys: [CaptureKey]) -> [String: String] {
  Dictionary(
    namedBy: SubjectKey.captured.flatMap { key in key.sourceWords.map { ($0, key.sourceName) } }
      + keys.flatMap { key in key.words.map { ($0, key.name) } })
}
