import LibC
import Synchronization

/// Watches by kqueue: of the files themselves, and of their directories, since editors replace files.
final class SystemWatches: Sendable {
  private struct State {
    /// The open files, by their paths.
    var watches: [String: (descriptor: Int32, inode: UInt64)] = [:]
    var isComplete = true
  }

  let descriptor: Int32
  private let state = Mutex(State())

  init() throws(SystemProblem) {
    descriptor = kqueue()
    if descriptor < 0 { throw SystemProblem(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    for watch in state.withLock({ $0.watches.values.map(\.descriptor) }) { close(watch) }
    close(descriptor)
  }

  /// Indicates whether the system watches everything; the number of open files is limited.
  var isComplete: Bool { state.withLock { $0.isComplete } }

  func watch(files: Set<String>, directories: Set<String>) {
    var wanted = directories
    for file in files {
      if pathKind(file) != .nothing { wanted.insert(file) }
      wanted.insert(existingDirectory(above: file))
    }
    state.withLock { state in
      state.isComplete = true
      for (path, watch) in state.watches where !wanted.contains(path) || watch.inode != inode(of: path) {
        // Its events go with it.
        close(watch.descriptor)
        state.watches[path] = nil
      }
      for path in wanted where state.watches[path] == nil {
        let file = open(path, O_EVTONLY | O_CLOEXEC)
        guard file >= 0, let inode = inode(of: path) else {
          if file >= 0 { close(file) } else { state.isComplete = false }
          continue
        }
        var change = kevent(
          ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
          fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB | NOTE_LINK), data: 0,
          udata: nil)
        if kevent(descriptor, &change, 1, nil, 0, nil) < 0 {
          close(file)
          state.isComplete = false
        } else {
          state.watches[path] = (file, inode)
        }
      }
    }
  }

  func discardEvents() {
    var events = Array(repeating: kevent(), count: 64)
    var now = timespec()
    while kevent(descriptor, nil, 0, &events, 64, &now) > 0 {}
  }

  private func inode(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
