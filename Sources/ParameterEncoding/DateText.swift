internal import Values

extension EncodingOptions.DateEncoding {
  /// The date as a form's value. Seconds print as a `Double` does: `978307323.456`, `978307323.0`.
  func formText(_ date: Timestamp) -> String {
    switch self {
    case .iso8601: Timestamp(seconds: date.seconds).iso8601
    case .formatted(let pattern): pattern.string(from: date)
    case .secondsSince1970, .millisecondsSince1970, .secondsSince2001: interval(date).description
    }
  }

  /// The date as a JSON number, where it is one: `978307323.456`, `978307323`.
  func jsonNumber(_ date: Timestamp) -> String? {
    switch self {
    case .iso8601, .formatted: return nil
    case .secondsSince1970, .millisecondsSince1970, .secondsSince2001:
      let text = interval(date).description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
  }

  /// Computed as Foundation's `Date` does, so that the last digits are the same.
  private func interval(_ date: Timestamp) -> Double {
    let sinceReference = Double(date.seconds) - 978_307_200 + Double(date.nanoseconds) / 1e9
    return switch self {
    case .secondsSince1970: sinceReference + 978_307_200
    case .millisecondsSince1970: (sinceReference + 978_307_200) * 1000
    default: sinceReference
    }
  }
}
