import OperatingSystem
import Values

/// The place to which an archive is extracted, and the names of temporary directories there.
struct ExtractionPlace {
  /// The path of the target as it was given.
  let target: String
  let isNew: Bool
  /// Its path, without links if it exists; the directory that contains it, and its name there.
  private let path: String
  let above: String
  let base: String

  /// The files in a staging directory, and their name once they may be moved to the target.
  static let contents = "new"
  static let checkedContents = "checked"

  init(_ target: String) {
    var path = target
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    self.target = path
    isNew = pathKind(path) == .nothing && !isSymbolicLink(path)
    if !isNew { path = canonicalPath(path) ?? path }
    self.path = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    base = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    above = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Keeps other processes from extracting to the target, or from preparing that.
  func lock() throws(SystemProblem) -> ReplacementLock { try ReplacementLock(of: "\(above)/\(newName())") }

  /// Indicates whether the process, and so whoever started it, is in the target: there it must stay the same directory.
  var holdsWorkingDirectory: Bool { "\(canonicalPath(".") ?? path)/".hasPrefix("\(path)/") }

  func newName() -> String { prefix + hexadecimal(UInt32.random(in: 0 ... .max), digits: 8) + suffix }

  private var prefix: String { "\(base).unzip-" }
  private var suffix: String { ".part" }

  /// Opens the directory for the staging directory, and removes those of killed processes.
  func open() throws(SystemProblem) -> OpenDirectory {
    if isNew {
      let parent = try OpenDirectory(path: above)
      removeLeftovers(in: parent)
      return parent
    }
    if let parent = try? OpenDirectory(path: above) { removeLeftovers(in: parent) }
    let old = try OpenDirectory(path: path)
    removeLeftovers(in: old, of: old)
    return old
  }

  /// - Parameter target: gets the files that were being moved to it; nil for none.
  private func removeLeftovers(in parent: OpenDirectory, of target: OpenDirectory? = nil) {
    for name in (try? parent.names()) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard digits.utf8.count == 8, UInt32(digits, radix: 16) != nil, let leftover = try? parent.directory(name),
        leftover.lock()
      else { continue }
      // One that came with an archive or a repository is not private.
      if let target, leftover.isPrivate, let rest = try? leftover.directory(ExtractionPlace.checkedContents) {
        complete(target, with: rest)
      }
      parent.removeAll(name)
    }
  }

  private func complete(_ old: OpenDirectory, with rest: OpenDirectory) {
    let tree = ExtractedTree(target: target)
    do throws(ArchiveError) {
      try tree.check(rest, against: old, overwrite: true)
      try tree.move(rest, to: old)
    } catch {
      // Something else is there by now: it stays.
    }
  }
}
