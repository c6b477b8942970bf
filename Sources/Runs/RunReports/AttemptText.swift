import HTTPMessages
import RunEvents
import Values

/// The attempts of a request that was sent more than once, each with its time and its reason.
struct AttemptText {
  private static let foldedLimit = 8

  private let attempts: [AttemptReport]

  /// - Parameter report: no lines if it was sent once.
  init(_ report: StepReport) {
    attempts = report.attemptCount > 1 ? report.attempts : []
  }

  /// A line for each attempt.
  var lines: [String] { attempts.indices.map { line(of: $0...$0) } }

  /// The line of the attempt with that number; nil if the request was sent once.
  func line(of number: Int) -> String? {
    attempts.firstIndex { $0.number == number }.map { line(of: $0...$0) }
  }

  /// A line for attempts that ended alike, one after another; the first and the last of many lines.
  var foldedLines: [String] {
    var groups: [ClosedRange<Int>] = []
    for index in attempts.indices {
      if let last = groups.last, result(of: attempts[last.lowerBound]) == result(of: attempts[index]) {
        groups[groups.count - 1] = last.lowerBound...index
      } else {
        groups.append(index...index)
      }
    }
    let lines = groups.map { line(of: $0) }
    guard lines.count > AttemptText.foldedLimit + 1 else { return lines }
    let half = AttemptText.foldedLimit / 2
    return lines.prefix(half) + ["…"] + lines.suffix(half)
  }

  private func line(of range: ClosedRange<Int>) -> String {
    let (first, last) = (attempts[range.lowerBound], attempts[range.upperBound])
    let label = first.number == last.number ? "attempt \(first.number)" : "attempts \(first.number)–\(last.number)"
    let start = roundedDurationText(first.start.duration(since: attempts[0].start))
    let time = range.count == 1 ? "at \(start), in \(roundedDurationText(first.duration))" : "from \(start)"
    return "\(label) (\(time)): \(result(of: first))"
  }

  private func result(of attempt: AttemptReport) -> String {
    attempt.reason ?? attempt.status.map { "status \($0)" } ?? "no response"
  }
}
