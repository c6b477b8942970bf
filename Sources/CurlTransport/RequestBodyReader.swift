import HTTPMessages
import OperatingSystem

/// Hands out a request body piece by piece, and again from any offset.
struct RequestBodyReader: ~Copyable {
  private let body: RequestBody
  private let file: ReadableFile?
  private var position: Int64 = 0

  init(_ body: RequestBody) throws(TransportError) {
    self.body = body
    guard case .file(let path, _, _) = body else {
      file = nil
      return
    }
    do throws(SystemProblem) {
      file = try ReadableFile(path: path)
    } catch {
      throw TransportError(
        .body, "the body file \"\(path)\" cannot be read: \(error.reason)",
        help: "check the path and the permissions of the file")
    }
  }

  /// - Returns: the number of bytes written to the buffer, 0 at the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
    let count = Int(min(Int64(buffer.count), body.length - position))
    guard count > 0 else { return 0 }
    switch body {
    case .none: return 0
    case .bytes(let bytes):
      let start = Int(position)
      bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
      position += Int64(count)
      return count
    case .file(let path, let offset, _):
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      var got = 0
      do throws(SystemProblem) {
        got = try file?.read(into: target, at: offset + position) ?? 0
      } catch {
        throw TransportError(.body, "the body file \"\(path)\" cannot be read: \(error.reason)")
      }
      if got == 0 {
        throw TransportError(
          .body, "the body file \"\(path)\" became shorter while it was sent",
          help: "do not change the file during the run")
      }
      position += Int64(got)
      return got
    }
  }

  /// Whether the body has such an offset.
  mutating func seek(to offset: Int64) -> Bool {
    guard offset >= 0, offset <= body.length else { return false }
    position = offset
    return true
  }
}
