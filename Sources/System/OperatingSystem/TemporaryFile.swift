import LibC
import Synchronization

/// A temporary file without a name, which is deleted with this object.
package final class TemporaryFile: Sendable {
  private let descriptor: Int32
  private let size = Atomic<Int64>(0)

  /// Nil if none can be created.
  package init?() {
    guard let descriptor = openUnnamed() else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    closeDescriptor(descriptor)
  }

  package var count: Int64 { size.load(ordering: .relaxed) }

  /// False if writing fails.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard writeAll(bytes, to: descriptor) else { return false }
    size.add(Int64(bytes.count), ordering: .relaxed)
    return true
  }

  package func append(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Reads a range of the file, piece by piece; false if that fails.
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

  /// Fills the buffer from an offset of the file; false if that fails.
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

  /// Removes all content.
  package func removeAll() {
    truncate(descriptor)
    size.store(0, ordering: .relaxed)
  }
}

/// An open file whose name is already removed; nil if none can be created.
private func openUnnamed() -> Int32? {
  let directory = environmentSetting("TMPDIR") ?? "/tmp"
  var template = Array("\(directory)/reqrun-XXXXXX".utf8CString)
  let descriptor = mkstemp(&template)
  guard descriptor >= 0 else { return nil }
  unlink(template)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return descriptor
}
