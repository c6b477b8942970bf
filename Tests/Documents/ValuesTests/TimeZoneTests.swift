import Testing
import Values

struct ZoneCase: Sendable, CustomTestStringConvertible {
  let zone: String
  let offsets: [Int]

  init(_ zone: String, _ offsets: [Int]) {
    self.zone = zone
    self.offsets = offsets
  }

  var testDescription: String { zone }
}

/// Instants from 1874 to 9999, at some of which clocks change.
private let instants: [Int64] = [
  -3_000_000_000, -1_000_000_000, 0, 500_000_000, 1_325_239_200, 1_711_846_799, 1_711_846_800, 1_730_000_000,
  1_735_689_600, 4_102_444_800, 16_725_225_600, 253_402_214_399,
]

/// The offsets at those instants, as Python's `zoneinfo` has them.
private let zoneCases = [
  ZoneCase("Europe/Paris", [561, 3600, 3600, 3600, 3600, 3600, 7200, 3600, 3600, 3600, 3600, 3600]),
  ZoneCase("Europe/Dublin", [-1521, 3600, 3600, 0, 0, 0, 3600, 0, 0, 0, 0, 0]),
  ZoneCase(
    "America/New_York",
    [-17762, -14400, -18000, -18000, -18000, -14400, -14400, -14400, -18000, -18000, -18000, -18000]),
  ZoneCase(
    "America/St_Johns", [-12652, -12600, -12600, -12600, -12600, -9000, -9000, -9000, -12600, -12600, -12600, -12600]),
  ZoneCase(
    "America/Sao_Paulo", [-11188, -10800, -10800, -7200, -7200, -10800, -10800, -10800, -10800, -10800, -10800, -10800]),
  ZoneCase("Asia/Kolkata", [19270, 19800, 19800, 19800, 19800, 19800, 19800, 19800, 19800, 19800, 19800, 19800]),
  ZoneCase("Asia/Kathmandu", [20476, 19800, 19800, 19800, 20700, 20700, 20700, 20700, 20700, 20700, 20700, 20700]),
  ZoneCase("Asia/Tehran", [12344, 12600, 12600, 12600, 12600, 12600, 12600, 12600, 12600, 12600, 12600, 12600]),
  ZoneCase(
    "Australia/Lord_Howe", [38180, 36000, 36000, 39600, 39600, 39600, 39600, 39600, 39600, 39600, 39600, 39600]),
  ZoneCase("Australia/Sydney", [36292, 36000, 36000, 39600, 39600, 39600, 39600, 39600, 39600, 39600, 39600, 39600]),
  ZoneCase("Pacific/Apia", [45184, -41400, -39600, -39600, 50400, 46800, 46800, 46800, 46800, 46800, 46800, 46800]),
  ZoneCase("Pacific/Chatham", [44100, 44100, 45900, 49500, 49500, 49500, 49500, 49500, 49500, 49500, 49500, 49500]),
  ZoneCase("Africa/Casablanca", [-1820, 0, 0, 3600, 0, 0, 0, 3600, 3600, 3600, 3600, 3600]),
  ZoneCase("UTC", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ZoneCase(
    "EST5EDT", [-18000, -18000, -18000, -18000, -18000, -14400, -14400, -14400, -18000, -18000, -18000, -18000]),
  ZoneCase(
    "Etc/GMT+5", [-18000, -18000, -18000, -18000, -18000, -18000, -18000, -18000, -18000, -18000, -18000, -18000]),
]

@Suite("Time zones")
struct TimeZoneTests {
  /// Texts of offsets: the seconds as a zone's name, at the end of a date, and by a pattern; nil where it is none.
  @Test(
    "An offset is read alike wherever it stands",
    arguments: [
      ("+02:00", 7200, 7200, 7200), ("-0230", -9000, -9000, -9000), ("+02", 7200, nil, 7200), ("GMT+2", nil, nil, nil),
      ("GMT-02:30", -9000, nil, -9000), ("+24:00", nil, nil, nil), ("+02:60", nil, nil, nil), ("+0:200", nil, nil, nil),
      ("+02:0", nil, nil, nil), ("+02000", nil, nil, nil), ("02:00", nil, nil, nil), ("Z", 0, 0, 0),
      ("+٠٢:٠٠", nil, nil, nil),
    ] as [(String, Int?, Int?, Int?)])
  func fixedOffsets(_ text: String, _ ofZone: Int?, _ ofDate: Int?, _ ofPattern: Int?) throws {
    #expect(TimeZone(named: text)?.offset(at: 0) == ofZone)
    #expect(Timestamp(rfc3339: "1970-01-02T00:00:00\(text)").map { 86_400 - Int($0.seconds) } == ofDate)
    let found = try? DatePattern("dd XX").date(from: "02 \(text)")
    #expect(found.map { 86_400 - Int($0.seconds) } == ofPattern)
  }

  @Test("A zone has its offset at any time, also beyond its last known change", arguments: zoneCases)
  func offsets(_ example: ZoneCase) throws {
    let zone = try #require(TimeZone(named: example.zone))
    #expect(instants.map { zone.offset(at: $0) } == example.offsets)
  }

  @Test(
    "Of a local time that comes twice the first counts, one that is skipped is moved on",
    arguments: [
      ("Europe/Paris", "2024-03-31 01:59:59", 1_711_846_799),
      ("Europe/Paris", "2024-03-31 02:30:00", 1_711_848_600),
      ("Europe/Paris", "2024-03-31 03:00:00", 1_711_846_800),
      ("Europe/Paris", "2024-10-27 02:30:00", 1_729_989_000),
      ("Europe/Paris", "2024-10-27 03:00:00", 1_729_994_400),
      ("America/New_York", "2024-03-10 02:15:00", 1_710_054_900),
      ("America/New_York", "2024-11-03 01:30:00", 1_730_611_800),
      ("Australia/Lord_Howe", "2024-10-06 02:15:00", 1_728_143_100),
      ("Australia/Lord_Howe", "2024-04-07 01:45:00", 1_712_414_700),
      ("Pacific/Apia", "2011-12-30 12:00:00", 1_325_282_400),
      ("Asia/Kathmandu", "2024-01-01 00:00:00", 1_704_046_500),
      ("Europe/Paris", "2600-07-01 12:00:00", 19_896_573_600),
    ] as [(String, String, Int64)])
  func local(_ zone: String, _ text: String, _ instant: Int64) throws {
    #expect(try DatePattern("yyyy-MM-dd HH:mm:ss", timeZone: zone).date(from: text) == Timestamp(seconds: instant))
  }

  @Test(
    "A name that is none is refused, and leads nowhere",
    arguments: [
      "", "Mars/Base", "Europe", "europe/paris/x", "../UTC", "/etc/passwd", "Europe/../UTC", "tzdata.zi", "+1",
      "+25:00",
    ])
  func unknown(_ name: String) {
    #expect(TimeZone(named: name) == nil)
  }
}
