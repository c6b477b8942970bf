import Foundation
import TestSupport
import Testing

/// What a server may not do to who downloads from it.
@Suite("Downloads from a hostile server", .timeLimit(.minutes(10)))
struct DownloadSafetyTests {
  private func run(
    _ download: String, _ options: [String] = [], answering head: String, body: String = "evil", path: String = "/x",
    in folder: TemporaryFolder
  ) async throws -> (ending: ProcessRun.Ending, output: String) {
    let server = try FaultServer.start("send \"HTTP/1.1 \(head)\\r\\n\\r\\n\(body)\"\nclose")
    defer { server.stop() }
    try folder.write(["spec.yaml": "url: \(server.address)\(path)\ndownload: \(download)\n"])
    let result = try await ProcessRun(try builtExecutable("reqrun"), options + ["spec.yaml"], in: folder.path).run()
    return (result.ending, String(decoding: result.output + result.errorOutput, as: UTF8.self))
  }

  @Test(
    "A server's name replaces nothing, and makes nothing that a run would read",
    arguments: [
      ("mine.txt", "there is a file", "mine.txt"), ("sub/../mine.txt", "there is a file", "mine.txt"),
      ("spec.yaml", "take for a spec", "spec.yaml"), ("reqrun.yaml", "take for a spec", "reqrun.yaml"),
      ("reqrun.yml", "take for a spec", "reqrun.yml"), ("New.YAML", "take for a spec", "New.YAML"),
      ("new.yml.", "take for a spec", "new.yml"), ("..\\\\reqrun.yaml ", "take for a spec", "reqrun.yaml"),
      ("link", "neither a file nor a directory", "link"), ("dangling", "neither a file nor a directory", "dangling"),
      ("pipe", "neither a file nor a directory", "pipe"),
    ],
    ["./", "{to: ., overwrite: true}"])
  func names(offer: (String, message: String, name: String), download: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["mine.txt": "mine"])
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "mine.txt")
    try files.createSymbolicLink(atPath: folder.path + "/dangling", withDestinationPath: "new.txt")
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let head = "200 OK\\r\\nContent-Length: 4\\r\\nContent-Disposition: attachment; filename=\\\"\(offer.0)\\\""
    let result = try await run(download, answering: head, in: folder)
    // The author's own word allows to replace what is not a spec.
    if offer.name == "mine.txt", download.contains("overwrite") {
      #expect(result.ending == .exited(0) && folder.text("mine.txt") == "evil")
      return
    }
    #expect(result.ending == .exited(1), "\(result.output)")
    #expect(result.output.contains(offer.message), "\(result.output)")
    #expect(folder.text("mine.txt") == "mine")
    #expect(
      try files.contentsOfDirectory(atPath: folder.path).sorted() == [
        "dangling", "link", "mine.txt", "pipe", "spec.yaml",
      ])
  }

  @Test("Nor does the name that a URL ends with", arguments: ["/a/reqrun.yaml", "/a/mine.txt", "/a/%6dine.txt?x=1"])
  func urls(path: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["mine.txt": "mine"])
    let result = try await run("./", answering: "200 OK\\r\\nContent-Length: 4", path: path, in: folder)
    #expect(result.ending == .exited(1), "\(result.output)")
    #expect(folder.text("mine.txt") == "mine" && folder.text("reqrun.yaml") == nil)
  }

  @Test("The names that a spec itself gives are free")
  func named() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["data.yaml": "old", ".hidden": "old"])
    for name in ["data.yaml", ".hidden"] {
      let result = try await run(name, answering: "200 OK\\r\\nContent-Length: 4", in: folder)
      #expect(result.ending == .exited(0), "\(result.output)")
      #expect(folder.text(name) == "evil")
    }
  }

  @Test(
    "A download has a limit, whatever the server says of its length",
    arguments: [
      ("200 OK\\r\\nContent-Length: 2000", "{to: a}", ["--max-download", "1KiB"], "larger than 1 KiB"),
      ("200 OK\\r\\nContent-Length: 9223372036854775807", "{to: a}", [], "larger than"),
      ("200 OK\\r\\nTransfer-Encoding: chunked", "{to: a}", ["--max-download", "1KiB"], "larger than 1 KiB"),
      ("200 OK\\r\\nConnection: close", "{to: ./}", ["--max-download", "1KiB"], "larger than 1 KiB"),
      (
        "206 P\\r\\nETag: \\\"a\\\"\\r\\nContent-Range: bytes 0-9223372036854775806/9223372036854775807"
          + "\\r\\nContent-Length: 9223372036854775807", "{to: a, parallel: 2}", [], "larger than"
      ),
      (
        "206 P\\r\\nETag: \\\"a\\\"\\r\\nContent-Range: bytes 0-1999/2000\\r\\nContent-Length: 2000",
        "{to: a, parallel: 4}", ["--max-download", "1999"], "larger than 1.9 KiB"
      ),
    ])
  func limits(head: String, download: String, options: [String], message: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let text = String(repeating: "x", count: 2000)
    let body = head.contains("chunked") ? "7d0\\r\\n\(text)\\r\\n0\\r\\n\\r\\n" : text
    let result = try await run(download, options, answering: head, body: body, in: folder)
    #expect(result.ending == .exited(1) || result.ending == .exited(3), "\(result.output)")
    #expect(result.output.contains("the download is \(message)"), "\(result.output)")
    #expect(result.output.contains("--max-download"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["spec.yaml"])
  }

  @Test("The segments of a stream have the limit together", arguments: [1199, 1200])
  func stream(limit: Int) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let playlist = "#EXTM3U\\n#EXT-X-TARGETDURATION:1\\n#EXTINF:1,\\na.ts\\n#EXTINF:1,\\nb.ts\\n#EXT-X-ENDLIST\\n"
    let length = playlist.replacingOccurrences(of: #"\n"#, with: "\n").utf8.count
    let server = try FaultServer.start(
      """
      send "HTTP/1.1 200 OK\\r\\nContent-Length: 600\\r\\n\\r\\n"
      repeat 600 "x"
      /x
      send "HTTP/1.1 200 OK\\r\\nContent-Length: \(length)\\r\\n\\r\\n\(playlist)"
      """)
    defer { server.stop() }
    try folder.write(["spec.yaml": "url: \(server.address)/x\nhls: {to: out, parallel: 1}\n"])
    let result = try await ProcessRun(
      try builtExecutable("reqrun"), ["--max-download", "\(limit)", "spec.yaml"], in: folder.path
    ).run()
    let output = String(decoding: result.output, as: UTF8.self)
    #expect((result.ending == .exited(0)) == (limit == 1200), "\(output)")
    #expect(output.contains("larger than 1.1 KiB") == (limit == 1199), "\(output)")
    #expect(FileManager.default.fileExists(atPath: folder.path + "/out") == (limit == 1200))
  }

  @Test("What is within the limit comes")
  func within() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let result = try await run(
      "a", ["--max-download", "4"], answering: "200 OK\\r\\nContent-Length: 4", in: folder)
    #expect(result.ending == .exited(0), "\(result.output)")
  }
}
