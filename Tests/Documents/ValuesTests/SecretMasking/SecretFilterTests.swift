import Foundation
import TestSupport
import Testing
import Values

@Suite("Secrets in foreign text")
struct SecretFilterTests {
  static let secret = "p@ss \"w\\o/rd\" é😀&<'+=\n>~"
  static let filter = SecretFilter(secrets: [secret])

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String

    init(_ name: String, _ text: String) {
      testDescription = name
      self.text = text
    }
  }

  static func percentEncoded(_ text: String, keeping allowed: String, uppercase: Bool = true) -> String {
    text.utf8.map { byte in
      allowed.utf8.contains(byte)
        ? String(Character(Unicode.Scalar(byte))) : String(format: uppercase ? "%%%02X" : "%%%02x", byte)
    }
    .joined()
  }

  static func html(_ text: String, apostrophe: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
      .replacingOccurrences(of: "'", with: apostrophe)
  }

  static func json(_ text: String, slashes: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = slashes ? [] : .withoutEscapingSlashes
    return String(String(decoding: try encoder.encode(text), as: UTF8.self).dropFirst().dropLast())
  }

  static func unicodeEscaped(_ text: String, uppercase: Bool) -> String {
    text.utf16.map { String(format: uppercase ? "\\u%04X" : "\\u%04x", $0) }.joined()
  }

  static let alphanumerics = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

  static func forms() throws -> [Form] {
    [
      Form("raw", secret),
      Form("percent-encoded", percentEncoded(secret, keeping: alphanumerics + "-._~")),
      Form("percent-encoded in lower case", percentEncoded(secret, keeping: alphanumerics, uppercase: false)),
      Form("percent-encoded to the last byte", percentEncoded(secret, keeping: "")),
      Form("percent-encoded, fewer characters", percentEncoded(secret, keeping: alphanumerics + "-._~/@&='+<>")),
      Form(
        "a form's value, + for a space",
        percentEncoded(secret, keeping: alphanumerics + " *-._").replacingOccurrences(of: " ", with: "+")),
      Form("JSON, slashes escaped", try json(secret, slashes: true)),
      Form("JSON, slashes as they are", try json(secret, slashes: false)),
      Form("JSON, every character escaped", unicodeEscaped(secret, uppercase: false)),
      Form("JSON, every character escaped, upper case", unicodeEscaped(secret, uppercase: true)),
      Form(
        "JSON, HTML's characters escaped",
        "p@ss \\\"w\\\\o/rd\\\" \\u00E9\\ud83d\\uDE00\\u0026\\u003c\\u0027+=\\n\\u003E~"),
      Form("HTML", html(secret, apostrophe: "'")),
      Form("HTML, apostrophe by decimal number", html(secret, apostrophe: "&#39;")),
      Form("HTML, apostrophe by hexadecimal number", html(secret, apostrophe: "&#x27;")),
      Form("HTML, apostrophe by name", html(secret, apostrophe: "&apos;")),
      Form("HTML, every character by number", secret.unicodeScalars.map { "&#\($0.value);" }.joined()),
      Form(
        "HTML, every character by name where it has one",
        "p&commat;ss&#x20;&quot;w&bsol;o&sol;rd&quot; &#xE9;&#X1f600;&AMP;&LT;&apos;&plus;&equals;&NewLine;&GT;~"),
      Form("a mix", "%70@ss+\\\"w\\\\o\\/rd%22 \\u00e9&#128512;%26&lt;'%2B=%0a\\u003e&#126;"),
      Form("hexadecimal digits", Data(secret.utf8).map { String(format: "%02x", $0) }.joined()),
      Form("hexadecimal digits in upper case", Data(secret.utf8).map { String(format: "%02X", $0) }.joined()),
    ]
  }

  @Test("each encoding is found, exactly", arguments: try forms())
  func found(_ form: Form) {
    let text = "Ä <{\"a\":\"" + form.text + "\"}> &% \\ é"
    let masked = Self.filter.mask(text)
    #expect(masked.string == text)
    #expect(masked.masked == "Ä <{\"a\":\"***\"}> &% \\ é")
    #expect(Self.filter.mask(form.text).masked == "***")
  }

  @Test("base64 in either alphabet, at every place in a longer run, with and without padding", arguments: 0...5, 0...5)
  func base64(_ before: Int, _ after: Int) {
    let secret = "\u{3FF}ÿ?>~secret"
    let bytes = Array("user:".utf8.prefix(before)) + Array(secret.utf8) + Array(":tail".utf8.prefix(after))
    let standard = Data(bytes).base64EncodedString()
    let url = standard.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    let filter = SecretFilter(secrets: [secret])
    for encoded in [standard, url] {
      let unpadded = encoded.replacingOccurrences(of: "=", with: "")
      // Only characters without any bit of the secret are left.
      let head = String(unpadded.prefix(before * 8 / 6))
      let secretEnd = ((before + secret.utf8.count) * 8 + 5) / 6
      let tail = String(unpadded.dropFirst(secretEnd))
      let padding = String(repeating: "=", count: encoded.count - unpadded.count)
      #expect(filter.mask("Basic \(unpadded)").masked == "Basic \(head)***\(tail)")
      #expect(filter.mask("(\(unpadded))").masked == "(\(head)***\(tail))")
      let keepsPadding = after > 0
      #expect(filter.mask("{\(encoded)}").masked == "{\(head)***\(tail)\(keepsPadding ? padding : "")}")
      let escaped = encoded.replacingOccurrences(of: "+", with: "%2B").replacingOccurrences(of: "=", with: "%3d")
        .replacingOccurrences(of: "/", with: "\\/")
      #expect(filter.mask(escaped).string == escaped)
      #expect(filter.mask("{\(escaped)}").masked.contains("***\(keepsPadding ? "" : "}")"))
    }
  }

  @Test("the shortest secret is found in every form, a shorter one is not searched for")
  func shortest() {
    let filter = SecretFilter(secrets: ["s3cret"])
    for text in ["s3cret", "czNjcmV0", "dXNlcjpzM2NyZXQ=", "733363726574"] {
      #expect(filter.mask("a \(text) b").isSecret, "\(text)")
    }
    let short = SecretFilter(secrets: ["12345", "", "pin"])
    #expect(short.isEmpty)
    #expect(!short.mask("12345 pin").isSecret)
    #expect(SecretFilter(secrets: ["äöü"]).mask("äöü").isSecret)
  }

  @Test(
    "what only looks alike is left alone",
    arguments: [
      "S3CRET-TOKEN", "s3cret-toke", "s3cret_token", "s3cret%2dtoke%6", "s3cret&#45token", "s3cret\\u002token",
      "CZNJCMV0LXRVA2VU", "czNjcmV0LXRva2V", "7333637265742d746f6b65", "s3cret--token", "", "%", "\\u", "&#", "&",
      "s3cret%ZZtoken", "\\ud83d", "&#x110000;", "&#99999999;", "&unknown;", "s3cret\\udc00token",
    ])
  func alike(_ text: String) {
    let filter = SecretFilter(secrets: ["s3cret-token"])
    #expect(filter.mask(text).secretRanges.isEmpty)
    #expect(filter.masked(Array(text.utf8)) == Array(text.utf8))
  }

  @Test("secrets that overlap, touch or lie in each other are one mask")
  func overlapping() {
    let filter = SecretFilter(secrets: ["abcdef", "defghi", "jklmno", "abcdefgh", "xyzxyz"])
    #expect(filter.mask("-abcdefghi-").masked == "-***-")
    #expect(filter.mask("abcdefjklmno").masked == "***")
    #expect(filter.mask("abcdef jklmno").masked == "*** ***")
    #expect(filter.mask("abcdefgh").secretRanges == [0..<8])
    #expect(filter.mask("xyzxyzxyz.xyzxy").secretRanges == [0..<9])
  }

  @Test(
    "text that begins a long secret over and over is searched in time that grows with both lengths",
    arguments: ["\\", "%5C", "&bsol;", "\\u005c"])
  func repeated(_ unit: String) {
    let secret = String(repeating: "\\", count: 128)
    let growth = growth(to: 1_280) { count in
      let text = String(repeating: unit, count: count)
      #expect(SecretFilter(secrets: [secret]).mask(text).masked == "***")
      #expect(SecretFilter(secrets: [secret + "x"]).mask(text).secretRanges.isEmpty)
      #expect(SecretFilter(secrets: [secret + "x"]).mask(text + "x").masked.hasSuffix("***"))
    }
    #expect(growth < 1.5)
  }

  @Test("the longest of several readings of the same escapes is marked")
  func readings() {
    // Escaped from the first backslash on, or raw from the seventh.
    let backslashes = String(repeating: "\\", count: 6)
    let filter = SecretFilter(secrets: [backslashes + "n"])
    #expect(filter.mask("<" + backslashes + backslashes + "n>").masked == "<***>")
    #expect(filter.mask("<" + backslashes + "n>").masked == "<***>")
    #expect(filter.mask("<\\\\" + "n>").secretRanges.isEmpty)
  }

  @Test("what is marked already stays marked")
  func marked() {
    let filter = SecretFilter(secrets: ["abcdef"])
    #expect(filter.mask(Text("ab") + Text(secret: "x") + " abcdef").masked == "ab*** ***")
  }

  @Test("a secret is also found without the white space around it")
  func trimmed() {
    #expect(SecretFilter(secrets: ["tok-123\n"]).mask("Bearer tok-123").masked == "Bearer ***")
    #expect(SecretFilter(secrets: [" 12345\n"]).mask("12345").masked == "12345")
  }

  @Test("a secret that itself looks like escapes is found raw and escaped")
  func escapesInSecret() {
    let filter = SecretFilter(secrets: ["%25%41\\\\n&amp;+"])
    for text in ["%25%41\\\\n&amp;+", "%2525%2541%5C%5Cn%26amp%3B%2B", "%25%41\\\\\\\\n&amp;amp;+"] {
      #expect(filter.mask("<\(text)>").masked == "<***>", "\(text)")
    }
    let backslashes = String(repeating: "\\", count: 40)
    #expect(SecretFilter(secrets: [backslashes]).mask(backslashes + backslashes).masked == "***")
  }

  @Test("secrets that come one by one are found like those that are known from the start")
  func added() {
    let secrets = (0..<120).map { index in
      String(
        (0..<12).map {
          "abcdefghijklmnopqrstuvwxyz0123456789+/-_%\"".map { $0 }[(index * 7 + $0 * $0 * (index + 3)) % 42]
        })
        + "-\(index)"
    }
    var filter = SecretFilter(secrets: [])
    for secret in secrets { filter.add([secret]) }
    let whole = SecretFilter(secrets: secrets)
    for (index, secret) in secrets.enumerated() {
      for form in [secret, Self.percentEncoded(secret, keeping: ""), Data(secret.utf8).base64EncodedString()] {
        let text = "before, \(form)\n&after=\(secrets[(index + 60) % 120].dropLast(4))"
        #expect(filter.mask(text).masked == whole.mask(text).masked)
        #expect(!filter.mask(text).masked.contains(form))
      }
    }
    #expect(!filter.isEmpty)
  }
}
