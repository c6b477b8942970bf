import OperatingSystem

/// The files of an archive, and those that are in their place.
struct ExtractedTree {
  /// The target directory for messages.
  let target: String

  /// Throws if an existing file is in the way.
  func check(
    _ new: OpenDirectory, against old: OpenDirectory, _ path: String = "", overwrite: Bool
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

  /// Moves its contents; recursion is as deep as the archive's names.
  func move(_ new: OpenDirectory, to old: OpenDirectory, _ path: String = "") throws(ArchiveError) {
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

  /// Returns whether a directory has nothing that the new one has not. What both have gets the modes and owners there.
  ///
  /// - Parameter staging: the name of an entry that doesn't count.
  func covers(_ old: OpenDirectory, by new: OpenDirectory, besides staging: String? = nil) -> Bool {
    guard let names = try? old.names() else { return false }
    let areCovered = names.allSatisfy { name in
      if name == staging { return true }
      switch (old.kind(of: name), new.kind(of: name)) {
      case (.file, .file):
        new.adoptAttributes(of: name, in: old, for: name)
        return true
      case (.directory, .directory):
        guard let inside = try? old.directory(name), let other = try? new.directory(name) else { return false }
        return covers(inside, by: other)
      default: return false
      }
    }
    if areCovered { new.adoptAttributes(of: old) }
    return areCovered
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
