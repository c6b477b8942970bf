import LibC

/// A file that is written beside the one it replaces, and takes its place, mode and owner once it is complete.
package final class ReplacementFile {
  /// The final path; nil if bytes are written there directly.
  private let target: String?
  private let temporary: String
  private let descriptor: Int32
  private var problem: SystemProblem?
  private var isInPlace = false

  /// - Parameters:
  ///   - isPrivate: whether only its owner may read it, unless others could read the file that it replaces.
  ///   - isNamedByUser: whether a user chose the path: then links are followed, and pipes and devices written to
  /// directly. Otherwise both are rejected.
  package init(of path: String, isPrivate: Bool = false, isNamedByUser: Bool = false) throws(SystemProblem) {
    let place = try isNamedByUser ? WritePlace(following: path) : WritePlace(regular: path)
    switch place {
    case .descriptor(let number):
      (target, temporary) = (nil, "")
      descriptor = try duplicate(number)
    case .special(let path):
      (target, temporary) = (nil, "")
      descriptor = try openSpecial(path)
    case .file(let path, let old):
      target = path
      (temporary, descriptor) = try openNew(beside: path, mode: old?.accessMode ?? (isPrivate ? 0o600 : 0o666))
      if let old { adopt(old, descriptor) }
    }
  }

  /// The final name of a file that has the name of an incomplete one.
  package static func finalName(of name: String) -> Substring? {
    guard name.hasSuffix(".part") else { return nil }
    let rest = name.dropLast(5)
    guard let dot = rest.lastIndex(of: "."), Int32(rest[rest.index(after: dot)...]) != nil else { return nil }
    return rest[..<dot]
  }

  /// Checks, before there is anything to write, whether a file can be stored at a path that a user chose, and creates
  /// its directory. Pipes and devices are checked only when written.
  package static func prepare(_ path: String) throws(SystemProblem) {
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
      try makeDirectories(String(path[..<slash]))
    }
    switch try WritePlace(following: path) {
    case .descriptor(let number):
      // Descriptors of the program itself are closed for others; a user's was left open for it.
      let flags = fcntl(number, F_GETFD)
      if number > 2, flags < 0 || flags & FD_CLOEXEC != 0 { throw SystemProblem(code: EBADF) }
    case .special: break
    case .file: _ = try ReplacementFile(of: path, isNamedByUser: true)
    }
  }

  deinit {
    closeDescriptor(descriptor)
    if target != nil, !isInPlace { removeFile(temporary) }
  }

  package func write(_ bytes: [UInt8]) {
    if problem == nil, !bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) { problem = .ofWriting() }
  }

  /// Replaces the old file, unless something could not be written.
  package func commit() throws(SystemProblem) {
    if let problem { throw problem }
    if let target { try moveFile(temporary, to: target) }
    isInPlace = true
  }
}

/// Returns whether a path is the program's standard output.
package func isStandardOutput(_ path: String) -> Bool {
  if case .descriptor(1)? = try? WritePlace(following: path) { true } else { false }
}

/// The path of the file itself behind any links, even if it doesn't exist yet; nil if it isn't a regular file.
package func pathBehindLinks(_ path: String) -> String? {
  if case .file(let place, _)? = try? WritePlace(following: path) { place } else { nil }
}

/// The destination of a file.
enum WritePlace {
  /// A descriptor that the user passed to the program, such as `/dev/stdout`.
  case descriptor(Int32)
  /// A pipe or a device.
  case special(String)
  /// A regular file, and its status if it exists.
  case file(String, stat?)

  init(regular path: String) throws(SystemProblem) {
    if hasNUL(path) { throw .nulInPath }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      self = .file(path, nil)
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemProblem("there is something else in its place") }
    self = .file(path, status)
  }

  init(following path: String) throws(SystemProblem) {
    if hasNUL(path) { throw .nulInPath }
    var path = path
    for _ in 0..<40 {
      if let number = ownDescriptor(path) {
        self = .descriptor(number)
        return
      }
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      if ["", ".", ".."].contains(name) { throw SystemProblem("it is a directory") }
      guard let folder = canonicalPath(folder) else { throw SystemProblem(code: errno) }
      let place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      if let number = ownDescriptor(place) {
        self = .descriptor(number)
        return
      }
      var status = stat()
      guard lstat(place, &status) == 0 else {
        if errno != ENOENT { throw SystemProblem(code: errno) }
        self = .file(place, nil)
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file(place, status)
      case S_IFDIR: throw SystemProblem("it is a directory")
      case S_IFLNK:
        guard let target = linkTarget(place) else { throw SystemProblem(code: errno) }
        path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        continue
      default: self = .special(place)
      }
      return
    }
    throw SystemProblem(code: ELOOP)
  }
}

extension stat {
  fileprivate var accessMode: mode_t { st_mode & 0o777 }
}

/// Creates a file with a name that no other process uses: those of several machines may share the directory.
private func openNew(
  beside path: String, mode: mode_t
) throws(SystemProblem) -> (name: String, descriptor: Int32) {
  for _ in 0..<100 {
    let name = "\(path).\(Int32.random(in: 0...(.max))).part"
    let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if descriptor >= 0 { return (name, descriptor) }
    if errno != EEXIST { throw SystemProblem(code: errno) }
  }
  throw SystemProblem(code: EEXIST)
}

/// Opens a pipe or a device for writing; waits up to a second for a reader of the pipe.
func openSpecial(_ path: String) throws(SystemProblem) -> Int32 {
  for _ in 0..<50 {
    let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if descriptor >= 0 { return descriptor }
    guard errno == ENXIO else { throw SystemProblem(code: errno) }
    usleep(20_000)
  }
  throw SystemProblem("nobody reads from it")
}

/// Gives a new file, through its descriptor, the owner and mode of the one that it replaces.
///
/// The group's permissions are only adopted together with the group.
func adopt(_ old: stat, _ descriptor: Int32) {
  var new = stat()
  guard fstat(descriptor, &new) == 0 else { return }
  if new.st_uid != old.st_uid || new.st_gid != old.st_gid, fchown(descriptor, old.st_uid, old.st_gid) != 0,
    new.st_gid != old.st_gid
  {
    _ = fchown(descriptor, uid_t.max, old.st_gid)
  }
  guard fstat(descriptor, &new) == 0 else { return }
  var mode = old.st_mode & 0o777
  if new.st_gid != old.st_gid { mode &= 0o707 | (mode & 0o007) << 3 }
  if new.st_mode & 0o777 != mode { _ = fchmod(descriptor, mode) }
}

extension SystemProblem {
  /// The problem of a write that has just failed.
  static func ofWriting() -> SystemProblem {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: SystemProblem("the disk takes no more")
    case EAGAIN: SystemProblem("its reader takes no more")
    default: SystemProblem(code: errno)
    }
  }
}
