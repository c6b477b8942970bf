import Foundation

/// A server program that ends with this process, however that ends.
///
/// A shell holds one end of a pipe whose other end is here: when it closes, the shell ends the server and removes its
/// folder. It kills, since the threads that tests run on block the signals that ask, and a child inherits that.
package final class ServerProcess: Sendable {
  private let process: Process
  /// Held open as long as the server is to run.
  private let lifeline: FileHandle

  package init(_ command: [String], in folder: TemporaryFolder) throws {
    let pipe = Pipe()
    // Else a program that is started meanwhile would hold it open too.
    for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    lifeline = pipe.fileHandleForWriting
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      ["-c", #""$@" & server=$!; while read -r line; do :; done; kill -KILL "$server"; exec rm -r "$0""#, folder.path]
      + command
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  package func stop() {
    try? lifeline.close()
    process.waitUntilExit()
  }
}

/// Runs a shell script to its end.
///
/// - Throws: with what it wrote to standard error.
package func runShell(_ script: String, in directory: String) throws {
  let process = Process()
  let errors = Pipe()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-ec", script]
  process.currentDirectoryURL = URL(fileURLWithPath: directory)
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle.nullDevice
  process.standardError = errors
  try process.run()
  let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw HarnessError("a script failed: \(text)") }
}
