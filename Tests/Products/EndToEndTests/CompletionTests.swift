import Foundation
import TestSupport
import Testing

private func isInstalled(_ program: String) -> Bool {
  ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}

/// What shells offer by the scripts of `reqrun completions`.
@Suite("Completion", .timeLimit(.minutes(10)))
struct CompletionTests {
  private static let spec = """
    tags: [api]
    requests:
      - {name: log in, url: "http://api.test/", tags: [smoke]}
      - {name: "it's $(me)", url: "http://api.test/"}
    """

  /// - Parameter body: a command of the shell, with the script in `completion` and reqrun in the path.
  private func run(_ shell: [String], _ body: String) async throws -> String {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let program = try builtExecutable("reqrun")
    try folder.write(["spec.yaml": Self.spec, "spare/notes": ""])
    let script = try await ProcessRun(program, ["completions", shell[0]], in: folder.path).run()
    try folder.write(["completion": String(decoding: script.output, as: UTF8.self)])
    var process = ProcessRun("/usr/bin/env", shell + ["-c", body], in: folder.path)
    let path = URL(fileURLWithPath: program).deletingLastPathComponent().path
    process.environment = ["PATH": "\(path):/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "HOME": folder.path]
    let result = try await process.run()
    return String(decoding: result.output + result.errorOutput, as: UTF8.self)
  }

  @Test(
    "bash", .enabled(if: isInstalled("bash"), "bash is not installed"),
    arguments: [
      ("--color=al", "--color = al", "[always]"), ("--color al", "--color al", "[always]"),
      ("--report=ju", "--report = ju", "[junit=]"), ("--report cov", "--report cov", "[coverage=]"),
      ("--report junit=sp", "--report junit = sp", ""), ("--tags ", "--tags |", "[api][smoke]"),
      ("--tags=sm", "--tags = sm", "[smoke]"), ("--tags api,sm", "--tags api,sm", "[api,smoke]"),
      ("spec.yaml --exclude-tags a", "spec.yaml --exclude-tags a", "[api]"), ("--name l", "--name l", "[log\\ in]"),
      ("--name i", "--name i", #"[it\'s\ \$\(me\)]"#), ("help expectat", "help expectat", "[expectations]"),
      ("man f", "man f", "[format]"),
      ("--jobs ", "--jobs |", ""), ("ch", "ch", "[check]"), ("--dr", "--dr", "[--dry-run]"),
      ("demo --p", "demo --p", "[--port]"),
      ("send a.org -o sp", "send a.org -o sp", ""), ("import a.har -o sp", "import a.har -o sp", "[spare]"),
      ("demo --fail", "demo --fail", ""), ("--color=", "--color =", "[auto][always][never]"),
    ])
  func bash(_ line: String, _ words: String, _ offers: String) async throws {
    let all = ["reqrun"] + words.split(separator: " ").map { $0 == "|" ? "" : String($0) }
    let array = all.map { "'\($0)'" }.joined(separator: " ")
    let body = """
      source completion
      COMP_LINE='reqrun \(line)' COMP_POINT=${#COMP_LINE} COMP_WORDS=(\(array)) COMP_CWORD=\(all.count - 1)
      COMP_POINT=${#COMP_LINE}
      _reqrun reqrun
      for offer in "${COMPREPLY[@]}"; do printf '[%s]' "$offer"; done
      """
    #expect(try await run(["bash"], body) == offers)
  }

  @Test(
    "fish", .enabled(if: isInstalled("fish"), "fish is not installed"),
    arguments: [
      ("--color=al", ["--color=always"]), ("--color al", ["always"]), ("--report=ju", ["--report=junit="]),
      ("--report cov", ["coverage="]), ("--tags ", ["api", "smoke"]), ("--tags api,sm", ["api,smoke"]),
      ("spec.yaml --exclude-tags a", ["api"]), ("--name l", ["log in"]), ("help expectat", ["expectations"]),
      ("man f", ["format"]),
    ])
  func fish(_ line: String, _ offers: [String]) async throws {
    let text = try await run(["fish"], "source completion; complete -C 'reqrun \(line)'")
    let words = text.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
    #expect(words == offers)
  }
}
