import HTTPMessages
import HTTPSemantics
import Transfers

/// What a response to a segment says of it.
package enum SegmentOutcome: Sendable, Hashable {
  /// The server has it.
  case accepted
  /// The server has it up to there.
  case acceptedUpTo(Int64)
  /// It may be accepted later, after a pause where the server wants one.
  case later(pause: Duration?)
  /// Neither it nor those after it will be.
  case refused

  /// A 308 without a target is no redirect: it says that more is to come, and perhaps in `Range` up to where all is there.
  package init(_ head: ResponseHead, to segment: FileSegment, retries: RetryPolicy) {
    switch head.status {
    case 200..<300: self = .accepted
    case 308 where (head.headers.first("Location") ?? "").isEmpty:
      if let end = head.headers.first("Range").flatMap(endOfRange), segment.range.contains(end) {
        self = end == segment.range.lowerBound ? .later(pause: nil) : .acceptedUpTo(end)
      } else {
        self = .accepted
      }
    default:
      let pause = retryAfter(head)
      self = retries.retries(status: head.status, requested: pause) ? .later(pause: pause) : .refused
    }
  }

  /// Whether a status tells that the upload is complete rather than that more is to come: the higher, the more so.
  package static func completion(_ status: Int) -> Int {
    switch status {
    case 201: 2
    case 202, 308: 0
    default: 1
    }
  }

  /// Whether a refusal says nothing of what was sent before, so that the upload may be gone on with.
  package static func mayGoOn(after status: Int) -> Bool {
    [401, 403, 407, 408, 429].contains(status) || status >= 500
  }
}

/// Up to where all bytes from the first are there, by `bytes=0-99`; nil if it says something else.
private func endOfRange(_ text: String) -> Int64? {
  let text = text.filter { $0 != " " }.lowercased()
  guard text.hasPrefix("bytes=0-") || text.hasPrefix("0-"), let dash = text.lastIndex(of: "-"),
    let last = Int64(text[text.index(after: dash)...]), last >= 0, last < .max
  else { return nil }
  return last + 1
}
