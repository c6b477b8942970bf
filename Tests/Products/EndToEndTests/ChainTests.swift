import Foundation
import TestSupport
import Testing

@Suite("Chains of any length")
struct ChainTests {
  private func run(_ files: [String: String], _ arguments: [String] = ["spec.yaml"]) async throws -> (
    ending: ProcessRun.Ending, output: String
  ) {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files)
    var run = ProcessRun(try builtExecutable("reqrun"), arguments, in: folder.path)
    // Of each thread.
    run.limits.stackKilobytes = 512
    let result = try await run.run()
    return (result.ending, String(decoding: result.output + result.errorOutput, as: UTF8.self))
  }

  private static let links = 1000

  /// A mapping of names that each read the one before.
  private func chain(_ first: String, _ link: (Int) -> String = { "${{ v\($0 - 1) }}" }) -> String {
    "  v0: \(first)\n" + (1..<Self.links).map { "  v\($0): \"\(link($0))\"\n" }.joined()
  }

  private var request: String {
    "url: ${{ demo }}/anything/${{ v\(Self.links - 1) }}\nexpect: {status: 200}\n"
  }

  private var demo: [String] { get throws { ["--var", "demo=\(try SharedDemoServer.address())", "spec.yaml"] } }

  @Test("Variables read each other, of the file, of a file that it extends, of the project, and secrets among them")
  func variables() async throws {
    let variables = "variables:\n" + chain("end")
    let secrets = "secrets:\n" + chain("very-secret-word") + "variables: {}\n"
    for files in [
      ["spec.yaml": variables + request], ["spec.yaml": "extends: base.yaml\n" + request, "base.yaml": variables],
      ["spec.yaml": request, "reqrun.yaml": variables], ["spec.yaml": secrets + request],
    ] {
      let (ending, output) = try await run(files, demo)
      #expect(ending == .exited(0), "\(output.suffix(2000))")
      #expect(!output.contains("very-secret-word"))
    }
  }

  @Test("What the first of them lacks is told, with a few of the lookups")
  func failing() async throws {
    let (ending, output) = try await run(
      ["spec.yaml": "variables:\n" + chain("${{ env.NOWHERE_SET }}") + request], demo)
    #expect(ending == .exited(2) && output.contains("the environment variable `NOWHERE_SET` is not set"))
    #expect(output.utf8.count < 10_000)
  }

  @Test("Levels that they put together are at most as many as a JSON document's")
  func levels() async throws {
    let open = String(repeating: "[", count: 30)
    let close = String(repeating: "]", count: 30)
    let levels = "variables:\n  v0: x\n" + (1..<40).map { "  v\($0): \(open)\"${{ v\($0 - 1) }}\"\(close)\n" }.joined()
    func body(_ name: String) -> String {
      levels
        + "url: ${{ demo }}/status/200\nmethod: POST\nbody: \"${{ json(flatten(\(name))) == json(\(name)) }}${{ \(name) == \(name) }}\"\n"
    }
    #expect(try await run(["spec.yaml": body("v17")], demo).ending == .exited(0))
    let (ending, output) = try await run(["spec.yaml": body("v18")], demo)
    #expect(ending == .exited(2) && output.contains("the value would nest deeper than 512 levels"))
  }

  @Test("A circle by way of the project's secrets is told")
  func circle() async throws {
    let (ending, output) = try await run([
      "reqrun.yaml": "secrets: {s: \"${{ v }}\"}\nvariables: {v: abcdefgh}\n",
      "spec.yaml": "variables: {v: \"${{ s }}\"}\nurl: http://127.0.0.1:1/${{ v }}\n",
    ])
    #expect(ending == .exited(2) && output.contains("these read each other in a circle: `v` → `s` → `v`"))
  }

  @Test("Files extend each other up to a bound", arguments: [32, 33, 300])
  func files(_ count: Int) async throws {
    var files = ["spec.yaml": "extends: _0.yaml\nurl: ${{ demo }}/status/200\n"]
    for index in 0..<count {
      files["_\(index).yaml"] =
        (index + 1 < count ? "extends: _\(index + 1).yaml\n" : "") + "variables: {v\(index): 1}\n"
    }
    let (ending, output) = try await run(files, demo)
    guard count > 32 else {
      #expect(ending == .exited(0), "\(output)")
      return
    }
    #expect(ending == .exited(2))
    #expect(output.contains("more than 32 files extend each other") && output.contains("_31.yaml:1:10"))
  }

  @Test("Directories nest deeper than a call stack")
  func directories() async throws {
    let path = (0..<900).map { _ in "d" }.joined(separator: "/")
    let (ending, output) = try await run(
      ["\(path)/spec.yaml": "url: ${{ demo }}/status/200\n"], demo.dropLast() + ["d"])
    #expect(ending == .exited(0), "\(output)")
  }
}
