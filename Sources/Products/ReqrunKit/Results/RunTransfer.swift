import SpecExecution

/// The progress of a transfer: a body or a file that is sent, a response or its parts that are received.
public struct RunTransfer: Sendable, Hashable, Identifiable {
  /// The direction of a transfer.
  public enum Direction: Sendable {
    case upload, download
  }

  /// The identity of the transfer in all its progress reports.
  public let id: Int
  /// The request's name; secrets in it are masked.
  public let name: String
  /// The direction; for a download that also sends a body, that of the response.
  public let direction: Direction
  /// The number of bytes, including those of an earlier run; it decreases when a request is sent again.
  public let completedBytes: Int64
  /// The total number of bytes; nil if it is unknown.
  public let totalBytes: Int64?
  /// The mean rate of the last seconds, without bytes of an earlier run; nil if it is too early to say.
  public let bytesPerSecond: Double?
  /// The time left; nil if the length or the rate is unknown.
  public let timeLeft: Duration?
  /// Indicates whether it has ended, successful or not: there are no reports after that.
  public let isFinished: Bool

  /// Creates a progress report.
  public init(
    id: Int, name: String, direction: Direction, completedBytes: Int64, totalBytes: Int64?, bytesPerSecond: Double?,
    timeLeft: Duration?, isFinished: Bool = false
  ) {
    self.id = id
    self.name = name
    self.direction = direction
    self.completedBytes = completedBytes
    self.totalBytes = totalBytes
    self.bytesPerSecond = bytesPerSecond
    self.timeLeft = timeLeft
    self.isFinished = isFinished
  }

  init(_ progress: TransferProgress) {
    let direction: Direction =
      switch progress.direction {
      case .upload: .upload
      case .download: .download
      }
    self.init(
      id: progress.id, name: progress.name, direction: direction, completedBytes: progress.completedBytes,
      totalBytes: progress.totalBytes, bytesPerSecond: progress.bytesPerSecond, timeLeft: progress.timeLeft,
      isFinished: progress.isFinished)
  }
}
