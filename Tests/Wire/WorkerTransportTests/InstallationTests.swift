#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Where the program looks for its worker, and what it says where there is none.
  @Suite(.timeLimit(.minutes(10)))
  struct InstallationTests {
    @Test("the worker is looked for beside the program and in libexec; what is wrong is said")
    func places() async throws {
      let files = FileManager.default
      let server = try FaultServer.start(#"send "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#)
      defer { server.stop() }
      let program = try builtExecutable("reqrun")
      let worker = try builtExecutable("reqrun-urlsession")
      // A hard link is a program of its own place; it needs the same file system.
      let root = URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent(
        "installed-\(UUID().uuidString)"
      ).path
      defer { try? files.removeItem(atPath: root) }
      for folder in ["bin", "libexec/reqrun"] {
        try files.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      try files.linkItem(atPath: program, toPath: "\(root)/bin/reqrun")
      let address = "http://127.0.0.1:\(server.port)/"
      try "url: \(address)\n".write(toFile: "\(root)/spec.yaml", atomically: true, encoding: .utf8)
      func run() async throws -> (text: String, ending: ProcessRun.Ending) {
        let run = ProcessRun("\(root)/bin/reqrun", ["--transport", "urlsession", "spec.yaml"], in: root)
        let result = try await run.run()
        return (String(decoding: result.output + result.errorOutput, as: UTF8.self), result.ending)
      }
      let missing = try await run()
      #expect(missing.text.contains("the URLSession worker reqrun-urlsession was not found; looked for "))
      #expect(missing.text.contains("install it beside reqrun, or use `transport: curl`"))
      #expect(missing.ending == .exited(2))

      let installed = "\(root)/libexec/reqrun/reqrun-urlsession"
      try "not to be run".write(toFile: installed, atomically: true, encoding: .utf8)
      let locked = try await run()
      #expect(locked.text.contains("libexec/reqrun/reqrun-urlsession\" may not be executed"))
      #expect(locked.text.contains("chmod +x"))
      #expect(locked.ending == .exited(2))

      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: installed)
      #expect(try await run().text.contains("could not be started: "))
      #expect(server.requests.isEmpty)

      try files.removeItem(atPath: installed)
      try files.linkItem(atPath: worker, toPath: installed)
      #expect(try await run().ending == .exited(0))
      #expect(server.requests.count == 1)
    }
  }
#endif
