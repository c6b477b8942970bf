import Foundation
import TestSupport
import Testing
import Transfers

/// What is in a folder, by path: files with their texts, directories with nil.
func contents(of path: String) throws -> [String: String?] {
  var result: [String: String?] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
    result[name] =
      isDirectory.boolValue
      ? .some(nil) : String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
  }
  return result
}

func with<T>(_ archive: [UInt8], _ body: (TemporaryFolder, String) throws -> T) throws -> T {
  let folder = try TemporaryFolder()
  defer { folder.remove() }
  let path = folder.path + "/a.zip"
  try Data(archive).write(to: URL(fileURLWithPath: path))
  return try body(folder, path)
}

@Suite struct ExtractionTests {
  private static let plain = [
    TestEntry("a.txt", "first"),
    TestEntry("deep/er/b.txt", String(repeating: "second ", count: 50_000), deflated: true),
    TestEntry("empty/"), TestEntry("none.txt"),
  ]
  private static let plainContents: [String: String?] = [
    "a.txt": "first", "deep": nil, "deep/er": nil, "deep/er/b.txt": String(repeating: "second ", count: 50_000),
    "empty": nil, "none.txt": "",
  ]

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let archive: [UInt8]
  }

  private static func changed(_ change: (inout TestEntry) -> Void) -> [TestEntry] {
    plain.map { entry in
      var entry = entry
      change(&entry)
      return entry
    }
  }

  @Test(arguments: [
    Form(testDescription: "plain", archive: zipArchive(plain)),
    Form(testDescription: "with data descriptors", archive: zipArchive(changed { $0.hasDescriptor = true })),
    Form(testDescription: "Zip64", archive: zipArchive(changed { $0.isZip64 = true }, zip64: true)),
    Form(testDescription: "behind a program", archive: zipArchive(plain, prefix: Array("#!/bin/sh\n".utf8))),
    Form(
      testDescription: "with a comment", archive: zipArchive(plain, comment: Array("PK\u{5}\u{6} is not an end".utf8))),
    Form(
      testDescription: "from Windows",
      archive: zipArchive(
        changed { entry in
          entry.system = 0
          entry.attributes = 0
          entry.name = entry.name.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "\\") : $0 }
        })),
    Form(
      testDescription: "with dots and doubled slashes",
      archive: zipArchive(changed { $0.name = Array("./".utf8) + $0.name.flatMap { $0 == 47 ? [47, 47] : [$0] } })),
  ]) func sound(form: Form) throws {
    try with(form.archive) { folder, archive in
      let extracted = try extractZip(at: archive, into: folder.path + "/out")
      #expect(extracted.count == 3)
      #expect(extracted.bytes == 350_005)
      #expect(try contents(of: folder.path + "/out") == Self.plainContents)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.zip", "out"])
    }
  }

  @Test func names() throws {
    var marked = TestEntry("ünïcödé/日本.txt", "1")
    var unmarked = TestEntry("naïve.txt", "2")
    unmarked.isMarkedUTF8 = false
    var oemPage = TestEntry("", "3")
    oemPage.name = [0x81, 0x2E, 0x84]
    oemPage.isMarkedUTF8 = false
    var field = TestEntry("?.txt", "4")
    field.isMarkedUTF8 = false
    // Version 1, the CRC-32 of "?.txt", "ж.txt".
    field.extra = [0x75, 0x70, 11, 0, 1, 0x10, 0x86, 0xC8, 0x46] + Array("ж.txt".utf8)
    marked.isDeflated = true
    try with(zipArchive([marked, unmarked, oemPage, field])) { folder, archive in
      _ = try extractZip(at: archive, into: folder.path + "/out")
      #expect(
        try contents(of: folder.path + "/out") == [
          "ünïcödé": nil, "ünïcödé/日本.txt": "1", "naïve.txt": "2", "ü.ä": "3", "ж.txt": "4",
        ])
    }
  }

  @Test func permissions() throws {
    var tool = TestEntry("tool", "#!/bin/sh\n")
    tool.attributes = 0o104777 << 16
    var secret = TestEntry("secret", "")
    secret.attributes = 0o100000 << 16
    try with(zipArchive([tool, secret])) { folder, archive in
      _ = try extractZip(at: archive, into: folder.path + "/out")
      func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: "\(folder.path)/out\(name)")[.posixPermissions] as? Int
      }
      // As far as the process's mask lets them.
      let mask = try Int(umaskOfProcess())
      #expect(try mode("/tool") == 0o755 & ~mask)
      #expect(try mode("/secret") == 0o644 & ~mask)
      #expect(try mode("") == 0o777 & ~mask)
    }
  }

  private func umaskOfProcess() throws -> mode_t {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/all"
    #expect(mkdir(path, 0o777) == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    return mode_t(0o777 & ~(mode ?? 0o777))
  }

  @Test func addsToDirectory() throws {
    try with(zipArchive(Self.plain)) { folder, archive in
      try folder.write(["out/a.txt": "old", "out/deep/mine.txt": "mine"])
      _ = try extractZip(at: archive, into: folder.path + "/out/", overwrite: true)
      // What is there already, and the same, is in nobody's way.
      _ = try extractZip(at: archive, into: folder.path + "/out/")
      var expected = Self.plainContents
      expected["deep/mine.txt"] = "mine"
      #expect(try contents(of: folder.path + "/out") == expected)
    }
  }

  struct Obstacle: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Made in `out`.
    let script: String
    var overwrite = true
    let reason: String
  }

  @Test(arguments: [
    Obstacle(
      testDescription: "a file, not to be overwritten", script: "echo old > a.txt", overwrite: false,
      reason:
        "a.txt cannot be extracted to <out>: there is another file of that name already, and nothing is overwritten"),
    Obstacle(
      testDescription: "a link for a file", script: "ln -s ../outside a.txt",
      reason: "a.txt cannot be extracted to <out>: a symbolic link of that name is there"),
    Obstacle(
      testDescription: "a link for a directory", script: "mkdir ../away && ln -s ../away deep",
      reason: "deep cannot be extracted to <out>: a symbolic link of that name is there"),
    Obstacle(
      testDescription: "a link below", script: "mkdir ../away deep && ln -s ../../away deep/er",
      reason: "deep/er cannot be extracted to <out>: a symbolic link of that name is there"),
    Obstacle(
      testDescription: "a file for a directory", script: "echo old > deep",
      reason: "deep cannot be extracted to <out>: there is something else of that name already"),
    Obstacle(
      testDescription: "a directory for a file", script: "mkdir a.txt",
      reason: "a.txt cannot be extracted to <out>: a directory of that name is there"),
    Obstacle(
      testDescription: "a pipe for a file", script: "mkfifo a.txt",
      reason: "a.txt cannot be extracted to <out>: there is something else of that name already"),
  ]) func obstacle(obstacle: Obstacle) throws {
    try with(zipArchive(Self.plain)) { folder, archive in
      let out = folder.path + "/out"
      try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
      try runShell(obstacle.script, in: out)
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      let error = #expect(throws: ArchiveError.self) {
        try extractZip(at: archive, into: out, overwrite: obstacle.overwrite)
      }
      #expect(error?.reason.replacingOccurrences(of: out, with: "<out>") == obstacle.reason)
      #expect(error?.kind == .conflict)
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    }
  }

  @Test func targets() throws {
    try with(zipArchive(Self.plain)) { folder, archive in
      try folder.write(["file": "mine"])
      for target in ["file", "missing/out"] {
        let error = #expect(throws: ArchiveError.self) { try extractZip(at: archive, into: "\(folder.path)/\(target)") }
        #expect(error?.kind == .system)
        #expect(error?.reason.hasPrefix("nothing can be extracted to ") == true)
      }
      for archive in ["missing.zip", "."] {
        let error = #expect(throws: ArchiveError.self) {
          try extractZip(at: "\(folder.path)/\(archive)", into: folder.path + "/out")
        }
        let why = archive == "." ? "it is a directory" : "no such file or directory"
        #expect(error?.reason == "the archive cannot be read: \(why)")
      }
      #expect(folder.text("file") == "mine")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.zip", "file"])
    }
  }

  @Test func specsAreNeverReplaced() throws {
    try with(zipArchive([TestEntry("a.yaml", "new"), TestEntry("b.txt", "new")])) { folder, archive in
      try folder.write(["_out/a.yaml": "mine", "_out/b.txt": "mine"])
      let error = #expect(throws: ArchiveError.self) {
        try extractZip(at: archive, into: folder.path + "/_out", overwrite: true, allowsSpecs: true)
      }
      #expect(error?.kind == .conflict)
      #expect(folder.text("_out/a.yaml") == "mine" && folder.text("_out/b.txt") == "mine")
      _ = try extractZip(at: archive, into: folder.path + "/_new", allowsSpecs: true)
      #expect(folder.text("_new/a.yaml") == "new")
    }
  }

  @Test func filesKeepTheirMode() throws {
    try with(zipArchive([TestEntry("a.txt", "new")])) { folder, archive in
      try folder.write(["out/a.txt": "old"])
      #expect(chmod(folder.path + "/out/a.txt", 0o600) == 0)
      _ = try extractZip(at: archive, into: folder.path + "/out", overwrite: true)
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/out/a.txt")[.posixPermissions] as? Int
      #expect(folder.text("out/a.txt") == "new" && mode == 0o600)
    }
  }

  /// What the Finder adds to each archive is not a hidden file that someone wants to plant.
  @Test func finder() throws {
    let entries = [
      TestEntry("a.txt", "1"), TestEntry("__MACOSX/._a.txt", "2"), TestEntry("d/.DS_Store", "3"), TestEntry("d/b", "4"),
    ]
    try with(zipArchive(entries)) { folder, archive in
      let extracted = try extractZip(at: archive, into: folder.path + "/out")
      #expect(extracted.count == 2)
      #expect(try contents(of: folder.path + "/out") == ["a.txt": "1", "d": nil, "d/b": "4"])
    }
  }

  @Test func removesLeftovers() throws {
    try with(zipArchive(Self.plain)) { folder, archive in
      try folder.write([
        "out.unzip-0123abcd.part/new/half": "", "out.unzip-mine.part/x": "", "other.unzip-0123abcd.part/x": "",
      ])
      _ = try extractZip(at: archive, into: folder.path + "/out")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == ["a.zip", "other.unzip-0123abcd.part", "out", "out.unzip-mine.part"])
    }
  }

  @Test func cancelled() throws {
    try with(zipArchive(Self.plain)) { folder, archive in
      var pieces = 0
      let error = #expect(throws: ArchiveError.self) {
        try extractZip(at: archive, into: folder.path + "/out") {
          pieces += 1
          return pieces == 3
        }
      }
      #expect(error?.kind == .cancelled)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left == ["a.zip"])
    }
  }
}
