/// Counts what one transfer has moved.
package final class TransferMeter: Sendable {
  /// - Parameter observer: is told how far the transfer is, from any thread; nil where nobody looks.
  package init(name: String, observer: (@Sendable (TransferProgress) -> Void)? = nil) {
    _ = name
    _ = observer
  }

  /// How many bytes there are in all, once that is known.
  package func expect(total: Int64) {}

  /// What an earlier run has moved already: no part of the rate.
  package func resume(at count: Int64) {}

  package func advance(by count: Int) {}

  /// What was moved is moved again.
  package func restart() {}

  package func finish() {}
}

/// How far a transfer is.
package struct TransferProgress: Sendable {
  package let name: String
  package let completedBytes: Int64
  /// Nil where it isn't known.
  package let totalBytes: Int64?
}
