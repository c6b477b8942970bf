import Values

/// The placeholders and filters of Hurl as expressions of templates, in which `{{name}}` stands for a variable.
enum HurlExpression {
  /// The part of a text that a placeholder is, and the variables that it reads.
  static func part(of source: String) -> (ImportedText.Part, Set<String>) {
    var reader = HurlReader(bytes: Array(source.utf8))
    reader.skipBlanks()
    guard let (base, name) = start(&reader) else { return (.unknown("{{\(source)}}"), []) }
    let names: Set<String> = name.map { [$0] } ?? []
    reader.skipBlanks()
    if reader.isAtEnd { return (name.map { .variable($0) } ?? .expression(base), names) }
    guard let filters = HurlFilter.all(&reader), reader.isAtEnd, let result = applying(filters, to: base) else {
      return (.unknown("{{\(source)}}"), names)
    }
    return (.expression(result), names.union(reader.names))
  }

  private static func start(_ reader: inout HurlReader) -> (expression: String, name: String?)? {
    let start = reader.position
    while let byte = reader.byte, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { reader.position += 1 }
    let name = reader.text(start..<reader.position)
    switch name {
    case "": return nil
    case "newUuid": return ("uuid", nil)
    case "newDate": return (#"now | format("yyyy-MM-dd'T'HH:mm:ss.SSSSSSX")"#, nil)
    case "getEnv":
      reader.skipBlanks()
      guard reader.skip("\""), let name = reader.text(.quoted)?.literal else { return nil }
      return ("env[\(literal(name))]", nil)
    default:
      guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else { return nil }
      return ("{{\(name)}}", name)
    }
  }

  /// The value of filters; nil if templates have none of one of them.
  static func applying(_ filters: [HurlFilter], to base: String) -> String? {
    var result = base
    for filter in filters {
      guard let next = applying(filter, to: result) else { return nil }
      result = next
    }
    return result
  }

  private static func applying(_ filter: HurlFilter, to value: String) -> String? {
    if let name = plain[filter.word] { return "\(value) | \(name)" }
    let first = filter.arguments.first
    switch filter.word {
    case "daysAfterNow": return "floor(difference(\(value), now) / 86400)"
    case "daysBeforeNow": return "floor(difference(now, \(value)) / 86400)"
    case "format", "dateFormat":
      guard let format = text(first) else { return nil }
      if format.hasSuffix("%.fZ"), StrftimeFormat.isInternet(format) { return "\(value) | format('iso8601')" }
      return StrftimeFormat.pattern(format).map { "\(value) | format(\(literal($0)))" }
    case "toDate":
      guard let format = text(first) else { return nil }
      if format == "%+" || StrftimeFormat.isInternet(format) { return "date(\(value))" }
      return StrftimeFormat.pattern(format).map { "\(value) | date(\(literal($0)))" }
    case "jsonpath": return text(first).map { "jsonpath(from_json(\(value)), \(literal($0)))" }
    case "xpath": return text(first).map { "xpath(\(value), \(literal($0)))" }
    case "nth":
      guard case .number(let number)? = first, let index = Int(number) else { return nil }
      if index < 0 { return index == -1 ? "\(value) | last" : nil }
      return value.contains { " (|".contains($0) } ? "(\(value))[\(index)]" : "\(value)[\(index)]"
    case "urlEncode": return "\(value) | url_encode | replace('%2F', '/')"
    case "location": return "\(value).url"
    case "regex": return pattern(first).map { "\(value) | match(\(literal($0)))" }
    case "replace", "replaceRegex":
      guard filter.arguments.count == 2, let replacement = text(filter.arguments[1]) else { return nil }
      if filter.word == "replace", case .text(let old)? = first {
        return argument(old).map { "\(value) | replace(\($0), \(literal(replacement)))" }
      }
      return pattern(first).map {
        "\(value) | replace_regex(\(literal($0)), \(literal(converted(replacement: replacement))))"
      }
    case "split":
      guard case .text(let separator)? = first else { return nil }
      return argument(separator).map { "\(value) | split(\($0))" }
    case "urlQueryParam":
      return text(first).map { name in
        "\(value) | match(\(literal("[?&]\(escapedForPattern(name))=([^&#]*)"))) | url_decode"
      }
    default: return nil
    }
  }

  /// The functions of filters without arguments.
  private static let plain = [
    "base64Decode": "base64_decode", "base64Encode": "base64", "base64UrlSafeDecode": "base64_decode",
    "base64UrlSafeEncode": "base64url", "count": "length", "first": "first", "htmlEscape": "html_escape",
    "htmlUnescape": "html_unescape", "last": "last", "toFloat": "to_number", "toHex": "hex", "toInt": "to_integer",
    "toString": "to_string", "urlDecode": "url_decode",
  ]

  // MARK: arguments

  private static func text(_ operand: HurlOperand?) -> String? {
    if case .text(let text)? = operand { text.literal } else { nil }
  }

  static func pattern(_ operand: HurlOperand?) -> String? {
    switch operand {
    case .regex(let pattern)?: pattern
    case .text(let text)?: text.literal
    default: nil
    }
  }

  /// The expression for a text; nil if a part of it is unknown.
  static func argument(_ text: ImportedText) -> String? {
    var parts: [String] = []
    for part in text.parts {
      switch part {
      case .text(let text): parts.append(literal(text))
      case .variable(let name): parts.append("{{\(name)}}")
      case .expression(let expression): parts.append(expression)
      case .secret, .unknown: return nil
      }
    }
    return parts.isEmpty ? "''" : parts.count == 1 ? parts[0] : "concat(\(parts.joined(separator: ", ")))"
  }

  /// A text as a literal of an expression.
  static func literal(_ text: String) -> String {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 } && !text.contains("}}")
      ? "'\(text.replacing("'", with: "''"))'" : "\"\(jsonEscaped(text).replacing("}}", with: "}\\u007d"))\""
  }

  /// A replacement with its groups as `$1` and `$<name>`, in place of `${1}` and `$name`.
  private static func converted(replacement: String) -> String {
    replacement.replacing(groupReference) { match in
      let name = match.output.1 ?? match.output.2 ?? ""
      return name.isEmpty ? "$$" : Int(name) == nil ? "$<\(name)>" : "$\(name)"
    }
  }
}

extension HurlFilter {
  /// The kinds of a filter's arguments: `t` is a text, `r` a pattern or a text, `i` an integer.
  private static let arguments: [String: String] = [
    "base64Decode": "", "base64Encode": "", "base64UrlSafeDecode": "", "base64UrlSafeEncode": "", "charsetDecode": "t",
    "count": "", "dateFormat": "t", "daysAfterNow": "", "daysBeforeNow": "", "decode": "t", "first": "", "format": "t",
    "htmlEscape": "", "htmlUnescape": "", "jsonpath": "t", "last": "", "location": "", "nth": "i", "regex": "r",
    "replace": "rt", "replaceRegex": "rt", "split": "t", "toDate": "t", "toFloat": "", "toHex": "", "toInt": "",
    "toString": "", "urlDecode": "", "urlEncode": "", "urlQueryParam": "t", "utf8Decode": "", "utf8Encode": "",
    "xpath": "t",
  ]

  /// The filters at the position; nil if the arguments of one are not as they must be.
  static func all(_ reader: inout HurlReader) -> [HurlFilter]? {
    var result: [HurlFilter] = []
    while true {
      let start = reader.position
      reader.skipBlanks()
      let word = reader.word()
      guard let kinds = arguments[word] else {
        reader.position = start
        return result
      }
      var values: [HurlOperand] = []
      for kind in kinds {
        reader.skipBlanks()
        if kind == "i" {
          guard let number = reader.number() else { return nil }
          values.append(.number(number))
        } else if kind == "r", let pattern = reader.regex() {
          values.append(.regex(pattern))
        } else {
          guard reader.skip("\""), let text = reader.text(.quoted) else { return nil }
          values.append(.text(text))
        }
      }
      result.append(HurlFilter(word: word, arguments: values))
    }
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let groupReference = /\$(?:\$|\{(\w*)\}?|(\w*))/
