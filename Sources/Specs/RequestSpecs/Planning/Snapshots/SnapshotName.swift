import Cryptography
import Values

/// The name of a snapshot's file, without the extension: lower-case letters, digits, `_`, `.` and `-`.
package struct SnapshotName: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length in bytes; longer names are cut, and a hash of the whole is added.
  private static let limit = 100

  package let description: String

  /// Makes a name of a title: any other character becomes `-`. Nil if nothing is left.
  package init?(_ text: String) {
    var name = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if SnapshotName.isKept(scalar) {
        name.append(scalar)
      } else if let last = name.last, last != "-" {
        name.append("-")
      }
    }
    // A leading dot would hide the file, and two are the parent directory.
    let ends: Set<Unicode.Scalar> = [".", "-"]
    while let last = name.last, ends.contains(last) { name.removeLast() }
    let kept = String(String.UnicodeScalarView(name.drop { ends.contains($0) }))
    if kept.isEmpty { return nil }
    description = kept.utf8.count > SnapshotName.limit ? SnapshotName.shortened(kept) : kept
  }

  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" || scalar == "." { return true }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  private static func shortened(_ name: String) -> String {
    let hash = hexEncoded(DigestAlgorithm.sha256.digest(of: name).prefix(4))
    var result = ""
    for character in name {
      if result.utf8.count + character.utf8.count > limit - hash.utf8.count - 1 { break }
      result.append(character)
    }
    while result.last == "-" { result.removeLast() }
    return "\(result)-\(hash)"
  }

  /// The name for comparison: a file system may ignore letter case or compose characters.
  private var folded: String { description.uppercased().lowercased() }

  package static func == (left: SnapshotName, right: SnapshotName) -> Bool { left.folded == right.folded }
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// The kind of a snapshot, by its file's extension; a name has one file.
package enum SnapshotKind: String, Sendable, Hashable, CaseIterable {
  case json
  case text = "txt"
  case html, xml
  /// The size and the hash of a body that isn't text.
  case binary

  var isText: Bool { self == .text || self == .html || self == .xml }
}
