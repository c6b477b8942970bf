import Foundation
import TestSupport
import Testing
import Transfers
import Values

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

  private static func hidden(_ name: String) -> String {
    "the archive's entry \(name) has a control character, or one that doesn't show, in its name"
  }

  private static func spec(_ name: String) -> String {
    "the archive's entry \(name) could be taken for a spec by a later run; unpack it into a directory whose name begins "
      + "with `_`, which runs pass over"
  }

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
    Hostile(
      "a backslash", TestEntry("a\\..\\x", "1"), "the archive's entry a/../x leads out of the directory by `..`"),
    Hostile("a server of Windows", "the archive's entry //host/x has an absolute path") {
      $0.name = Array(#"\\host\x"#.utf8)
      $0.system = 10
    },
    Hostile("a line break", TestEntry("a\nb", "1"), hidden("a\nb")),
    Hostile("an escape", TestEntry("a\u{1B}[2J", "1"), hidden("a\u{1B}[2J")),
    Hostile("a C1 control", TestEntry("a\u{9B}b", "1"), hidden("a\u{9B}b")),
    Hostile("a turned name", TestEntry("a\u{202E}gpj.exe", "1"), hidden("a\u{202E}gpj.exe")),
    Hostile("a name without width", TestEntry("a\u{200B}", "1"), hidden("a\u{200B}")),
    Hostile(
      "a hidden file", TestEntry(".bashrc", "1"), "the archive's entry .bashrc has a name that begins with a dot"),
    Hostile(
      "a hidden directory", TestEntry("a/.git/hooks", "1"),
      "the archive's entry a/.git/hooks has a name that begins with a dot"),
    Hostile(
      "a dot at the end", TestEntry("a./x", "1"), "the archive's entry a./x has a name with a dot or a space at its end"
    ),
    Hostile(
      "a space at the end", TestEntry("a ", "1"), "the archive's entry a  has a name with a dot or a space at its end"),
    Hostile(
      "a device", TestEntry("nul.txt", "1"),
      "the archive's entry nul.txt has a name that stands for a device on Windows"),
    Hostile("a project file", TestEntry("reqrun.yaml", "1"), spec("reqrun.yaml")),
    Hostile("a spec", TestEntry("deep/S.YML", "1"), spec("deep/S.YML")),
    Hostile("no name", TestEntry("", "1"), "the archive is damaged: an entry has no name"),
    Hostile("a dot", TestEntry(".", "1"), "the archive's entry . is a file without a name"),
    Hostile("bad UTF-8", "the archive is damaged: Pathname cannot be converted from UTF-8 to current locale") {
      $0.name = [0xC3, 0x28]
    },
    Hostile(
      "too deep", TestEntry(String(repeating: "d/", count: 64) + "x", "1"),
      "the archive's entry " + String(repeating: "d/", count: 50) + "… is more than 64 directories deep"),
    Hostile("twice the same", TestEntry("./good.txt", "1"), "the archive has two entries good.txt"),
    Hostile("twice, but for case", TestEntry("GOOD.txt", "1"), "the archive has two entries GOOD.txt"),
    Hostile(
      "a file as a directory, but for case", TestEntry("Good.txt/x", "1"),
      "the archive's entry Good.txt is a file and a directory"),
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
    Hostile("encrypted", "the archive's entry x is encrypted; only archives without a password can be extracted") {
      $0.listedFlags = 1
    },
    Hostile("AES", "the archive is damaged: Unsupported ZIP compression method (99: aes)") { $0.listedMethod = 99 },
    Hostile("no bzip2, though it says so", "the archive is damaged: bzip2 decompression failed") {
      $0.listedMethod = 12
    },
    Hostile("a method of the future", "the archive is damaged: Unsupported ZIP compression method (103: ??)") {
      $0.listedMethod = 4711
    },
  ]

  private static let damages: [Hostile] = [
    Hostile("a wrong checksum", "the archive is damaged: Inconsistent CRC32 values") { $0.listedCRC = 1 },
    Hostile(
      "smaller than declared",
      "the archive is damaged: Inconsistent uncompressed size: 8 in central directory, 7 in local header"
    ) { $0.listedSize = 8 },
    Hostile(
      "stored in other sizes",
      "the archive is damaged: Inconsistent uncompressed size: 6 in central directory, 7 in local header"
    ) {
      $0.isDeflated = false
      $0.listedSize = 6
    },
    Hostile(
      "on the next entry", "the archive is damaged: Damaged Zip archive",
      entries: [TestEntry("x", "1"), TestEntry("good.txt", "2")]
    ) { $0[1].listedOffset = 16 },
    Hostile("beyond the list", "the archive is damaged: Damaged Zip archive", entries: [TestEntry("x", "1")]) {
      $0[0].listedOffset = 30
    },
    Hostile("far beyond", "the archive is damaged: Truncated ZIP file header", entries: [TestEntry("x")]) {
      $0[0].listedOffset = 0xFFFF_FFF0
    },
    Hostile("sizes missing", "the archive is damaged: Truncated ZIP file header", entries: [TestEntry("x")]) {
      $0[0].listedOffset = .max
    },
    Hostile("nothing", zipArchive([]), "the archive holds nothing"),
    Hostile("no archive", Array("<html>not found</html>".utf8), "it is not a zip archive"),
    Hostile("empty", [], "it is not a zip archive"),
    Hostile("cut off", good.dropLast(8).map { $0 }, "the archive is damaged: its list of entries is missing"),
  ]

  private static let bombs: [Hostile] = [
    Hostile(
      "many entries", zipArchive((0..<11).map { TestEntry("\($0)") }),
      "the archive has more than 10 entries", limits: ExtractionLimits(entries: 10)),
    Hostile(
      "too large", good, "the archive expands to more than 199 bytes; --max-download allows more if that is right",
      limits: ExtractionLimits(size: 199)),
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
    #expect(error.map { shown($0.reason) } == shown(hostile.reason))
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
    #expect(error?.reason.contains("more than 200 times its size") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.zip"])
  }

  /// Places and sizes in 64 bits that no file has: each in an error, none in a trap.
  @Test(arguments: [0, 1, Int64.max - 1, .max, .min, -1]) func numbers(value: Int64) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/a.zip"
    let archive = zipArchive([TestEntry("a", "a"), TestEntry("b", "b")].map(\.asZip64), zip64: true)
    for offset in 0...(archive.count - 8) {
      var bytes = archive
      bytes.replaceSubrange(offset..<offset + 8, with: withUnsafeBytes(of: value.littleEndian) { Array($0) })
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let extracted = try? extractZip(at: path, into: folder.path + "/out")
      if let extracted { #expect(extracted.bytes < 1000) }
      try? FileManager.default.removeItem(atPath: folder.path + "/out")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.zip"])
    }
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

extension TestEntry {
  fileprivate var asZip64: TestEntry {
    var entry = self
    entry.isZip64 = true
    return entry
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

/// A message as people see it: its excerpts cut, and without control characters.
private func shown(_ message: String) -> String {
  let shown = Excerpt.shown(Text(message)).string.unicodeScalars
  return String(String.UnicodeScalarView(shown.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
}
