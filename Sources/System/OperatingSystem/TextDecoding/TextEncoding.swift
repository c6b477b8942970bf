/// A character encoding of the web (WHATWG Encoding Standard), which can be found by its labels and converted to UTF-8.
package struct TextEncoding: Sendable, Hashable {
  /// The standard's name, in lower case. `iso-8859-1` and `us-ascii` are labels of `windows-1252`.
  package let name: String

  /// - Parameter label: regardless of case and surrounding white space; nil if it isn't one of the standard's.
  package init?(label: String) {
    let wanted = label.filter { !$0.isWhitespace }.lowercased()
    guard let name = namesByLabel[wanted] else { return nil }
    self.name = name
  }

  private init(name: String) { self.name = name }

  package static let utf8 = TextEncoding(name: "utf-8")
  static let utf16BigEndian = TextEncoding(name: "utf-16be")
  static let utf16LittleEndian = TextEncoding(name: "utf-16le")
  static let windows1252 = TextEncoding(name: "windows-1252")

  /// The encoding whose byte order mark the bytes begin with, and the mark's length.
  package static func byteOrderMark(of bytes: borrowing [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    guard bytes.count >= 2 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0xFE, 0xFF): return (utf16BigEndian, 2)
    case (0xFF, 0xFE): return (utf16LittleEndian, 2)
    case (0xEF, 0xBB): return bytes.count >= 3 && bytes[2] == 0xBF ? (utf8, 3) : nil
    default: return nil
    }
  }

  /// The possible names in iconv, the nearest to the standard first.
  var systemNames: [String] {
    switch name {
    // The standard's decoders are those of Microsoft's supersets.
    case "shift_jis": ["CP932", "SHIFT_JIS"]
    case "euc-jp", "iso-2022-jp": ["CP932", "SHIFT_JIS"]
    case "euc-kr": ["CP949", "UHC", "EUC-KR"]
    case "gbk": ["GB18030", "GBK"]
    case "big5": ["BIG5-HKSCS", "BIG5"]
    case "windows-874": ["CP874"]
    case "x-mac-cyrillic": ["MAC-CYRILLIC", "MACCYRILLIC"]
    case "iso-8859-8-i": ["ISO-8859-8"]
    case let name where name.hasPrefix("windows-"): ["CP" + name.dropFirst(8)]
    default: [name.uppercased()]
    }
  }

  var isSingleByte: Bool {
    ["iso-8859-", "windows-", "koi8-"].contains { name.hasPrefix($0) }
      || ["ibm866", "macintosh", "x-mac-cyrillic"].contains(name)
  }

  /// The characters of single bytes for which iconv differs from the standard or fails.
  var exceptions: [UInt8: Unicode.Scalar] {
    switch name {
    case "gbk", "gb18030": [0x80: "€"]
    case "shift_jis": [0x80: "\u{80}"]
    case "koi8-u": [0xAE: "ў", 0xBE: "Ў"]
    case "macintosh": [0xC6: "∆", 0xF0: "\u{F8FF}"]
    case "windows-1255": [0xCA: "\u{5BA}"]
    case "x-mac-cyrillic": [0xFF: "€"]
    default: [:]
    }
  }
}

private let namesByLabel: [String: String] = {
  var result: [String: String] = [:]
  for line in labels.split(separator: "\n") {
    let words = line.split(separator: " ").map(String.init)
    for word in words { result[word] = words[0] }
  }
  return result
}()

/// A name, and its other labels (WHATWG Encoding Standard, section 4.2, without `replacement`).
private let labels = """
  utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
  ibm866 866 cp866 csibm866
  iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
  iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
  iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
  iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
  iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
  iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
  iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
  iso-8859-8-i csiso88598i logical
  iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
  iso-8859-13 iso8859-13 iso885913
  iso-8859-14 iso8859-14 iso885914
  iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
  iso-8859-16
  koi8-r cskoi8r koi koi8 koi8_r
  koi8-u koi8-ru
  macintosh csmacintosh mac x-mac-roman
  windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
  windows-1250 cp1250 x-cp1250
  windows-1251 cp1251 x-cp1251
  windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
  windows-1253 cp1253 x-cp1253
  windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254
  windows-1255 cp1255 x-cp1255
  windows-1256 cp1256 x-cp1256
  windows-1257 cp1257 x-cp1257
  windows-1258 cp1258 x-cp1258
  x-mac-cyrillic x-mac-ukrainian
  gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
  gb18030
  big5 big5-hkscs cn-big5 csbig5 x-x-big5
  euc-jp cseucpkdfmtjapanese x-euc-jp
  iso-2022-jp csiso2022jp
  shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
  x-user-defined
  euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
  utf-16be unicodefffe
  utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
  """
