import Cryptography
import HTTPSemantics

/// The target and the options of a download.
package struct DownloadPlan: Sendable, Hashable {
  package enum Target: Sendable, Hashable {
    /// A file; the directory is an absolute path and exists.
    case file(directory: String, name: String)
    /// A directory; the response determines the name.
    case directory(String)

    package var directory: String {
      switch self {
      case .file(let directory, _), .directory(let directory): directory
      }
    }
  }

  package var target: Target
  /// Indicates whether a later run may resume this download, and this one an earlier download.
  package var resumes = true
  /// Indicates whether an existing file is replaced.
  package var replaces = true
  /// The maximum number of simultaneous connections.
  package var parallel = 1
  /// The maximum size of the file in bytes; nil for 64 GiB, or the disk's free space if that is less.
  package var limit: Int64?
  /// The expected length in bytes.
  package var length: Int64?
  package var sha256: [UInt8]?
  package var md5: [UInt8]?
  /// Indicates whether the body is requested without content coding, which resuming requires: only then are offsets in
  /// it known.
  package var wantsIdentity = true

  package init(target: Target) {
    self.target = target
  }
}

/// Observes the bytes of a download.
package protocol DownloadMeter: Sendable {
  func expect(total: Int64)
  /// Notes the number of bytes stored by an earlier run.
  func resume(at count: Int64)
  func advance(by count: Int)
  /// Notes that all bytes so far were discarded.
  func restart()
}

/// A complete downloaded file.
package struct DownloadedFile: Sendable, Hashable {
  package let path: String
  package let size: Int64
  /// The number of bytes stored by an earlier run.
  package var resumedBytes: Int64 = 0
  /// The number of pieces in which the rest was received, several at a time; 1 for a single one.
  package var pieces = 1
  /// The reason why the part stored by an earlier run could not be used.
  package var restartReason: String?
  /// Indicates whether another request of the run fetched it.
  package var isShared = false
}

package struct DownloadOutcome: Sendable {
  /// The response; for a resumed download as if it had been received in one exchange.
  package var result: Result<ExchangeResult, ExchangeFailure>
  /// The file; nil if the response was rejected, or doesn't meet the expectations.
  package var file: DownloadedFile?
  /// The differences of the file from what was expected.
  package var differences: [DownloadDifference] = []
  /// Indicates whether the file was examined before it was removed for its differences.
  package var wasExamined = false
}

/// A difference of a file from what was expected.
package enum DownloadDifference: Sendable, Hashable {
  /// The length in bytes. The actual one is the known minimum if the download was ended early for it.
  case length(expected: Int64, actual: Int64)
  case digest(DigestAlgorithm, expected: [UInt8], actual: [UInt8])
}
