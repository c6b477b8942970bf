/// A file that grows until it is whole and takes its place under another name. No other program writes to it meanwhile.
package final class PartFile: Sendable {
  package enum Refusal: Error, Sendable {
    /// Another program, or another part of this one, writes to it.
    case isBusy
    case system(SystemProblem)
  }

  package let path: String
  private let descriptor: Int32

  /// What is there already stays, if it is a file of the user's own.
  package init(at path: String) throws(Refusal) {
    self.path = path
    descriptor = try openPart(path)
  }

  deinit { closeDescriptor(descriptor) }

  /// Lets others write to it.
  package func unlock() { unlockFile(descriptor) }

  package var size: Int64 { fileSize(descriptor) ?? 0 }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemProblem) {
    try writeAll(bytes, to: descriptor, at: offset)
  }

  /// Up to so many bytes; none at the end.
  package func read(upTo count: Int, at offset: Int64) throws(SystemProblem) -> [UInt8] {
    try readPiece(descriptor, upTo: count, at: offset)
  }

  package func cut(to size: Int64) throws(SystemProblem) { try cutFile(descriptor, to: size) }

  /// Takes its place; false if there is something already that it may not replace.
  package func move(to target: String, replaces: Bool) throws(SystemProblem) -> Bool {
    if replaces {
      try moveFile(path, to: target)
      return true
    }
    return try moveFile(path, toUnused: target)
  }

  package func remove() { removeFile(path) }
}
