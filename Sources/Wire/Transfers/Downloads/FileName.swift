import Cryptography
import HTTPSemantics
import OperatingSystem
import Values

/// A safe name for a file in a directory, derived from the name that a server or URL gives it; nil if nothing is left
/// of it.
///
/// It leads to no other directory, hides no file and isn't mistaken for an option, and contains neither control
/// characters nor those that change the direction of the text.
package func safeFileName(_ text: String) -> String? {
  // By scalars: a character may be a slash with combining marks.
  let segments = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
  var scalars = (segments.last ?? "".unicodeScalars[...]).map { isHidden($0) ? "_" : $0 }
  while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
  // Windows removes these at the end.
  while let end = scalars.last, end.properties.isWhitespace || end == "." { scalars.removeLast() }
  guard scalars.contains(where: { $0 != "." && $0 != "_" }) else { return nil }
  if let first = scalars.first, [".", "-"].contains(first) { scalars[0] = "_" }
  var name = String(String.UnicodeScalarView(scalars))
  if isDeviceName(name) { name = "_" + name }
  for suffix in PartPaths.suffixes where name.hasSuffix(suffix) { name += "_" }
  return name.utf8.count > longestFileName ? shortName(for: name) : name
}

/// The file name in the last segment of a URL's path.
package func fileName(of url: HTTPURL) -> String? {
  let segment = url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
  if segment.isEmpty { return nil }
  let name = percentDecoded(segment)
  // A part of it could be that of a secret.
  let isCut = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
  return isCut ? safeFileName(name).map(shortName) : safeFileName(name)
}

/// The maximum in bytes, which leaves room for suffixes of part files: file systems allow 255.
private let longestFileName = 200

/// A name in place of one that is cut. It contains nothing of it, except for an extension of a common type: the name may
/// contain a secret, of which a part would not be masked.
private func shortName(for name: String) -> String {
  let name = "download-\(shortDigest(of: name))\(name[(name.lastIndex(of: ".") ?? name.endIndex)...])"
  return hasCommonMediaType(fileNamed: name) ? name : String(name.prefix { $0 != "." })
}

/// Paths of the part file and its journal, in the target's directory.
struct PartPaths: Sendable, Hashable {
  let part: String
  let journal: String

  static let suffixes = [".reqrun-part", ".reqrun-journal"]

  /// The paths for a file with that name.
  ///
  /// - Parameter mark: distinguishes two that would have the same name.
  init(directory: String, name: String, mark: String? = nil) {
    var stem = name + (mark.map { "-\($0)" } ?? "")
    if stem.utf8.count > longestFileName { stem = shortName(for: stem) }
    let path = joinedPath(directory, stem)
    part = path + PartPaths.suffixes[0]
    journal = path + PartPaths.suffixes[1]
  }
}

/// A digest of a text, of sixteen digits.
func shortDigest(of text: String) -> String {
  String(hexEncoded(DigestAlgorithm.sha256.digest(of: text)).prefix(16))
}

func joinedPath(_ directory: String, _ name: String) -> String {
  directory.hasSuffix("/") ? directory + name : directory + "/" + name
}
