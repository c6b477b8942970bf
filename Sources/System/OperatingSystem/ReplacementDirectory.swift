/// A directory of files that is filled beside the one it replaces, and takes its place once it is complete.
///
/// Leftovers of a killed process are removed by the next one.
package final class ReplacementDirectory: Sendable {
  package enum Refusal: Error, Sendable {
    /// Another run, or another part of this one, is filling it.
    case isBusy
    /// The existing file of that name isn't a directory.
    case isNoDirectory
    /// The existing directory contains something that must not be replaced.
    case holds(String)
    case system(SystemProblem)
  }

  /// The directory to fill.
  package let directory: OpenDirectory
  private let parent: OpenDirectory
  private let name: String
  private let isReplaceable: @Sendable (String) -> Bool

  private var partName: String { ".\(name).part" }
  private var oldName: String { ".\(name).old" }

  /// - Parameters:
  ///   - parent: the path of an existing directory.
  ///   - isReplaceable: whether a directory that contains a file of that name may be replaced.
  package init(
    _ name: String, in parent: String, isReplaceable: @escaping @Sendable (String) -> Bool
  ) throws(Refusal) {
    self.name = name
    self.isReplaceable = isReplaceable
    do throws(SystemProblem) {
      self.parent = try OpenDirectory(path: parent)
    } catch {
      throw .system(error)
    }
    try ReplacementDirectory.check(name, in: self.parent, isReplaceable)
    directory = try ReplacementDirectory.openPart(".\(name).part", in: self.parent)
    do throws(SystemProblem) {
      for leftover in try directory.names() { directory.removeAll(leftover) }
    } catch {
      discard()
      throw .system(error)
    }
  }

  private static func openPart(_ name: String, in parent: OpenDirectory) throws(Refusal) -> OpenDirectory {
    // Another process that fills it may move it away between two of these steps.
    var problem = SystemProblem("it comes and goes")
    for _ in 0..<8 {
      do throws(SystemProblem) {
        if parent.kind(of: name) == .nothing { try parent.makeDirectory(name) }
        let directory = try parent.directory(name)
        let isOwn = directory.lock()
        guard parent.holds(directory, as: name) else { continue }
        if isOwn { return directory }
      } catch {
        problem = error
        continue
      }
      throw .isBusy
    }
    throw .system(problem)
  }

  /// Throws unless the name is free, or a directory that contains only replaceable files.
  private static func check(
    _ name: String, in parent: OpenDirectory, _ isReplaceable: (String) -> Bool
  ) throws(Refusal) {
    switch parent.kind(of: name) {
    case .nothing: return
    case .directory: break
    case .file, .link, .other: throw .isNoDirectory
    }
    let kept: [String]
    do throws(SystemProblem) {
      let old = try parent.directory(name)
      kept = try old.names().filter { !isReplaceable($0) || old.kind(of: $0) != .file }
    } catch {
      throw .system(error)
    }
    if let first = kept.min() { throw .holds(first) }
  }

  /// Replaces the old directory, if there is one, which is removed.
  package func commit() throws(Refusal) {
    try ReplacementDirectory.check(oldName, in: parent, isReplaceable)
    parent.removeAll(oldName)
    try ReplacementDirectory.check(name, in: parent, isReplaceable)
    let replaces = parent.kind(of: name) == .directory
    do throws(SystemProblem) {
      if replaces {
        directory.adoptAttributes(of: try parent.directory(name))
        if parent.exchange(partName, with: name, in: parent) { return parent.removeAll(partName) }
        try parent.move(name, to: parent, as: oldName)
      }
      do throws(SystemProblem) {
        try parent.move(partName, to: parent, as: name)
      } catch {
        if replaces { try? parent.move(oldName, to: parent, as: name) }
        throw error
      }
    } catch {
      throw .system(error)
    }
    if replaces { parent.removeAll(oldName) }
  }

  /// Removes the new directory; does nothing after ``commit()``.
  package func discard() {
    if parent.holds(directory, as: partName) { parent.removeAll(partName) }
  }
}
