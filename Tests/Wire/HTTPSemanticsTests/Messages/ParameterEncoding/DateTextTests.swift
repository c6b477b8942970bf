import HTTPSemantics
import Testing
import Values

/// Dates with fractions, as Alamofire 5.12 and Foundation's JSONEncoder write them.
@Suite("Dates")
struct DateTextTests {
  struct Instant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let seconds: Int64
    let nanoseconds: Int32
    let since2001: String
    let since1970: String
    let milliseconds: String
    let form: String
    let json: String
    let pattern: String

    init(
      _ name: String, _ seconds: Int64, _ nanoseconds: Int32, _ since2001: String, _ since1970: String,
      _ milliseconds: String, form: String, json: String, pattern: String
    ) {
      testDescription = name
      self.seconds = seconds
      self.nanoseconds = nanoseconds
      self.since2001 = since2001
      self.since1970 = since1970
      self.milliseconds = milliseconds
      self.form = form
      self.json = json
      self.pattern = pattern
    }
  }

  static let instants = [
    Instant(
      "before 2001", 978_307_199, 569_000_000, "-0.431", "978307199.569", "978307199569.0",
      form: "2000-12-31T23:59:59Z", json: "2000-12-31T23:59:59Z", pattern: "59.569000"),
    Instant(
      "after 2001", 978_307_201, 100_000_000, "1.1", "978307201.1", "978307201100.0",
      form: "2001-01-01T00:00:01Z", json: "2001-01-01T00:00:01Z", pattern: "01.100000"),
    Instant(
      "before 1970", -1, 500_000_000, "-978307200.5", "-0.5", "-500.0",
      form: "1969-12-31T23:59:59Z", json: "1969-12-31T23:59:59Z", pattern: "59.500000"),
    Instant(
      "a form's text is rounded to milliseconds, JSON's is cut", -1, 999_600_000, "-978307200.0004",
      "-0.0003999471664428711", "-0.3999471664428711",
      form: "1970-01-01T00:00:00Z", json: "1969-12-31T23:59:59Z", pattern: "00.000000"),
    Instant(
      "half a millisecond is rounded up", 1_714_557_600, 999_500_000, "736250400.9995", "1714557600.9995",
      "1714557600999.5", form: "2024-05-01T10:00:01Z", json: "2024-05-01T10:00:00Z", pattern: "01.000000"),
    Instant(
      "nanoseconds that a Date cannot hold", 1_714_557_600, 999_999_999, "736250401.0", "1714557601.0",
      "1714557601000.0", form: "2024-05-01T10:00:01Z", json: "2024-05-01T10:00:01Z", pattern: "01.000000"),
    Instant(
      "nanoseconds that it can", 978_307_200, 999_999_999, "0.999999999", "978307201.0", "978307201000.0",
      form: "2001-01-01T00:00:01Z", json: "2001-01-01T00:00:00Z", pattern: "01.000000"),
    Instant(
      "a pattern knows no more than milliseconds", 1_714_557_600, 123_456_789, "736250400.1234568",
      "1714557600.123457", "1714557600123.457",
      form: "2024-05-01T10:00:00Z", json: "2024-05-01T10:00:00Z", pattern: "00.123000"),
  ]

  static func form(_ date: Timestamp, _ encoding: EncodingOptions.DateEncoding) -> String {
    let text = URLEncodedFormEncoder(
      options: EncodingOptions(dateEncoding: encoding), allowed: .formQuery.inserting(":+")
    ).encode(Mapping([("d", .date(date))]))
    return String(text.string.dropFirst(2))
  }

  @Test("as Alamofire's", arguments: instants)
  func instant(_ item: Instant) throws {
    let date = Timestamp(seconds: item.seconds, nanoseconds: item.nanoseconds)
    let pattern = EncodingOptions.DateEncoding.formatted(try DatePattern("ss.SSSSSS"))
    #expect(Self.form(date, .secondsSince2001) == item.since2001)
    #expect(Self.form(date, .secondsSince1970) == item.since1970)
    #expect(Self.form(date, .millisecondsSince1970) == item.milliseconds)
    #expect(Self.form(date, .iso8601) == item.form)
    #expect(Self.form(date, pattern) == item.pattern)
    func json(_ encoding: EncodingOptions.DateEncoding) -> String {
      jsonBody(.date(date), options: EncodingOptions(dateEncoding: encoding)).string
    }
    #expect(json(.iso8601) == "\"\(item.json)\"")
    #expect(json(pattern) == "\"\(item.pattern)\"")
    #expect(json(.secondsSince2001) == (item.since2001 == "736250401.0" ? "736250401" : item.since2001))
  }

  @Test("instants beyond any calendar end no process", arguments: [Int64.min, Int64.max])
  func bounds(_ seconds: Int64) throws {
    let date = Timestamp(seconds: seconds, nanoseconds: 999_999_999)
    for encoding in EncodingOptions.DateEncoding.named {
      #expect(!Self.form(date, encoding.encoding).isEmpty)
      #expect(!jsonBody(.date(date), options: EncodingOptions(dateEncoding: encoding.encoding)).isEmpty)
    }
  }
}
