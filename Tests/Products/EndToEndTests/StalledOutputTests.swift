import Foundation
import TestSupport
import Testing

/// A run whose standard output is a pipe that nobody reads, or not yet.
@Suite("Output that is not taken", .timeLimit(.minutes(10)))
struct StalledOutputTests {
  private static let count = 400

  /// Runs until all requests were sent: more output by far than a pipe and the memory of the queue hold.
  private func stalledRun() async throws -> (process: Process, output: Pipe, folder: TemporaryFolder) {
    let body = String(repeating: "x", count: 16 << 10)
    let server = try FaultServer.start(#"send "HTTP/1.1 200 OK\r\nContent-Length: \#(16 << 10)\r\n\r\n\#(body)""#)
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write(["spec.yaml": "url: \(server.address)/\n"])
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try builtExecutable("reqrun"))
    process.arguments = ["-vv", "--repeat", "\(Self.count)", "\(folder.path)/spec.yaml"]
    process.environment = [:]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, server.requests.count < Self.count { try await Task.sleep(for: .milliseconds(10)) }
    #expect(server.requests.count == Self.count, "the run goes on though nobody reads")
    return (process, output, folder)
  }

  @Test("The run goes on, and Ctrl-C ends it")
  func interrupted() async throws {
    let (process, output, folder) = try await stalledRun()
    defer { folder.remove() }
    #expect(process.isRunning, "it waits for its reader")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(process.terminationReason == .exit)
    try output.fileHandleForReading.close()
  }

  @Test("A late reader gets everything in order")
  func late() async throws {
    let (process, output, folder) = try await stalledRun()
    defer { folder.remove() }
    let bytes = try #require(try output.fileHandleForReading.readToEnd())
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.components(separatedBy: String(repeating: "x", count: 16 << 10)).count == Self.count + 1)
    #expect(text.split(separator: "\n").last?.contains("\(Self.count) passed") == true)
  }
}
