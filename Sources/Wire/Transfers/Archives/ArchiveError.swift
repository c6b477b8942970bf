import OperatingSystem

/// The reason why an archive was not extracted. In that case no file of it remains.
package struct ArchiveError: Error, Sendable, Equatable {
  package enum Kind: Sendable {
    /// The archive isn't a zip archive, or is incomplete or damaged.
    case damaged
    /// The archive needs unsupported features: passwords, other methods of compression, links.
    case unsupported
    /// Its names lead elsewhere, or it expands beyond the limits.
    case unsafe
    /// An existing file is in the way.
    case conflict
    /// The system could not read or write something.
    case system
    case cancelled
  }

  package let kind: Kind
  /// The reason, a clause that begins in lower case; names in it are as in the archive.
  package let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// A failure of the system.
  init(_ problem: SystemProblem, _ subject: String) {
    self.init(.system, "\(subject): \(problem.reason)")
  }

  static func damaged(_ detail: String) -> ArchiveError {
    ArchiveError(.damaged, "the archive is damaged: \(detail)")
  }
}

package struct ExtractionLimits: Sendable {
  package var entries: Int
  /// The total size of all files in bytes.
  package var size: Int64
  /// The limit as a multiple of the archive's own size; archives that expand to less than 64 MiB are exempt.
  package var ratio: Int64

  package init(entries: Int = 100_000, size: Int64 = 64 << 30, ratio: Int64 = 200) {
    self.entries = entries
    self.size = size
    self.ratio = ratio
  }

  /// The size up to which the ratio isn't checked.
  static let harmlessSize: Int64 = 64 << 20
}
