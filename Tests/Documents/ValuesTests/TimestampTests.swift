import Foundation
import Testing
import Values

@Suite("Timestamps and date patterns")
struct TimestampTests {
  @Test(
    "RFC 3339 is read",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("2024-05-01T10:00:00Z", 1_714_557_600, 0),
      ("2024-05-01 10:00:00.5z", 1_714_557_600, 500_000_000),
      ("2024-05-01t12:00:00.1234567899+02:00", 1_714_557_600, 123_456_789),
      ("2024-05-01T04:30:00-05:30", 1_714_557_600, 0), ("2024-05-01", 1_714_521_600, 0),
      ("2024-02-29", 1_709_164_800, 0), ("1969-12-31T23:59:59Z", -1, 0), ("0000-01-01T00:00:00Z", -62_167_219_200, 0),
      ("2016-12-31T23:59:60Z", 1_483_228_800, 0), ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
    ] as [(String, Int64, Int32)])
  func read(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) throws {
    #expect(try #require(Timestamp(rfc3339: text)) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(
    "anything else is not",
    arguments: [
      "", "2024", "2024-05", "2024-5-01", "2024-13-01", "2024-00-01", "2023-02-29", "1900-02-29", "2024-04-31",
      "2024-05-00", "2024-05-01T", "2024-05-01T10:00", "2024-05-01T10:00:00", "2024-05-01T24:00:00Z",
      "2024-05-01T10:60:00Z", "2024-05-01T10:00:61Z", "2024-05-01T10:00:00.Z", "2024-05-01T10:00:00Z ",
      "2024-05-01T10:00:00+24:00", "2024-05-01T10:00:00+2", "٢٠٢٤-05-01",
    ])
  func refuse(_ text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(
    "written as ISO 8601, milliseconds where there are any",
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (-1, 0, "1969-12-31T23:59:59Z"),
      (1_709_164_799, 45_000_000, "2024-02-28T23:59:59.045Z"), (1_709_164_800, 999_999, "2024-02-29T00:00:00Z"),
      (951_782_400, 0, "2000-02-29T00:00:00Z"), (4_107_542_400, 0, "2100-03-01T00:00:00Z"),
    ] as [(Int64, Int32, String)])
  func write(_ seconds: Int64, _ nanoseconds: Int32, _ expected: String) {
    #expect(Timestamp(seconds: seconds, nanoseconds: nanoseconds).iso8601 == expected)
  }

  @Test("every day of 800 years has the calendar that Foundation gives it")
  func calendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    var day = -134_774  // 1601-01-01
    while day < 157_054 {
      let parts = CalendarParts(Timestamp(seconds: Int64(day) * 86_400), offsetSeconds: 0)
      let expected = calendar.dateComponents(
        [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(day) * 86_400))
      #expect(
        [parts.year, parts.month, parts.day, parts.weekday + 1]
          == [expected.year, expected.month, expected.day, expected.weekday])
      #expect(CalendarParts.days(year: parts.year, month: parts.month, day: parts.day) == day)
      day += 97
    }
  }

  @Test("moved by durations, with carries, and never beyond the years 0 and 9999")
  func advanced() {
    let start = Timestamp(seconds: 10, nanoseconds: 250_000_000)
    #expect(start.advanced(by: .milliseconds(750)) == Timestamp(seconds: 11))
    #expect(start.advanced(by: .milliseconds(-500)) == Timestamp(seconds: 9, nanoseconds: 750_000_000))
    #expect(start.advanced(by: .seconds(86_400)) == Timestamp(seconds: 86_410, nanoseconds: 250_000_000))
    #expect(start.advanced(by: .seconds(Int64.max)) == nil)
    #expect(start.advanced(by: .seconds(Int64.min / 2)) == nil)
    #expect(Timestamp(seconds: .max).advanced(by: .seconds(Int64.max)) == nil)
    #expect(Timestamp(seconds: .min).advanced(by: .nanoseconds(-1)) == nil)
    var secret = start
    secret.isSecret = true
    #expect(secret.advanced(by: .seconds(1))?.isSecret == true)
  }

  @Test("no second count is too large to print")
  func extremes() {
    #expect(!Timestamp(seconds: .max).iso8601.isEmpty)
    #expect(!Timestamp(seconds: .min).iso8601.isEmpty)
  }

  @Test(
    "elements in the order of their times",
    arguments: [
      ([], []), (["-"], [0]), (["2026-01-01T00:00:05Z", "2026-01-01T00:00:05.1Z", "2026-01-01T00:00:04Z"], [2, 0, 1]),
      (["2026-01-01T01:00:00+02:00", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+01:00"], [0, 2, 1]),
      (["2026-01-01T00:00:01Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:01Z"], [0, 1, 2]),
      (["-", "2026-01-01T00:00:02Z", "-", "2026-01-01T00:00:01Z", "-"], [0, 3, 4, 1, 2]), (["-", "-"], [0, 1]),
    ])
  func order(_ times: [String], _ expected: [Int]) {
    #expect(Array(times.indices).sorted(byTime: { Timestamp(rfc3339: times[$0]) }) == expected)
  }

  static let moment = Timestamp(seconds: 1_714_557_604, nanoseconds: 7_008_000)  // 2024-05-01T10:00:04.007008Z

  @Test(
    "patterns",
    arguments: [
      ("yyyy-MM-dd'T'HH:mm:ssXXX", "UTC", "2024-05-01T10:00:04Z"), ("d.M.yy H:m:s", "UTC", "1.5.24 10:0:4"),
      ("dd MMM yyyy", "UTC", "01 May 2024"), ("MMMM", "UTC", "May"), ("MMMMM", "UTC", "M"),
      ("S SS SSS SSSSSS SSSSSSSSSSSS", "UTC", "0 00 007 007008 007008000000"), ("HH 'o''clock'", "UTC", "10 o'clock"),
      ("''yyyy''", "UTC", "'2024'"), ("Z ZZZZ ZZZZZ X XX XXX", "UTC", "+0000 GMT Z Z Z Z"),
      ("HH:mm Z ZZZZ ZZZZZ X XX XXX", "+02:00", "12:00 +0200 GMT+02:00 +02:00 +02 +0200 +02:00"),
      ("dd HH:mm X XXX", "-10:30", "30 23:30 -1030 -10:30"), ("dd HH", "GMT+14", "02 00"), ("", "UTC", ""),
      ("yyyyy y", "UTC", "02024 2024"), ("日 dd", "UTC", "日 01"),
    ])
  func pattern(_ pattern: String, _ timeZone: String, _ expected: String) throws {
    #expect(try DatePattern(pattern, timeZone: timeZone).string(from: Self.moment) == expected)
  }

  @Test(
    "patterns that are not understood, and where",
    arguments: [
      ("yyyy Q", "UTC", 5), ("QQQ", "UTC", 0), ("yyyy 'T", "UTC", 5), ("yyyyTHH", "UTC", 4), ("yyyy", "Mars/Base", 0),
      ("yyyy", "../zoneinfo/CET", 0), ("yyyy", "Europe", 0),
      ("yyyy-mm-dd", "UTC", 5), ("dd.mm.", "UTC", 3), ("HH:MM", "UTC", 3), ("yyyy", "+25:00", 0), ("yyyy", "+1", 0),
      ("yyyy", "", 0),
    ])
  func refuse(_ pattern: String, _ timeZone: String, _ offset: Int) {
    let problem = #expect(throws: DatePattern.Problem.self) { try DatePattern(pattern, timeZone: timeZone) }
    #expect(problem?.offset == offset)
  }
}
