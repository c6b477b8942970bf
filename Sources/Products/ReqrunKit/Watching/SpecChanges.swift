import OperatingSystem

/// The changes of specs, and of the files that they use.
package final class SpecChanges: Sendable {
  /// The time without another change after which a change is complete: editors write in several steps.
  private static let quietTime = Duration.milliseconds(25)
  /// The time after which changes that don't end are not waited for.
  private static let longestDelay = Duration.milliseconds(100)

  /// The files that are used; those who read files have to note them there.
  package let used = UsedFiles()
  private let options: RunOptions
  private let watcher: FileWatcher

  package init(_ options: RunOptions) throws(WatchProblem) {
    self.options = options
    do throws(SystemProblem) {
      watcher = try FileWatcher()
    } catch {
      throw WatchProblem(message: "files cannot be watched: \(error.reason)")
    }
  }

  /// Ends all waits.
  package func stop() { watcher.stop() }

  /// The specs that the arguments name now: paths for people by canonical paths.
  package func specFiles() -> [String: String] { loader().specs }

  private func loader() -> (specs: [String: String], directories: Set<String>) {
    var loader = SpecLoader(options)
    let paths = loader.paths(of: options.specs).map { (canonicalPath($0.path) ?? $0.path, $0.path) }
    return (Dictionary(paths, uniquingKeysWith: { first, _ in first }), loader.visitedDirectories)
  }

  /// Waits for changes: those of used files, none for new or removed specs; nil if the watch ends.
  package func next(known: [String: String]) async -> Set<String>? {
    await withCheckedContinuation { continuation in
      let isStarted = startThread { [self] in continuation.resume(returning: change(known: known)) }
      if !isStarted { continuation.resume(returning: nil) }
    }
  }

  private func change(known: [String: String]) -> Set<String>? {
    while true {
      let (specs, directories) = loader()
      watcher.watch(files: used.all.union(known.keys), directories: directories)
      // It may have happened before it was watched.
      var changed = used.changed
      if !changed.isEmpty || Set(specs.keys) != Set(known.keys) {
        guard settle() else { return nil }
        changed = used.changed
        return changed
      }
      if case .stopped = watcher.wait() { return nil }
      guard settle() else { return nil }
    }
  }

  /// Waits until nothing changes any more, at most for a tenth of a second; false if the watch ends.
  private func settle() -> Bool {
    let start = ContinuousClock.now
    while .now - start < SpecChanges.longestDelay {
      switch watcher.wait(atMost: SpecChanges.quietTime) {
      case .stopped: return false
      case .change: continue
      case .quiet:
        // A file that is gone may be on its way to be replaced.
        if !used.changed.contains(where: { FileStamp(of: $0).isMissing }) { return true }
      }
    }
    return true
  }
}

/// The reason why files can't be watched.
package struct WatchProblem: Error {
  package let message: String
}
