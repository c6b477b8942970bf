import Foundation
import TestSupport

/// Runs a line of shell in the folder, in which `$R` is reqrun and `$S` the address of a server.
func shell(
  _ line: String, in folder: TemporaryFolder,
  answering script: String = "send \"HTTP/1.1 204 No Content\\r\\n\\r\\n\""
) async throws -> (ending: ProcessRun.Ending, output: String, errors: String) {
  let server = try FaultServer.start(script)
  defer { server.stop() }
  var process = ProcessRun("/bin/bash", ["-c", line], in: folder.path)
  process.environment = [
    "R": try builtExecutable("reqrun"), "S": server.address, "PATH": "/usr/bin:/bin", "HOME": folder.path,
    "NO_PROXY": "*",
  ]
  let result = try await process.run()
  return (
    result.ending, String(decoding: result.output, as: UTF8.self), String(decoding: result.errorOutput, as: UTF8.self)
  )
}
