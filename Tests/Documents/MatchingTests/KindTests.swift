import Matching
import Testing
import Values

@Suite struct KindTests {
  static let accepted: [(MatchKind, Value)] = [
    (.string, ""), (.integer, 1), (.integer, decimal("1.0")), (.integer, decimal("1e3")), (.number, 1),
    (.number, decimal("1.5")), (.boolean, false), (.array, []), (.object, [:]), (.null, .null),
    (.empty, ""), (.empty, []), (.empty, [:]), (.empty, .data(Bytes([]))),
    (.uuid, "123e4567-e89b-12d3-a456-426614174000"), (.uuid, "123E4567-E89B-12D3-A456-426614174000"),
    (.date, "2024-02-29"), (.datetime, "2024-05-01T10:00:00Z"), (.datetime, "2024-05-01t10:00:00.123+02:00"),
    (.datetime, date("2024-05-01")),
    (.email, "ann@example.com"), (.email, "a.b+c@localhost"),
    (.url, "https://example.com"), (.url, "http://user@[::1]:8080/a?b#c"), (.url, "https://example.com/%C3%A9"),
    (.url, "ftp://h/x"), (.url, "file:///etc/hosts"), (.url, "https://b\u{fc}cher.example/"),
    (.ipv4, "127.0.0.1"), (.ipv4, "255.255.255.255"),
    (.ipv6, "::"), (.ipv6, "::1"), (.ipv6, "2001:db8::8a2e:370:7334"), (.ipv6, "1:2:3:4:5:6:7:8"),
    (.ipv6, "::ffff:192.0.2.1"), (.ipv6, "1::"), (.ipv6, "1:2:3:4:5:6:1.2.3.4"),
    (.base64, "aGVsbG8="), (.base64, "aGVsbA=="), (.base64, "+/+/"),
    (.json, "null"), (.json, #" {"a": [1, -0.5e+3, "\u00e9\n", true]} "#), (.json, "[]"), (.json, "0"),
  ]

  static let refused: [(MatchKind, Value)] = [
    (.string, 1), (.string, .null), (.integer, decimal("1.5")), (.integer, "1"), (.number, "1"), (.boolean, 0),
    (.array, [:]), (.object, []), (.null, ""), (.null, "null"), (.empty, " "), (.empty, [.null]),
    // Null, numbers and booleans have no content that could be empty.
    (.empty, .null), (.empty, 0), (.empty, false),
    (.uuid, "123e4567e89b12d3a456426614174000"), (.uuid, "123e4567-e89b-12d3-a456-42661417400g"),
    (.uuid, "{123e4567-e89b-12d3-a456-426614174000}"), (.date, "2023-02-29"), (.date, "2024-05-01T10:00:00Z"),
    (.date, "2024-5-1"), (.datetime, "2024-05-01"), (.datetime, "2024-05-01T10:00:00"),
    (.datetime, "2024-05-01 10:00:00Z"), (.datetime, "2024-05-01T10:00:00+0200"), (.datetime, 1_714_557_600),
    (.datetime, "2024-05-01T24:00:00Z"),
    (.email, "ann"), (.email, "a@b@c"), (.email, "@example.com"), (.email, "a@-b.com"), (.email, "a b@example.com"),
    (.email, "a@b..c"), (.url, "example.com"), (.url, "/path"), (.url, "https://"), (.url, "https:///x"),
    (.url, "https://exa mple.com"), (.url, "https://h/%zz"), (.url, "https://h:99999/"), (.url, "1http://h"),
    (.ipv4, "256.0.0.1"), (.ipv4, "1.2.3"), (.ipv4, "01.2.3.4"), (.ipv4, "1.2.3.4.5"), (.ipv4, "::1"),
    (.ipv6, "1:2:3:4:5:6:7"), (.ipv6, "1:2:3:4:5:6:7:8:9"), (.ipv6, "1::2::3"), (.ipv6, ":1:2:3:4:5:6:7"),
    (.ipv6, "12345::"), (.ipv6, "fe80::1%eth0"), (.ipv6, ""), (.ipv6, ":::"), (.ipv6, "1:2:3:4:5:6:7::8"),
    (.base64, ""), (.base64, "aGVsbG8"), (.base64, "aGVs bG8="), (.base64, "a==="), (.base64, "-_-_"),
    (.json, ""), (.json, "{a: 1}"), (.json, "[1,]"), (.json, "01"), (.json, "1."), (.json, "\"a\tb\""),
    (.json, "[1] x"), (.json, #""\u12g4""#), (.json, "nul"), (.json, "{\"a\" 1}"), (.json, 1),
  ]

  @Test(arguments: accepted) func isOfKind(_ kind: MatchKind, _ value: Value) {
    #expect(failures(of: [.isKind(kind)], against: .value(value)).isEmpty)
    #expect(failures(of: [.isNotKind(kind)], against: .value(value)).count == 1)
  }

  @Test(arguments: refused) func isNotOfKind(_ kind: MatchKind, _ value: Value) {
    #expect(failures(of: [.isKind(kind)], against: .value(value)).count == 1)
  }

  @Test func isNotHoldsForOtherKinds() {
    #expect(failures(of: [.isNotKind(.uuid), .isNotKind(.null), .isNotKind(.empty)], against: .value("x")).isEmpty)
  }

  @Test func isNotEmptyTakesNoNull() {
    #expect(failures(of: [.isNotKind(.empty)], against: .value(.null)).count == 1)
  }

  @Test func queryResultIsAnArray() {
    #expect(failures(of: [.isKind(.array), .isKind(.empty)], against: found()).isEmpty)
    #expect(failures(of: [.isNotKind(.null)], against: found(.null)).count == 1)
  }

  @Test func deepJSONEndsWithoutCrash() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(failures(of: [.isKind(.json)], against: .value(.text(deep))).count == 1)
  }
}
