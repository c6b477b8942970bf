import Foundation
import TestSupport
import Testing

/// The program that imports and exports, as `reqrun` finds and starts it.
@Suite("reqrun-convert", .timeLimit(.minutes(10)))
struct ConverterTests {
  @Test("It is looked for beside reqrun and in libexec; what is wrong is said, and doctor names it")
  func places() async throws {
    let files = FileManager.default
    let program = try builtExecutable("reqrun")
    let converter = try builtExecutable("reqrun-convert")
    // A hard link is a program of its own place; it needs the same file system.
    let root = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(
        "installed-\(UUID().uuidString)"
      ).path
    defer { try? files.removeItem(atPath: root) }
    for folder in ["bin", "libexec/reqrun"] {
      try files.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    try files.linkItem(atPath: program, toPath: "\(root)/bin/reqrun")
    try "curl http://h/a".write(toFile: "\(root)/a.sh", atomically: true, encoding: .utf8)
    func run(_ arguments: [String]) async throws -> (text: String, ending: ProcessRun.Ending) {
      let result = try await ProcessRun("\(root)/bin/reqrun", arguments, in: root).run()
      return (String(decoding: result.output + result.errorOutput, as: UTF8.self), result.ending)
    }
    for arguments in [["import", "curl", "a.sh"], ["--color", "never", "import", "a.sh"]] {
      let missing = try await run(arguments)
      #expect(missing.text.contains("error: reqrun-convert, which imports and exports, was not found; looked for "))
      #expect(missing.text.contains("swift build --product reqrun-convert"))
      #expect(missing.ending == .exited(2))
    }
    #expect(try await run(["doctor"]).text.contains("- import and export"))
    #expect(try await run(["help", "import"]).text.contains("insomnia"))

    let installed = "\(root)/libexec/reqrun/reqrun-convert"
    try "not to be run".write(toFile: installed, atomically: true, encoding: .utf8)
    #expect(
      try await run(["import", "a.sh"]).text.contains("reqrun-convert, which imports and exports, may not be executed"))
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: installed)
    #expect(try await run(["import", "a.sh"]).text.contains("reqrun-convert cannot be started: "))

    try files.removeItem(atPath: installed)
    try files.linkItem(atPath: converter, toPath: installed)
    let imported = try await run(["--color", "never", "import", "a.sh"])
    #expect(imported.text.contains("url: http://h/a"))
    #expect(imported.ending == .exited(0))
    #expect(try await run(["doctor"]).text.contains("✓ import and export  \(installed)"))
    #expect(try await run(["import", "curl"]).text.contains("`reqrun import curl` needs a file"))
    #expect(try await run(["export", "curl", "."]).ending == .exited(2))
  }

  @Test("SIGINT ends it at once, as the process that the shell waits for")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // It waits for its standard input, which stays open.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try builtExecutable("reqrun"))
    process.arguments = ["import", "curl", "-"]
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let end = ContinuousClock.now + .seconds(300)
    while (try? command(of: process.processIdentifier)) != "reqrun-convert", ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(10))
    }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == 2)
    withExtendedLifetime(input) {}
  }

  /// The name of the program that a process runs.
  private func command(of process: Int32) throws -> String {
    #if os(Linux)
      URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe"))
        .lastPathComponent
    #else
      ""
    #endif
  }
}
