import Foundation
import Values

/// A reader of JSON that keeps the order of members, which Foundation's does not.
struct OrderedJSON {
  struct Malformed: Error {}

  private var bytes: ArraySlice<UInt8>

  static func read(_ data: Data) throws -> Value {
    var reader = OrderedJSON(bytes: Array(data)[...])
    let value = try reader.value()
    reader.skipSpace()
    guard reader.bytes.isEmpty else { throw Malformed() }
    return value
  }

  private mutating func skipSpace() {
    bytes = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard bytes.first == UInt8(ascii: character) else { return false }
    bytes.removeFirst()
    return true
  }

  private mutating func value() throws -> Value {
    if take("{") {
      var mapping = Mapping()
      guard !take("}") else { return .mapping(mapping) }
      repeat {
        skipSpace()
        let key = try string()
        guard take(":") else { throw Malformed() }
        mapping.members.append(Mapping.Member(key: Text(key), value: try value()))
      } while take(",")
      guard take("}") else { throw Malformed() }
      return .mapping(mapping)
    }
    if take("[") {
      var items: [Value] = []
      guard !take("]") else { return .list(items) }
      repeat { items.append(try value()) } while take(",")
      guard take("]") else { throw Malformed() }
      return .list(items)
    }
    if bytes.first == UInt8(ascii: "\"") { return .text(try string()) }
    let word = bytes.prefix { ![0x2C, 0x5D, 0x7D, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    bytes = bytes[word.endIndex...]
    switch String(decoding: word, as: UTF8.self) {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case let lexeme:
      guard let number = Number(parsing: lexeme) else { throw Malformed() }
      return .number(number)
    }
  }

  private mutating func string() throws -> String {
    guard bytes.first == UInt8(ascii: "\"") else { throw Malformed() }
    var end = bytes.startIndex + 1
    while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    guard end < bytes.endIndex else { throw Malformed() }
    let text = try JSONDecoder().decode(String.self, from: Data(bytes[bytes.startIndex...end]))
    bytes = bytes[(end + 1)...]
    return text
  }
}
