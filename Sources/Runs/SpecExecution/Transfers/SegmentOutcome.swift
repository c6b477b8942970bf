import HTTPSemantics
import Transfers

/// The meaning of a response to a segment.
package enum SegmentOutcome: Sendable, Hashable {
  /// The server has stored it.
  case accepted
  /// The server has stored it up to there.
  case acceptedUpTo(Int64)
  /// Possibly accepted later, after a pause if the server requests one.
  case later(pause: Duration?)
  /// Neither it nor those after it will be accepted.
  case refused

  /// Interprets a response. A 308 without a target isn't a redirect: more segments are expected, and `Range` may say
  /// which bytes are stored.
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

  /// Ranks a status by how likely it means that the upload is complete, rather than that more is expected.
  package static func completion(_ status: Int) -> Int {
    switch status {
    case 201: 2
    case 202, 308: 0
    default: 1
    }
  }

  /// Returns whether a rejection leaves earlier segments valid, so that the upload may be resumed.
  package static func mayGoOn(after status: Int) -> Bool {
    [401, 403, 407, 408, 429].contains(status) || status >= 500
  }
}

/// The end of the stored bytes from the first on, by `bytes=0-99`; nil for another form.
private func endOfRange(_ text: String) -> Int64? {
  let text = text.filter { $0 != " " }.lowercased()
  guard text.hasPrefix("bytes=0-") || text.hasPrefix("0-"), let dash = text.lastIndex(of: "-"),
    let last = Int64(text[text.index(after: dash)...]), last >= 0, last < .max
  else { return nil }
  return last + 1
}
