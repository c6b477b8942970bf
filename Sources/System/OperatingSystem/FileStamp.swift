import LibC

/// The state of a file by which a change is found, or of the files in a directory.
package struct FileStamp: Sendable, Hashable {
  private struct Entry: Hashable {
    let name: String
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  /// Empty if there is nothing.
  private let entries: [Entry]

  package init(of path: String) {
    guard let (own, kind) = FileStamp.entry(path, named: "") else {
      entries = []
      return
    }
    guard kind == S_IFDIR else {
      entries = [own]
      return
    }
    entries = [own] + directoryEntries(path).compactMap { FileStamp.entry("\(path)/\($0)", named: $0)?.entry }
  }

  /// Indicates whether there is nothing at the path.
  package var isMissing: Bool { entries.isEmpty }

  private static func entry(_ path: String, named name: String) -> (entry: Entry, kind: mode_t)? {
    var status = stat()
    guard !hasNUL(path), stat(path, &status) == 0 else { return nil }
    let time = status.writeTime
    return (
      Entry(
        name: name, inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: time.tv_sec,
        nanoseconds: time.tv_nsec), status.st_mode & S_IFMT
    )
  }
}
