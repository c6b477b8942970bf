import CLibCurl
import HTTPSemantics
import Values

/// Both ends of a loop's connections as text, reused while consecutive exchanges have the same ends.
///
/// `@unchecked`: accessed on the loop's thread alone.
final class ConnectionAddresses: @unchecked Sendable {
  private struct End {
    var host = ""
    var port = 0
    var text: String?

    mutating func textOf(_ easy: UnsafeMutableRawPointer, _ host: CURLINFO, _ port: CURLINFO) -> String? {
      guard let host = reqrun_get_string(easy, host), host.pointee != 0 else { return nil }
      let end = (host: String(cString: host), port: reqrun_get_long(easy, port))
      if text == nil || end != (self.host, self.port) {
        (self.host, self.port) = end
        text = hostAndPort(end.host, end.port)
      }
      return text
    }
  }

  private var remote = End()
  private var local = End()

  func of(_ easy: UnsafeMutableRawPointer) -> (remote: String?, local: String?) {
    (
      remote.textOf(easy, CURLINFO_PRIMARY_IP, CURLINFO_PRIMARY_PORT),
      local.textOf(easy, CURLINFO_LOCAL_IP, CURLINFO_LOCAL_PORT)
    )
  }
}
