import Foundation
import TestSupport
import Testing

/// Runs a shell script in place of reqrun, in a case made of the given files.
private func problems(
  script: String, _ files: [String: String] = [:], _ configure: (inout CaseRunner) -> Void = { _ in }
) async throws -> [String] {
  let folder = try TemporaryFolder()
  defer { folder.remove() }
  try folder.write(files)
  if files["arguments"] == nil { try folder.write(["arguments": "-c\n\(script)\n"]) }
  var runner = CaseRunner("/bin/sh")
  configure(&runner)
  return try await runner.problems(of: CaseFolder(name: "area/name", path: folder.path))
}

@Suite("The end-to-end harness")
struct HarnessTests {
  @Test("A program that does what the golden files say passes")
  func passes() async throws {
    let script = "echo out; echo err >&2; exit 3"
    #expect(
      try await problems(script: script, ["stdout": "out\n", "stderr": "err\n", "exit-code": "3\n"]) == [])
    #expect(try await problems(script: "true") == [], "no golden files: nothing is written, exit code 0")
  }

  @Test(
    "A wrong golden file fails, and says where",
    arguments: [
      ("stdout", "one\nTWO\nthree\n", "  one\n- TWO\n+ two\n  three"),
      ("stdout", "one\nthree\n", "  one\n+ two\n  three"),
      ("stdout", "one\ntwo\nthree\nfour\n", "  one\n  two\n  three\n- four"),
      ("stdout", "one\ntwo\nthree", "  one\n  two\n  three\n+ "),
      ("stdout", "one\nt<any>\n", "  one\n  t<any>\n+ three"),
      ("stderr", "", "+ oops"),
      ("exit-code", "1\n", "- 1\n+ 2"),
      ("exit-code", "0\n", "- 0\n+ 2"),
      ("expected/report.txt", "reports\n", "- reports\n+ report"),
      ("expected/none.txt", "", "none.txt was not written"),
    ])
  func fails(_ file: String, _ text: String, _ drawing: String) async throws {
    var files = [
      "stdout": "one\ntwo\nthree\n", "stderr": "oops\n", "exit-code": "2\n", "expected/report.txt": "report\n",
    ]
    let script = "echo one; echo two; echo three; echo oops >&2; echo report > report.txt; exit 2"
    #expect(try await problems(script: script, files) == [])
    files[file] = text
    let found = try await problems(script: script, files)
    #expect(found.count == 1)
    #expect(found.first?.contains(drawing) == true, "\(found)")
    #expect(found.first?.hasPrefix("area/name") == true)
  }

  @Test("The growth of linear work is told from that of quadratic work")
  func growths() {
    func work(_ steps: Int) { #expect((0..<steps).reduce(0) { $0 ^ $1 } >= 0) }
    #expect(growth(to: 400_000) { work($0) } < 1.5)
    #expect(growth(to: 640) { work($0 * $0) } > 1.5)
  }

  @Test("A hanging program is killed, with all it started, and the case fails")
  func hangs() async throws {
    let marker = try TemporaryFolder()
    defer { marker.remove() }
    let started = ContinuousClock.now
    let script = "echo begun; (sleep 3; touch \(marker.path)/alive) & sleep 60"
    let found = try await problems(script: script, ["stdout": "begun\n"]) { $0.timeLimit = .milliseconds(1500) }
    #expect(found.count == 1)
    #expect(found.first?.contains("killed after") == true)
    #expect(found.first?.contains("begun") == true, "what it wrote until then helps")
    #expect(ContinuousClock.now - started < .seconds(30))
    try await Task.sleep(until: started + .seconds(4))
    #expect(!FileManager.default.fileExists(atPath: marker.path + "/alive"))
  }

  @Test("A program finds its own files, an empty environment but the case's, and nothing to read")
  func surroundings() async throws {
    let found = try await problems(
      script: "ls; cat spec.yaml; /usr/bin/env -u PWD -u SHLVL -u _ -u OLDPWD; cat; pwd",
      [
        "spec.yaml": "url: /x\n", "sub/body.txt": "b", "environment": "A=1=2\nB={{tmp}}/b\n", "limits": "cpu 10\n",
        "stdout": "spec.yaml\nsub\nurl: /x\nA=1=2\nB=<tmp>/b\n<tmp>\n",
      ])
    #expect(found == [])
  }

  @Test("Arguments come one per line, with their placeholders filled in")
  func arguments() async throws {
    let found = try await problems(
      script: "",
      [
        "arguments": "-c\nprintf '%s\\n' \"$@\"\nsh\na b\n\n{{demo}}/get\n{{tmp}}\n{{unknown}}\n",
        "stdout": "a b\n\nhttp://127.0.0.1:<port>/get\n<tmp>\n{{unknown}}\n",
      ]
    ) { $0.placeholders = ["demo": { "http://127.0.0.1:4711" }] }
    #expect(found == [])
  }

  @Test("All cases share one demo server")
  func demoServer() async throws {
    let address = try SharedDemoServer.address()
    #expect(try SharedDemoServer.address() == address)
    // Not by URLSession: it would find the functions of libcurl that this process loads later, or never.
    let result = try await ProcessRun("/usr/bin/curl", ["--silent", address + "/get"], in: "/").run()
    #expect(result.ending == .exited(0))
    #expect(!result.output.isEmpty)
  }

  @Test("A case with a fault script gets the address of its server")
  func faults() async throws {
    let found = try await problems(
      script: "",
      [
        "fault": "send \"HTTP/1.1 204 No Content\\r\\n\\r\\n\"\n", "arguments": "-c\necho {{fault}}\n",
        "stdout": "http://127.0.0.1:<port>\n",
      ])
    #expect(found == [])
    await #expect(throws: HarnessError.self) { try await problems(script: "", ["arguments": "{{fault}}\n"]) }
  }

  @Test("What the fault servers got is compared, where there is a golden file for it")
  func requests() async throws {
    let answer = "send \"HTTP/1.1 204 No Content\\r\\n\\r\\n\"\n"
    var files = [
      "fault": "# {{other}}\n" + answer, "other-fault": answer,
      "arguments": "-c\necho $0 $1\n{{fault}}\n{{other}}\n",
      "stdout": "http://127.0.0.1:<port> http://127.0.0.1:<port>\n", "requests": "",
    ]
    #expect(try await problems(script: "", files) == [])
    files["other-requests"] = "GET /\n"
    let found = try await problems(script: "", files)
    #expect(found.first?.contains("other-requests differs") == true, "\(found)")
  }

  @Test("A request reads as it was sent, its body below")
  func requestText() {
    var request = FaultServer.Request(
      method: "POST", target: "/a?b", headerLines: ["X-B: 1", "Accept-Encoding: gzip, br", "A: 2"], body: [],
      connection: 1)
    #expect(request.description == "POST /a?b\nX-B: 1\nAccept-Encoding: <codings>\nA: 2\n")
    request.body = Array("hi".utf8)
    #expect(request.withSortedHeaders.description == "POST /a?b\nA: 2\nAccept-Encoding: <codings>\nX-B: 1\n\nhi\n")
  }

  @Test("A case with transports is run with each, and each may have golden files of its own")
  func transports() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([
      "a/x/transports": "curl\nother\n", "a/x/arguments": "spec\n", "a/x/stdout": "--transport curl spec\n",
      "a/x/stdout.other": "--transport other spec\n",
    ])
    let cases = CaseFolder.all(in: folder.path)
    #expect(cases.map(\.description) == ["a/x (curl)", "a/x (other)"])
    for item in cases { #expect(try await CaseRunner("/bin/echo").problems(of: item) == []) }
    try folder.write(["a/x/stdout.other": "else\n"])
    #expect(try await CaseRunner("/bin/echo").problems(of: cases[1]).count == 1)
  }

  @Test("A limit on CPU time holds, and an unknown limit is an error")
  func cpuLimit() async throws {
    let busy = try await problems(script: "while :; do :; done", ["limits": "cpu 1\n"])
    #expect(busy.first?.contains("+ signal ") == true, "\(busy)")
    await #expect(throws: HarnessError.self) { try await problems(script: "true", ["limits": "disk 3\n"]) }
  }

  @Test("A limit on memory holds")
  func memoryLimit() async throws {
    let script = "exec dd if=/dev/zero of=/dev/null bs=64M count=8 2>/dev/null"
    #expect(try await problems(script: script, ["limits": "memory 256\n"]) == [])
    let found = try await problems(script: script, ["limits": "memory 32\n"])
    #expect(found.first?.contains("megabytes of memory") == true, "\(found)")
  }

  @Test("What this process holds is not the program's")
  func memoryOfTheHarness() async throws {
    let held = [UInt8](repeating: 1, count: 100 << 20)
    #expect(try await problems(script: "exec sleep 0.1", ["limits": "memory 32\n"]) == [])
    #expect(held.last == 1)
  }

  @Test("A limit on stacks holds")
  func stackLimit() async throws {
    #expect(try await problems(script: "ulimit -s", ["limits": "stack 512\ncpu 10\n", "stdout": "512\n"]) == [])
  }

  @Test("A limit on files holds")
  func fileLimit() async throws {
    let script = "dd if=/dev/zero of=file bs=1M count=3 2>/dev/null"
    #expect(try await problems(script: script, ["limits": "file 4\n"]) == [])
    let found = try await problems(script: script, ["limits": "file 2\n"])
    #expect(found.first?.contains("exit-code differs") == true, "\(found)")
  }

  @Test("A program that dies by a signal fails")
  func signals() async throws {
    let found = try await problems(script: "kill -SEGV $$")
    #expect(found.first?.contains("+ signal 11") == true, "\(found)")
  }

  @Test("Recording writes golden files that then pass, and keeps those that match")
  func records() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([
      "arguments": "-c\necho new; echo kept $$; echo 127.0.0.1:80 took 5 ms > report; exit 1\n", "stdout": "old\n",
      "stderr": "gone\n", "expected/report": "",
    ])
    var runner = CaseRunner("/bin/sh")
    runner.records = true
    let example = CaseFolder(name: "area/name", path: folder.path)
    let found = try await runner.problems(of: example)
    #expect(found.count == 1 && found.first?.hasPrefix("a second run differs from what was recorded") == true)
    #expect(folder.text("stdout")?.hasPrefix("new\nkept ") == true)
    #expect(folder.text("stderr") == nil)
    #expect(folder.text("exit-code") == "1\n")
    #expect(folder.text("expected/report") == "127.0.0.1:<port> took <time>\n")
    try folder.write(["stdout": "old\nkept <any>\n"])
    #expect(try await runner.problems(of: example) == [])
    #expect(folder.text("stdout") == "new\nkept <any>\n")
    runner.records = false
    #expect(try await runner.problems(of: example) == [])
  }

  @Test(
    "What differs from run to run is mapped, what doesn't is not",
    arguments: [
      (
        "http://127.0.0.1:40123/x http://localhost:9/ [::1]:80",
        "http://127.0.0.1:<port>/x http://localhost:<port>/ [::1]:<port>"
      ),
      ("connect to 127.0.0.1 port 40123: refused", "connect to 127.0.0.1 port <port>: refused"),
      ("spec.yaml:3:5 api.example.com:8080 12:34:56", "spec.yaml:3:5 api.example.com:8080 12:34:56"),
      ("passed in 12 ms, 1.2 s in all, 3 min", "passed in <time>, <time> in all, <time>"),
      ("timeout: 5s, 250ms, 3 requests, 12 msgs", "timeout: 5s, 250ms, 3 requests, 12 msgs"),
      (#"<testcase name="a" time="0.012"/>"#, #"<testcase name="a" time="<time>"/>"#),
      (
        #"{"duration_ms": 12.5, "time":3e-3, "status": 200}"#,
        #"{"duration_ms": <time>, "time": <time>, "status": 200}"#
      ),
      ("born 1999-12-31T23:59:59Z", "born 1999-12-31T23:59:59Z"),
      ("/tmp/case/spec.yaml", "<tmp>/spec.yaml"),
    ])
  func mapping(_ text: String, _ mapped: String) {
    #expect(OutputMapping(temporaryFolder: "/tmp/case").map(text) == mapped)
  }

  @Test("Instants of today are mapped")
  func dates() {
    let now = Date.now.formatted(.iso8601)
    #expect(OutputMapping(temporaryFolder: "/tmp/case").map("at \(now)!") == "at <date>!")
  }

  @Test("The cases are the folders of the areas, by name")
  func discovery() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["b/y/stdout": "", "a/x/spec.yaml": "", "b/x/stdout": "", "README.md": "", "a/notes": ""])
    #expect(CaseFolder.all(in: folder.path).map(\.name) == ["a/x", "b/x", "b/y"])
  }

  @Test("reqrun is built beside the tests")
  func executable() throws {
    #expect(try builtExecutable("reqrun").hasSuffix("/reqrun"))
    #expect(throws: HarnessError.self) { try builtExecutable("no-such-program") }
  }
}
