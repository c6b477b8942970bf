import Foundation
import ReqrunConverters
import ReqrunKit
import Testing

@Suite("Imports and exports as a library")
struct ConverterTests {
  @Test("files of another tool become specs, and specs those of another tool")
  func both() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("converters-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("a.sh")
    try "curl http://h/a -H 'X-A: 1'\n".write(to: source, atomically: true, encoding: .utf8)
    var options = ImportOptions()
    options.kind = ImportKind.all.first { $0.name == "curl" }
    options.paths = [source.path]
    let imported = await Runner.importSpecs(options)
    #expect(imported.exitCode == 0 && imported.requests == 1)
    let text = String(decoding: imported.text, as: UTF8.self)
    #expect(text.contains("X-A: 1"))

    let exported = await Runner(specs: [.text(text, name: "a.yaml")]).export(.curl, to: folder.path + "/out")
    #expect(exported.exitCode == 0 && exported.requests == 1, "\(exported.diagnostics)")
    #expect(exported.files.count == 1)
    options.paths = [folder.path + "/missing"]
    let failed = await Runner.importSpecs(options)
    #expect(failed.exitCode == 2)
    #expect(failed.diagnostics.first?.message.contains("there is no file") == true)
  }
}
