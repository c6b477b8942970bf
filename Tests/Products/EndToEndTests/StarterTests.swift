import Foundation
import TestSupport
import Testing

@Suite("The collection of reqrun init", .timeLimit(.minutes(10)))
struct StarterTests {
  @Test("It is valid, formatted, passes against the demo server, and has the schema of this version")
  func collection() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func output(_ arguments: [String], exit status: Int = 0) async throws -> String {
      let result = try await ProcessRun(try builtExecutable("reqrun"), arguments, in: folder.path).run()
      let text = String(decoding: result.output + result.errorOutput, as: UTF8.self)
      #expect(result.ending == .exited(status), "\(arguments): \(text)")
      return text
    }
    #expect(try await output(["init", "my api"]).contains("  reqrun 'my api' "))
    for arguments in [["check"], ["check", "--env", "staging"], ["check", "--env", "production"], ["list"]] {
      #expect(!(try await output(arguments + ["my api"]).contains("warning")), "\(arguments)")
    }
    #expect(try await output(["format", "--check", "my api"]).isEmpty)
    #expect(try await output(["my api"]).contains("7 requests in 3 files: 7 passed"))
    let schema = try String(contentsOfFile: "\(folder.path)/my api/reqrun.schema.json", encoding: .utf8)
    #expect(schema == (try await output(["schema"])), "reqrun.schema.json is what `reqrun schema` prints")
    _ = try await output(["init", "my api"], exit: 5)
    _ = try await output(["init", "--force", "my api"])
  }
}
