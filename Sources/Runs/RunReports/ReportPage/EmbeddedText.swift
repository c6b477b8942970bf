extension ReportPage {
  /// JSON in a form that can stand in a script block: nothing in it ends the block or begins a comment.
  ///
  /// `<`, `>` and `&` occur only in strings of JSON, where they may be escaped; U+2028 and U+2029 would end a line of
  /// older scripts.
  package static func embedded(_ json: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.underestimatedCount)
    for byte in json {
      switch byte {
      case UInt8(ascii: "<"): result += Array("\\u003c".utf8)
      case UInt8(ascii: ">"): result += Array("\\u003e".utf8)
      case UInt8(ascii: "&"): result += Array("\\u0026".utf8)
      case 0xA8, 0xA9:
        // The last byte of U+2028 or U+2029, or of another character.
        guard result.suffix(2) == [0xE2, 0x80] else {
          result.append(byte)
          continue
        }
        result.removeLast(2)
        result += Array((byte == 0xA8 ? "\\u2028" : "\\u2029").utf8)
      default: result.append(byte)
      }
    }
    return result
  }

  /// A text as markup: in an element, or in an attribute with double quotes.
  package static func markup(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
