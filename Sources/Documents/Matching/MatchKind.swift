/// The kinds for `is` and `is_not`: a type, or a format of a text.
package enum MatchKind: String, Sendable, Hashable, CaseIterable {
  case string, integer, number, boolean, array, object, null
  /// A text, array, object or data without content.
  case empty
  /// RFC 9562, any version, in either letter case.
  case uuid
  /// An RFC 3339 full-date, such as `2024-05-01`.
  case date
  /// An RFC 3339 date-time, such as `2024-05-01T10:00:00Z`.
  case datetime
  /// A valid email address as HTML defines it for its forms.
  case email
  /// An absolute URL with a scheme and a host.
  case url
  case ipv4, ipv6
  /// RFC 4648, section 4, padded and not empty.
  case base64
  /// A text that is JSON (RFC 8259).
  case json

  /// The kind with its article.
  package var phrase: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .number: "a number"
    case .boolean: "a boolean"
    case .array: "an array"
    case .object: "an object"
    case .null: "null"
    case .empty: "empty"
    case .uuid: "a UUID"
    case .date: "a date (YYYY-MM-DD)"
    case .datetime: "a date and time (RFC 3339)"
    case .email: "an email address"
    case .url: "a URL"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .base64: "base64 text"
    case .json: "JSON text"
    }
  }
}
