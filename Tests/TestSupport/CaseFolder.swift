import Foundation

/// A case of the end-to-end tests: a folder with what the program gets and what it is to do.
///
/// Some of its files are about the case; all others are copied into the folder the program runs in.
///
/// | file | meaning |
/// | --- | --- |
/// | `arguments` | one per line; `{{name}}` stands for an address or a path |
/// | `environment` | `NAME=value` per line, with the same placeholders; nothing else is in the environment |
/// | `limits` | `cpu SECONDS`, `memory MEGABYTES` |
/// | `fault` | the script of a ``FaultServer``, whose address is `{{fault}}` |
/// | `stdout`, `stderr` | what it writes; none means nothing |
/// | `exit-code` | none means 0 |
/// | `expected/…` | files it writes |
package struct CaseFolder: Sendable, CustomStringConvertible {
  /// `area/name`
  package let name: String
  package let path: String

  package var description: String { name }

  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  /// All cases below a folder of areas, in order of their names.
  package static func all(in root: String) -> [CaseFolder] {
    let files = FileManager.default
    func folders(_ path: String) -> [String] {
      ((try? files.contentsOfDirectory(atPath: path)) ?? []).sorted().filter { name in
        var isDirectory: ObjCBool = false
        return !name.hasPrefix(".") && files.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
          && isDirectory.boolValue
      }
    }
    return folders(root).flatMap { area in
      folders("\(root)/\(area)").map { CaseFolder(name: "\(area)/\($0)", path: "\(root)/\(area)/\($0)") }
    }
  }

  static let ownFiles: Set<String> = [
    "arguments", "environment", "limits", "fault", "stdout", "stderr", "exit-code", "expected",
  ]

  func text(_ file: String) throws -> String? {
    let path = "\(path)/\(file)"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  func lines(_ file: String) throws -> [String] {
    guard var text = try text(file) else { return [] }
    if text.hasSuffix("\n") { text.removeLast() }
    return text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The files below `expected`, by their paths in it.
  func expectedFiles() -> [String] {
    let root = "\(path)/expected"
    return (FileManager.default.subpaths(atPath: root) ?? []).sorted().filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
  }

  /// Copies what the program is to find.
  func copyInputs(to folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where !CaseFolder.ownFiles.contains(name) {
      try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(folder)/\(name)")
    }
  }
}
