import HTTPSemantics
import SpecExecution
import Testing
import Transfers

@Suite("What a response says of a segment")
struct SegmentVerdictTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let status: Int
    var headers: [(String, String)] = []
    let expected: SegmentOutcome

    var testDescription: String { "\(status) \(headers.map { "\($0.0): \($0.1)" })" }
  }

  static let cases = [
    Case(status: 200, expected: .accepted), Case(status: 201, expected: .accepted),
    Case(status: 202, expected: .accepted), Case(status: 204, expected: .accepted),
    Case(status: 308, expected: .accepted),
    Case(status: 308, headers: [("Range", "bytes=0-199")], expected: .accepted),
    Case(status: 308, headers: [("Range", "bytes=0-149")], expected: .acceptedUpTo(150)),
    Case(status: 308, headers: [("Range", "0-149")], expected: .acceptedUpTo(150)),
    Case(status: 308, headers: [("Range", "bytes=0-99")], expected: .later(pause: nil)),
    // What comes before belongs to other segments.
    Case(status: 308, headers: [("Range", "bytes=0-49")], expected: .accepted),
    Case(status: 308, headers: [("Range", "bytes=100-149")], expected: .accepted),
    Case(status: 308, headers: [("Range", "nonsense")], expected: .accepted),
    Case(status: 308, headers: [("Location", "/other")], expected: .refused),
    Case(status: 307, expected: .refused), Case(status: 400, expected: .refused),
    Case(status: 408, expected: .later(pause: nil)), Case(status: 413, expected: .refused),
    Case(status: 429, headers: [("Retry-After", "7")], expected: .later(pause: .seconds(7))),
    Case(status: 503, headers: [("Retry-After", "0")], expected: .later(pause: .zero)),
    Case(status: 503, headers: [("Retry-After", "121")], expected: .refused),
    Case(status: 500, expected: .later(pause: nil)),
    // What the server cannot do at all it cannot do later.
    Case(status: 501, headers: [("Retry-After", "0")], expected: .refused), Case(status: 505, expected: .refused),
  ]

  @Test(arguments: cases)
  func outcome(_ test: Case) {
    let head = ResponseHead(status: test.status, headers: HeaderFields(test.headers))
    #expect(SegmentOutcome(head, to: FileSegment(100..<200), retries: .segments(retries: 3)) == test.expected)
  }

  @Test("which of several responses is that of the whole")
  func completion() {
    #expect(
      [308, 204, 202, 201, 200].sorted { SegmentOutcome.completion($0) < SegmentOutcome.completion($1) }.last == 201)
    #expect(SegmentOutcome.completion(200) > SegmentOutcome.completion(308))
    #expect(SegmentOutcome.completion(204) > SegmentOutcome.completion(202))
  }

  @Test("whether what was sent before may still hold")
  func goingOn() {
    #expect([401, 403, 407, 408, 429, 500, 503].allSatisfy { SegmentOutcome.mayGoOn(after: $0) })
    #expect(![400, 404, 409, 410, 412, 413, 416].contains { SegmentOutcome.mayGoOn(after: $0) })
  }

  @Test("whether another attempt may end better")
  func transportErrors() {
    let kinds: [TransportError.Kind] = [.dns, .connection, .timeout(.request), .reset, .truncated, .workerEnded]
    let retries = RetryPolicy.segments(retries: 3)
    #expect(kinds.allSatisfy { retries.retries(TransportError($0, "")) })
    let final: [TransportError.Kind] = [.tls, .body, .cancelled, .redirects, .tooLarge, .invalidRequest]
    #expect(!final.contains { retries.retries(TransportError($0, "")) })
  }
}
