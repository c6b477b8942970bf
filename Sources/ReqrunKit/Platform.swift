#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What stands at a path.
enum PathKind {
  case file, directory, nothing
}

func pathKind(_ path: String) -> PathKind {
  var status = stat()
  guard stat(path, &status) == 0 else { return .nothing }
  return status.st_mode & S_IFMT == S_IFDIR ? .directory : .file
}

/// All bytes of a file, or why they cannot be read. More than the limit is refused.
func readFile(_ path: String, limit: Int) -> Result<[UInt8], FileProblem> {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return .failure(FileProblem(reason: String(cString: strerror(errno)))) }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 {
      if errno == EINTR { continue }
      return .failure(FileProblem(reason: String(cString: strerror(errno))))
    }
    if count == 0 { return .success(result) }
    result.append(contentsOf: buffer[..<count])
    if result.count > limit { return .failure(FileProblem(reason: "it is larger than \(limit >> 20) MiB")) }
  }
}

struct FileProblem: Error {
  let reason: String
}

/// The names in a directory, sorted.
func directoryEntries(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The absolute path without symbolic links; nil if there is nothing there.
func canonicalPath(_ path: String) -> String? {
  guard let pointer = realpath(path, nil) else { return nil }
  defer { free(pointer) }
  return String(cString: pointer)
}

func environmentValue(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
