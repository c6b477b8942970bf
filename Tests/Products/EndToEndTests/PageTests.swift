import DemoServer
import Foundation
import TestSupport
import Testing

/// README.md and the pages of the catalogue, as `Pages/README.md` describes their blocks.
@Suite("The pages of the documentation") struct PageTests {
  @Test(
    "the specs of a page are valid, its command lines too, and its output is what reqrun prints", arguments: Page.all)
  func blocks(_ page: Page) async throws {
    var check = try PageCheck(page)
    defer { check.end() }
    try await check.run()
    if ProcessInfo.processInfo.environment["REQRUN_RECORD"] == "1", !check.printed.isEmpty {
      let file = Repository.root.appendingPathComponent(page.path)
      try page.text(replacing: check.printed).write(to: file, atomically: true, encoding: .utf8)
      check.printed = []
    }
    let stale = check.printed.map {
      "\(page.path):\($0.lines.lowerBound + 1): reqrun prints\n\($0.text.joined(separator: "\n"))"
    }
    for problem in check.problems + stale { Issue.record(Comment(rawValue: problem)) }
  }

  @Test(
    "what is wrong in a page is found",
    arguments: [
      ("See [it](no.md) and <doc:Nothing>.", "p.md:1: there is no Nothing.md"),
      ("See [it](no.md) and <doc:Nothing>.", "p.md:1: there is no no.md"),
      ("See <doc:Requests#Cashing>.", "p.md:1: Requests.md has no heading for #Cashing"),
      ("```yaml\nurl: http://h\ntimeout: 5\n```", "p.md:3: the duration 5 has no unit"),
      ("```yaml\n- url: http://h\n  expct: 5\n```", "p.md:3: unknown key `expct`"),
      ("```yaml\nstatus: 200\nduration: 1s\nbody: {equls: 1}\n```", "p.md:4: unknown predicate `equls`"),
      ("```yaml\ntimeout: 1s\ntimeout: 5\n```", "p.md:3: the duration 5 has no unit"),
      ("```yaml\nretry: 3\n# or: retry: x\n```", "p.md:3: "),
      ("```yaml\n# a.yaml\nurl: http://h/${{ x }}\n```", "there is no variable `x`"),
      ("```yaml\n# .gitlab-ci.yml\napi: {script: reqrun --tag x y}\n```", "p.md:2: unknown option --tag"),
      ("```json\n{\"a\": }\n```", "p.md:2: "),
      ("```sh\nx || reqrun chekc a && reqrun -j 0 .\n```", "p.md:2: "),
      ("```sh\nreqrun 'a\n```", "p.md:2: /bin/bash"),
      ("```hurl\nGET http://h\n```", "p.md:2: give the block a file name"),
      ("```console\n$ ruby x.rb\n```", "p.md:2: `$ ruby x.rb` is not run here"),
      ("```console\nreqrun check\n```", "p.md:2: a console begins with `$ `"),
    ])
  func problems(_ text: String, _ problem: String) async throws {
    var check = try PageCheck(Page(path: "p.md", text: text))
    defer { check.end() }
    try await check.run()
    #expect(check.problems.contains { $0.contains(problem) }, "\(check.problems)")
  }

  @Test(
    "output is compared but for what changes from run to run",
    arguments: [
      (
        "$ echo 127.0.0.1:8080 took 5 ms, 0af5a3e5-5f0f-4f0e-9d2b-6a7d1e1f0c3b\n127.0.0.1:99 took 6 ms, 12345678-5f0f-4f0e-9d2b-6a7d1e1f0c3b\n",
        []
      ),
      ("$ (exit 3)\n$ echo $?\n2\n", ["$ (exit 3)", "$ echo $?", "3"]),
      ("$ printf 'a\\nb\\nc'\na\n…\nc\n", []),
      ("$ printf 'a\\nb\\nc'\n…\nb\n", ["$ printf 'a\\nb\\nc'", "a", "b", "c"]),
      ("$ echo a \\\n    b\na  b\n$ curl -s localhost:8080/uuid >&2 | cat\n", nil),
    ])
  func output(_ console: String, _ fresh: [String]?) async throws {
    var check = try PageCheck(Page(path: "p.md", text: "```console\n\(console)```"))
    defer { check.end() }
    try await check.run()
    #expect(check.problems == [])
    if let fresh {
      #expect(check.printed.flatMap(\.text) == fresh)
    } else {
      #expect(check.printed.first?.text.count == 7)
    }
  }
}
