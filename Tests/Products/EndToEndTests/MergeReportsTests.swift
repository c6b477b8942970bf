import Foundation
import TestSupport
import Testing

@Suite("Merged reports", .timeLimit(.minutes(10)))
struct MergeReportsTests {
  /// Files of which some need others, some fail, and one is broken.
  private static let files: [String: String] = {
    var files = [
      "t/auth/login.yaml": """
      variables: {user: anna}
      requests:
        - {name: log in, url: "${{ server }}/anything?u=${{ user }}", capture: {token: {json: $.args.u}}}
      teardown:
        - {name: log out, url: "${{ server }}/anything"}
      """,
      "t/z.yaml": "requests:\n  - {name: z, urll: x}\n",
      "t/root.yaml": """
      needs: {root: {use: auth/login.yaml, with: {user: root}}}
      requests:
        - {name: r, url: "${{ server }}/anything?t=${{ root.token }}", expect: {status: 201}}
        - {name: skipped, url: "${{ server }}/anything"}
      """,
    ]
    for number in 1...6 {
      files["t/t\(number).yaml"] = """
        needs: [auth/login.yaml]
        requests:
          - {name: r\(number), url: "${{ server }}/anything?t=${{ token }}"}
        """
    }
    return files
  }()

  private struct Output: Equatable {
    let text: String
    let errors: String
    let ending: ProcessRun.Ending
  }

  private func reqrun(_ arguments: [String], in folder: TemporaryFolder) async throws -> Output {
    let run = ProcessRun(try builtExecutable("reqrun"), arguments, in: folder.path)
    let result = try await run.run()
    let mapping = OutputMapping(temporaryFolder: folder.path)
    return Output(
      text: mapping.map(String(decoding: result.output, as: UTF8.self)),
      errors: mapping.map(String(decoding: result.errorOutput, as: UTF8.self)), ending: result.ending)
  }

  /// Each shard exercises one of three operations.
  @Test(
    "The coverage of all shards together is required", arguments: [("66", 0), ("67", 1)])
  func minCoverage(_ percent: String, _ code: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write([
      "openapi.yaml": """
      openapi: 3.1.0
      info: {title: Echo, version: "1"}
      paths:
        /anything: {get: {responses: {"200": {description: OK}}}}
        /headers: {get: {responses: {"200": {description: OK}}}}
        /never: {get: {responses: {"200": {description: OK}}}}
      """,
      "t1.yaml": "openapi: openapi.yaml\nrequests: [{url: \"${{ server }}/anything\"}]\n",
      "t2.yaml": "openapi: openapi.yaml\nrequests: [{url: \"${{ server }}/headers\"}]\n",
    ])
    let server = "server=\(try SharedDemoServer.address())"
    for number in 1...2 {
      let shard = try await reqrun(
        ["-q", "--var", server, "--shard", "\(number)/2", "--report", "json=\(number).json", "t1.yaml", "t2.yaml"],
        in: folder)
      #expect(shard.ending == .exited(0), "\(shard)")
    }
    let merged = try await reqrun(["merge-reports", "--min-coverage", percent, "1.json", "2.json"], in: folder)
    #expect(merged.ending == .exited(code), "\(merged)")
    #expect(merged.text.contains("openapi.yaml: 2 of 3 operations (66 %)"))
    #expect(
      merged.text.contains("the run exercised 66 % of the operations, less than 67 % (--min-coverage)") == (code == 1))
  }

  @Test("The request fields of all shards are counted together, where they are counted")
  func fieldCoverage() async throws {
    let folder = try TemporaryFolder()
    let parameters = "[{name: a, in: query, schema: {enum: [x, y]}}, {name: b, in: query, schema: {type: string}}]"
    try folder.write([
      "openapi.yaml": """
      openapi: 3.1.0
      info: {title: Echo, version: "1"}
      paths: {/anything: {get: {parameters: \(parameters), responses: {"200": {description: OK}}}}}
      """,
      "t1.yaml": "openapi: openapi.yaml\nrequests: [{url: \"${{ server }}/anything?a=x\"}]\n",
      "t2.yaml": "openapi: openapi.yaml\nrequests: [{url: \"${{ server }}/anything?b=1\"}]\n",
    ])
    let server = "server=\(try SharedDemoServer.address())"
    for number in 1...2 {
      let options = ["-q", "--field-coverage", "--var", server, "--shard", "\(number)/2"]
      let shard = try await reqrun(options + ["--report", "json=\(number).json", "t1.yaml", "t2.yaml"], in: folder)
      #expect(shard.ending == .exited(0), "\(shard)")
    }
    let merged = try await reqrun(
      ["merge-reports", "--report", "coverage=all.txt", "1.json", "2.json"], in: folder)
    #expect(merged.text.contains("2 of 2 request fields and 1 of 2 enum values exercised"), "\(merged)")
    #expect(folder.text("all.txt")?.contains("never sent: query a=y") == true)
  }

  /// Runs all files, and each shard of them.
  private func run(
    shards: Int, _ files: [String], in folder: TemporaryFolder
  ) async throws -> (whole: Output, reports: [String]) {
    try folder.write(Self.files)
    let options = ["--var", "server=\(try SharedDemoServer.address())", "--repeat", "2"] + files
    let whole = try await reqrun(options, in: folder)
    var reports: [String] = []
    for number in 1...shards {
      reports.append("\(number).json")
      _ = try await reqrun(
        options + ["--shard", "\(number)/\(shards)", "--report", "json=\(number).json"], in: folder)
    }
    return (whole, reports)
  }

  @Test(
    "print what one run prints",
    arguments: [(["t"], 2), (["t"], 5), (["t/t4.yaml", "t/root.yaml", "t/z.yaml", "t/t1.yaml", "t/t3.yaml"], 3)])
  func merged(_ files: [String], _ shards: Int) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (whole, reports) = try await run(shards: shards, files, in: folder)
    let merged = try await reqrun(["merge-reports", "--report", "json=all.json"] + reports.reversed(), in: folder)
    #expect(merged == whole)
    #expect(try await reqrun(["show", "all.json"], in: folder) == whole)
  }

  @Test("of shards that don't fit together, or are not all there, are told")
  func refused() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (_, reports) = try await run(shards: 2, ["t/t1.yaml", "t/t2.yaml", "t/t3.yaml"], in: folder)
    let server = try SharedDemoServer.address()
    for (name, options) in [("whole", []), ("other", ["--shard", "2/2"])] {
      _ = try await reqrun(
        ["--var", "server=\(server)", "--report", "json=\(name).json", "t/t1.yaml"] + options, in: folder)
    }
    let cases: [(arguments: [String], code: Int, message: String)] = [
      ([reports[0], reports[0]], 5, "1.json and 1.json cannot be merged: both are of shard 1/2"),
      ([reports[0], "whole.json"], 5, "only one of them is that of a shard"),
      ([reports[0], "other.json"], 5, "their shards are parts of different files"),
      (["whole.json", "whole.json"], 5, "t/t1.yaml ran in both"),
      ([reports[0], "none.json"], 5, "none.json cannot be read: "),
      ([reports[1]], 2, "the report of shard 1/2 is missing"),
    ]
    for (arguments, code, message) in cases {
      let output = try await reqrun(["merge-reports"] + arguments, in: folder)
      #expect(output.errors.contains(message), "\(output.errors)")
      #expect(output.ending == .exited(code), "\(arguments)")
    }
  }
}
