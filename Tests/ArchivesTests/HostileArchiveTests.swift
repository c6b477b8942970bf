import Archives
import Foundation
import TestSupport
import Testing

/// An archive that must not be extracted, and what is said of it.
private struct Hostile: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let archive: [UInt8]
  let reason: String
  var limits = ExtractionLimits()

  init(_ name: String, _ archive: [UInt8], _ reason: String, limits: ExtractionLimits = ExtractionLimits()) {
    testDescription = name
    self.archive = archive
    self.reason = reason
    self.limits = limits
  }

  init(_ name: String, _ entry: TestEntry, _ reason: String) {
    self.init(name, zipArchive([TestEntry("good.txt", "good"), entry]), reason)
  }

  /// About an entry `x`, with the change.
  init(_ name: String, _ reason: String, _ change: (inout TestEntry) -> Void) {
    var entry = TestEntry("x", "content", deflated: true)
    change(&entry)
    self.init(name, entry, reason)
  }
}

@Suite struct HostileArchiveTests {
  private static let good = zipArchive([TestEntry("good.txt", String(repeating: "good ", count: 40), deflated: true)])

  private static let names: [Hostile] = [
    Hostile("a parent", TestEntry("../x", "1"), "the archive's entry ../x leads out of the directory by `..`"),
    Hostile(
      "a parent within", TestEntry("a/../x", "1"), "the archive's entry a/../x leads out of the directory by `..`"),
    Hostile(
      "a parent at the end", TestEntry("a/..", "1"), "the archive's entry a/.. leads out of the directory by `..`"),
    Hostile("an absolute path", TestEntry("/tmp/x", "1"), "the archive's entry /tmp/x has an absolute path"),
    Hostile("a drive", TestEntry("C:/x", "1"), "the archive's entry C:/x begins with a drive"),
    Hostile("a drive's own directory", TestEntry("c:x", "1"), "the archive's entry c:x begins with a drive"),
    Hostile("a drive behind a dot", TestEntry("./c:x", "1"), "the archive's entry ./c:x begins with a drive"),
    Hostile("a backslash", TestEntry("a\\..\\x", "1"), #"the archive's entry a\..\x has a backslash in its name"#),
    Hostile("backslashes of Windows", #"the archive's entry a\..\x leads out of the directory by `..`"#) {
      $0.name = Array(#"a\..\x"#.utf8)
      $0.system = 0
    },
    Hostile("a server of Windows", #"the archive's entry \\host\x has an absolute path"#) {
      $0.name = Array(#"\\host\x"#.utf8)
      $0.system = 10
    },
    Hostile("a NUL", TestEntry("a\0b", "1"), "the archive's entry a\0b has a control character in its name"),
    Hostile("a line break", TestEntry("a\nb", "1"), "the archive's entry a\nb has a control character in its name"),
    Hostile("no name", TestEntry("", "1"), "the archive is damaged: an entry has no name"),
    Hostile("a dot", TestEntry(".", "1"), "the archive's entry . is a file without a name"),
    Hostile("bad UTF-8", "the archive is damaged: a name is marked as UTF-8, but isn't") { $0.name = [0xC3, 0x28] },
    Hostile(
      "too deep", TestEntry(String(repeating: "d/", count: 64) + "x", "1"),
      "the archive's entry " + String(repeating: "d/", count: 50) + "… is more than 64 directories deep"),
    Hostile("twice the same", TestEntry("./good.txt", "1"), "the archive has two entries good.txt"),
    Hostile(
      "a file as a directory", TestEntry("good.txt/x", "1"), "the archive's entry good.txt is a file and a directory"),
    Hostile(
      "a name too long for the system", TestEntry(String(repeating: "n", count: 300), "1"),
      "the file " + String(repeating: "n", count: 100) + "… cannot be made: file name too long"),
  ]

  private static let kinds: [Hostile] = [
    Hostile("a link", "the archive's entry x is a symbolic link; none are made, for one can lead anywhere") {
      $0.attributes = 0o120777 << 16
    },
    Hostile("a device", "the archive's entry x is neither a file nor a directory") { $0.attributes = 0o060666 << 16 },
    Hostile("a directory with a content", "the archive is damaged: the directory x has a content") {
      $0.attributes = 0o040755 << 16
    },
    Hostile("encrypted", "the archive's entry x is encrypted; only archives without a password can be extracted") {
      $0.listedFlags = 1
    },
    Hostile("AES", "the archive's entry x is encrypted; only archives without a password can be extracted") {
      $0.listedMethod = 99
    },
    Hostile(
      "bzip2", "the archive's entry x is compressed by bzip2; only stored and deflated ones can be extracted"
    ) { $0.listedMethod = 12 },
    Hostile(
      "a method of the future",
      "the archive's entry x is compressed by method 4711; only stored and deflated ones can be extracted"
    ) { $0.listedMethod = 4711 },
  ]

  private static let damages: [Hostile] = [
    Hostile("a wrong checksum", "the archive is damaged: the checksum of x differs") { $0.listedCRC = 1 },
    Hostile("smaller than declared", "the archive is damaged: x is smaller than declared") { $0.listedSize = 8 },
    Hostile("larger than declared", "the archive is damaged: x is larger than declared") { $0.listedSize = 6 },
    Hostile("stored in other sizes", "the archive is damaged: the sizes of x differ, though it isn't compressed") {
      $0.isDeflated = false
      $0.listedSize = 6
    },
    Hostile("another name in its header", "the archive is damaged: the header of y isn't what the list of entries says")
    {
      $0.listedName = Array("y".utf8)
    },
    Hostile(
      "on the next entry", "the archive's entries x and good.txt overlap",
      entries: [TestEntry("x", "1"), TestEntry("good.txt", "2")]
    ) { $0[1].listedOffset = 16 },
    Hostile(
      "on the same bytes", "the archive's entries good.txt and x overlap",
      entries: [TestEntry("good.txt"), TestEntry("x")]
    ) { $0[1].listedOffset = 0 },
    Hostile(
      "beyond the list", "the archive is damaged: x reaches beyond the end of the entries",
      entries: [TestEntry("x", "1")]
    ) { $0[0].listedOffset = 30 },
    Hostile("far beyond", "the archive is damaged: x reaches beyond the end of the entries", entries: [TestEntry("x")])
    {
      $0[0].listedOffset = 0xFFFF_FFF0
    },
    Hostile(
      "sizes missing", "the archive is damaged: the size of an entry is missing", entries: [TestEntry("x")]
    ) { $0[0].listedOffset = .max },
    Hostile(
      "fewer than counted", zipArchive([TestEntry("x")], listedCount: 2),
      "the archive is damaged: its list of entries is not where it should be"),
    Hostile(
      "more than counted", zipArchive([TestEntry("x"), TestEntry("y")], listedCount: 1),
      "the archive is damaged: it lists more entries than it counts"),
    Hostile("no archive", Array("<html>not found</html>".utf8), "it is no zip archive"),
    Hostile("empty", [], "it is no zip archive"),
    Hostile("cut off", good.dropLast(8).map { $0 }, "the archive is damaged: its end is missing"),
  ]

  private static let bombs: [Hostile] = [
    Hostile(
      "many entries", zipArchive((0..<11).map { TestEntry("\($0)") }),
      "the archive has 11 entries; at most 10 are extracted", limits: ExtractionLimits(entries: 10)),
    Hostile(
      "too large", good, "the archive would expand to 200 bytes; at most 199 are extracted",
      limits: ExtractionLimits(size: 199)),
    Hostile(
      "too large by far", "the archive would expand to 4294967295 bytes; at most 1000 are extracted",
      entries: [TestEntry("x", "1"), TestEntry("y", "2", deflated: true)], limits: ExtractionLimits(size: 1000)
    ) { $0[1].listedSize = .max - 1 },
  ]

  @Test(arguments: names + kinds + damages + bombs) private func refused(hostile: Hostile) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let inner = folder.path + "/inner"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    let archive = inner + "/a.zip"
    try Data(hostile.archive).write(to: URL(fileURLWithPath: archive))
    let error = #expect(throws: ArchiveError.self) {
      try extractZip(at: archive, into: inner + "/out", limits: hostile.limits)
    }
    #expect(error?.reason == hostile.reason)
    // No debris, and nothing outside.
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == ["inner", "inner/a.zip"])
  }

  /// An archive that expands by more than any honest one.
  @Test func ratio() throws {
    let zeros = String(repeating: "\0", count: 65 << 20)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/a.zip"
    try Data(zipArchive([TestEntry("zeros", zeros, deflated: true)])).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ArchiveError.self) { try extractZip(at: path, into: folder.path + "/out") }
    #expect(error?.kind == .unsafe)
    #expect(error?.reason.contains("times its size; at most 200 times is extracted") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.zip"])
  }

  /// Every way to cut or to change a byte ends in an error or in the right content, never in a trap.
  @Test func mutations() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/a.zip"
    let archive = zipArchive(
      [TestEntry("a", "aaaaaaaaaaaaaaaaaaaa", deflated: true), TestEntry("b/c", "c")], zip64: true)
    var mutated: [[UInt8]] = (0..<archive.count).map { Array(archive[..<$0]) }
    for index in archive.indices {
      for value in [0, 0x7F, 0xFF, archive[index] ^ 1] as [UInt8] where value != archive[index] {
        var copy = archive
        copy[index] = value
        mutated.append(copy)
      }
    }
    var refused = 0
    for bytes in mutated {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      do {
        _ = try extractZip(at: path, into: folder.path + "/out")
        try FileManager.default.removeItem(atPath: folder.path + "/out")
      } catch is ArchiveError {
        refused += 1
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.zip"])
    }
    #expect(refused > mutated.count / 2)
  }
}

extension Hostile {
  fileprivate init(
    _ name: String, _ reason: String, entries: [TestEntry], limits: ExtractionLimits = ExtractionLimits(),
    _ change: (inout [TestEntry]) -> Void
  ) {
    var entries = entries
    change(&entries)
    self.init(name, zipArchive(entries), reason, limits: limits)
  }
}
