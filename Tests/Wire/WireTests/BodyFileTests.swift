import Foundation
import HTTPSemantics
import TestSupport
import Testing

/// Large files as bodies, through the program and nginx.
@Suite(.enabled(if: NginxServer.isAvailable, "needs nginx and openssl"), .timeLimit(.minutes(10)))
struct BodyFileTests {
  /// Runs requests beside a file of zeros that takes no room on the disk.
  private func run(
    _ requests: String, fileMegabytes: Int, memoryMegabytes: Int? = nil
  ) async throws -> (ending: ProcessRun.Ending, output: String) {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": "requests:\n" + requests])
    let path = folder.path + "/large.bin"
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(fileMegabytes) << 20)
    try file.close()
    var run = ProcessRun(try builtExecutable("reqrun"), ["spec.yaml"], in: folder.path)
    run.limits.memoryMegabytes = memoryMegabytes
    let result = try await run.run()
    return (result.ending, String(decoding: result.output + result.errorOutput, as: UTF8.self))
  }

  @Test("files of 300 MB pass through little memory, in one piece, in a form and in chunks")
  func memory() async throws {
    let nginx = try NginxServer.shared.get()
    let url = "http://127.0.0.1:\(nginx.port(.plain))/large"
    let (ending, output) = try await run(
      """
        - {url: "\(url)", method: PUT, body: {file: large.bin}, digest: sha-256, expect: {body: {contains: "Bytes: 314572800\\n"}}}
        - url: \(url)
          multipart: {a: b, file: {file: large.bin}, again: {file: large.bin}}
          expect: {status: 200, body: {matches: "Bytes: 6291\\\\d{5}\\n"}}
        - {url: "\(url)", body: {file: large.bin}, compress: gzip, expect: {status: 200}}
      """, fileMegabytes: 300, memoryMegabytes: 70)
    #expect(ending == .exited(0), "\(output)")
  }

  @Test("a response that comes before the body is the response")
  func refused() async throws {
    let nginx = try NginxServer.shared.get()
    let (ending, output) = try await run(
      """
        - url: http://127.0.0.1:\(nginx.port(.plain))/dav/too-large
          method: PUT
          body: {file: large.bin}
          expect: {status: 413}
        - url: http://127.0.0.1:\(nginx.port(.plain))/dav/too-large
          method: PUT
          headers: {Expect: 100-continue}
          body: {file: large.bin}
          expect: {status: 413, duration: {less_than: 900ms}}
        - url: https://localhost:\(nginx.port(.secure))/dav/too-large
          method: PUT
          tls: {verify: false}
          body: {file: large.bin}
          expect: {status: 413, http_version: "2"}
      """, fileMegabytes: 40)
    #expect(ending == .exited(0), "\(output)")
  }

  @Test("a file that is stored is the file that was sent")
  func stored() async throws {
    let nginx = try NginxServer.shared.get()
    for (name, options) in [("plain", ""), ("asked", "headers: {Expect: 100-continue}, ")] {
      let (ending, output) = try await run(
        "  - {url: \"http://127.0.0.1:\(nginx.port(.plain))/dav/\(name).bin\", method: PUT, \(options)"
          + "body: {file: large.bin}, expect: {status: 201}}\n", fileMegabytes: 19)
      #expect(ending == .exited(0), "\(output)")
      let stored = "\(nginx.folder.path)/dav/\(name).bin"
      let size = try FileManager.default.attributesOfItem(atPath: stored)[.size] as? Int
      #expect(size == 19 << 20)
      try FileManager.default.removeItem(atPath: stored)
    }
  }

  @Test("a file is compressed while it is sent over HTTP/2")
  func compressed() async throws {
    let nginx = try NginxServer.shared.get()
    let (ending, output) = try await run(
      """
        - url: https://localhost:\(nginx.port(.secure))/dav/compressed.gz
          method: PUT
          tls: {verify: false}
          body: {file: large.bin}
          compress: gzip
          expect: {status: 201, http_version: "2"}
      """, fileMegabytes: 19)
    #expect(ending == .exited(0), "\(output)")
    let stored = "\(nginx.folder.path)/dav/compressed.gz"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: stored))
    try FileManager.default.removeItem(atPath: stored)
    // The length of what was compressed ends a gzip file.
    #expect(bytes.count < 100_000 && bytes.suffix(4).elementsEqual([0, 0, 0x30, 1]))
  }
}
