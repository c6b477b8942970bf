/// Masks secrets in bytes that arrive in pieces, wherever these are cut.
///
/// Bytes that may be part of a secret are held back until the next piece or the end.
package struct SecretFilterStream: Sendable {
  private let filter: SecretFilter
  private var pending: [UInt8] = []
  /// The number of bytes of `pending` that belong to a secret whose mask was already returned; 0 if it ends right
  /// before them.
  private var covered: Int?

  init(filter: SecretFilter) {
    self.filter = filter
  }

  /// Takes the next bytes and returns those that are decided, masked.
  package mutating func push(_ chunk: [UInt8]) -> [UInt8] {
    guard !filter.isEmpty else { return chunk }
    pending += chunk
    return release(isComplete: false)
  }

  /// Returns the rest, masked, at the end of input.
  package mutating func finish() -> [UInt8] {
    release(isComplete: true)
  }

  private mutating func release(isComplete: Bool) -> [UInt8] {
    guard !pending.isEmpty else { return [] }
    let findings = pending.withUnsafeBufferPointer { filter.scan($0, isComplete: isComplete) }
    let settled = findings.settled
    var result: [UInt8] = []
    result.reserveCapacity(settled)
    var position = min(covered ?? 0, settled)
    for range in findings.ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound < settled {
      if let covered, range.lowerBound <= covered {
        self.covered = max(covered, range.upperBound)
      } else {
        result += pending[position..<range.lowerBound]
        result += Text.mask.utf8
        covered = range.upperBound
      }
      position = min(covered ?? 0, settled)
    }
    result += pending[position..<settled]
    pending.removeFirst(settled)
    covered = covered.flatMap { $0 < settled ? nil : $0 - settled }
    return result
  }
}
