import DemoServer
import Foundation
import TestSupport
import Testing

/// Lines of a shell, with `send` for the command and `$W` for the demo server.
struct ConversationCase: Sendable, CustomTestStringConvertible {
  let name: String
  let script: String
  /// What is printed, with the exit code of the last command.
  let output: String

  var testDescription: String { name }
}

/// WebSockets with `reqrun send`.
@Suite("Conversations over WebSockets", .timeLimit(.minutes(10)))
struct ConversationTests {
  static let cases = [
    ConversationCase(
      name: "a line of a pipe", script: #"echo '{"a": 1}' | send $W 2>&1"#, output: "{\"a\": 1}\n0"),
    ConversationCase(
      name: "several lines, the last without an end", script: #"printf 'a\n\nb' | send $W"#, output: "a\n\nb\n0"),
    ConversationCase(
      name: "a slow writer", script: "(echo a; sleep 0.2; echo b) | send $W", output: "a\nb\n0"),
    ConversationCase(
      name: "listening alone", script: "send $W/ticks/2 < /dev/null",
      output: "{\"number\":1,\"of\":2}\n{\"number\":2,\"of\":2}\n0"),
    ConversationCase(
      name: "an input that stays open", script: "mkfifo f; exec 3<>f; send $W/ticks/1 < f",
      output: "{\"number\":1,\"of\":1}\n0"),
    ConversationCase(
      name: "an input that is not read", script: "echo a | send -I $W/ticks/1", output: "{\"number\":1,\"of\":1}\n0"),
    ConversationCase(
      name: "fields as the first message", script: "send -I \"$W?close=1000&after=1\" type=hello n:=1",
      output: "{\"type\":\"hello\",\"n\":1}\n0"),
    ConversationCase(
      name: "a text as the first message", script: "echo b | send \"$W?close=1000&after=2\" --raw a",
      output: "a\nb\n0"),
    ConversationCase(
      name: "a close code that is an error", script: "echo a | send \"$W?close=4001&after=1&reason=no\" 2>&1",
      output: "a\nerror: the server closed the WebSocket with 4001: no\n1"),
    ConversationCase(name: "going away", script: "send -I \"$W?close=1001\"", output: "0"),
    ConversationCase(
      name: "control frames and the handshake",
      script: "echo a | send -v \"$W?ping=p&close=1000&reason=bye&after=1\" | grep -v '^[A-Z]'",
      output: "\n\nping\na\nclose 1000 bye\n0"),
    ConversationCase(
      name: "formatted JSON", script: #"echo '{"a":[1]}' | send --pretty format $W"#,
      output: "{\n  \"a\": [\n    1\n  ]\n}\n0"),
    ConversationCase(
      name: "a subprotocol", script: "send -I \"$W?close=1000\" Sec-WebSocket-Protocol:chat",
      output: "{\"subprotocol\":\"chat\"}\n0"),
    ConversationCase(
      name: "a subscription",
      script: "send -I --graphql 'subscription { count }' $W/graphql",
      output: "{\"data\":{\"count\":1}}\n{\"data\":{\"count\":2}}\n{\"data\":{\"count\":3}}\n0"),
    ConversationCase(
      name: "another method", script: "send POST $W 2>&1 < /dev/null",
      output: "error: a WebSocket is opened by GET, not by POST\n  = help: leave the method out\n2"),
    ConversationCase(
      name: "a form", script: "send -I --form $W a=b 2>&1",
      output: "error: the first message of a WebSocket is a text, or JSON\n  = help: write --raw TEXT, or name=value\n2"
    ),
  ]

  @Test("Lines are messages, and messages are lines", arguments: cases)
  func conversation(_ example: ConversationCase) async throws {
    let server = try DemoAPI.start()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let start = "send() { '\(try builtExecutable("reqrun"))' send \"$@\"; }; "
    var process = ProcessRun("/bin/sh", ["-c", start + example.script + "; printf $?"], in: folder.path)
    let address = "ws" + server.address.dropFirst("http".count) + "/websocket"
    process.environment = ["W": address, "HOME": folder.path, "PATH": "/usr/bin:/bin"]
    let result = try await process.run()
    #expect(String(decoding: result.output, as: UTF8.self) == example.output)
  }

  /// The messages of the only entry of an archive, as `type opcode data`.
  private func recordedMessages(_ archive: Data) throws -> [String] {
    let root = try JSONSerialization.jsonObject(with: archive) as? [String: Any]
    let entries = (root?["log"] as? [String: Any])?["entries"] as? [[String: Any]]
    let messages = entries?.first?["_webSocketMessages"] as? [[String: Any]]
    return (messages ?? []).map { "\($0["type"] ?? "") \($0["opcode"] ?? "") \($0["data"] ?? "")" }
  }

  @Test("Reports have the messages in both directions, without secrets, and an archive can be imported again")
  func reports() async throws {
    let server = try DemoAPI.start()
    defer { server.stop() }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let spec = """
      url: ws\(server.address.dropFirst("http".count))/websocket
      stream:
        format: websocket
        send: [{text: "my ${{ TOKEN }}"}, {data: AAEC/w==}, {data: "${{ BLOB }}"}]
        max_events: 3
      """
    try folder.write(["a.yaml": spec])
    let kinds = ["json", "har", "html"]
    let reports = kinds.flatMap { ["--report", "\($0)=report.\($0)"] }
    var process = ProcessRun(
      try builtExecutable("reqrun"),
      ["--secret", "TOKEN=s3cretvalue", "--secret", "BLOB=c2VjcmV0LXZhbHVlMTIz", "-q"] + reports + ["a.yaml"],
      in: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin"]
    let result = try await process.run()
    #expect(result.ending == .exited(0), "\(String(decoding: result.output, as: UTF8.self))")
    for kind in kinds {
      let report = try String(contentsOfFile: "\(folder.path)/report.\(kind)", encoding: .utf8)
      // The page keeps its data compressed.
      #expect(report.contains("my ***") || kind == "html", "\(kind)")
      #expect(!report.contains("s3cretvalue") && !report.contains("c2VjcmV0"), "\(kind)")
    }
    let archive = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/report.har"))
    #expect(
      try recordedMessages(archive) == [
        "send 1 my ***", "send 2 AAEC/w==", "send 2 Kioq", "receive 1 my ***", "receive 2 AAEC/w==", "receive 2 Kioq",
        "send 8 ", "receive 8 ",
      ])
    process = ProcessRun(try builtExecutable("reqrun"), ["import", "har", "report.har"], in: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin"]
    let imported = String(decoding: try await process.run().output, as: UTF8.self)
    #expect(imported.contains("url: ws://127.0.0.1") && imported.contains("- data: AAEC/w=="), "\(imported)")
  }
}
