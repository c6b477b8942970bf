import LibC
import Synchronization

/// Watches by inotify: of the directories of files, since editors replace files.
final class SystemWatches: Sendable {
  private struct State {
    var watches: [String: Int32] = [:]
    var isComplete = true
  }

  let descriptor: Int32
  private let state = Mutex(State())

  init() throws(SystemProblem) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { throw SystemProblem(code: errno) }
  }

  deinit { close(descriptor) }

  /// Indicates whether the system watches everything; it has a limit.
  var isComplete: Bool { state.withLock { $0.isComplete } }

  func watch(files: Set<String>, directories: Set<String>) {
    var wanted = directories
    for file in files {
      wanted.insert(existingDirectory(above: file))
      // That of a link's target.
      if let target = canonicalPath(file) { wanted.insert(existingDirectory(above: target)) }
    }
    state.withLock { state in
      for (path, watch) in state.watches where !wanted.contains(path) {
        inotify_rm_watch(descriptor, watch)
        state.watches[path] = nil
      }
      state.isComplete = true
      let mask =
        IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF
        | IN_MOVE_SELF
      for path in wanted {
        // A directory that was made anew under its name gets a new watch; that of any other is the same.
        let watch = inotify_add_watch(descriptor, path, UInt32(mask))
        if watch < 0 { state.isComplete = false } else { state.watches[path] = watch }
      }
    }
  }

  func discardEvents() {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
