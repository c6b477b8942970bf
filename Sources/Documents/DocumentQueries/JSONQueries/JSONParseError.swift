import Values

/// The reason why a text isn't JSON, with its position.
package struct JSONParseError: Error, Sendable, Hashable {
  package let message: String
  /// The offset in bytes from the start of the text.
  package let offset: Int
  /// The line, counted from 1.
  package let line: Int
  /// The column in characters, counted from 1.
  package let column: Int

  init(_ fault: JSONParseFault, in bytes: [UInt8]) {
    message = fault.message
    offset = fault.offset
    (line, column) = jsonPosition(of: fault.offset, in: bytes)
  }
}

/// A parser's error before its line and column are counted.
struct JSONParseFault: Error {
  let message: String
  let offset: Int
}

/// The 1-based line and column of a byte offset; a byte order mark takes no column.
func jsonPosition(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
  var line = 1
  var lineStart = bytes.starts(with: JSONParser.byteOrderMark) ? 3 : 0
  for index in 0..<min(offset, bytes.count) {
    let byte = bytes[index]
    guard byte == 0x0A || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A) else { continue }
    line += 1
    lineStart = index + 1
  }
  let before = bytes[lineStart..<max(lineStart, min(offset, bytes.count))]
  // A line without end is nothing that anyone counts characters in.
  let column =
    before.count > 1 << 16 ? before.count { $0 & 0xC0 != 0x80 } : String(decoding: before, as: UTF8.self).count
  return (line, column + 1)
}

extension JSONParser {
  /// The error that names the text at the position and what was expected.
  func expected(_ what: String, help: String? = nil) -> JSONParseFault {
    let help = help ?? hint
    return JSONParseFault(
      message: "expected \(what), found \(found)" + (help.map { "; " + $0 } ?? ""), offset: position)
  }

  /// The text at the position, as a message names it.
  private var found: String {
    guard position < bytes.count else { return "the end of the text" }
    let byte = bytes[position]
    if byte < 0x20 || byte == 0x7F { return "the control character \(codePoint(UInt32(byte)))" }
    if byte < 0x80 {
      let word = bytes[position...].prefix(24).prefix { isWordCharacter($0) }
      return word.isEmpty ? "`\(Character(Unicode.Scalar(byte)))`" : "`\(String(decoding: word, as: UTF8.self))`"
    }
    guard let length = sequenceLength(at: position) else { return "the byte \(byteName(byte)), which is not UTF-8" }
    return "`\(String(decoding: bytes[position..<position + length], as: UTF8.self))`"
  }

  /// The probable intention, if other notations have it.
  private var hint: String? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "'"): return "strings stand in double quotes"
    case UInt8(ascii: "<") where position == contentStart: return "the text looks like HTML or XML"
    case UInt8(ascii: "/") where "/*".utf8.contains(byte(at: position + 1) ?? 0): return "JSON has no comments"
    case UInt8(ascii: "+"): return "a number has no plus sign"
    default: break
    }
    switch String(decoding: bytes[position...].prefix(24).prefix { isWordCharacter($0) }, as: UTF8.self) {
    case "True", "TRUE": return "JSON writes `true`"
    case "False", "FALSE": return "JSON writes `false`"
    case "None", "Null", "NULL", "nil", "undefined": return "JSON writes `null`"
    case "NaN", "Infinity": return "JSON has no such number"
    default: return nil
    }
  }
}

/// `0xFF`
func byteName(_ byte: UInt8) -> String {
  (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16, uppercase: true)
}
