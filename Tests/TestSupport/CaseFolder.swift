import Foundation

/// A case of the end-to-end tests: a folder with what the program gets and what it is to do.
///
/// Some of its files are about the case; all others are copied into the folder the program runs in.
///
/// | file | meaning |
/// | --- | --- |
/// | `arguments` | one per line; `{{name}}` stands for an address or a path |
/// | `environment` | `NAME=value` per line, with the same placeholders; nothing else is in the environment |
/// | `limits` | `cpu SECONDS`, `memory MEGABYTES`, `stack KILOBYTES`, `file MEGABYTES` |
/// | `fault` | the script of a ``FaultServer``, whose address is `{{fault}}` |
/// | `other-fault` | that of a second one, `{{other}}`; the first one's script may name it |
/// | `transports` | one per line: the case is run once with each, as `--transport` |
/// | `requests`, `other-requests` | what the fault servers got; none means that it isn't looked at |
/// | `stdout`, `stderr` | what it writes; none means nothing |
/// | `exit-code` | none means 0 |
/// | `expected/…` | files it writes |
package struct CaseFolder: Sendable, CustomStringConvertible {
  /// `area/name`
  package let name: String
  package let path: String
  /// The transport that it is run with; nil is the program's own choice.
  package let transport: String?

  package var description: String { transport.map { "\(name) (\($0))" } ?? name }

  package init(name: String, path: String, transport: String? = nil) {
    self.name = name
    self.path = path
    self.transport = transport
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
      folders("\(root)/\(area)").flatMap { name in
        CaseFolder(name: "\(area)/\(name)", path: "\(root)/\(area)/\(name)").variants
      }
    }
  }

  /// One for each of its transports.
  private var variants: [CaseFolder] {
    let transports = (try? lines("transports")) ?? []
    #if os(Linux)
      if transports.isEmpty { return [self] }
      let usable = transports
    #else
      // Where `auto` would take URLSession: the golden files are libcurl's, and those of Foundation on Linux, which
      // fails in ways of its own.
      let usable = ["curl"]
    #endif
    return usable.map { CaseFolder(name: name, path: path, transport: $0) }
  }

  private static let ownFiles: Set<String> = [
    "arguments", "environment", "limits", "fault", "other-fault", "transports", "stdout", "stderr", "exit-code",
    "requests", "other-requests", "expected",
  ]

  /// Such as `stdout` or `stdout.urlsession`.
  static func isOwn(_ file: String) -> Bool {
    ownFiles.contains(file) || goldenFiles.contains { file.hasPrefix($0 + ".") }
  }

  static let goldenFiles = ["stdout", "stderr", "exit-code", "requests", "other-requests"]

  /// The text of a golden file: that of this transport, if there is one.
  func golden(_ file: String) throws -> String? {
    if let transport, let text = try text("\(file).\(transport)") { return text }
    return try text(file)
  }

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
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where !CaseFolder.isOwn(name) {
      try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(folder)/\(name)")
    }
  }
}
