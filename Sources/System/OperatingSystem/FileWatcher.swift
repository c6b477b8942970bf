import LibC

/// Waits for changes of files. An event may be that of another file: a ``FileStamp`` decides.
package final class FileWatcher: Sendable {
  package enum Event: Sendable {
    /// Something has happened to the files or near them.
    case change
    /// Nothing has happened in time.
    case quiet
    case stopped
  }

  /// The time between looks at the files, if the system can watch no more.
  private static let pollingInterval = Duration.milliseconds(100)

  private let watches: SystemWatches
  /// A pipe that ends a wait.
  private let stopping: (read: Int32, write: Int32)

  package init() throws(SystemProblem) {
    watches = try SystemWatches()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemProblem(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopping = (ends[0], ends[1])
  }

  deinit {
    close(stopping.read)
    close(stopping.write)
  }

  /// Watches these files, which need not exist, and the entries of these directories; no others any longer.
  package func watch(files: Set<String>, directories: Set<String>) {
    watches.watch(files: files, directories: directories)
  }

  /// Blocks until there is an event; for good without a time.
  package func wait(atMost time: Duration? = nil) -> Event {
    let interval = watches.isComplete ? time : min(time ?? .seconds(3600), FileWatcher.pollingInterval)
    var streams = [
      pollfd(fd: watches.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopping.read, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = interval.map {
      Int32(clamping: $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000)
    }
    let count = poll(&streams, 2, milliseconds ?? -1)
    if streams[1].revents != 0 { return .stopped }
    if streams[0].revents != 0 {
      watches.discardEvents()
      return .change
    }
    if count < 0 { return .quiet }
    // Without watches, time is the only sign.
    return time == interval ? .quiet : .change
  }

  /// Ends all waits, also later ones.
  package func stop() {
    _ = write(stopping.write, [UInt8(0)], 1)
  }
}

/// The nearest directory above a path that exists.
func existingDirectory(above path: String) -> String {
  var path = path
  repeat {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    path = slash == path.startIndex ? "/" : String(path[..<slash])
  } while path != "/" && pathKind(path) != .directory
  return path
}
