import Digests
import Values

/// What a snapshot's file is called, without the extension: lower-case letters, digits, `_`, `.` and `-`.
package struct SnapshotName: Sendable, Hashable, CustomStringConvertible {
  /// Longer names, in bytes, are cut, and a hash of the whole is added.
  private static let limit = 100

  package let description: String

  /// The name that a text for people comes to: whatever else is in it becomes `-`. Nil where nothing is left.
  package init?(_ text: String) {
    var name = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      if SnapshotName.isKept(scalar) {
        name.append(scalar)
      } else if let last = name.last, last != "-" {
        name.append("-")
      }
    }
    // A leading dot would hide the file, and two are the directory above.
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

  /// Two names are the same file where a file system folds letter case or composes characters.
  private var folded: String { description.uppercased().lowercased() }

  package static func == (left: SnapshotName, right: SnapshotName) -> Bool { left.folded == right.folded }
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// How a snapshot is kept, by its file's extension; a name has one file.
package enum SnapshotKind: String, Sendable, Hashable, CaseIterable {
  case json
  case text = "txt"
  case html, xml
  /// The size and the hash of a body that is no text.
  case binary

  var isText: Bool { self == .text || self == .html || self == .xml }
}
