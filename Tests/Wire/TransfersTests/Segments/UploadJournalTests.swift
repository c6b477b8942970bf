import Foundation
import TestSupport
import Testing
import Transfers

@Suite("The journal of an upload")
struct UploadJournalTests {
  private static func identity(
    _ url: String = "https://files.example/up?token=very-secret", size: Int64 = 100, start: String = "abc"
  ) -> UploadJournal.Identity {
    UploadJournal.Identity(
      request: ["PUT", url], size: size, modified: "12.5", inode: 7, start: Array(start.utf8))
  }

  private func journal(_ folder: TemporaryFolder, _ identity: UploadJournal.Identity = identity()) -> UploadJournal {
    UploadJournal(beside: "\(folder.path)/file", identity, newID: "new")
  }

  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// What a run leaves that was killed after two segments.
  private func leftover(in folder: TemporaryFolder) throws -> String {
    let first = UploadJournal(beside: "\(folder.path)/file", Self.identity(), newID: "old")
    first.add(0..<10)
    first.add(20..<30)
    #expect(first.problem == nil)
    return try #require(try names(folder).first)
  }

  @Test("keeps nothing where no file may be written, and still knows what the server has")
  func nothingKept() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let journal = UploadJournal(beside: nil, Self.identity(), newID: "new")
    journal.add(0..<10)
    journal.add(20..<30)
    #expect(journal.done.ranges == [0..<10, 20..<30])
    journal.close(isNeeded: true)
    #expect(journal.problem == nil)
    #expect(try names(folder).isEmpty)
  }

  @Test("keeps what the server has, for the next run of the same upload")
  func resumption() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let name = try leftover(in: folder)
    let text = try #require(folder.text(name))
    #expect(!text.contains("very-secret") && !text.contains("files.example"))
    #expect(text.hasSuffix("id old\n0-9\n20-29\n"))
    let permissions = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.posixPermissions]
    #expect(permissions as? Int == 0o600)

    let second = journal(folder)
    #expect(second.done.ranges == [0..<10, 20..<30])
    #expect(second.uploadID == "old")
    second.add(10..<20)
    second.close(isNeeded: true)
    let third = journal(folder)
    #expect(third.done.ranges == [0..<30])
    third.close(isNeeded: false)
    #expect(try names(folder) == [])
  }

  @Test("leaves nothing where nothing was sent")
  func nothing() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let first = journal(folder)
    first.close(isNeeded: true)
    #expect(try names(folder) == [])
    _ = try leftover(in: folder)
    let changed = journal(folder, Self.identity(start: "xyz"))
    changed.close(isNeeded: true)
    #expect(try names(folder) == [])
  }

  @Test(
    "begins anew with another file; another URL is another upload",
    arguments: [
      (identity(size: 101), 1), (identity(start: "abd"), 1), (identity("https://files.example/other"), 2),
    ])
  func others(_ other: UploadJournal.Identity, _ count: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try leftover(in: folder)
    let second = journal(folder, other)
    #expect(second.done.ranges == [] && second.uploadID == "new")
    second.add(0..<5)
    #expect(try names(folder).count == count)
    #expect(journal(folder, other).done.ranges == [], "the other holds it")
    second.close(isNeeded: true)
    #expect(journal(folder, other).done.ranges == [0..<5])
  }

  @Test(
    "takes no more than what is whole",
    arguments: [
      ("40-4", [0..<10, 20..<30]), ("40-49", [0..<10, 20..<30]), ("4\n", [0..<10, 20..<30]),
      ("50-40\n", [0..<10, 20..<30]), ("a-b\n", [0..<10, 20..<30]), ("-5-9\n", [0..<10, 20..<30]),
      ("40-9223372036854775807\n", [0..<10, 20..<30]), ("40-9223372036854775806\n", [0..<10, 20..<30]),
      ("98-100\n", [0..<10, 20..<30]), ("200-300\n", [0..<10, 20..<30]), ("0-99\n200-300\n", [0..<100]),
      ("-9223372036854775808-9\n", [0..<10, 20..<30]), ("40-18446744073709551615\n", [0..<10, 20..<30]),
      ("5-29\n", [0..<30]), ("40-49\n", [0..<10, 20..<30, 40..<50]),
    ] as [(String, [Range<Int64>])])
  func cut(_ tail: String, _ expected: [Range<Int64>]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let name = try leftover(in: folder)
    try folder.write([name: try #require(folder.text(name)) + tail])
    let second = journal(folder)
    #expect(second.done.ranges == expected)
    second.add(60..<70)
    second.close(isNeeded: true)
    #expect(journal(folder).done.ranges.last?.contains(60) == true)
  }

  @Test("takes nothing of what is not a journal", arguments: ["", "reqrun upload 1\n", "reqrun upload 2\n0-9\n", "x"])
  func foreign(_ text: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([try leftover(in: folder): text])
    let second = journal(folder)
    #expect(second.done.ranges == [] && second.problem == nil)
  }

  @Test("one upload at a time has it")
  func concurrency() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let first = journal(folder)
    let second = journal(folder)
    first.add(0..<10)
    second.add(50..<60)
    #expect(second.problem == "the same upload runs already")
    second.close(isNeeded: false)
    first.close(isNeeded: true)
    #expect(journal(folder).done.ranges == [0..<10])
  }

  @Test("does not follow a link that someone put in its place")
  func link() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let name = try leftover(in: folder)
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
    try folder.write(["victim": "precious"])
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)", withDestinationPath: "\(folder.path)/victim")
    let second = journal(folder)
    second.add(0..<10)
    #expect(second.problem != nil)
    second.close(isNeeded: false)
    #expect(folder.text("victim") == "precious")
  }

  @Test("does without where none can be written")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let journal = UploadJournal(beside: "\(folder.path)/missing/file", Self.identity(), newID: "new")
    journal.add(0..<10)
    #expect(journal.problem != nil)
    journal.close(isNeeded: true)
  }

  @Test("begins anew on demand")
  func restart() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try leftover(in: folder)
    let second = journal(folder)
    second.restart(newID: "newer")
    second.add(5..<6)
    second.close(isNeeded: true)
    let third = journal(folder)
    #expect(third.done.ranges == [5..<6] && third.uploadID == "newer")
  }
}
