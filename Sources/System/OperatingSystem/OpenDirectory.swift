import LibC

/// An open directory: names are resolved relative to it, so that no link created meanwhile leads elsewhere.
package final class OpenDirectory: Sendable {
  private let descriptor: Int32

  /// - Parameter path: may itself lead through links.
  package init(path: String) throws(SystemProblem) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { throw SystemProblem(code: errno) }
  }

  private init(_ name: String, in parent: borrowing OpenDirectory) throws(SystemProblem) {
    descriptor = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0 { throw SystemProblem(code: errno) }
  }

  deinit { close(descriptor) }

  /// A subdirectory, which must not be a link.
  package func directory(_ name: String) throws(SystemProblem) -> OpenDirectory {
    try OpenDirectory(name, in: self)
  }

  package func kind(of name: String) -> EntryKind {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .nothing }
    return EntryKind(status)
  }

  /// Creates a directory; fails if the name exists.
  package func makeDirectory(_ name: String, isPrivate: Bool = false) throws(SystemProblem) {
    if mkdirat(descriptor, name, isPrivate ? 0o700 : 0o777) != 0 { throw SystemProblem(code: errno) }
  }

  /// Creates a file; fails if the name exists, even as a link.
  package func makeFile(_ name: String, isExecutable: Bool = false) throws(SystemProblem) -> NewFile {
    let file = openat(
      descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isExecutable ? 0o777 : 0o666)
    if file < 0 { throw SystemProblem(code: errno) }
    return NewFile(descriptor: file)
  }

  /// Moves an entry to another directory. A file or link of the new name is replaced; the file's mode and owner stay.
  package func move(_ name: String, to directory: OpenDirectory, as newName: String) throws(SystemProblem) {
    adoptAttributes(of: newName, in: directory, for: name)
    if renameat(descriptor, name, directory.descriptor, newName) != 0 { throw SystemProblem(code: errno) }
  }

  /// Exchanges two entries, at one moment for everyone; false if the file system can't.
  package func exchange(_ name: String, with other: String, in directory: OpenDirectory) -> Bool {
    OperatingSystem.exchange((descriptor, name), (directory.descriptor, other))
  }

  /// Gives an entry the mode and the owner of a file in another directory, if there is one.
  package func adoptAttributes(of other: String, in directory: OpenDirectory, for name: String) {
    var old = stat()
    guard fstatat(directory.descriptor, other, &old, AT_SYMLINK_NOFOLLOW) == 0, old.st_mode & S_IFMT == S_IFREG else {
      return
    }
    let new = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard new >= 0 else { return }
    adopt(old, new)
    close(new)
  }

  /// The names in it, without `.` and `..`, unordered.
  package func names() throws(SystemProblem) -> [String] {
    // A new descriptor, since reading moves its position.
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let code = errno
      if copy >= 0 { close(copy) }
      throw SystemProblem(code: code)
    }
    defer { closedir(stream) }
    return entryNames { readdir(stream) }
  }

  /// Returns whether a file in it has the same bytes as the one of that name in another directory.
  package func hasSameFile(_ name: String, as other: OpenDirectory) -> Bool {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let (own, others) = (openat(descriptor, name, flags), openat(other.descriptor, name, flags))
    defer {
      if own >= 0 { close(own) }
      if others >= 0 { close(others) }
    }
    guard own >= 0, others >= 0, let size = OperatingSystem.fileSize(own), size == OperatingSystem.fileSize(others)
    else {
      return false
    }
    var offset: Int64 = 0
    while offset < size {
      guard let piece = try? readPiece(own, upTo: 65_536, at: offset), !piece.isEmpty,
        piece == (try? readPiece(others, upTo: 65_536, at: offset))
      else { return false }
      offset += Int64(piece.count)
    }
    return true
  }

  /// Takes the mode and the owner of another directory.
  package func adoptAttributes(of other: OpenDirectory) {
    var old = stat()
    if fstat(other.descriptor, &old) == 0 { adopt(old, descriptor) }
  }

  /// Returns whether the directory is the user's own and could be locked against other callers; closing it releases the
  /// lock.
  package func lock() -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return false }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Indicates whether only its owner may enter it.
  package var isPrivate: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0
  }

  /// Returns whether that name still refers to a directory that was opened by it.
  package func holds(_ directory: OpenDirectory, as name: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(directory.descriptor, &opened) == 0
      && fstatat(descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Removes a file, a link, or a directory with all its contents, as far as possible.
  ///
  /// - Parameter depth: the maximum depth of directories.
  package func removeAll(_ name: String, depth: Int = 128) {
    guard unlinkat(descriptor, name, 0) != 0, depth > 0, kind(of: name) == .directory else { return }
    if let directory = try? directory(name), let names = try? directory.names() {
      for name in names { directory.removeAll(name, depth: depth - 1) }
    }
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}

/// A new file while it is written.
package struct NewFile: ~Copyable {
  private let descriptor: Int32

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemProblem) {
    if !writeAll(bytes, to: descriptor) { throw SystemProblem(code: errno) }
  }

  /// Closes the file; some write errors are reported only now.
  package consuming func finish() throws(SystemProblem) {
    let descriptor = descriptor
    discard self
    if close(descriptor) != 0, errno != EINTR { throw SystemProblem(code: errno) }
  }
}
