import Foundation

/// Secrets for the hunt: short words and tokens, with every quote, slash and percent, characters of all planes, lines.
enum HuntedSecrets {
  static let all: [String] = fixed + generated

  private static let fixed = [
    "qzvxkj", "Zq7!xw", "p@ss/w", "kX7/qZ", "a\"b'c`d\\e", "100%sure%41x", "Tr0ub4dor&3", "SeCret-Host7",
    "kX7/qZt9+wLm3v=8Yp", "kX7\\qZt9\"wLm3v'8Yp", "häßlich-größe-42", "秘密の合言葉ですよ", "pa😀ss😀wörd😀✓x",
    "sk_live_51HzQpVbNcXmKdJfGtRyWeUiO", "ghp_9fK2LmXvQ7bZ1nTyR4cWsE8dJ0aHgUiPoV3x", "AKIAQ7ZX3VJ5KLMNPWTR",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ."
      + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYqZVXKLMWTP", "user:pa:ss,ho.st/?q#f", "{\"k\":\"vQz9\",\"n\":[1,2]}",
    "<a href=\"x\">&amp;'qz</a>", "a+b c+d&e=f;g,h", "~tilde~0~1/slash", "%25%41\\\\n&amp;+x", "=3D=qp=41soft",
    "\\u0041\\x42\\103uvw", "tab\tand  two  spaces", "$HOME`id`$(pwd)!x", "[JSON]$.path[*]..x", "(a+)+$^.*?{2}|q",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
      + "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\nNMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa\n"
      + "-----END PRIVATE KEY-----\n",
    "fqrst-l1ne+zt\r\nsqcond/l2ne=zt\r\nth3rd", "2f8a1c9d4e7b6053f1a2b3c4d5e6f708", "9007199254740993123457",
  ]

  /// The same ones in each run.
  private static let generated: [String] = {
    var random = SeededGenerator(state: 7)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.")
    return [24, 48, 64, 100, 180, 400].map { count in
      String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
    }
  }()
}

/// Random numbers that are the same in each run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// A way to write a text that can be read back.
struct HuntedEncoding: Sendable {
  let name: String
  let encode: @Sendable (String) -> String

  static let all: [HuntedEncoding] = [
    HuntedEncoding(name: "raw") { $0 },
    HuntedEncoding(name: "percent") { percent($0, keeping: alphanumerics + "-._~") },
    HuntedEncoding(name: "percent-lower") { percent($0, keeping: alphanumerics, upper: false) },
    HuntedEncoding(name: "percent-all") { percent($0, keeping: "") },
    HuntedEncoding(name: "percent-twice") { percent(percent($0, keeping: alphanumerics), keeping: alphanumerics) },
    HuntedEncoding(name: "form") {
      percent($0, keeping: alphanumerics + " *-._").replacingOccurrences(of: " ", with: "+")
    },
    HuntedEncoding(name: "json") { json($0) },
    HuntedEncoding(name: "json-slashes") { json($0).replacingOccurrences(of: "/", with: "\\/") },
    HuntedEncoding(name: "json-in-json") { json(json($0)) },
    HuntedEncoding(name: "json-in-json-slashes") {
      json(json($0).replacingOccurrences(of: "/", with: "\\/")).replacingOccurrences(of: "/", with: "\\/")
    },
    HuntedEncoding(name: "json-numbers") { $0.utf16.map { String(format: "\\u%04x", $0) }.joined() },
    HuntedEncoding(name: "json-numbers-upper") { $0.utf16.map { String(format: "\\u%04X", $0) }.joined() },
    HuntedEncoding(name: "braces") { scalars($0) { "\\u{" + String($0, radix: 16) + "}" } },
    HuntedEncoding(name: "backslash-x") { bytes($0) { String(format: "\\x%02x", $0) } },
    HuntedEncoding(name: "html") { html($0) },
    HuntedEncoding(name: "html-decimal") { scalars($0) { "&#\($0);" } },
    HuntedEncoding(name: "html-hex") { scalars($0) { "&#x" + String($0, radix: 16) + ";" } },
    HuntedEncoding(name: "html-zeros") { scalars($0) { "&#x0000" + String($0, radix: 16, uppercase: true) + ";" } },
    HuntedEncoding(name: "html-twice") { html(html($0)) },
    HuntedEncoding(name: "html-percent") { percent(html($0), keeping: alphanumerics) },
    HuntedEncoding(name: "quoted-printable") {
      bytes($0) {
        alphanumerics.utf8.contains($0) ? String(UnicodeScalar($0)) : String(format: "=%02X", $0)
      }
    },
    HuntedEncoding(name: "pointer") {
      $0.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(of: "/", with: "~1")
    },
    HuntedEncoding(name: "hex") { bytes($0) { String(format: "%02x", $0) } },
    HuntedEncoding(name: "hex-upper") { bytes($0) { String(format: "%02X", $0) } },
    HuntedEncoding(name: "base64") { base64($0) },
    HuntedEncoding(name: "base64-after-1") { base64("u" + $0) },
    HuntedEncoding(name: "base64-after-2") { base64("u:" + $0) },
    HuntedEncoding(name: "base64url") {
      base64($0).replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
    },
    HuntedEncoding(name: "base64-mime") { wrapped(base64($0), 76, "\r\n") },
    HuntedEncoding(name: "base64-pem") { wrapped(base64($0), 64, "\n") },
    HuntedEncoding(name: "base64-json-lines") { wrapped(base64($0), 64, "\\n") },
    HuntedEncoding(name: "base64-percent") { percent(base64($0), keeping: alphanumerics) },
    HuntedEncoding(name: "crlf") {
      $0.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n", with: "\r\n")
    },
    HuntedEncoding(name: "lf") { $0.replacingOccurrences(of: "\r\n", with: "\n") },
  ]

  static let alphanumerics = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

  static func json(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func html(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
      .replacingOccurrences(of: "'", with: "&#39;")
  }

  static func percent(_ text: String, keeping allowed: String, upper: Bool = true) -> String {
    bytes(text) {
      allowed.utf8.contains($0)
        ? String(UnicodeScalar($0)) : String(format: upper ? "%%%02X" : "%%%02x", $0)
    }
  }

  private static func bytes(_ text: String, _ transform: (UInt8) -> String) -> String {
    text.utf8.map(transform).joined()
  }

  private static func scalars(_ text: String, _ transform: (UInt32) -> String) -> String {
    text.unicodeScalars.map { transform($0.value) }.joined()
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private static func wrapped(_ text: String, _ columns: Int, _ lineBreak: String) -> String {
    var lines: [Substring] = []
    var rest = text[...]
    while !rest.isEmpty {
      lines.append(rest.prefix(columns))
      rest = rest.dropFirst(columns)
    }
    return lines.joined(separator: lineBreak)
  }
}
