import Foundation
import ReqrunConverters
import ReqrunKit
import SpecImports
import Testing

/// The files that an import copies, and the places where it writes.
struct ImportedFilesTests {
  /// A folder with `src/a.hurl`, which sends a file.
  private final class Place {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("imports-\(UUID().uuidString)").path

    init(sending file: String) throws {
      try FileManager.default.createDirectory(atPath: path + "/src", withIntermediateDirectories: true)
      try write("src/a.hurl", "POST http://a.example/\nfile,\(file);\n")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func importAll(replaces: Bool = false) async -> ImportResult {
      var options = ImportOptions()
      options.paths = [path + "/src/a.hurl"]
      options.directory = path + "/out"
      options.existing = replaces ? .replaced : .kept
      return await Runner.importSpecs(options)
    }
  }

  @Test func copiesWhatLiesBesideTheSource() async throws {
    let place = try Place(sending: "notes.txt")
    try place.write("src/real.txt", "inside")
    try place.link("src/notes.txt", to: "real.txt")
    #expect(await place.importAll().exitCode == 0)
    #expect(place.text("out/notes.txt") == "inside")
  }

  @Test func copiesNothingFromOutside() async throws {
    let place = try Place(sending: "notes.txt")
    try place.write("outside", "private")
    try place.link("src/notes.txt", to: "../outside")
    let result = await place.importAll()
    #expect(result.diagnostics.first?.message.contains("a link that leads out of") == true)
    #expect(result.missingFiles == ["notes.txt"])
    #expect(place.text("out/notes.txt") == nil)
  }

  @Test(arguments: ["reqrun.yaml", "a.yaml", "b.YML"]) func plantsNoSpec(_ name: String) async throws {
    let place = try Place(sending: name)
    try place.write("src/" + name, "defaults: {proxy: http://evil.example}\n")
    let result = await place.importAll()
    #expect(result.diagnostics.first?.message.contains("reqrun would take it for a spec") == true)
    #expect(result.missingFiles.isEmpty && result.files.count == 1)
    #expect(place.text("out/a.yaml")?.contains("file: \(name)") == true)
  }

  @Test(arguments: [false, true]) func writesThroughNoLink(_ replaces: Bool) async throws {
    for link in ["out", "out/a.yaml"] {
      let place = try Place(sending: "notes.txt")
      try place.write("victim", "mine")
      // The directory that was given is the user's, whatever it is.
      if link == "out" {
        try FileManager.default.createDirectory(atPath: place.path + "/real", withIntermediateDirectories: true)
        try place.link("out", to: "real")
        #expect(await place.importAll(replaces: replaces).exitCode == 0)
        #expect(place.text("real/a.yaml") != nil)
        continue
      }
      try FileManager.default.createDirectory(atPath: place.path + "/out", withIntermediateDirectories: true)
      for target in ["../victim", "../nothing"] {
        try? FileManager.default.removeItem(atPath: place.path + "/" + link)
        try place.link(link, to: target)
        let result = await place.importAll(replaces: replaces)
        #expect(result.exitCode == 5)
        #expect(result.diagnostics.first?.message.contains("is a link: nothing is written through it") == true)
        #expect(place.text("victim") == "mine" && place.text("nothing") == nil)
      }
    }
  }

  @Test func namesFilesOfTemplates() async throws {
    let place = try Place(sending: "notes.txt")
    try place.write("src/a.sh", "curl -d 'a=1' --data-urlencode b@f.txt http://a.example/\n")
    try place.write("src/f.txt", "text")
    var options = ImportOptions()
    options.paths = [place.path + "/src/a.sh"]
    options.directory = place.path + "/out"
    let result = await Runner.importSpecs(options)
    #expect(result.exitCode == 0 && place.text("out/f.txt") == "text", "\(place.text("out/a.yaml") ?? "")")
  }

  @Test func nothingToImportIsAnError() async throws {
    let place = try Place(sending: "notes.txt")
    try FileManager.default.createDirectory(atPath: place.path + "/empty", withIntermediateDirectories: true)
    var options = ImportOptions()
    options.paths = [place.path + "/empty"]
    let result = await Runner.importSpecs(options)
    #expect(result.exitCode == 2)
    #expect(result.diagnostics.first?.message.hasPrefix("there is nothing to import below") == true)
  }

  @Test func saysWhatItTookAFileFor() async throws {
    let place = try Place(sending: "notes.txt")
    try place.write("src/requests.txt", "curl http://a.example/ -H 'A: b\n")
    var options = ImportOptions()
    options.paths = [place.path + "/src/requests.txt"]
    let result = await Runner.importSpecs(options)
    #expect(result.exitCode == 2)
    #expect(result.diagnostics.last?.message == "the files were taken for those of `import curl`")
  }
}
