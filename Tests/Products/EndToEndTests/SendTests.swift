import Foundation
import TestSupport
import Testing

/// Lines of `send` that take several processes, a shell, or files that are not plain files.
@Suite("send in a shell", .timeLimit(.minutes(10)))
struct SendTests {
  private static let ok = #"send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok""#

  /// - Parameter script: commands of a shell, with `send` for the command and `$U` for the server, in an empty folder.
  private func run(
    _ script: String, faults: String = ok
  ) async throws -> (output: String, requests: [FaultServer.Request]) {
    let server = try FaultServer.start(faults)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let start = "send() { '\(try builtExecutable("reqrun"))' send \"$@\"; }; exec 2>&1; "
    var process = ProcessRun("/bin/sh", ["-c", start + script], in: folder.path)
    process.environment = ["U": server.address, "HOME": folder.path, "PATH": "/usr/bin:/bin"]
    let result = try await process.run()
    return (String(decoding: result.output, as: UTF8.self), server.requests)
  }

  @Test("A download that was cut short goes on where it stopped") func resume() async throws {
    let (output, requests) = try await run(
      "for i in 1 2; do send -d $U/a -o a; done; cat a",
      faults: #"""
        /a 1
        send "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\nabcde"
        close
        /a 2
        send "HTTP/1.1 206 Partial Content\r\nETag: \"v1\"\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\nfghij"
        """#)
    #expect(output.hasPrefix("error: the connection closed before the whole body had come"), "\(output)")
    #expect(output.hasSuffix("→ a (10 bytes)\nabcdefghij"), "\(output)")
    #expect(requests.map { $0.header("Range") } == [nil, "bytes=5-"])
  }

  static let inputs: [(script: String, output: String, body: String?)] = [
    ("echo body | send $U", "ok", "body\n"),
    ("echo body > f; send $U < f", "ok", "body\n"),
    ("(sleep 0.1; echo late) | send $U", "ok", "late\n"),
    ("send $U < /dev/null", "ok", ""),
    (": | send $U", "ok", ""),
    (": | send $U a=1", "ok", #"{"a":"1"}"#),
    ("mkfifo f; exec 3<>f; send $U a=1 < f", "ok", #"{"a":"1"}"#),
    ("echo body | (sleep 0.1; send $U a=1)", "the body comes from fields and from standard input", nil),
    ("echo body | send -I $U a=1", "ok", #"{"a":"1"}"#),
    ("echo body > f; send $U a=1 < f", "leave one out; --ignore-stdin reads no input", nil),
  ]

  @Test("Standard input is the body, or not read; what nothing reads is an error", arguments: inputs)
  func input(_ test: (script: String, output: String, body: String?)) async throws {
    let (output, requests) = try await run(test.script)
    #expect(output.contains(test.output))
    #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == (test.body.map { [$0] } ?? []))
  }

  @Test("A stream ends when nothing reads it any more") func unreadStream() async throws {
    let (output, _) = try await run(
      "{ send -S $U; echo \" $?\" >status; } | head -c 4; cat status",
      faults: #"""
        send "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        trickle 20ms "data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n"
        hang
        """#)
    #expect(output == "data 141\n")
  }

  @Test("Requests of one session at once lose nothing that another one keeps") func sessions() async throws {
    let (output, _) = try await run(
      "for i in 1 2; do send -q --session ./s.json $U X-$i:$i & sleep 0.05; done; wait; grep -c name s.json",
      faults: Self.ok.replacing("send", with: "wait 150ms\nsend"))
    #expect(output == "2\n")
  }

  @Test("What a session keeps of https is not for http; one of an earlier version is for https alone")
  func sessionOfHTTPS() async throws {
    let (output, _) = try await run(
      """
      show() { send --offline -p H --session s "$@" | grep X-A; echo .; }
      mkdir -p .local/state/reqrun/sessions; cd .local/state/reqrun/sessions
      for host in 127.0.0.1_8443 a_1 ex.test; do
        mkdir $host; echo '{"headers": [{"name": "X-A", "value": "1"}]}' > $host/s.json; chmod 600 $host/s.json
      done
      show http://127.0.0.1:8443; show https://127.0.0.1:8443; show http://127.0.0.1:8443
      show http://ex.test; show https://ex.test; show https://a_1
      ls
      """)
    #expect(
      output == ".\nX-A: 1\n.\n.\n.\nX-A: 1\n.\n.\na_1\nhttps+127.0.0.1+8443\nhttps+ex.test\n")
  }

  @Test("A cookie of an item of an https request travels over TLS alone") func secureCookie() async throws {
    let (output, requests) = try await run(
      """
      send -q --session ./s.json https://127.0.0.1:1 Cookie:a=1
      send -q --session ./s.json $U Cookie:b=2
      cut -f 4,6 s.cookies | grep -v '#'
      """)
    #expect(output.hasSuffix("TRUE\ta\nFALSE\tb\n"), "\(output)")
    #expect(requests.count == 1)
  }

  @Test("An argument that is not UTF-8 is not sent as something else") func bytes() async throws {
    let (output, requests) = try await run(#"send $U "a=$(printf 'b\377')""#)
    #expect(output.hasPrefix("error: an argument is not UTF-8\n"))
    #expect(requests.isEmpty)
  }
}
