import OperatingSystem

/// Why an archive was not extracted, and nothing of it was left.
package struct ArchiveError: Error, Sendable, Equatable {
  package enum Kind: Sendable {
    /// It is no zip archive, or not a whole or a sound one.
    case damaged
    /// It asks for what is not done here: passwords, other methods of compression, links.
    case unsupported
    /// Its names lead elsewhere, or it expands beyond all bounds.
    case unsafe
    /// What is there already stands in its way.
    case conflict
    /// The system could not read or write something.
    case system
    case cancelled
  }

  package let kind: Kind
  /// A clause that begins in lower case; names in it stand as they do in the archive.
  package let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// What the system refused.
  init(_ problem: SystemProblem, _ subject: String) {
    self.init(.system, "\(subject): \(problem.reason)")
  }

  static func damaged(_ detail: String) -> ArchiveError {
    ArchiveError(.damaged, "the archive is damaged: \(detail)")
  }
}

/// What an archive may expand to.
package struct ExtractionLimits: Sendable {
  package var entries: Int
  /// In bytes, of all files together.
  package var size: Int64
  /// How many times the archive's own size; archives that expand to less than 64 MiB are spared.
  package var ratio: Int64

  package init(entries: Int = 100_000, size: Int64 = 64 << 30, ratio: Int64 = 200) {
    self.entries = entries
    self.size = size
    self.ratio = ratio
  }

  /// What no one needs to be kept from: it harms no machine.
  static let harmlessSize: Int64 = 64 << 20
}
