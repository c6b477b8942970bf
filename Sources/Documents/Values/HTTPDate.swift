private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
private let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
private let longWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

extension Timestamp {
  /// The three forms of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Parameter ignoresCase: true for dates of caches (RFC 9111, section 4.2).
  package init?(httpDate text: String, ignoresCase: Bool = false) {
    let text = ignoresCase ? Timestamp.inUsualCase(text) : text
    guard let instant = Timestamp.instant(httpDate: text) else { return nil }
    self = instant
  }

  private static func inUsualCase(_ text: String) -> String {
    var isInWord = false
    let usual = text.map { character in
      defer { isInWord = character.isLetter }
      return isInWord ? character.lowercased() : character.uppercased()
    }.joined()
    return usual.hasSuffix(" Gmt") ? usual.dropLast(3) + "GMT" : usual
  }

  private static func instant(httpDate text: String) -> Timestamp? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 6 where parts[5] == "GMT" && weekdays.contains { parts[0] == $0 + "," }:
      return instant(year: parts[3], month: parts[2], day: parts[1], time: parts[4])
    case 4 where parts[3] == "GMT" && longWeekdays.contains { parts[0] == $0 + "," }:
      let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]) else { return nil }
      // A two-digit year far in the future is of the last century.
      return instant(year: (year < 70 ? "20" : "19") + date[2], month: date[1], day: date[0], time: parts[2])
    case 5 where weekdays.contains(parts[0]):
      return instant(year: parts[4], month: parts[1], day: parts[2], time: parts[3])
    case 6 where weekdays.contains(parts[0]) && parts[2].isEmpty && parts[3].utf8.count == 1:
      return instant(year: parts[5], month: parts[1], day: "0" + parts[3], time: parts[4])
    default: return nil
    }
  }

  private static func instant(year: String, month: String, day: String, time: String) -> Timestamp? {
    guard let month = months.firstIndex(of: month) else { return nil }
    return Timestamp(rfc3339: "\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day)T\(time)Z")
  }
}
