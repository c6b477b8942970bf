import Foundation
import SpecExecution
import TestSupport
import Testing

@Suite("What templates may read")
struct FileAccessTests {
  @Test("regular files up to 64 MiB; a pipe is refused, not waited for", .timeLimit(.minutes(10)))
  func kinds() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["small": "abc", "large": ""])
    try #require(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    try #require(truncate("\(folder.path)/large", (64 << 20) + 1) == 0)
    let access = FileAccess(root: folder.path)
    let source = "\(folder.path)/spec.yaml"
    #expect(try access.read("small", beside: source) == Array("abc".utf8))
    for (name, message) in [
      ("pipe", "is not a regular file"), (".", "is not a regular file"),
      ("large", "cannot be read: it is larger than 64 MiB"),
    ] {
      let error = #expect(throws: (any Error).self) { try access.read(name, beside: source) }
      #expect(String(describing: error).contains(message), "\(String(describing: error))")
    }
  }
}
