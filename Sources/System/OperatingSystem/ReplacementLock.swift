import LibC

/// The right to read a file that other processes change, too, and to replace it.
///
/// It is a lock on the file's directory, of which nothing remains. The system releases it when the process ends, however
/// it ends. Where there are no locks, every process has the right.
package final class ReplacementLock: Sendable {
  private let descriptor: Int32

  /// Waits for the right, but not for ever: its owner may be stopped.
  package init(of path: String) throws(SystemProblem) {
    // A path that ends with a name, and begins with a slash.
    guard let place = pathBehindLinks(path), let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      descriptor = -1
      return
    }
    descriptor = open(String(place[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    for _ in 0..<15_000 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(2000)
    }
    close(descriptor)
    throw SystemProblem("another process has kept its directory locked for 30 s")
  }

  /// Releases it; must be called once.
  package func release() {
    if descriptor >= 0 { close(descriptor) }
  }
}
