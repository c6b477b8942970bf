import Values

/// The instant that a text names: an RFC 3339 date-time or date, or an HTTP date (RFC 9110, section 5.6.7).
package func instant(_ text: Text) -> Timestamp? {
  let string = text.string
  guard string.utf8.count <= 64, let first = string.utf8.first else { return nil }
  guard var instant = isDigit(first) ? Timestamp(rfc3339: string) : Timestamp(httpDate: string) else {
    return nil
  }
  instant.isSecret = text.isSecret
  return instant
}

func instant(_ value: Value) -> Timestamp? {
  switch value {
  case .date(let date): date
  case .text(let text): instant(text)
  default: nil
  }
}

/// The hint for a date and time without a zone.
let zoneHint =
  "it has no zone, and so names no instant: RFC 3339 ends in `Z` or an offset such as `+02:00`; `matches` checks its form"
