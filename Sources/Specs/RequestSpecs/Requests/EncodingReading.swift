import HTTPSemantics
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
        report(
          .wrongType, "`encoding` is a mapping or `alamofire`, found \(node.kindPhrase)", at: node,
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
    var draft = DatePatternDraft()
    let isSound = visit(node, as: "`date`", keys: DatePatternDraft.keys, into: &draft)
    guard let pattern = draft.pattern else {
      if isSound {
        bag.error(
          .missingKey, "`date` needs `format`", at: node.range, help: "write {format: \"yyyy-MM-dd\", time_zone: UTC}")
      }
      return nil
    }
    return field(pattern, datePatternDecoder(timeZone: draft.zone))
  }
}

private let timeZoneDecoder = ValueDecoder<String>(
  "a time zone: UTC, an offset such as +02:00, or a name such as Europe/Paris", .someText
) {
  value throws(DecodingProblem) in
  guard case .text(let text) = value else { return nil }
  do throws(DatePattern.Problem) {
    _ = try DatePattern("yyyy", timeZone: text.string)
    return text.string
  } catch {
    throw DecodingProblem(.invalidValue, error.message)
  }
}

private func datePatternDecoder(timeZone: String) -> ValueDecoder<EncodingOption> {
  ValueDecoder("a date pattern such as yyyy-MM-dd", .someText) { value throws(DecodingProblem) in
    guard case .text(let text) = value else { return nil }
    do throws(DatePattern.Problem) {
      return .date(.formatted(try DatePattern(text.string, timeZone: timeZone)))
    } catch {
      let start = text.string.prefix(error.offset).utf8.count
      throw DecodingProblem(.invalidValue, error.message, at: start..<min(start + 1, text.string.utf8.count))
    }
  }
}

/// `date: {format: …}` while it is read.
private struct DatePatternDraft {
  var pattern: YAMLNode?
  var zone = "UTC"

  static let keys = Keys<DatePatternDraft>([
    Key("format", "a pattern such as `yyyy-MM-dd`", .text) { $2.pattern = $1.value },
    Key("time_zone", "UTC, an offset such as `+02:00`, or a name such as `Europe/Paris`", .constant(timeZoneDecoder)) {
      $0.zone = $1 ?? $0.zone
    },
  ])
}

extension EncodingSettings {
  static let keys = Keys<EncodingSettings>([
    option("format", end: ": for `parameters`") { (word: EncodingOptions.Format) in .format(word) },
    option("destination", notes: ["method_dependent": "query for GET, HEAD, DELETE"]) {
      (word: EncodingOptions.Destination) in .destination(word)
    },
    option(
      "array", notes: ["no_brackets": "`a=1&a=2`", "brackets": "`a[]=1&a[]=2`", "index_in_brackets": "`a[0]=1&a[1]=2`"]
    ) { (word: EncodingOptions.ArrayEncoding) in .array(word) },
    option("bool", notes: ["literal": "`true`", "numeric": "`1`"]) { (word: EncodingOptions.BoolEncoding) in .bool(word)
    },
    option("data", notes: ["bytes": "a list of numbers"]) { (word: EncodingOptions.DataEncoding) in .data(word) },
    Key(
      "date",
      EncodingOptions.DateEncoding.words.map { "`\($0)`, " }.joined() + "`{format: yyyy-MM-dd, time_zone: UTC}`",
      dateDecoder.shape.orTemplate.or(.null).or(DatePatternDraft.keys.shape(needed: ["format"]))
    ) { $0.encodingOption($1, dateDecoder, &$2) },
    option("key") { (word: EncodingOptions.KeyEncoding) in .key(word) },
    option("key_path", notes: ["brackets": "`a[b]=1`"]) { (word: EncodingOptions.KeyPathEncoding) in .keyPath(word) },
    option("nil", notes: ["drop_value": "`a=`", "null": "`a=null`"]) {
      (word: EncodingOptions.NilEncoding) in .null(word)
    },
    option("space") { (word: EncodingOptions.SpaceEncoding) in .space(word) },
    option(
      "sort", "`false`: as written; `true`: by the serialised pair",
      ValueDecoder("true or false", .boolean) { value throws(DecodingProblem) in
        .sort(try ValueDecoder<Bool>.boolean.decode(value))
      }),
    option("json") { (word: JSONLayoutWord) in .json(word == .pretty ? .pretty : .compact) },
  ])

  private static func option(
    _ name: String, _ documentation: String, _ decoder: ValueDecoder<EncodingOption>
  ) -> Key<EncodingSettings> {
    Key(name, documentation, decoder.shape.orTemplate.or(.null)) { $0.encodingOption($1, decoder, &$2) }
  }

  /// An option whose values are words, the default first.
  ///
  /// - Parameters:
  ///   - notes: explanations of words, for the reference.
  ///   - end: the end of the reference's line.
  private static func option<Word: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, notes: [String: String] = [:], end: String = "",
    _ wrap: @escaping @Sendable (Word) -> EncodingOption
  ) -> Key<EncodingSettings> where Word.RawValue == String {
    let decoder = ValueDecoder<Word>.word()
    let words = Word.allCases.map { word in
      "`\(word.rawValue)`" + (notes[word.rawValue].map { " (\($0))" } ?? "")
    }
    return option(
      name, words.joined(separator: ", ") + end,
      ValueDecoder(decoder.expected, decoder.shape) { value throws(DecodingProblem) in
        wrap(try decoder.decode(value))
      })
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
