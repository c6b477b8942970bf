import LibC
import Synchronization

/// A temporary file without a name, which is created with its first bytes and deleted with this object.
package final class TemporaryFile: Sendable {
  private struct State {
    var descriptor: Int32?
    var count: Int64 = 0
    var isBroken = false
  }

  private let directory: String
  private let state = Mutex(State())

  package init(in directory: String = environmentSetting("TMPDIR") ?? "/tmp") {
    self.directory = directory
  }

  deinit {
    state.withLock { if let descriptor = $0.descriptor { closeDescriptor(descriptor) } }
  }

  /// Returns the range of the bytes in the file; nil if it can't be created or written, and from then on.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Range<Int64>? {
    state.withLock { state in
      guard !state.isBroken else { return nil }
      if state.descriptor == nil { state.descriptor = openUnnamed(in: directory) }
      let start = state.count
      guard let descriptor = state.descriptor, (try? writeAll(bytes, to: descriptor, at: start)) != nil else {
        state.isBroken = true
        return nil
      }
      state.count += Int64(bytes.count)
      return start..<state.count
    }
  }

  /// Fills the buffer from an offset of the file; false if that fails.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    guard let descriptor = state.withLock({ $0.descriptor }) else { return false }
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = readBytes(descriptor, into: rest, at: offset + Int64(done))
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  /// A path at which it can be opened as long as this object lives; nil before anything is written.
  package var path: String? { state.withLock { $0.descriptor.map { "/dev/fd/\($0)" } } }

  /// Makes it the standard input of this process, from its beginning, and of a program that replaces it.
  package func becomeStandardInput() -> Bool {
    guard let descriptor = state.withLock({ $0.descriptor }) else { return false }
    return lseek(descriptor, 0, SEEK_SET) == 0 && dup2(descriptor, 0) == 0
  }

  /// Removes all content.
  package func removeAll() {
    state.withLock { state in
      if let descriptor = state.descriptor { truncate(descriptor) }
      state = State(descriptor: state.descriptor)
    }
  }
}

/// An open file whose name is already removed; nil if none can be created.
private func openUnnamed(in directory: String) -> Int32? {
  var template = Array("\(directory)/reqrun-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { return nil }
  unlink(template)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}
