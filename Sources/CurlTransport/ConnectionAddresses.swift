import CLibCurl
import HTTPMessages

/// Both ends of the connections of a loop as text; where an exchange has the ends of the one before, its text too.
///
/// `@unchecked`: touched by the loop's thread alone.
final class ConnectionAddresses: @unchecked Sendable {
  private struct End {
    var host = ""
    var port = 0
    var text: String?

    mutating func textOf(_ easy: UnsafeMutableRawPointer, _ host: CURLINFO, _ port: CURLINFO) -> String? {
      guard let host = reqrun_get_string(easy, host), host.pointee != 0 else { return nil }
      let port = reqrun_get_long(easy, port)
      if text == nil || self.port != port || !isEqual(host) {
        (self.host, self.port) = (String(cString: host), port)
        text = hostAndPort(self.host, port)
      }
      return text
    }

    private func isEqual(_ other: UnsafePointer<CChar>) -> Bool {
      var position = other
      for byte in host.utf8 {
        if UInt8(bitPattern: position.pointee) != byte { return false }
        position += 1
      }
      return position.pointee == 0
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
