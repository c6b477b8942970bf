import HTTPSemantics
import SpecExecution
import Values

/// The attempts of a request that was sent more than once, each with its time and its reason.
struct AttemptText {
  private static let foldedLimit = 8

  private let attempts: [AttemptReport]
  /// Indicates whether each round of a poll had one attempt.
  private let roundsAreAttempts: Bool

  /// - Parameter report: no lines if it was sent once.
  init(_ report: StepReport) {
    attempts = report.attemptCount > 1 ? report.attempts : []
    roundsAreAttempts = report.attemptCount == report.roundCount
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
    let label = label(first, last)
    let start = roundedDurationText(first.start.duration(since: attempts[0].start))
    let time = range.count == 1 ? "at \(start), in \(roundedDurationText(first.duration))" : "from \(start)"
    return "\(label) (\(time)): \(result(of: first))"
  }

  private func label(_ first: AttemptReport, _ last: AttemptReport) -> String {
    func numbers(_ word: String, _ first: Int, _ last: Int) -> String {
      first == last ? "\(word) \(first)" : "\(word)s \(first)–\(last)"
    }
    let attempt = numbers("attempt", first.number, last.number)
    guard let firstRound = first.round, let lastRound = last.round else { return attempt }
    let round = numbers("round", firstRound, lastRound)
    return roundsAreAttempts ? round : "\(round), \(attempt)"
  }

  private func result(of attempt: AttemptReport) -> String {
    attempt.reason ?? attempt.status.map { "status \($0)" } ?? "no response"
  }
}
