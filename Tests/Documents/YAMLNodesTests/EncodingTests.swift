import Testing
import YAMLNodes

struct EncodingTests {
  private static let text = "a: größe-東京-😀\n"

  private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return bigEndian ? bytes.reversed() : bytes
    }
  }

  @Test(arguments: [
    ("UTF-8", Array(text.utf8)),
    ("UTF-8 with a byte order mark", Array(("\u{FEFF}" + text).utf8)),
    ("UTF-16, little-endian", utf16(text, bigEndian: false)),
    ("UTF-16, big-endian", utf16(text, bigEndian: true)),
    ("CRLF", Array("a: größe-東京-😀\r\n".utf8)),
  ])
  func reads(name: String, bytes: [UInt8]) throws {
    let reading = YAMLReading(bytes: bytes)
    #expect(reading.messages == [])
    let value = try #require(reading.root?.members?.first?.value)
    #expect(value.scalar?.text == "größe-東京-😀")
    #expect(value.range.text == "größe-東京-😀")
  }

  @Test(
    arguments: [
      ("Latin-1", [0x61, 0x3A, 0x20, 0xE9, 0x0A], "invalid UTF-8: the byte 0xE9 stands in no character here", "1:4"),
      (
        "an overlong slash", Array("a: 1\nb: x".utf8) + [0xC0, 0xAF],
        "invalid UTF-8: the byte 0xC0 stands in no character here", "2:5"
      ),
      (
        "a surrogate", Array("é: ".utf8) + [0xED, 0xA0, 0x80],
        "invalid UTF-8: the byte 0xED stands in no character here",
        "1:4"
      ),
      (
        "a cut sequence", Array("a: ".utf8) + [0xF0, 0x9F], "invalid UTF-8: the byte 0xF0 stands in no character here",
        "1:4"
      ),
      ("NUL", Array("a: x\0y".utf8), "a file must not hold the control character U+0000", "1:5"),
      ("ESC", Array("a: 1\nb: \u{1B}[31m".utf8), "YAML does not allow the control character U+001B", "2:4"),
      ("C1", Array("a: \u{9B}31m".utf8), "YAML does not allow the control character U+009B", "1:4"),
      ("U+FFFE", Array("a: \u{FFFE}".utf8), "YAML does not allow the control character U+FFFE", "1:4"),
      (
        "a line separator", Array("a: x\u{2028}y".utf8),
        "the invisible line separator U+2028 is not read alike by all YAML readers", "1:5"
      ),
      (
        "half a pair in UTF-16", [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x61, 0], "invalid UTF-16: half of a surrogate pair",
        "1:2"
      ),
      ("half a unit in UTF-16", [0xFE, 0xFF, 0, 0x61, 0], "invalid UTF-16: the file ends within a character", "1:2"),
      ("gzip", [0x1F, 0x8B, 8, 0, 0], "the file is compressed by gzip, not text", "1:1"),
      ("UTF-32", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "the file is UTF-32", "1:1"),
    ] as [(String, [UInt8], String, String)])
  func refuses(name: String, bytes: [UInt8], message: String, place: String) {
    let reading = YAMLReading(bytes: bytes)
    #expect(reading.messages == [message])
    #expect(reading.diagnostics.first?.place == place)
    #expect(reading.root == nil)
  }

  @Test func forbiddenCharactersCanBeWrittenAsEscapes() throws {
    let scalar = YAMLReading(#"- "\0\x1B\u2028""#).root?.items?.first?.scalar
    #expect(scalar?.text == "\0\u{1B}\u{2028}")
  }
}
