import Foundation
import TestSupport
import Testing

/// Several processes with one file, signals, and systems that refuse what a process needs.
@Suite("Processes", .timeLimit(.minutes(10)))
struct ProcessTests {
  /// - Parameter script: commands of a shell, with `reqrun` for the command and `$D` for the demo server, in a folder
  /// that is the home directory.
  private func run(_ script: String, _ files: [String: String] = [:]) async throws -> String {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(files)
    let start = "reqrun() { '\(try builtExecutable("reqrun"))' \"$@\"; }; exec 2>&1; "
    var process = ProcessRun("/bin/sh", ["-c", start + script], in: folder.path)
    process.environment = ["D": try SharedDemoServer.address(), "HOME": folder.path, "PATH": "/usr/bin:/bin"]
    return String(decoding: try await process.run().output, as: UTF8.self)
  }

  static let shared: [(name: String, script: String, output: String)] = [
    (
      "sessions",
      """
      for i in $(seq 20); do reqrun send -q --session s $D/cookies/set/k$i/v X-H$i:w & done; wait
      cd .local/state/reqrun/sessions/*; grep -c '"name"' s.json; grep -c 'k[0-9]*.v$' s.cookies; ls -A
      """, "20\n20\ns.cookies\ns.json\n"
    ),
    (
      "cookie jars, of which cookies are deleted",
      """
      echo "url: $D/cookies/set?$(seq -f 'old%g=v&' -s '' 20)" > before.yaml
      printf 'requests:\\n  - url: %s/cookies/set/new${{ i }}/v\\n  - url: %s/cookies/delete?old${{ i }}' $D $D > t.yaml
      reqrun --cookie-jar jar before.yaml > log; grep -c old jar
      for i in $(seq 20); do reqrun --cookie-jar jar --var i=$i t.yaml > log$i & done; wait
      grep -c new jar; grep -c old jar; ls -A | grep -v log
      """, "20\n20\n0\nbefore.yaml\njar\nt.yaml\n"
    ),
    (
      "token caches",
      """
      printf 'url: %s/oauth2/resource\\nauth: {oauth2: {grant_type: client_credentials, token_url: %s/oauth2/token, \
      client_id: reqrun, client_secret: reqrun-secret, scope: "s${{ i }}", token_cache: tokens.json}}' $D $D > t.yaml
      for i in $(seq 20); do reqrun --var i=$i t.yaml > log$i & done; wait
      grep -c access_token tokens.json
      """, "20\n"
    ),
    (
      "saved requests",
      """
      for i in $(seq 20); do reqrun send -q $D/anything/$i --offline --save t.yaml > log$i 2>&1 & done; wait
      grep -c url: t.yaml
      """, "20\n"
    ),
  ]

  @Test("with one file at the same time lose nothing", arguments: shared)
  func sharing(_ test: (name: String, script: String, output: String)) async throws {
    let output = try await run(test.script)
    #expect(output == test.output, "\(test.name)")
  }

  static let waiting = [
    "t.yaml": """
    requests:
      - {url: "${{ env.D }}/json", download: started}
      - {url: "${{ env.D }}/json", delay: 60s}
    teardown:
      - {url: "${{ env.D }}/json", download: ended}
    """
  ]

  static let signals: [(name: String, script: String, output: String)] = [
    ("SIGHUP", "begin; kill -HUP $p; wait $p; echo $?; ls", "129\nended\nr.json\nstarted\nt.yaml\n"),
    ("SIGTERM", "begin; kill -TERM $p; wait $p; echo $?; ls", "143\nended\nr.json\nstarted\nt.yaml\n"),
    ("an ignored SIGHUP", "trap '' HUP; begin; kill -HUP $p; kill -TERM $p; wait $p; echo $?", "143\n"),
  ]

  @Test("end in order by a signal, unless it is ignored", arguments: signals)
  func ending(_ test: (name: String, script: String, output: String)) async throws {
    let begin = """
      begin() {
        '\(try builtExecutable("reqrun"))' -q --report json=r.json t.yaml > /dev/null & p=$!
        until [ -e started ]; do sleep 0.02; done
      }

      """
    #expect(try await run(begin + test.script, Self.waiting) == test.output, "\(test.name)")
  }

  #if os(Linux)
    static let refusals: [(script: String, output: String)] = [
      ("ulimit -n 5", "too few files can be opened"), ("ulimit -n 6", "too few files can be opened"),
    ]

    @Test("without what they need say so", arguments: refusals)
    func refusal(_ test: (script: String, output: String)) async throws {
      let output = try await run("(\(test.script); reqrun --version); echo $?")
      #expect(output.hasPrefix("error: \(test.output)\n"), "\(output)")
      #expect(output.hasSuffix("\n3\n"), "\(output)")
    }

    @Test("begin without the libraries that few runs need") func libraries() async throws {
      let output = try await run("LD_TRACE_LOADED_OBJECTS=1 reqrun")
      #expect(output.contains("libyaml"), "\(output)")
      for name in ["libcurl", "libxml2", "libarchive", "libmicrohttpd"] { #expect(!output.contains(name), "\(output)") }
    }
  #endif
}
