import Foundation
import TestSupport
import Testing
import Values

@Suite("Encodings of secrets")
struct SecretEncodingTests {
  static let secret = "kX7/qZt9+wLm\"3v\\=8Yp~4&<x>"
  static let long = String((0..<9).map { _ in "Ab9+/x Y" }.joined())

  static func each(_ text: String, _ transform: (UInt8) -> String) -> String { text.utf8.map(transform).joined() }
  static func hex(_ byte: UInt8, upper: Bool = true) -> String { String(format: upper ? "%02X" : "%02x", byte) }

  @Test(
    "each way to write a character is found",
    arguments: [
      ("percent, twice", each(secret) { "%25" + hex($0) }),
      ("percent, three times", each(secret) { "%2525" + hex($0) }),
      ("percent in lower case, the sign too", each(secret) { "%25" + hex($0, upper: false) }),
      ("JSON in JSON", "kX7/qZt9+wLm\\\\\\\"3v\\\\\\\\=8Yp~4&<x>"),
      ("JSON in JSON with escaped slashes", "kX7\\\\/qZt9+wLm\\\\\\\"3v\\\\\\\\=8Yp~4&<x>"),
      ("JSON in JSON, by number", each(secret) { "\\\\u00" + hex($0) }),
      ("JSON, percent-encoded", each(secret) { "\\u0025" + hex($0) }),
      ("braces", each(secret) { "\\u{" + hex($0, upper: false) + "}" }),
      ("braces with zeros", each(secret) { "\\u{0000" + hex($0) + "}" }),
      ("\\xNN", each(secret) { "\\x" + hex($0, upper: false) }),
      ("octal", each(secret) { String(format: "\\%03o", $0) }),
      ("HTML with leading zeros", each(secret) { "&#0000000\($0);" }),
      ("HTML, hexadecimal with leading zeros", each(secret) { "&#x000000" + hex($0) + ";" }),
      ("HTML, twice", each(secret) { "&amp;#\($0);" }),
      ("quoted-printable", each(secret) { "=" + hex($0) }),
      ("quoted-printable with a soft line break", "kX7/qZt9+w=\r\nLm\"3v\\=3D8Yp~4&<x>"),
      ("a JSON Pointer", "kX7~1qZt9+wLm\"3v\\=8Yp~04&<x>"),
      ("a JSON Pointer in JSON", "kX7~1qZt9+wLm\\\"3v\\\\=8Yp~04&<x>"),
    ])
  func written(_ name: String, _ text: String) {
    let filter = SecretFilter(secrets: [Self.secret])
    #expect(filter.mask("[\(text)]").masked == "[***]", "\(name)")
    #expect(filter.mask("[\(text.dropLast(12))]").secretRanges.isEmpty, "\(name), cut")
    var stream = filter.stream()
    var out: [UInt8] = []
    for byte in "[\(text)]".utf8 { out += stream.push([byte]) }
    #expect(String(decoding: out + stream.finish(), as: UTF8.self) == "[***]", "\(name), byte by byte")
  }

  @Test(
    "base64 may have line breaks anywhere", arguments: [76, 64, 1],
    ["\n", "\r\n", "\\n", "\\r\\n", "%0D%0A", "&#10;", "\n    ", "\r\n\t"])
  func wrapped(_ columns: Int, _ lineBreak: String) {
    let filter = SecretFilter(secrets: [Self.long])
    for before in 0..<3 {
      let bytes = Array("user".utf8.prefix(before)) + Array(Self.long.utf8)
      let base64 = Array(Data(bytes).base64EncodedString().utf8)
      var text = ""
      for (index, byte) in base64.enumerated() {
        if index > 0, index % columns == 0 { text += lineBreak }
        text += String(UnicodeScalar(byte))
      }
      let masked = filter.mask("<\(text)>").masked
      #expect(masked.contains("***") && masked.utf8.count < 24 + lineBreak.utf8.count * 3, "\(before): \(masked)")
      #expect(filter.masked(Array("<\(text)>".utf8)) == Array(masked.utf8))
    }
  }

  @Test("hexadecimal digits may have line breaks")
  func wrappedHex() {
    let digits = Self.each(Self.long) { Self.hex($0) }
    let text = digits.prefix(60) + "\n" + digits.dropFirst(60)
    #expect(SecretFilter(secrets: [Self.long]).mask("<\(text)>").masked == "<***>")
  }

  static let pem = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj
    MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
    NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ
    Ab12=
    -----END PRIVATE KEY-----

    """

  @Test("a secret of several lines is found with any line breaks, and line by line")
  func lines() {
    let crlf = Self.pem.replacingOccurrences(of: "\n", with: "\r\n")
    for filter in [SecretFilter(secrets: [Self.pem]), SecretFilter(secrets: [crlf])] {
      for text in [Self.pem, crlf] {
        #expect(
          filter.mask("<\(text)>").masked.unicodeScalars.filter { $0.value > 0x20 }.map(String.init).joined() == "<***>"
        )
        let json = text.replacingOccurrences(of: "\r", with: "\\r").replacingOccurrences(of: "\n", with: "\\n")
        #expect(filter.mask("<\(json.dropLast(2))>").masked.count < 12)
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("-") && line.count > 8 {
          #expect(filter.mask("at \"\(line)\"").masked == "at \"***\"")
          #expect(filter.mask(Data(line.utf8).base64EncodedString()).masked.hasPrefix("***"))
        }
      }
      #expect(!filter.mask("-----BEGIN PRIVATE KEY-----").isSecret)
      #expect(!filter.mask("Ab12=").isSecret)
    }
  }

  @Test("a secret is found in lower case, as hosts are told")
  func lowerCase() {
    let filter = SecretFilter(secrets: ["SeCret-7X"])
    #expect(filter.mask("http://secret-7x.invalid/").masked == "http://***.invalid/")
    #expect(filter.mask("http://se/Cret-7x").secretRanges.isEmpty)
    #expect(SecretFilter(secrets: ["Zq7/AbCdEf"]).mask("http://zq7/AbCdEf").masked == "http://***")
    #expect(!filter.mask("SECRET-7X").isSecret)
  }

  @Test("the beginning of a text hides what may be the beginning of a secret")
  func beginnings() {
    let filter = SecretFilter(secrets: [Self.secret])
    #expect(filter.mask(beginning: "a " + Self.secret + " b kX7/q").masked == "a *** b ***")
    #expect(filter.mask(beginning: "nothing here").masked.hasPrefix("nothing her"))
    #expect(SecretFilter(secrets: []).mask(beginning: "kX7").masked == "kX7")
  }

  @Test("what looks like many escapes is searched in time that grows with its length")
  func hostile() {
    let filter = SecretFilter(secrets: [Self.long, Self.secret])
    for unit in ["\\", "%25", "=\r\n", "&amp;", "~", "\r\n", "\\\\u005c", "&#0"] {
      let growth = growth(to: 8_000) { count in
        #expect(filter.mask(String(repeating: unit, count: count / unit.utf8.count)).secretRanges.isEmpty)
      }
      #expect(growth < 1.5, "\(unit)")
    }
  }
}
