import Matching
import RequestSpecs
import Values

/// The texts of Hurl's format.
enum HurlText {
  static func quoted(_ text: String) -> String { "\"" + escaped(text, also: "\"") + "\"" }

  /// A text with words, in quotes.
  static func quoted(_ text: String, _ curly: CurlyRendering) -> String {
    "\"" + curly(text, escaping: { escaped($0, also: "\"") }) + "\""
  }

  /// A text on one line, with escapes for these characters.
  static func escaped(_ text: String, also special: String) -> String {
    var result = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      // Two of them begin a variable.
      case "{" where previous == "{": result += "\\u{7b}"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where special.unicodeScalars.contains(scalar):
        result += "\\"
        result.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The value of a header or a parameter.
  static func value(_ text: String, _ curly: CurlyRendering) -> String {
    var result = curly(text) { escaped($0, also: "#") }
    if result.hasPrefix(" ") { result = "\\u{20}" + result.dropFirst() }
    if result.hasSuffix(" ") { result = result.dropLast() + "\\u{20}" }
    return result
  }

  /// The name of a header or a parameter.
  static func key(_ text: String, _ curly: CurlyRendering) -> String {
    curly(text) { text in
      text.unicodeScalars.map { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "_-.".unicodeScalars.contains(scalar)
          ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      }.joined()
    }
  }

  /// A JSONPath, which Hurl reads with names in single quotes only.
  private static func path(_ text: String) -> String {
    text.contains("[\"") ? text.replacing(quotedName) { "['\($0.output.1)']" } : text
  }

  // MARK: checks

  static func query(_ subject: ExportedSubject, _ filters: [ExportedFilter], _ curly: CurlyRendering) -> String? {
    var text: String
    switch subject {
    case .status: text = "status"
    case .url: text = "url"
    case .body: text = "body"
    case .bytes: text = "bytes count"
    case .sha256: text = "sha256"
    case .md5: text = "md5"
    case .duration: text = "duration"
    case .httpVersion: text = "version"
    case .redirectCount: text = "redirects"
    case .header(let name): text = "header \(quoted(name, curly))"
    case .cookie(let name, let attribute):
      guard let part = cookiePart(attribute) else { return nil }
      text = "cookie \(quoted(name + part, curly))"
    case .json(let path): text = "jsonpath \(quoted(self.path(path), curly))"
    case .xpath(let path): text = "xpath \(quoted(path, curly))"
    }
    for filter in filters {
      switch filter {
      case .regex(let pattern):
        guard let pattern = self.pattern(pattern) else { return nil }
        text += " regex \(pattern)"
      case .integer: text += " toInt"
      case .number: text += " toFloat"
      case .first: text += " nth 0"
      }
    }
    return text
  }

  private static func cookiePart(_ attribute: CookieAttribute) -> String? {
    switch attribute {
    case .value: ""
    case .domain: "[Domain]"
    case .path: "[Path]"
    case .secure: "[Secure]"
    case .httpOnly: "[HttpOnly]"
    case .sameSite: "[SameSite]"
    case .expires, .maxAge: nil
    }
  }

  /// A pattern, unless it has what Hurl's patterns lack.
  private static func pattern(_ text: String) -> String? {
    if text.contains("(?=") || text.contains("(?!") || text.contains("(?<=") || text.contains("(?<!") { return nil }
    if text.contains("\n") { return nil }
    let lines = text.replacing("\u{2028}", with: "\\x{2028}").replacing("\u{2029}", with: "\\x{2029}")
      .replacing("\u{85}", with: "\\x{85}")
    return "/" + lines.replacing("\\/", with: "/").replacing("/", with: "\\/") + "/"
  }

  static func assert(_ check: ExportedCheck, _ curly: CurlyRendering) -> String? {
    guard let query = query(check.subject, check.filters, curly) else { return nil }
    if case .cookie(_, let attribute) = check.subject, attribute == .secure || attribute == .httpOnly {
      guard case .compares(.equal, .bool(let flag)) = check.predicate else { return nil }
      return flag ? "\(query) exists" : "\(query) not exists"
    }
    if case .xpath(let path) = check.subject, !path.hasPrefix("string("), case .contains = check.predicate {
      return nil
    }
    if check.subject == .bytes, case .counts(let comparison, let count) = check.predicate {
      return literal(count, curly).map { "\(query) \(comparison.rawValue) \($0)" }
    }
    return predicate(check, curly).map { "\(query) \($0)" }
  }

  private static func predicate(_ check: ExportedCheck, _ curly: CurlyRendering) -> String? {
    switch check.predicate {
    case .compares(let comparison, let value):
      if case .duration = check.subject { return literal(value, curly).map { "\(comparison.rawValue) \($0)" } }
      if isText(check), case .number = value {
        return comparison == .equal
          ? "== \(quoted(value.asText.string))" : literal(value, curly).map { "toFloat \(comparison.rawValue) \($0)" }
      }
      return literal(value, curly).map { "\(comparison.rawValue) \($0)" }
    case .contains(let value, let isNegated):
      return literal(value, curly).map { (isNegated ? "not " : "") + "contains \($0)" }
    case .startsWith(let text): return "startsWith \(quoted(text, curly))"
    case .endsWith(let text): return "endsWith \(quoted(text, curly))"
    case .matches(let text, let isNegated): return pattern(text).map { (isNegated ? "not " : "") + "matches \($0)" }
    case .exists(let exists): return exists ? "exists" : "not exists"
    case .isKind(let kind, let isNegated): return self.kind(kind).map { (isNegated ? "not " : "") + $0 }
    case .counts(let comparison, let count): return literal(count, curly).map { "count \(comparison.rawValue) \($0)" }
    case .oneOf(let values):
      var alternatives: [String] = []
      for value in values {
        guard case .text(let text) = value, !ExportWords.hasWord(text.string[...]) else { return nil }
        alternatives.append(text.string.replacing(specialCharacter) { "\\\($0.output)" })
      }
      return pattern("^(?:\(alternatives.joined(separator: "|")))$").map { "matches \($0)" }
    }
  }

  private static func isText(_ check: ExportedCheck) -> Bool {
    guard !check.filters.contains(.integer), !check.filters.contains(.number) else { return false }
    switch check.subject {
    case .header, .cookie, .body, .url, .httpVersion, .sha256, .md5: return true
    default: return check.filters.contains { if case .regex = $0 { true } else { false } }
    }
  }

  private static func literal(_ value: Value, _ curly: CurlyRendering) -> String? {
    switch value {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .number: return value.asText.string
    case .text(let text):
      // A value of its own keeps its type.
      if case .capture? = curly.words.value(of: text.string) { return curly(text.string) }
      return quoted(text.string, curly)
    case .date, .data: return quoted(value.asText.string)
    case .list, .mapping: return nil
    }
  }

  private static func kind(_ kind: MatchKind) -> String? {
    switch kind {
    case .string: "isString"
    case .integer: "isInteger"
    case .number: "isNumber"
    case .boolean: "isBoolean"
    case .array: "isList"
    case .object: "isObject"
    case .null: "== null"
    case .empty: "isEmpty"
    case .uuid: "isUuid"
    case .datetime: "isIsoDate"
    case .ipv4: "isIpv4"
    case .ipv6: "isIpv6"
    case .date: "matches /^\\d{4}-\\d{2}-\\d{2}$/"
    case .email: "matches /^[^@\\s]+@[^@\\s]+$/"
    case .url: "matches /^[a-z][a-z0-9+.-]*:\\/\\//"
    case .base64: "matches /^[A-Za-z0-9+\\/]+=*$/"
    case .json: nil
    }
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let quotedName = /\["([^"'\\]*)"\]/
nonisolated(unsafe) private let specialCharacter = /[^A-Za-z0-9_ -]/
