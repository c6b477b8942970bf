import OperatingSystem
import Testing

@Suite struct TextDecodingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let label: String
    let bytes: [UInt8]
    let text: String
    var testDescription: String { "\(label): \(text)" }
  }

  @Test(arguments: [
    Case(label: "utf-8", bytes: [0xC3, 0xA9], text: "é"),
    Case(label: " UTF8 ", bytes: [0xEF, 0xBB, 0xBF, 0x61], text: "a"),
    Case(label: "iso-8859-1", bytes: [0x47, 0x72, 0xF6, 0xDF, 0x65], text: "Größe"),
    Case(label: "latin1", bytes: [0x80, 0x93, 0x81], text: "€“\u{81}"),
    Case(label: "us-ascii", bytes: [0x61, 0xE9], text: "aé"),
    Case(label: "windows-1252", bytes: [0x99], text: "™"),
    Case(label: "ISO-8859-15", bytes: [0xA4], text: "€"),
    Case(label: "iso-8859-9", bytes: [0xFE, 0x80], text: "ş€"),
    Case(label: "windows-1251", bytes: [0xCF, 0xF0, 0xE8], text: "При"),
    Case(label: "koi8-r", bytes: [0xF0, 0xD2], text: "Пр"),
    Case(label: "utf-16", bytes: [0x61, 0, 0x3D, 0xD8, 0x00, 0xDE], text: "a😀"),
    Case(label: "utf-16", bytes: [0xFF, 0xFE, 0x61, 0], text: "a"),
    Case(label: "utf-16be", bytes: [0xFE, 0xFF, 0, 0x61], text: "a"),
    Case(label: "shift_jis", bytes: [0x93, 0xFA, 0x96, 0x7B, 0xB1, 0x87, 0x40], text: "日本ｱ①"),
    Case(label: "Windows-31J", bytes: [0x93, 0xFA], text: "日"),
    Case(label: "euc-jp", bytes: [0xC6, 0xFC, 0xCB, 0xDC], text: "日本"),
    Case(label: "iso-2022-jp", bytes: [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], text: "日a"),
    Case(label: "gbk", bytes: [0xC4, 0xE3, 0xBA, 0xC3], text: "你好"),
    Case(label: "gb2312", bytes: [0xC4, 0xE3], text: "你"),
    Case(label: "gb18030", bytes: [0x94, 0x39, 0xDA, 0x33], text: "💩"),
    Case(label: "big5", bytes: [0xA4, 0xA4], text: "中"),
    Case(label: "euc-kr", bytes: [0xC7, 0xD1, 0xB1, 0xDB], text: "한글"),
    Case(label: "windows-874", bytes: [0xA1], text: "ก"),
    Case(label: "x-mac-cyrillic", bytes: [0x80], text: "А"),
    Case(label: "macintosh", bytes: [0x8A], text: "ä"),
    // What the standard reads otherwise than iconv.
    Case(label: "macintosh", bytes: [0xC6, 0xF0], text: "∆\u{F8FF}"),
    Case(label: "x-mac-cyrillic", bytes: [0xFF], text: "€"),
    Case(label: "koi8-u", bytes: [0xAE, 0xBE], text: "ўЎ"),
    Case(label: "windows-1255", bytes: [0xCA, 0x81], text: "\u{5BA}\u{81}"),
    Case(label: "windows-1258", bytes: [0x61, 0xCC, 0xC3, 0xD2], text: "a\u{300}Ă\u{309}"),
    Case(label: "windows-874", bytes: [0x80, 0x99], text: "€\u{99}"),
    Case(label: "x-user-defined", bytes: [0x61, 0x80, 0xFF], text: "a\u{F780}\u{F7FF}"),
    Case(label: "gbk", bytes: [0x80, 0xC4, 0xE3, 0x81, 0x80, 0x80], text: "€你亐€"),
    Case(label: "gb18030", bytes: [0x80, 0x61], text: "€a"),
    Case(label: "shift_jis", bytes: [0x80, 0x61], text: "\u{80}a"),
    Case(label: "euc-jp", bytes: [0xF9, 0xA1, 0x8E, 0xB1, 0x61, 0x8F, 0xA2, 0xC3, 0x8F, 0xB0, 0xA1], text: "纊ｱa¦丂"),
    Case(label: "iso-2022-jp", bytes: [0x1B, 0x28, 0x49, 0x31, 0x5F, 0x1B, 0x28, 0x42, 0x61], text: "ｱﾟa"),
    Case(label: "iso-2022-jp", bytes: [0x1B, 0x28, 0x4A, 0x5C, 0x7E, 0x61, 0x0A], text: "¥‾a\n"),
    Case(label: "iso-2022-jp", bytes: [0x1B, 0x24, 0x40, 0x2D, 0x21, 0x79, 0x21], text: "①纊"),
    Case(label: "iso-2022-jp", bytes: [], text: ""),
  ])
  func decodes(_ example: Case) throws {
    let encoding = try #require(TextEncoding(label: example.label))
    let decoded = String(decoding: try encoding.decode(example.bytes), as: UTF8.self)
    #expect(decoded == example.text)
    #expect(encoding.decodeReplacing(example.bytes) == example.text)
  }

  struct Fault: Sendable {
    let label: String
    let bytes: [UInt8]
    let error: TextDecodingError
    let replaced: String
  }

  @Test(arguments: [
    Fault(label: "utf-8", bytes: [0x61, 0xE9, 0x62], error: .invalid(offset: 1), replaced: "a\u{FFFD}b"),
    Fault(label: "utf-8", bytes: [0x61, 0xE2, 0x82], error: .truncated(offset: 1), replaced: "a\u{FFFD}"),
    Fault(label: "utf-8", bytes: [0xEF, 0xBB, 0xBF, 0xFF], error: .invalid(offset: 3), replaced: "\u{FFFD}"),
    Fault(label: "shift_jis", bytes: [0x61, 0x62, 0xFD, 0x63], error: .invalid(offset: 2), replaced: "ab\u{FFFD}c"),
    Fault(label: "euc-jp", bytes: [0x61, 0xC6], error: .truncated(offset: 1), replaced: "a\u{FFFD}"),
    Fault(label: "utf-16le", bytes: [0x61, 0, 0x62], error: .truncated(offset: 2), replaced: "a\u{FFFD}"),
    Fault(label: "utf-16le", bytes: [0xFF, 0xFE, 0x00, 0xDC, 0x61, 0x00], error: .invalid(offset: 2), replaced: ""),
    Fault(label: "iso-2022-jp", bytes: [0x61, 0x0E], error: .invalid(offset: 1), replaced: "a\u{FFFD}"),
    Fault(label: "iso-2022-jp", bytes: [0x1B, 0x24], error: .truncated(offset: 0), replaced: "\u{FFFD}$"),
    Fault(label: "iso-2022-jp", bytes: [0x1B, 0x24, 0x42, 0x46], error: .truncated(offset: 3), replaced: "\u{FFFD}"),
    Fault(label: "iso-2022-jp", bytes: [0x1B, 0x28, 0x49, 0x61], error: .invalid(offset: 3), replaced: "\u{FFFD}"),
    Fault(label: "euc-jp", bytes: [0x8E, 0x61], error: .invalid(offset: 0), replaced: "\u{FFFD}a"),
    Fault(label: "euc-jp", bytes: [0x61, 0x8F, 0xB0], error: .truncated(offset: 1), replaced: "a\u{FFFD}"),
    Fault(label: "windows-1253", bytes: [0x61, 0xD2], error: .invalid(offset: 1), replaced: "a\u{FFFD}"),
  ])
  func refuses(_ fault: Fault) throws {
    let encoding = try #require(TextEncoding(label: fault.label))
    #expect(throws: fault.error) { try encoding.decode(fault.bytes) }
    if !fault.replaced.isEmpty { #expect(encoding.decodeReplacing(fault.bytes) == fault.replaced) }
  }

  @Test func longTextsCrossTheConvertersChunks() throws {
    let encoding = try #require(TextEncoding(label: "shift_jis"))
    let bytes: [UInt8] = (0..<300_000).map { [0x93, 0xFA, 0x61][$0 % 3] }
    let decoded = String(decoding: try encoding.decode(bytes), as: UTF8.self)
    #expect(decoded.unicodeScalars.count == 200_000)
    #expect(decoded.hasSuffix("日a日a"))
    #expect(throws: TextDecodingError.truncated(offset: 300_000)) { try encoding.decode(bytes + [0x93]) }
  }

  @Test(arguments: ["", "utf-7", "klingon", "iso-8859-99", "replacement"])
  func knowsNoOtherLabels(_ label: String) { #expect(TextEncoding(label: label) == nil) }

  @Test func everyEncodingIsKnownToTheSystem() throws {
    let labels = [
      "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
      "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u",
      "macintosh", "windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254",
      "windows-1255", "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk", "gb18030", "big5",
      "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "x-user-defined", "utf-16be", "utf-16le", "utf-8",
    ]
    for label in labels {
      let encoding = try #require(TextEncoding(label: label), "\(label)")
      #expect(encoding.name == label)
      if !label.hasPrefix("utf-16") { #expect(try encoding.decode([0x61]) == [0x61], "\(label)") }
    }
  }

  @Test func marksTellTheEncoding() {
    #expect(TextEncoding.byteOrderMark(of: [0xFE, 0xFF])?.encoding.name == "utf-16be")
    #expect(TextEncoding.byteOrderMark(of: [0xFF, 0xFE, 0])?.encoding.name == "utf-16le")
    #expect(TextEncoding.byteOrderMark(of: [0xEF, 0xBB, 0xBF])?.length == 3)
    #expect(TextEncoding.byteOrderMark(of: [0xEF, 0xBB]) == nil)
    #expect(TextEncoding.byteOrderMark(of: []) == nil)
  }
}
