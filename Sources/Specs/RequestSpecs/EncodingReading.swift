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
    visit(node, as: "`encoding`", keys: KeyTable(known: EncodingKey.all.map(\.name))) { reader, member in
      reader.encodingKey(member, &result)
    }
    return result
  }

  private mutating func encodingKey(_ member: YAMLMember, _ result: inout EncodingSettings) {
    guard let key = EncodingKey.byName[member.key] else { return }
    let node = member.value
    var option: Field<EncodingOption>?
    if node.isNull {
      option = key.null.map { Field(literal: $0, range: node.range) }
    } else {
      option = key.name == "date" && node.members != nil ? datePattern(node) : field(node, key.decoder)
      if option == nil { return }
    }
    result.entries.append(EncodingSettings.Entry(key: member.key, option: option))
  }

  private mutating func datePattern(_ node: YAMLNode) -> Field<EncodingOption>? {
    let errorsBefore = bag.errorCount
    var pattern: YAMLNode?
    var zone = "UTC"
    visit(node, as: "`date`", keys: KeyTable(known: ["format", "time_zone"])) { reader, member in
      if member.key == "format" {
        pattern = member.value
      } else {
        zone = reader.constant(member.value, as: "time_zone", timeZoneDecoder) ?? zone
      }
    }
    guard let pattern else {
      if bag.errorCount == errorsBefore, !node.hasError {
        bag.error("`date` needs `format`", at: node.range, help: "write {format: \"yyyy-MM-dd\", time_zone: UTC}")
      }
      return nil
    }
    return field(pattern, datePatternDecoder(timeZone: zone))
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

/// A key of `encoding`, with its values.
struct EncodingKey: Sendable {
  let name: String
  let decoder: ValueDecoder<EncodingOption>
  /// The option that `null` stands for; elsewhere `null` takes away what a lower layer says.
  let null: EncodingOption?
  /// The values as the reference names them, the default first.
  let documentation: String

  private init(
    _ name: String, null: EncodingOption? = nil, documentation: String, _ decoder: ValueDecoder<EncodingOption>
  ) {
    self.name = name
    self.decoder = decoder
    self.null = null
    self.documentation = documentation
  }

  /// A key whose values are words, the default first.
  private init<Word: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, null: EncodingOption? = nil, notes: [String: String] = [:], end: String = "",
    _ wrap: @escaping @Sendable (Word) -> EncodingOption
  ) where Word.RawValue == String {
    let decoder = ValueDecoder<Word>.word()
    let words = Word.allCases.map { word in
      "`\(word.rawValue)`" + (notes[word.rawValue].map { " (\($0))" } ?? "")
    }
    self.init(
      name, null: null, documentation: words.joined(separator: ", ") + end,
      ValueDecoder(decoder.expected, decoder.shape) { value throws(DecodingProblem) in
        wrap(try decoder.decode(value))
      })
  }

  static let all: [EncodingKey] = [
    EncodingKey("format", end: ": for `parameters`") { (word: EncodingOptions.Format) in .format(word) },
    EncodingKey("destination", notes: ["method_dependent": "query for GET, HEAD, DELETE"]) {
      (word: EncodingOptions.Destination) in .destination(word)
    },
    EncodingKey(
      "array", notes: ["no_brackets": "`a=1&a=2`", "brackets": "`a[]=1&a[]=2`", "index_in_brackets": "`a[0]=1&a[1]=2`"]
    ) { (word: EncodingOptions.ArrayEncoding) in .array(word) },
    EncodingKey("bool", notes: ["literal": "`true`", "numeric": "`1`"]) {
      (word: EncodingOptions.BoolEncoding) in .bool(word)
    },
    EncodingKey("data", notes: ["bytes": "a list of numbers"]) { (word: EncodingOptions.DataEncoding) in .data(word) },
    EncodingKey(
      "date",
      documentation: EncodingOptions.DateEncoding.words.map { "`\($0)`" }.joined(separator: ", ")
        + ", `{format: yyyy-MM-dd, time_zone: UTC}`", dateDecoder),
    EncodingKey("key") { (word: EncodingOptions.KeyEncoding) in .key(word) },
    EncodingKey("key_path", notes: ["brackets": "`a[b]=1`"]) { (word: EncodingOptions.KeyPathEncoding) in .keyPath(word)
    },
    EncodingKey("nil", null: .null(.null), notes: ["drop_value": "`a=`", "null": "`a=null`"]) {
      (word: EncodingOptions.NilEncoding) in .null(word)
    },
    EncodingKey("space") { (word: EncodingOptions.SpaceEncoding) in .space(word) },
    EncodingKey(
      "sort", documentation: "`false`: as written; `true`: by the serialised pair",
      ValueDecoder("true or false", .boolean) { value throws(DecodingProblem) in
        .sort(try ValueDecoder<Bool>.boolean.decode(value))
      }),
    EncodingKey("json") { (word: JSONLayoutWord) in .json(word == .pretty ? .pretty : .compact) },
  ]

  static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
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
