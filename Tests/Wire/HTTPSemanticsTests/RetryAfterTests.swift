import HTTPSemantics
import Testing
import Values

@Suite("Retry-After")
struct RetryAfterTests {
  /// 2024-05-01T10:00:00Z
  private static let now = Timestamp(seconds: 1_714_557_600)

  @Test(
    arguments: [
      (nil, nil), ("0", .zero), ("120", .seconds(120)), (" 5 ", .seconds(5)), ("-1", nil), ("soon", nil), ("1.5", nil),
      ("Wed, 01 May 2024 10:00:30 GMT", .seconds(30)), ("Wed, 01 May 2024 09:00:00 GMT", .zero),
      ("Wednesday, 01-May-24 10:00:30 GMT", .seconds(30)), ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
      ("9223372036854775807", .seconds(1 << 31)), ("99999999999999999999999", .seconds(1 << 31)), ("", nil),
      ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(251_687_743_199)), ("1, 2", nil),
    ] as [(String?, Duration?)])
  func reading(_ value: String?, _ expected: Duration?) {
    let head = ResponseHead(status: 503, headers: HeaderFields(value.map { [("Retry-After", $0)] } ?? []))
    #expect(retryAfter(head, at: Self.now) == expected)
  }

  @Test("a date is waited for to the millisecond")
  func fraction() {
    let head = ResponseHead(
      status: 503, headers: HeaderFields([("Retry-After", "Wed, 01 May 2024 10:00:30 GMT")]))
    let now = Timestamp(seconds: Self.now.seconds, nanoseconds: 750_000_000)
    #expect(retryAfter(head, at: now) == .milliseconds(29_250))
  }
}
