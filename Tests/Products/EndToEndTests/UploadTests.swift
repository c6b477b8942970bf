import Foundation
import TestSupport
import Testing

/// Uploads that end before their end, through the real program.
@Suite("Uploads that are cut short", .timeLimit(.minutes(10)))
struct UploadTests {
  private static let accepted = #"send "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n""#
  private static let created = #"send "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n""#

  /// A file of five segments, one sent at a time, and a server with a script.
  private struct Upload {
    let folder: TemporaryFolder
    let server: FaultServer

    init(_ script: String, segments: String = "{size: 10, parallel: 1, retry: 0}") throws {
      server = try FaultServer.start(script)
      folder = try TemporaryFolder()
      try folder.write([
        "file": String(repeating: "0123456789", count: 5),
        "spec.yaml": """
        url: \(server.address)/up?token=very-secret
        upload: {file: file, segments: \(segments)}
        expect: {status: 201}
        """,
      ])
    }

    func end() {
      server.stop()
      folder.remove()
    }

    var ranges: [String] { server.requests.map { $0.header("Content-Range") ?? "none" } }

    /// Waits until the server has got so many requests.
    func wait(requests count: Int) async throws {
      while server.requests.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    func start(_ arguments: [String] = []) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try builtExecutable("reqrun"))
      process.arguments = arguments + ["\(folder.path)/spec.yaml"]
      process.environment = [:]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// Runs to the end: the exit code and the output.
    func run(_ arguments: [String] = []) async throws -> (ending: ProcessRun.Ending, output: String) {
      let result = try await ProcessRun(
        try builtExecutable("reqrun"), arguments + ["spec.yaml"], in: folder.path
      ).run()
      return (result.ending, String(decoding: result.output + result.errorOutput, as: UTF8.self))
    }

    /// What is beside the file and the spec.
    var journals: [String] {
      get throws {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "file" && $0 != "spec.yaml" }
      }
    }
  }

  /// The third request for the path gets no response, the last segment a 201.
  private static func hanging(then: String = "") -> String {
    "/up\n\(accepted)\n/up 3\nhang\n\(then)"
  }

  @Test("kill -9: the next run sends what is missing")
  func killed() async throws {
    let upload = try Upload(Self.hanging(then: "/up 6\n\(Self.created)"))
    defer { upload.end() }
    let process = try upload.start()
    try await upload.wait(requests: 3)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let journal = try #require(try upload.journals.first)
    let text = try #require(upload.folder.text(journal))
    #expect(text.hasSuffix("\n0-9\n10-19\n") && !text.contains("secret") && !text.contains("127.0.0.1"))

    let second = try await upload.run(["-v"])
    #expect(second.ending == .exited(0), "\(second.output)")
    #expect(second.output.contains("30 bytes in 3 segments, 20 bytes sent before"), "\(second.output)")
    #expect(
      upload.ranges == ["0-9", "10-19", "20-29", "20-29", "30-39", "40-49"].map { "bytes \($0)/50" })
    #expect(try upload.journals == [])
  }

  @Test("a file that changed meanwhile is sent anew")
  func changed() async throws {
    let upload = try Upload(Self.hanging(then: "/up 8\n\(Self.created)"))
    defer { upload.end() }
    let process = try upload.start()
    try await upload.wait(requests: 3)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try upload.folder.write(["file": String(repeating: "9876543210", count: 5)])
    let second = try await upload.run()
    #expect(second.ending == .exited(0), "\(second.output)")
    #expect(upload.ranges.dropFirst(3).first == "bytes 0-9/50" && upload.ranges.count == 8)
    #expect(try upload.journals == [])
  }

  @Test("a server that forgot what it had gets all of it")
  func forgotten() async throws {
    let missing = #"send "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n""#
    let upload = try Upload(Self.hanging(then: "/up 4\n\(missing)\n/up 9\n\(Self.created)"))
    defer { upload.end() }
    let process = try upload.start()
    try await upload.wait(requests: 3)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let second = try await upload.run(["-v"])
    #expect(second.ending == .exited(0), "\(second.output)")
    #expect(second.output.contains("the server knew nothing of what was sent before: it was sent anew"))
    #expect(
      Array(upload.ranges[3...]) == ["20-29", "0-9", "10-19", "20-29", "30-39", "40-49"].map { "bytes \($0)/50" })
    #expect(try upload.journals == [])
  }

  @Test("where only the response is missing, the last segment is sent again")
  func answerless() async throws {
    let upload = try Upload("/up\n\(Self.accepted)\n/up 5\nhang\n/up 6\n\(Self.created)\n/up 7\n\(Self.created)")
    defer { upload.end() }
    let process = try upload.start()
    try await upload.wait(requests: 5)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    // As if the process had died between the response and the end.
    let journal = try #require(try upload.journals.first)
    try upload.folder.write([journal: try #require(upload.folder.text(journal)) + "40-49\n"])
    let second = try await upload.run()
    #expect(second.ending == .exited(0), "\(second.output)")
    #expect(upload.ranges.suffix(1) == ["bytes 40-49/50"] && upload.ranges.count == 6)
    #expect(try upload.journals == [])
  }

  @Test("Ctrl-C says how far it is")
  func interrupted() async throws {
    let upload = try Upload(Self.hanging())
    defer { upload.end() }
    let (output, errorOutput) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try builtExecutable("reqrun"))
    process.arguments = ["\(upload.folder.path)/spec.yaml"]
    process.environment = [:]
    process.standardOutput = output
    process.standardError = errorOutput
    try process.run()
    try await upload.wait(requests: 3)
    // The second does not wait for what is on its way.
    process.interrupt()
    // It says that it was.
    #expect(!errorOutput.fileHandleForReading.availableData.isEmpty)
    process.interrupt()
    let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(
      text.contains(
        "skipped: cut short: the run was aborted; 20 of 50 bytes are sent: the next run goes on from there"),
      "\(text)")
    #expect(try upload.journals.count == 1)
  }

  @Test("the end of the run's time")
  func expired() async throws {
    let upload = try Upload(Self.hanging())
    defer { upload.end() }
    let result = try await upload.run(["--max-time", "3s"])
    #expect(
      result.output.contains("20 of 50 bytes are sent: the next run goes on from there"), "\(result.output)")
    #expect(try upload.journals.count == 1)
  }

  @Test("a file that changes while it is sent is an error, and leaves nothing")
  func changing() async throws {
    let upload = try Upload("/up\n\(Self.accepted)\n/up 2\nwait 3s\n\(Self.accepted)")
    defer { upload.end() }
    async let result = upload.run()
    try await upload.wait(requests: 2)
    try upload.folder.write(["file": String(repeating: "abcdefghij", count: 5)])
    let (ending, output) = try await result
    #expect(ending == .exited(2), "\(output)")
    #expect(output.contains("has changed since the request was made"), "\(output)")
    #expect(upload.ranges.count == 2)
    #expect(try upload.journals == [])
  }

  @Test("a file that changed after its last segment was read is none that was sent")
  func changedAtLast() async throws {
    let upload = try Upload("/up\n\(Self.accepted)\n/up 5\nwait 400ms\n\(Self.created)")
    defer { upload.end() }
    async let result = upload.run()
    try await upload.wait(requests: 5)
    try upload.folder.write(["file": String(repeating: "abcdefghij", count: 5)])
    let (ending, output) = try await result
    #expect(ending == .exited(2), "\(output)")
    #expect(output.contains("changed while it was sent"), "\(output)")
    #expect(try upload.journals == [])
  }

  @Test("a form says by Dropzone's fields which part it has")
  func form() async throws {
    let upload = try Upload("/up\n\(Self.created)", segments: "{size: 30, parallel: 1}, style: multipart")
    defer { upload.end() }
    let result = try await upload.run()
    #expect(result.ending == .exited(0), "\(result.output)")
    let request = try #require(upload.server.requests.last)
    #expect(request.method == "POST" && upload.ranges == ["none", "none"])
    let type = try #require(request.header("Content-Type"))
    let boundary = try #require(type.components(separatedBy: "boundary=").last)
    var body = String(decoding: request.body, as: UTF8.self).replacingOccurrences(of: boundary, with: "B")
    let id = try #require(body.components(separatedBy: "\r\n\r\n").dropFirst().first?.prefix(36))
    #expect(UUID(uuidString: String(id)) != nil)
    body = body.replacingOccurrences(of: id, with: "ID")
    let fields = [
      ("dzuuid", "ID"), ("dzchunkindex", "1"), ("dztotalfilesize", "50"), ("dzchunksize", "30"),
      ("dztotalchunkcount", "2"), ("dzchunkbyteoffset", "30"),
    ]
    let texts = fields.map { "--B\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }.joined()
    let file =
      "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
      + "Content-Type: application/octet-stream\r\n\r\n01234567890123456789\r\n--B--\r\n"
    #expect(body == texts + file)
  }

  @Test("two that send the same at once don't get in each other's way")
  func simultaneous() async throws {
    let upload = try Upload("/up\nwait 20ms\n\(Self.created)")
    defer { upload.end() }
    try upload.folder.write(["other.yaml": try #require(upload.folder.text("spec.yaml"))])
    let result = try await upload.run(["other.yaml"])
    #expect(result.ending == .exited(0), "\(result.output)")
    #expect(upload.ranges.count == 10)
    #expect(try upload.journals == ["other.yaml"])
  }
}
