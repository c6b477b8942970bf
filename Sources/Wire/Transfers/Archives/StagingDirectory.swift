import OperatingSystem
import Values

/// A temporary directory for an archive's files until all of them are extracted: this process's own, beside the target
/// directory, or in it if it exists.
final class StagingDirectory {
  private let target: String
  private let base: String
  private let isTargetNew: Bool
  /// The parent of the staging directory, and the name in it.
  private let parent: OpenDirectory
  private let name: String
  /// The staging directory, locked while it is in use: an unlocked one was left by a killed process.
  private let holder: OpenDirectory
  /// The directory in it with the files, which everyone may enter, unlike the staging directory.
  private let contents: OpenDirectory
  private static let contentsName = "new"
  /// The directories created, by their paths in the contents.
  private var made: Set<String> = []

  init(for target: String) throws(ArchiveError) {
    var path = target
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    isTargetNew = pathKind(path) == .nothing && !isSymbolicLink(path)
    self.target = path
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let base = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let above = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    self.base = base
    do throws(SystemProblem) {
      let parent = try OpenDirectory(path: isTargetNew ? above : path)
      StagingDirectory.removeLeftovers(of: base, in: parent)
      (name, holder) = try StagingDirectory.make(for: base, in: parent)
      contents = try holder.directory(StagingDirectory.contentsName)
      self.parent = parent
    } catch {
      throw ArchiveError(error, "nothing can be extracted to \(target)")
    }
  }

  deinit { parent.removeAll(name) }

  // MARK: creating

  private static func prefix(_ base: String) -> String { "\(base).unzip-" }

  private static let suffix = ".part"

  private static func make(
    for base: String, in parent: OpenDirectory
  ) throws(SystemProblem) -> (name: String, holder: OpenDirectory) {
    var problem = SystemProblem("a directory of that name keeps coming")
    for _ in 0..<3 {
      let name = prefix(base) + hexadecimal(UInt32.random(in: 0 ... .max), digits: 8) + suffix
      do throws(SystemProblem) {
        try parent.makeDirectory(name, isPrivate: true)
        let holder = try parent.directory(name)
        // Until it is locked, another process may take it for a leftover.
        if holder.lock() {
          try holder.makeDirectory(contentsName)
          return (name, holder)
        }
      } catch {
        parent.removeAll(name)
        problem = error
      }
    }
    throw problem
  }

  /// Removes the staging directories of killed processes.
  private static func removeLeftovers(of base: String, in parent: OpenDirectory) {
    let prefix = prefix(base)
    for name in (try? parent.names()) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard digits.utf8.count == 8, UInt32(digits, radix: 16) != nil, let leftover = try? parent.directory(name),
        leftover.lock()
      else { continue }
      parent.removeAll(name)
    }
  }

  // MARK: filling

  func makeDirectory(_ components: [String]) throws(ArchiveError) {
    var path = ""
    for component in components {
      path += path.isEmpty ? component : "/\(component)"
      guard made.insert(path).inserted else { continue }
      do throws(SystemProblem) {
        try contents.makeDirectory(path)
      } catch {
        throw ArchiveError(error, "the directory \(shownName(path)) cannot be made")
      }
    }
  }

  func makeFile(_ components: [String], isExecutable: Bool) throws(ArchiveError) -> NewFile {
    try makeDirectory(components.dropLast())
    let path = components.joined(separator: "/")
    do throws(SystemProblem) {
      return try contents.makeFile(path, isExecutable: isExecutable)
    } catch {
      throw ArchiveError(error, "the file \(shownName(path)) cannot be made")
    }
  }

  // MARK: committing

  /// Moves the extracted files to the target, after checking the existing files there.
  func commit(overwrite: Bool) throws(ArchiveError) {
    do throws(SystemProblem) {
      if isTargetNew {
        try holder.move(StagingDirectory.contentsName, to: parent, as: base)
        return
      }
    } catch {
      throw ArchiveError(error, "\(target) cannot be made")
    }
    try check(contents, against: parent, "", overwrite: overwrite)
    try move(contents, to: parent, "")
  }

  private func check(
    _ new: OpenDirectory, against old: OpenDirectory, _ path: String, overwrite: Bool
  ) throws(ArchiveError) {
    for name in try names(in: new, path) {
      let isDirectory = new.kind(of: name) == .directory
      let path = path + name
      func refuse(_ why: String) -> ArchiveError {
        ArchiveError(.conflict, "\(shownName(path)) cannot be extracted to \(target): \(why)")
      }
      switch old.kind(of: name) {
      case .nothing: continue
      case .directory where isDirectory:
        try check(opened(name, in: new, path), against: opened(name, in: old, path), path + "/", overwrite: overwrite)
      case .directory: throw refuse("a directory of that name is there")
      case .link: throw refuse("a symbolic link of that name is there")
      case .file where !isDirectory:
        if overwrite && !isSpecName(name) || new.hasSameFile(name, as: old) { continue }
        throw refuse("there is another file of that name already, and nothing is overwritten")
      case .file, .other: throw refuse("there is something else of that name already")
      }
    }
  }

  /// Moves a directory; recursion is as deep as the archive's names.
  private func move(_ new: OpenDirectory, to old: OpenDirectory, _ path: String) throws(ArchiveError) {
    for name in try names(in: new, path) {
      let path = path + name
      if new.kind(of: name) == .directory, old.kind(of: name) == .directory {
        try move(opened(name, in: new, path), to: opened(name, in: old, path), path + "/")
        continue
      }
      do throws(SystemProblem) {
        try new.move(name, to: old, as: name)
      } catch {
        throw ArchiveError(error, "\(shownName(path)) cannot be moved to \(target)")
      }
    }
  }

  private func opened(_ name: String, in directory: OpenDirectory, _ path: String) throws(ArchiveError) -> OpenDirectory
  {
    do throws(SystemProblem) {
      return try directory.directory(name)
    } catch {
      throw ArchiveError(error, "the directory \(shownName(path)) cannot be opened")
    }
  }

  private func names(in directory: OpenDirectory, _ path: String) throws(ArchiveError) -> [String] {
    do throws(SystemProblem) {
      return try directory.names()
    } catch {
      throw ArchiveError(error, "the directory \(shownName(path)) cannot be read")
    }
  }
}
