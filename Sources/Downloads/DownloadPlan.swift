import Digests
import HTTPMessages
import HTTPSemantics

/// Where a download goes, and on what terms.
package struct DownloadPlan: Sendable, Hashable {
  package enum Target: Sendable, Hashable {
    /// The directory is an absolute path and there.
    case file(directory: String, name: String)
    /// The answer gives the name.
    case directory(String)

    package var directory: String {
      switch self {
      case .file(let directory, _), .directory(let directory): directory
      }
    }
  }

  package var target: Target
  /// Whether a later run may go on where this one ends too early, and this one where an earlier one did.
  package var resumes = true
  /// Whether a file that is there already gives way.
  package var replaces = true
  /// Up to so many connections at a time.
  package var parallel = 1
  /// How large the file may be, in bytes; nil for 64 GiB, or what the disk has room for where that is less.
  package var limit: Int64?
  /// In bytes.
  package var length: Int64?
  package var sha256: [UInt8]?
  package var md5: [UInt8]?
  /// Whether the body is asked for as it is, without content coding: only then places in it can be told.
  package var wantsIdentity = true

  package init(target: Target) {
    self.target = target
  }
}

/// What is told of bytes that come.
package protocol DownloadMeter: Sendable {
  func expect(total: Int64)
  /// What an earlier run has brought already.
  func resume(at count: Int64)
  func advance(by count: Int)
  /// What came is thrown away.
  func restart()
}

/// A file that came whole.
package struct DownloadedFile: Sendable, Hashable {
  package let path: String
  package let size: Int64
  /// What an earlier run had brought.
  package var resumedBytes: Int64 = 0
  /// In how many pieces the rest came, several at a time; 1 where it came in one.
  package var pieces = 1
  /// Why what an earlier run had brought could not be used.
  package var restartReason: String?
  /// Whether another request of the run had fetched it.
  package var isShared = false
}

/// What came of a download.
package struct DownloadOutcome: Sendable {
  /// The answer; of a download that went on where an earlier one ended, as if it had come in one.
  package var result: Result<ExchangeResult, ExchangeFailure>
  /// Nil where there is none: the answer was refused, or is not what was expected.
  package var file: DownloadedFile?
  /// What the file differs in from what was expected of it.
  package var differences: [DownloadDifference] = []
  /// Whether what came could be looked at before it was removed for its differences.
  package var wasExamined = false
}

/// What a file has that was expected otherwise.
package enum DownloadDifference: Sendable, Hashable {
  /// In bytes. The actual one is the least that is known where the download ended early for it.
  case length(expected: Int64, actual: Int64)
  case digest(DigestAlgorithm, expected: [UInt8], actual: [UInt8])
}
