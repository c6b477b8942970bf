package import Values

/// The instant that a text names: an RFC 3339 date-time or date, or an HTTP date (RFC 9110, section 5.6.7).
package func instant(_ text: Text) -> Timestamp? {
  let string = text.string
  guard string.utf8.count <= 64, let first = string.utf8.first else { return nil }
  guard var instant = (0x30...0x39).contains(first) ? Timestamp(rfc3339: string) : instant(httpDate: string) else {
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

/// An IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
private func instant(httpDate text: String) -> Timestamp? {
  let parts = text.split(separator: " ", omittingEmptySubsequences: false)
  let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  guard parts.count == 6, ["Sun,", "Mon,", "Tue,", "Wed,", "Thu,", "Fri,", "Sat,"].contains(parts[0]),
    let month = months.firstIndex(where: { $0 == parts[2] }), parts[5] == "GMT"
  else { return nil }
  let number = month + 1
  return Timestamp(rfc3339: "\(parts[3])-\(number < 10 ? "0" : "")\(number)-\(parts[1])T\(parts[4])Z")
}
