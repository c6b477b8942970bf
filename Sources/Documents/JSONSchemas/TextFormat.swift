import DocumentQueries
import Values

/// The known formats; any other has no effect.
enum TextFormat: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date, time, duration, email
  case internationalEmail = "idn-email"
  case hostname
  case internationalHostname = "idn-hostname"
  case ipv4, ipv6, uri
  case uriReference = "uri-reference"
  case iri
  case iriReference = "iri-reference"
  case uriTemplate = "uri-template"
  case uuid
  case jsonPointer = "json-pointer"
  case relativeJSONPointer = "relative-json-pointer"
  case regex
  // Formats of OpenAPI that can be checked.
  case int32, int64, byte

  init?(named name: String, isOpenAPI: Bool) {
    guard let format = TextFormat(rawValue: name), !format.isOpenAPIs || isOpenAPI else { return nil }
    self = format
  }

  private var isOpenAPIs: Bool { self == .int32 || self == .int64 || self == .byte }
  /// Indicates whether it is a format of numbers, not of strings.
  var isNumeric: Bool { self == .int32 || self == .int64 }

  func accepts(_ node: JSONNode) -> Bool {
    if isNumeric {
      guard node.kind == .number else { return true }
      guard let value = Number(lexeme: node.text).int else { return false }
      return self == .int64 || Int32(exactly: value) != nil
    }
    return accepts(node.string)
  }

  func accepts(_ text: String) -> Bool {
    switch self {
    case .dateTime: isRFC3339DateTime(text.utf8)
    case .date: isRFC3339Date(text.utf8)
    case .time: isRFC3339Time(text.utf8)
    case .duration: isISO8601Duration(text.utf8)
    case .email: isMailbox(text, allowsUnicode: false)
    case .internationalEmail: isMailbox(text, allowsUnicode: true)
    case .hostname: isHostname(text)
    case .internationalHostname: isInternationalHostname(text)
    case .ipv4: isIPv4(text.utf8)
    case .ipv6: isIPv6(text.utf8)
    case .uri: isURI(text, allowsUnicode: false, mayBeRelative: false)
    case .uriReference: isURI(text, allowsUnicode: false, mayBeRelative: true)
    case .iri: isURI(text, allowsUnicode: true, mayBeRelative: false)
    case .iriReference: isURI(text, allowsUnicode: true, mayBeRelative: true)
    case .uriTemplate: isURITemplate(text)
    case .uuid: isUUID(text.utf8)
    case .jsonPointer: JSONPointer.isPointer(text)
    case .relativeJSONPointer: isRelativeJSONPointer(text)
    case .regex: isECMAScriptPattern(text)
    case .byte: base64Decoded(text) != nil && !text.contains { $0.isWhitespace }
    case .int32, .int64: true
    }
  }

  /// The format in words for messages.
  var phrase: String {
    switch self {
    case .dateTime: "a date and time (`date-time`), such as 2024-05-01T10:00:00Z"
    case .date: "a `date`, such as 2024-05-01"
    case .time: "a `time` with its offset, such as 10:00:00Z"
    case .duration: "a `duration`, such as P3DT12H"
    case .email, .internationalEmail: "an email address (`\(rawValue)`)"
    case .hostname, .internationalHostname: "a host name (`\(rawValue)`)"
    case .ipv4: "an IPv4 address (`ipv4`), such as 192.0.2.1"
    case .ipv6: "an IPv6 address (`ipv6`), such as 2001:db8::1"
    case .uri, .iri: "an absolute URI (`\(rawValue)`), such as https://example.org/a"
    case .uriReference, .iriReference: "a URI or a relative reference (`\(rawValue)`)"
    case .uriTemplate: "a URI template (`uri-template`), such as /users/{id}"
    case .uuid: "a UUID (`uuid`)"
    case .jsonPointer: "a JSON Pointer (`json-pointer`), such as /users/0"
    case .relativeJSONPointer: "a relative JSON Pointer (`relative-json-pointer`), such as 1/name"
    case .regex: "a regular expression (`regex`)"
    case .int32: "an integer of 32 bits (`int32`)"
    case .int64: "an integer of 64 bits (`int64`)"
    case .byte: "base64 (`byte`)"
    }
  }
}

/// Matches a number of levels up, an optional index offset, then a pointer or `#`
/// (draft-bhutton-relative-json-pointer).
private func isRelativeJSONPointer(_ text: String) -> Bool {
  var rest = text[...]
  guard takeNumber(&rest) else { return false }
  if rest.hasPrefix("+") || rest.hasPrefix("-") {
    rest.removeFirst()
    guard takeNumber(&rest) else { return false }
  }
  return rest == "#" || JSONPointer.isPointer(String(rest))
}

/// Consumes a decimal number without leading zeros.
private func takeNumber(_ rest: inout Substring) -> Bool {
  let digits = rest.utf8.prefix { isDigit($0) }
  guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else { return false }
  rest = rest[digits.endIndex...]
  return true
}

extension ContentRule {
  func accepts(_ text: ArraySlice<UInt8>) -> Bool {
    var bytes = Array(text)
    if isBase64 {
      guard !bytes.contains(where: { $0 <= 0x20 }),
        let decoded = base64Decoded(String(decoding: bytes, as: UTF8.self))
      else { return false }
      bytes = decoded
    }
    return !isJSON || (try? JSONDocument(parsing: bytes)) != nil
  }
}
