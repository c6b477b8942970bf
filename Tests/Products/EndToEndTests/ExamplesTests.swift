import Foundation
import TestSupport
import Testing

/// The package's folder.
private let root = Repository.root.path

/// All files of the tour, as a shell expands `Examples/*.yaml`.
private let examples: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Examples")) ?? [])
  .filter { $0.hasSuffix(".yaml") }.sorted().map { "Examples/\($0)" }

/// One after another: some write files beside themselves.
@Suite("The examples", .serialized, .enabled(if: !examples.isEmpty, "there is no folder Examples"))
struct ExamplesTests {
  @Test("reqrun Examples/*.yaml passes, with no server, no option and an empty environment")
  func all() async throws {
    let result = try await ProcessRun(try builtExecutable("reqrun"), examples, in: root).run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    #expect(result.ending == .exited(0), "\(output)")
    for file in examples where !file.hasSuffix("/reqrun.yaml") {
      #expect(output.split(separator: "\n").contains { $0.hasPrefix("✓ \(file)") }, "\(file) ran")
    }
  }

  @Test("An example also passes by itself", arguments: examples.filter { !$0.hasSuffix("/reqrun.yaml") })
  func alone(_ file: String) async throws {
    let result = try await ProcessRun(try builtExecutable("reqrun"), [file], in: root).run()
    #expect(result.ending == .exited(0), "\(String(decoding: result.output + result.errorOutput, as: UTF8.self))")
  }

  @Test("The collection passes with its default environment, and its dry run with the others")
  func collection() async throws {
    let result = try await ProcessRun(try builtExecutable("reqrun"), ["Examples/shop"], in: root).run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    #expect(result.ending == .exited(0), "\(output)")
    #expect(output.split(separator: "\n").filter { $0.hasPrefix("  ✓ log in") }.count == 1, "one login for all")
    for environment in ["staging", "production"] {
      let dry = try await ProcessRun(
        try builtExecutable("reqrun"), ["--dry-run", "--env", environment, "--secret", "password=x", "Examples/shop"],
        in: root
      ).run()
      #expect(dry.ending == .exited(0), "\(String(decoding: dry.output + dry.errorOutput, as: UTF8.self))")
    }
  }
}
