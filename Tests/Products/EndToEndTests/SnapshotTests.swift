import Foundation
import TestSupport
import Testing

/// Snapshots over several runs, and where the file system is against them.
@Suite("Snapshots", .timeLimit(.minutes(10)))
struct SnapshotTests {
  private static let spec = """
    requests:
      - name: First
        url: ${{ server }}/first
        expect: {snapshot: {ignore: $.at}}
      - name: Second
        url: ${{ server }}/second
        expect: {snapshot: true}
    """

  private func server(_ first: String, _ second: String) throws -> FaultServer {
    func answer(_ body: String) -> String {
      let escaped = body.replacingOccurrences(of: "\"", with: "\\\"")
      return "send \"HTTP/1.1 200 OK\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n\(escaped)\""
    }
    return try FaultServer.start("/first\n\(answer(first))\n/second\n\(answer(second))")
  }

  /// Runs specs against a server that gives these bodies.
  private func run(
    _ folder: TemporaryFolder, _ first: String, _ second: String, _ options: [String] = [],
    files: [String] = ["spec.yaml"]
  ) async throws -> (code: ProcessRun.Ending, output: String) {
    let server = try server(first, second)
    defer { server.stop() }
    let arguments = ["--var", "server=\(server.address)"] + options + files
    let result = try await ProcessRun(try builtExecutable("reqrun"), arguments, in: folder.path).run()
    return (result.ending, String(decoding: result.output + result.errorOutput, as: UTF8.self))
  }

  private let stored = "__snapshots__/spec.yaml"

  @Test("Stored, met, missed, stored anew")
  func life() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": Self.spec])

    let missing = try await run(folder, #"{"at": 1, "a": 1}"#, "one")
    #expect(missing.code == .exited(1))
    #expect(folder.text("\(stored)/first.json") == nil, "nothing is written unasked")

    let written = try await run(folder, #"{"at": 1, "a": 1}"#, "one", ["--update-snapshots"])
    #expect(written.code == .exited(0))
    #expect(written.output.contains("snapshots: 2 written"))
    #expect(folder.text("\(stored)/second.txt") == "one")
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(stored)/second.txt")
    #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o600 } == 0o600)

    let met = try await run(folder, #"{"a": 1.0, "at": 2}"#, "one")
    #expect(met.code == .exited(0))

    let same = try await run(folder, #"{"a": 1.0, "at": 2}"#, "one", ["--update-snapshots"])
    #expect(same.code == .exited(0))
    #expect(!same.output.contains("snapshot"), "what is met is not written")

    let missed = try await run(folder, #"{"a": 2, "at": 2}"#, "one")
    #expect(missed.code == .exited(1))

    let updated = try await run(folder, #"{"a": 2, "at": 2}"#, "one", ["--update-snapshots"])
    #expect(updated.output.contains("snapshots: 1 updated"))
    #expect(folder.text("\(stored)/first.json") == "{\n  \"a\": 2,\n  \"at\": \"<ignored>\"\n}\n")
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(stored)").sorted()
    #expect(left == ["first.json", "second.txt"], "nothing is left beside them")
  }

  @Test("A request renamed leaves its snapshot unused, and --prune takes it away with its folder")
  func prune() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": Self.spec, "old/spec.yaml": Self.spec])
    _ = try await run(folder, "{}", "one", ["--update-snapshots"], files: ["spec.yaml", "old/spec.yaml"])
    try folder.write([
      "spec.yaml": Self.spec.replacingOccurrences(of: "Second", with: "Third"),
      "old/spec.yaml": "url: ${{ server }}/first",
    ])
    let files = ["spec.yaml", "old/spec.yaml"]
    let told = try await run(folder, "{}", "one", ["--update-snapshots"], files: files)
    #expect(told.output.contains("snapshots: 1 written, 3 unused"))
    #expect(folder.text("\(stored)/second.txt") == "one", "it is only told")
    let pruned = try await run(folder, "{}", "one", ["--update-snapshots", "--prune"], files: files)
    #expect(pruned.output.contains("snapshots: 3 removed"))
    #expect(folder.text("\(stored)/second.txt") == nil)
    #expect(folder.text("\(stored)/third.txt") == "one")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/old/__snapshots__"), "empty folders go too")
  }

  @Test("Neither folder nor file leads out of the file root by a symbolic link")
  func links() async throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    defer {
      folder.remove()
      outside.remove()
    }
    try folder.write(["spec.yaml": Self.spec])
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: "\(folder.path)/__snapshots__", withDestinationPath: outside.path)
    let refused = try await run(folder, "{}", "one", ["--update-snapshots"])
    #expect(refused.code == .exited(1))
    #expect(refused.output.contains("lies outside the file root"))
    #expect(try files.contentsOfDirectory(atPath: outside.path).isEmpty)

    try files.removeItem(atPath: "\(folder.path)/__snapshots__")
    try folder.write(["\(stored)/first.json": "{}"])
    try outside.write(["second.txt": "one"])
    try files.createSymbolicLink(
      atPath: "\(folder.path)/\(stored)/second.txt", withDestinationPath: "\(outside.path)/second.txt")
    let read = try await run(folder, "{}", "one")
    #expect(read.code == .exited(1), "what a link leads to is not compared")
    #expect(read.output.contains("a symbolic link"))
    let replaced = try await run(folder, "{}", "two", ["--update-snapshots"])
    #expect(replaced.code == .exited(1), "neither the link nor what it leads to is replaced")
    #expect(outside.text("second.txt") == "one")
  }

  @Test("Files that run side by side, several times, store each snapshot once")
  func sideBySide() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let names = (0..<12).map { "spec\($0).yaml" }
    for name in names { try folder.write([name: Self.spec]) }
    let result = try await run(folder, #"{"at": 1}"#, "one", ["--update-snapshots", "--repeat", "3"], files: names)
    #expect(result.code == .exited(0))
    #expect(result.output.contains("snapshots: 24 written\n"))
    for name in names { #expect(folder.text("__snapshots__/\(name)/second.txt") == "one") }
  }

  @Test("What cannot be written is a failure that says why")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": Self.spec, "__snapshots__": "a file in the way"])
    let result = try await run(folder, "{}", "one", ["--update-snapshots"])
    #expect(result.code == .exited(1))
    #expect(result.output.contains("is not a directory"))
  }
}
