import SpecExecution

/// How far a transfer of a run is: the sending of a body or of a file, the receiving of a response or of its parts.
public struct RunTransfer: Sendable, Identifiable {
  /// Which way the bytes go.
  public enum Direction: Sendable {
    case upload, download
  }

  /// The same for all that is told of one transfer.
  public let id: Int
  /// The request's name; secrets in it are masked.
  public let name: String
  /// Of a download that sends a body as well, that of the response.
  public let direction: Direction
  /// What an earlier run has moved, too; fewer than before where a request is sent anew.
  public let completedBytes: Int64
  /// Nil where the length is not known.
  public let totalBytes: Int64?
  /// A mean of the last seconds, without what an earlier run has moved; nil where that is too early to tell.
  public let bytesPerSecond: Double?
  /// Nil where the length or the rate is not known.
  public let timeLeft: Duration?
  /// Whether it is over, well or not: nothing is told of it after that.
  public let isFinished: Bool

  package init(
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
