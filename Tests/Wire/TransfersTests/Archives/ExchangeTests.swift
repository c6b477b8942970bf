import Foundation
import TestSupport
import Testing
import Transfers

/// Archives over older ones, which a killed process must not leave as a mixture.
@Suite struct ExchangeTests {
  private static let archive = zipArchive([TestEntry("a.txt", "first"), TestEntry("deep/er/b.txt", "second")])
  private static let new: [String: String?] = [
    "a.txt": "first", "deep": nil, "deep/er": nil, "deep/er/b.txt": "second",
  ]

  /// The number of the directory itself.
  private func number(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  @Test("a directory that has only files of the archive is exchanged, and one with others isn't")
  func exchange() throws {
    try with(Self.archive) { folder, archive in
      let out = folder.path + "/out"
      try folder.write(["out/a.txt": "old", "out/deep/er/b.txt": "old"])
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: out + "/a.txt")
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: out)
      let before = try number(of: out)
      _ = try extractZip(at: archive, into: out, overwrite: true)
      let after = try number(of: out)
      #expect(before != after)
      #expect(try contents(of: out) == Self.new)
      for (path, mode) in [("/a.txt", 0o600), ("", 0o700)] {
        #expect(try FileManager.default.attributesOfItem(atPath: out + path)[.posixPermissions] as? Int == mode)
      }
      try folder.write(["out/mine.txt": "mine"])
      _ = try extractZip(at: archive, into: out, overwrite: true)
      #expect(try number(of: out) == after)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.zip", "out"])
    }
  }

  @Test("what a killed process was moving is moved by the next one, unless it came from someone else")
  func completion() throws {
    try with(zipArchive([TestEntry("b.txt", "b")])) { folder, archive in
      let out = folder.path + "/out"
      let names = ["out.unzip-00000001.part", "out.unzip-00000002.part"]
      try folder.write([
        "out/mine.txt": "mine", "out/a.txt": "old", "out/\(names[0])/checked/a.txt": "new",
        "out/\(names[1])/checked/x.txt": "x",
      ])
      for (name, mode) in zip(names, [0o700, 0o755]) {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(out)/\(name)")
      }
      _ = try extractZip(at: archive, into: out)
      #expect(try contents(of: out) == ["mine.txt": "mine", "a.txt": "new", "b.txt": "b"])
    }
  }
}
