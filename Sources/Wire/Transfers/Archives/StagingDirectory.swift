import OperatingSystem

/// A temporary directory for an archive's files until all of them are extracted: this process's own, beside the target
/// directory, or in it if it exists.
final class StagingDirectory {
  private let place: ExtractionPlace
  /// The parent of the staging directory, and the name in it.
  private let parent: OpenDirectory
  private let name: String
  /// The staging directory, locked while it is in use: an unlocked one was left by a killed process.
  private let holder: OpenDirectory
  /// The directory in it with the files, which everyone may enter, unlike the staging directory.
  private let contents: OpenDirectory
  /// The directories created, by their paths in the contents.
  private var made: Set<String> = []

  init(for target: String) throws(ArchiveError) {
    place = ExtractionPlace(target)
    do throws(SystemProblem) {
      let lock = try place.lock()
      defer { lock.release() }
      parent = try place.open()
      (name, holder) = try StagingDirectory.make(in: parent, place)
      contents = try holder.directory(ExtractionPlace.contents)
    } catch {
      throw ArchiveError(error, "nothing can be extracted to \(target)")
    }
  }

  deinit { parent.removeAll(name) }

  private static func make(
    in parent: OpenDirectory, _ place: ExtractionPlace
  ) throws(SystemProblem) -> (name: String, holder: OpenDirectory) {
    var problem = SystemProblem("a directory of that name keeps coming")
    for _ in 0..<3 {
      let name = place.newName()
      do throws(SystemProblem) {
        try parent.makeDirectory(name, isPrivate: true)
        let holder = try parent.directory(name)
        // Until it is locked, another process may take it for a leftover.
        if holder.lock() {
          try holder.makeDirectory(ExtractionPlace.contents)
          return (name, holder)
        }
      } catch {
        parent.removeAll(name)
        problem = error
      }
    }
    throw problem
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
  ///
  /// A target without other files is exchanged for the new directory, at one moment. Otherwise the files are moved one
  /// by one; if the process is killed meanwhile, the next extraction to the target moves the others.
  func commit(overwrite: Bool) throws(ArchiveError) {
    let lock: ReplacementLock
    do throws(SystemProblem) {
      lock = try place.lock()
    } catch {
      throw ArchiveError(error, "nothing can be extracted to \(place.target)")
    }
    defer { lock.release() }
    if place.isNew {
      do throws(SystemProblem) {
        return try holder.move(ExtractionPlace.contents, to: parent, as: place.base)
      } catch {
        throw ArchiveError(error, "\(place.target) cannot be made")
      }
    }
    let tree = ExtractedTree(target: place.target)
    try tree.check(contents, against: parent, overwrite: overwrite)
    if isExchanged(tree) { return }
    // From here on a leftover is completed.
    if overwrite { try? holder.move(ExtractionPlace.contents, to: holder, as: ExtractionPlace.checkedContents) }
    try tree.move(contents, to: parent)
  }

  /// Puts the new directory in the place of the old one; false if that has other files, or it can't be.
  private func isExchanged(_ tree: ExtractedTree) -> Bool {
    guard !place.holdsWorkingDirectory, let above = try? OpenDirectory(path: place.above),
      above.holds(parent, as: place.base), tree.covers(parent, by: contents, besides: name),
      (try? parent.move(name, to: above, as: name)) != nil
    else { return false }
    if holder.exchange(ExtractionPlace.contents, with: place.base, in: above) {
      above.removeAll(name)
      return true
    }
    try? above.move(name, to: parent, as: name)
    return false
  }
}
