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

  @Test("A snapshot is the body of the mocked response") func snapshots() async throws {
    let specs = """
      printf 'demo: true\\nvariables: {base: "${{ demo }}"}\\ndefaults: {base_url: "${{ base }}"}\\n' > "$T/reqrun.yaml"
      printf '%s\\n' 'requests:' '  - {name: the slides, url: /json, expect: {snapshot: true}}' \
        '  - {name: the page, url: /html, expect: {snapshot: true}}' > "$T/slides.yaml"
      "$R" -q "$T/slides.yaml" --update-snapshots > "$T/first"
      """
    let output = try await shell(
      specs, mock: #""$T/slides.yaml""#, #""$R" -q "$T/slides.yaml" --var base=$A && echo PASSED"#)
    #expect(output.contains("2 passed") && output.contains("\nPASSED\n"), "\(output)")
    #expect(!output.contains("may not meet"), "\(output)")
  }

  @Test("The calls of a mock are reports: requests with their calls, those without one, and wrong calls")
  func callReports() async throws {
    let output = try await shell(
      mock: #"--verify --report junit="$T/calls.xml" --report json="$T/calls.json" Examples/shared/users-api.yaml"#,
      #"""
      "$R" send -q $A/api/users/1; "$R" send -q $A/api/users/1; "$R" send -q $A/nothing
      kill -INT $M; wait $M; echo "exit $?"; grep -o '<testcase [^>]*' "$T/calls.xml" | sed 's/ time=.*//'
      "$R" show "$T/calls.json" | tail -n 1 | sed 's/ · [0-9.]* .*s$//'
      """#)
    #expect(output.hasPrefix(Self.calls), "\(output)")
  }

  private static let calls = """
    exit 1
    <testcase name="POST /login" classname="mock"
    <testcase name="GET /users" classname="mock"
    <testcase name="POST /users" classname="mock"
    <testcase name="GET /users/{id}" classname="mock"
    <testcase name="DELETE /users/{id}" classname="mock"
    <testcase name="GET /nothing" classname="mock"
    6 requests in 1 file: 1 passed, 5 failed

    """

  @Test("The report of a mock has the exit code that it ends with") func exitCode() async throws {
    let output = try await shell(
      mock: #"--report json="$T/calls.json" Examples/shared/users-api.yaml"#,
      #"kill -INT $M; wait $M; echo "exit $?"; grep -o '"exit_code": *[0-9]*' "$T/calls.json" | tr -d ' '"#)
    #expect(output.hasPrefix("exit 130\n\"exit_code\":130\n"), "\(output)")
  }

  @Test("What a mock passes on becomes specs with --save") func saving() async throws {
    let demo = """
      echo 'url: "http://a.test/own"' > "$T/own.yaml"; "$R" demo > "$T/demo" & Q=$!
      until grep -qs 'listens at' "$T/demo"; do kill -0 $Q || break; sleep 0.1; done
      D=$(sed -n 's/.*listens at \\(http[^;]*\\);.*/\\1/p' "$T/demo")
      """
    let output = try await shell(
      demo, mock: #"--target $D --save "$T/specs" "$T/own.yaml""#,
      #"""
      "$R" send -q $A/own; "$R" send -q $A/json; kill -TERM $M; wait $M; echo "exit $?"
      "$R" -q "$T/specs" && echo PASSED; grep -c 'url: /own' "$T"/specs/*.yaml; kill $Q
      """#)
    #expect(output.hasPrefix("exit 0\n1 request in 1 file: 1 passed"), "\(output)")
    #expect(output.contains("\nPASSED\n0\n"), "\(output)")
  }

  @Test(
    "A mock serves HTTPS with a certificate that is given",
    .enabled(if: TestCertificates.isAvailable, "there is no openssl"))
  func https() async throws {
    let certificate = """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$T/key.pem" -out "$T/cert.pem" \
        -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2> "$T/openssl"
      echo '{url: "https://a.test/x", mock: {body: secure}}' > "$T/a.yaml"
      """
    let output = try await shell(
      certificate, mock: #"--cert "$T/cert.pem" --key "$T/key.pem" "$T/a.yaml""#,
      #"""
      "$R" send --cacert "$T/cert.pem" $A/x; echo; "$R" send -k $A/.well-known/reqrun/calls | grep -c '"host": "127'
      "$R" mock --cert "$T/cert.pem" --key "$T/a.yaml" "$T/a.yaml" 2>&1; echo "exit $?"
      """#)
    #expect(output.hasPrefix("secure\n1\nerror: the mock cannot serve HTTPS with this certificate"), "\(output)")
    #expect(output.contains("exit 2\n") && output.contains("listens at https://127.0.0.1:"), "\(output)")
  }

  /// A service that reports each order later, to the address that came with it.
  private static let service = """
    import json, threading, time, urllib.request
    from http.server import BaseHTTPRequestHandler, HTTPServer
    def report(url, order):
        time.sleep(0.3)
        body = json.dumps({"order": order, "state": "paid"}).encode()
        urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"})).read()
    class Orders(BaseHTTPRequestHandler):
        def do_POST(self):
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            threading.Thread(target=report, args=(sent["callback"], sent["order"])).start()
            self.send_response(202); self.send_header("Content-Length", "0"); self.end_headers()
        def do_GET(self):
            self.send_response(204); self.end_headers()
        def log_message(self, *_): pass
    server = HTTPServer(("127.0.0.1", 0), Orders)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  private static let order = """
    variables: {order: "${{ uuid }}"}
    requests:
      - {name: an order, url: /, json: {order: "${{ order }}", callback: "${{ mock }}/hooks/paid"}, expect: {status: 202}}
      - name: the report
        url: /
        poll: {timeout: 60s, interval: 20ms, until: {calls: {"$[*].json.order": {any: "${{ order }}"}}}}
        expect: {status: 204, calls: {"$[?@.path == '/hooks/paid'].json.state": {every: paid}}}
    """

  @Test(
    "A run waits for the webhooks of a system under test",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no /usr/bin/python3"))
  func webhooks() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["service.py": Self.service, "order.yaml": Self.order])
    let script = """
      R='\(try builtExecutable("reqrun"))'
      /usr/bin/python3 service.py > port & S=$!
      until [ -s port ]; do kill -0 $S || break; sleep 0.02; done
      printf 'mock: true\ndefaults: {base_url: "http://127.0.0.1:%s"}\n' $(cat port) > reqrun.yaml
      "$R" order.yaml; echo "exit $?"; kill $S
      """
    let process = ProcessRun("/bin/sh", ["-c", script], in: folder.path)
    let output = String(decoding: try await process.run().output, as: UTF8.self)
    #expect(output.contains("✓ the report") && output.hasSuffix("exit 0\n"), "\(output)")
  }
}
