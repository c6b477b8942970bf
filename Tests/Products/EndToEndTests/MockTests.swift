import Foundation
import TestSupport
import Testing

/// Mocks as a user starts them, with the real binary.
@Suite("Mocks of recordings and specs") struct MockTests {
  /// Runs commands in the package's folder while a mock of sources serves at `$A`; the output of both.
  private func shell(_ before: String = ":", mock sources: String, _ commands: String) async throws -> String {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let script = """
      R='\(try builtExecutable("reqrun"))'; T='\(folder.path)'; \(before)
      "$R" mock \(sources) > "$T/mock" 2>&1 & M=$!
      await() { until grep -qs "$1" "$T/mock"; do kill -0 $M 2>/dev/null || break; sleep 0.1; done; }
      await 'listens at'
      A=$(sed -n 's/.*listens at \\(http[^;]*\\);.*/\\1/p' "$T/mock")
      \(commands)
      kill -INT $M; wait $M; cat "$T/mock"
      """
    var process = ProcessRun("/bin/sh", ["-c", script], in: Repository.root.path)
    process.environment = ["PATH": "/usr/bin:/bin"]
    return String(decoding: try await process.run().output, as: UTF8.self)
  }

  @Test("A recorded collection passes against its recording, again on the same server, in parallel or not")
  func replay() async throws {
    let run = #""$R" -q Examples/shop --var api=$A/api && echo PASSED;"#
    let output = try await shell(
      #""$R" -q Examples/shop --report har="$T/r.har" --report json="$T/r.json" > "$T/recorded""#,
      mock: #""$T/r.har""#, "\(run) \(run.replacingOccurrences(of: " && ", with: " -j 1 && ")) \(run)")
    #expect(output.components(separatedBy: "PASSED\n").count == 4, "\(output)")
    #expect(output.contains(" recorded exchanges listens at"), "\(output)")
  }

  @Test("Specs are the tests of an API and its stand-in") func specs() async throws {
    let spec = """
      printf '%s\\n' 'variables: {base: "https://api.example"}' 'defaults: {base_url: "${{ base }}"}' \
      'requests:' '  - {url: /users, json: {name: Ann}, capture: {id: $.id}, expect: {status: 201, json: {$.name: Ann}}}' \
      '  - {url: "/users/${{ id }}", expect: {json: {$.id: "${{ id }}"}}}' \
      '  - {url: "/users/${{ id }}", method: DELETE, expect: {status: 204}}' \
      '  - {url: "/users/${{ id }}", expect: {status: 404}}' > "$T/users.yaml"
      """
    let run = #""$R" -q "$T/users.yaml" --var base=$A && echo PASSED;"#
    let output = try await shell(spec, mock: #""$T/users.yaml""#, "\(run) \(run)")
    #expect(output.components(separatedBy: "PASSED\n").count == 3, "\(output)")
    #expect(output.contains("the mock of 4 requests listens at"), "\(output)")
  }

  @Test("Where nothing is expected, the contract of a spec says what it responds") func contract() async throws {
    let spec = """
      cp Examples/shared/users-api.yaml "$T/api.yaml"; printf '%s\\n' 'openapi: api.yaml' 'variables: {base: "https://api.example"}' \
      'defaults: {base_url: "${{ base }}"}' 'requests:' \
      '  - {url: /api/users/1, expect: {json: {$.name: Ann}}}' '  - {url: /api/users/2, expect: {status: 404}}' \
      > "$T/users.yaml"
      """
    let run = #""$R" "$T/users.yaml" --var base=$A && echo PASSED"#
    let output = try await shell(spec, mock: #""$T/users.yaml""#, run)
    #expect(output.contains("PASSED\n"), "\(output)")
    #expect(output.contains("1 of 5 operations"), "the contract was checked: \(output)")
  }

  @Test("A watched mock serves changed files; one with errors leaves it as it was") func watch() async throws {
    let output = try await shell(
      #"echo '{url: "http://a.test/x", mock: {body: first}}' > "$T/a.yaml""#, mock: #"--watch "$T""#,
      #"""
      "$R" send $A/x; echo; echo 'url: [' > "$T/a.yaml"; await 'never closed'; "$R" send $A/x; echo
      echo '{url: "http://a.test/x", mock: {body: second}}' > "$T/a.yaml"; await 'changed: the mock';
      "$R" send $A/x; echo
      """#)
    #expect(output.hasPrefix("first\nfirst\nsecond\n"), "\(output)")
  }

  @Test("A source without anything to play back ends it with 2") func wrongSource() async throws {
    let output = try await shell(
      #"echo '{"log": {"entries": []}}' > "$T/empty.har"; "$R" mock "$T/empty.har" 2>&1; echo "exit $?""#,
      mock: "nope.yaml", ":")
    #expect(output.contains("empty.har has no exchange that can be played back"), "\(output)")
    #expect(output.contains("exit 2") && output.contains("nope.yaml"), "\(output)")
  }
}
