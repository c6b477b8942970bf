import LibC

/// Appends bytes to a file, all of them or none; the file is created if it doesn't exist.
///
/// - Parameter limit: the size that the file must not exceed.
package func append(_ bytes: [UInt8], to path: String, limit: Int64) throws(SystemProblem) {
  if hasNUL(path) { throw .nulInPath }
  let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
  if descriptor < 0 { throw SystemProblem(code: errno) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw SystemProblem(code: errno) }
  guard status.st_mode & S_IFMT == S_IFREG else { throw SystemProblem("it is not a regular file") }
  guard Int64(status.st_size) <= limit - Int64(bytes.count) else {
    throw SystemProblem("it would exceed \(limit) bytes")
  }
  guard bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) else {
    let code = errno
    _ = ftruncate(descriptor, status.st_size)
    throw SystemProblem(code: code)
  }
}
