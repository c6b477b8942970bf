import LibC

/// A file that is written beside the one it replaces, and takes its place, mode and owner once it is whole.
package final class ReplacementFile {
  /// Where it will be; nil where what is written goes there at once.
  private let target: String?
  private let temporary: String
  private let descriptor: Int32
  private var problem: SystemProblem?
  private var isInPlace = false

  /// - Parameters:
  ///   - isPrivate: whether only its owner may read it, unless others could read the file that it replaces.
  ///   - isNamedByUser: whether a user chose the path: then links are followed, and pipes and devices written to as
  ///     they are. Elsewhere both are refused.
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
      temporary = "\(path).\(processIdentifier).part"
      // One that a process of the same number left, or a link that someone put there.
      removeFile(temporary)
      descriptor = try openNew(temporary, mode: old?.accessMode ?? (isPrivate ? 0o600 : 0o666))
      if let old { adopt(old, descriptor) }
    }
  }

  /// What a file was to be called that has the name of one not yet whole.
  package static func finalName(of name: String) -> Substring? {
    guard name.hasSuffix(".part") else { return nil }
    let rest = name.dropLast(5)
    guard let dot = rest.lastIndex(of: "."), Int32(rest[rest.index(after: dot)...]) != nil else { return nil }
    return rest[..<dot]
  }

  /// Tells before there is anything to write whether a file can be put at a path that a user chose, and makes the
  /// directory for it. Of what is no regular file only writing tells.
  package static func prepare(_ path: String) throws(SystemProblem) {
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
      try makeDirectories(String(path[..<slash]))
    }
    guard case .file = try WritePlace(following: path) else { return }
    _ = try ReplacementFile(of: path, isNamedByUser: true)
  }

  deinit {
    closeDescriptor(descriptor)
    if target != nil, !isInPlace { removeFile(temporary) }
  }

  package func write(_ bytes: [UInt8]) {
    if problem == nil, !bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) { problem = .ofWriting() }
  }

  /// Takes the place of the old file, unless something could not be written.
  package func commit() throws(SystemProblem) {
    if let problem { throw problem }
    if let target { try moveFile(temporary, to: target) }
    isInPlace = true
  }
}

/// Whether what is written to a path goes to the program's standard output.
package func isStandardOutput(_ path: String) -> Bool {
  if case .descriptor(1)? = try? WritePlace(following: path) { true } else { false }
}

/// The path, without links, of the file that is written where a path may be a link, if only to where nothing is yet; nil
/// where that is no regular file.
package func pathBehindLinks(_ path: String) -> String? {
  if case .file(let place, _)? = try? WritePlace(following: path) { place } else { nil }
}

/// Where a file that is written goes.
private enum WritePlace {
  /// What the user has opened for the program, such as `/dev/stdout`.
  case descriptor(Int32)
  /// A pipe or a device.
  case special(String)
  /// A regular file, and what there is of it.
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

private func openNew(_ path: String, mode: mode_t) throws(SystemProblem) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  return descriptor
}

/// Opens a pipe or a device to write to; a pipe that nobody reads gets a second for someone to come.
private func openSpecial(_ path: String) throws(SystemProblem) -> Int32 {
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
/// What the group may do is only taken over with the group.
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
  /// Of a write that failed just now.
  fileprivate static func ofWriting() -> SystemProblem {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: SystemProblem("the disk takes no more")
    case EAGAIN: SystemProblem("its reader takes no more")
    default: SystemProblem(code: errno)
    }
  }
}
