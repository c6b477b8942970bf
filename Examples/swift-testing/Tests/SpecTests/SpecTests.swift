import Foundation
import ReqrunKit
import ReqrunTesting
import Testing

private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Specs")

/// The specs beside this file, a test case each. Those that begin with `_` are for other tests.
private let specs = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
  .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("_") }.sorted()

private func path(_ spec: String) -> String { folder.appending(path: spec).path() }

@Suite("Specs")
struct SpecTests {
  @Test("the API meets its specs", arguments: specs)
  func spec(_ name: String) async {
    var runner = Runner(specs: [.path(path(name))])
    // Yours would set the address of the server under test: runner.options.variables = ["server": .text(address)].
    runner.options.demo = true
    runner.options.secrets = ["password": "secret-password"]
    await runner.run().recordIssues()
  }

  @Test("a failure points into the YAML")
  func failingSpec() async {
    let result = await Runner(specs: [.path(path("_outdated.yaml"))]).usingStub().run()
    withKnownIssue("the spec expects what is no longer so") {
      result.recordIssues()
    } matching: { issue in
      issue.sourceLocation.map { "\($0.fileName):\($0.line):\($0.column)" } == "_outdated.yaml:6:13"
    }
  }
}
