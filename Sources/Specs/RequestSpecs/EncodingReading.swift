import Diagnostics
import ParameterEncoding
import Values
import YAMLNodes

extension SpecReader {
  mutating func encoding(_ node: YAMLNode) -> EncodingSettings {
    var result = EncodingSettings()
    guard isUsable(node) else { return result }
    if let scalar = node.scalar {
      switch scalar.meaning {
      case .null: result.preset = .standard
      case .text("alamofire"): result.preset = .alamofire
      default:
        bag.error(
          "`encoding` is a mapping or `alamofire`, found \(node.kindPhrase)", at: node.range, notes: useNote(node),
          help: suggestion(scalar.text, among: ["alamofire"])
            ?? "write {\(["form", "json"].contains(scalar.text) ? "format: \(scalar.text)" : "array: no_brackets")}")
      }
      return result
    }
    visit(node, as: "`encoding`", keys: EncodingSettings.keys, into: &result)
    return result
  }

  fileprivate mutating func encodingOption(
    _ member: YAMLMember, _ decoder: ValueDecoder<EncodingOption>, _ result: inout EncodingSettings
  ) {
    let node = member.value
    var option: Field<EncodingOption>?
    if node.isNull {
      // `nil: null` is a value of that key; elsewhere null removes.
      if member.key == "nil" {
        option = Field(literal: .null(.null), range: node.range)
      }
    } else {
      option = member.key == "date" && node.members != nil ? datePattern(node) : field(node, decoder)
      if option == nil { return }
    }
    result.entries.append(EncodingSettings.Entry(key: member.key, option: option))
  }

  private mutating func datePattern(_ node: YAMLNode) -> Field<EncodingOption>? {
    let errorsBefore = bag.errorCount
    var draft = DatePatternDraft()
    visit(node, as: "`date`", keys: DatePatternDraft.keys, into: &draft)
    guard let pattern = draft.pattern else {
      if bag.errorCount == errorsBefore, !node.hasError {
        bag.error("`date` needs `format`", at: node.range, help: "write {format: \"yyyy-MM-dd\", time_zone: UTC}")
      }
      return nil
    }
    return field(pattern, datePatternDecoder(timeZone: draft.zone))
  }
}

private let timeZoneDecoder = ValueDecoder<String>("a time zone, UTC or a fixed offset such as +02:00", .someText) {
  value throws(DecodingProblem) in
  guard case .text(let text) = value else { return nil }
  do throws(DatePattern.Problem) {
    _ = try DatePattern("yyyy", timeZone: text.string)
    return text.string
  } catch {
    throw DecodingProblem(error.message)
  }
}

private func datePatternDecoder(timeZone: String) -> ValueDecoder<EncodingOption> {
  ValueDecoder("a date pattern such as yyyy-MM-dd", .someText) { value throws(DecodingProblem) in
    guard case .text(let text) = value else { return nil }
    do throws(DatePattern.Problem) {
      return .date(.formatted(try DatePattern(text.string, timeZone: timeZone)))
    } catch {
      let start = text.string.prefix(error.offset).utf8.count
      throw DecodingProblem(error.message, at: start..<min(start + 1, text.string.utf8.count))
    }
  }
}

/// `date: {format: …}` while it is read.
private struct DatePatternDraft {
  var pattern: YAMLNode?
  var zone = "UTC"

  static let keys = Keys<DatePatternDraft>([
    Key("format", "a pattern such as `yyyy-MM-dd`", .text) { $2.pattern = $1.value },
    Key("time_zone", "UTC or a fixed offset such as `+02:00`", .constant(timeZoneDecoder)) { $0.zone = $1 ?? $0.zone },
  ])
}

extension EncodingSettings {
  static let keys = Keys<EncodingSettings>([
    option("format", "what `parameters` are written as", wordDecoder { .format($0) }),
    option("destination", "where `parameters` go", wordDecoder { .destination($0) }),
    option("array", "how lists are written", wordDecoder { .array($0) }),
    option("bool", "how true and false are written", wordDecoder { .bool($0) }),
    option("data", "how data is written", wordDecoder { .data($0) }),
    Key(
      "date", "how dates are written: a word, or `{format: …, time_zone: …}`",
      dateDecoder.shape.orTemplate.or(.null).or(DatePatternDraft.keys.shape(needed: ["format"]))
    ) { $0.encodingOption($1, dateDecoder, &$2) },
    option("key", "how names are written", wordDecoder { .key($0) }),
    option("key_path", "how the names of nested values are written", wordDecoder { .keyPath($0) }),
    option("nil", "how null is written", wordDecoder { .null($0) }),
    option("space", "how spaces are written", wordDecoder { .space($0) }),
    option(
      "sort", "`true` sorts by name",
      ValueDecoder("true or false", .boolean) { value throws(DecodingProblem) in
        .sort(try ValueDecoder<Bool>.boolean.decode(value))
      }),
    option(
      "json", "how JSON is laid out",
      wordDecoder { (word: JSONLayoutWord) in .json(word == .pretty ? .pretty : .compact) }),
  ])

  private static func option(
    _ name: String, _ documentation: String, _ decoder: ValueDecoder<EncodingOption>
  ) -> Key<EncodingSettings> {
    Key(name, documentation, decoder.shape.orTemplate.or(.null)) { $0.encodingOption($1, decoder, &$2) }
  }
}

private func wordDecoder<Word: RawRepresentable & CaseIterable & Sendable>(
  _ wrap: @escaping @Sendable (Word) -> EncodingOption
) -> ValueDecoder<EncodingOption> where Word.RawValue == String {
  let decoder = ValueDecoder<Word>.word()
  return ValueDecoder(decoder.expected, decoder.shape) { value throws(DecodingProblem) in
    wrap(try decoder.decode(value))
  }
}

private enum JSONLayoutWord: String, CaseIterable, Sendable { case compact, pretty }

private let dateDecoder = ValueDecoder<EncodingOption>(
  "one of \(EncodingOptions.DateEncoding.words.joined(separator: ", ")), or {format: …}",
  .words(EncodingOptions.DateEncoding.words)
) { value throws(DecodingProblem) in
  guard case .text(let text) = value else { return nil }
  if let encoding = EncodingOptions.DateEncoding(rawValue: text.string) { return .date(encoding) }
  throw unknownWord(text, among: EncodingOptions.DateEncoding.words)
}
