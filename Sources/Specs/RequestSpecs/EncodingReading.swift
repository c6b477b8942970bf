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
    visit(node, as: "`encoding`", keys: KeyTable(known: encodingKeys)) { reader, member in
      reader.encodingKey(member, &result)
    }
    return result
  }

  private mutating func encodingKey(_ member: YAMLMember, _ result: inout EncodingSettings) {
    let node = member.value
    var option: Field<EncodingOption>?
    if node.isNull {
      // `nil: null` is a value of that key; elsewhere null removes.
      if member.key == "nil" {
        option = Field(literal: .null(.null), range: node.range)
      }
    } else {
      option =
        member.key == "date" && node.members != nil ? datePattern(node) : field(node, encodingDecoder(member.key))
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

private let encodingKeys = [
  "format", "destination", "array", "bool", "data", "date", "key", "key_path", "nil", "space", "sort", "json",
]

private func encodingDecoder(_ key: String) -> ValueDecoder<EncodingOption> {
  switch key {
  case "format": return wordDecoder { (word: EncodingOptions.Format) in .format(word) }
  case "destination": return wordDecoder { (word: EncodingOptions.Destination) in .destination(word) }
  case "array": return wordDecoder { (word: EncodingOptions.ArrayEncoding) in .array(word) }
  case "bool": return wordDecoder { (word: EncodingOptions.BoolEncoding) in .bool(word) }
  case "data": return wordDecoder { (word: EncodingOptions.DataEncoding) in .data(word) }
  case "key": return wordDecoder { (word: EncodingOptions.KeyEncoding) in .key(word) }
  case "key_path": return wordDecoder { (word: EncodingOptions.KeyPathEncoding) in .keyPath(word) }
  case "nil": return wordDecoder { (word: EncodingOptions.NilEncoding) in .null(word) }
  case "space": return wordDecoder { (word: EncodingOptions.SpaceEncoding) in .space(word) }
  case "json": return wordDecoder { (word: JSONLayoutWord) in .json(word == .pretty ? .pretty : .compact) }
  case "sort":
    return ValueDecoder("true or false", .boolean) { value throws(DecodingProblem) in
      .sort(try ValueDecoder<Bool>.boolean.decode(value))
    }
  default: return dateDecoder
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
