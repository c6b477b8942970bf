import HTTPSemantics
import Transfers
import Values

/// Statistics of an upload for its report.
struct UploadStatistics {
  private let size: Int64
  private let registry: SecretRegistry
  /// Indicates whether a line for each segment is needed.
  private let keepsLines: Bool
  private var lines: [Int64: Line] = [:]
  private var acceptedCount = 0
  private var repeatedCount = 0
  var sentBytes: Int64 = 0
  /// The number of bytes that an earlier run has sent.
  var resumedBytes: Int64 = 0
  /// Indicates whether the bytes of an earlier run were useless.
  private(set) var isBegunAnew = false

  private struct Line {
    var range: Range<Int64>
    var attempts: [String] = []
    var time = Duration.zero
  }

  init(size: Int64, registry: SecretRegistry, keepsLines: Bool) {
    self.size = size
    self.registry = registry
    self.keepsLines = keepsLines
  }

  var begunAnew: UploadStatistics {
    var account = UploadStatistics(size: size, registry: registry, keepsLines: keepsLines)
    account.isBegunAnew = true
    return account
  }

  mutating func note(_ segment: FileSegment, _ result: ExchangeResult, _ decision: SegmentOutcome, _ time: Duration) {
    switch decision {
    case .accepted, .acceptedUpTo: acceptedCount += 1
    case .later, .refused: break
    }
    note(segment, "\(result.head.status)", time)
  }

  mutating func note(_ segment: FileSegment, _ failure: ExchangeFailure, _ time: Duration) {
    if keepsLines { registry.add(secretsOfRedirects: failure.hops) }
    note(segment, failure.error.message, time)
  }

  private mutating func note(_ segment: FileSegment, _ attempt: String, _ time: Duration) {
    if segment.attempts > 1 { repeatedCount += 1 }
    guard keepsLines else { return }
    var line = lines[segment.range.lowerBound] ?? Line(range: segment.range)
    line.attempts.append(registry.masked(attempt))
    line.time += time
    lines[segment.range.lowerBound] = line
  }

  // MARK: wording

  /// The position of a segment in the file, and the number of its attempts.
  func placeText(_ segment: FileSegment) -> String {
    let times = segment.attempts > 1 ? ", sent \(segment.attempts) times" : ""
    return "\(rangeText(segment.range))\(times)"
  }

  private func rangeText(_ range: Range<Int64>) -> String {
    range.isEmpty ? "an empty file" : "bytes \(range.lowerBound)-\(range.upperBound - 1) of \(size)"
  }

  /// A note on what the next run will do; nil if it starts over, like any.
  func restText(isKept: Bool) -> String? {
    let done = sentBytes + resumedBytes
    guard isKept, done > 0 else { return nil }
    return "\(amountText(done)) are sent: the next run goes on from there"
  }

  private func amountText(_ count: Int64) -> String {
    let whole = byteCountText(size)
    return size < 1024 ? "\(count) of \(whole)" : "\(byteCountText(count)) of \(whole)"
  }

  func report(journalProblem: String?) -> TransferReport {
    let isAll = sentBytes + resumedBytes >= size
    let count = counted(acceptedCount, "segment")
    var parts = ["\(isAll ? byteCountText(sentBytes) : amountText(sentBytes)) in \(count)"]
    if acceptedCount == 0 { parts = ["nothing was accepted"] }
    if resumedBytes > 0 { parts.append("\(byteCountText(resumedBytes)) sent before") }
    if repeatedCount > 0 { parts.append("\(repeatedCount) sent again") }
    var report = TransferReport(summary: parts.joined(separator: ", "))
    report.details = lines.values.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { line in
      let times = line.attempts.count > 1 ? "\(line.attempts.count) attempts: " : ""
      return "* \(rangeText(line.range)): \(times)\(line.attempts.joined(separator: ", then "))"
    }
    if isBegunAnew { report.details.append("* the server knew nothing of what was sent before: it was sent anew") }
    if let journalProblem {
      report.details.append("* if this is cut short, the next run begins anew: \(registry.masked(journalProblem))")
    }
    return report
  }
}
