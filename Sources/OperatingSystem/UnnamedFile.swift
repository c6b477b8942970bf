import LibC
import Synchronization

/// A file without a name, gone when it is let go.
package final class UnnamedFile: Sendable {
  private let descriptor: Int32
  private let size = Atomic<Int64>(0)

  /// Nil if there is no room for one.
  package init?() {
    guard let descriptor = openUnnamed() else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    closeDescriptor(descriptor)
  }

  package var count: Int64 { size.load(ordering: .relaxed) }

  /// False if the disk takes no more.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard writeAll(bytes, to: descriptor) else { return false }
    size.add(Int64(bytes.count), ordering: .relaxed)
    return true
  }

  package func append(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Hands out a range of the file, piece by piece; false if it cannot be read.
  package func read(_ range: Range<Int64>, _ body: ([UInt8]) -> Void) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = Int(min(65_536, range.upperBound - position))
      guard let piece = try? readPiece(descriptor, upTo: wanted, at: position), !piece.isEmpty else { return false }
      body(piece)
      position += Int64(piece.count)
    }
    return true
  }

  /// Fills the buffer from a place in the file; false if that cannot be read.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = readBytes(descriptor, into: rest, at: offset + Int64(done))
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  /// Forgets all that was written.
  package func removeAll() {
    truncate(descriptor)
    size.store(0, ordering: .relaxed)
  }
}

/// A file whose name is gone already; nil if there is no room for one.
private func openUnnamed() -> Int32? {
  let directory = environmentSetting("TMPDIR") ?? "/tmp"
  var template = Array("\(directory)/reqrun-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { return nil }
  unlink(template)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}
