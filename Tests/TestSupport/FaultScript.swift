import Foundation

/// What a ``FaultServer`` does for each path, as text.
///
/// A line that begins with `/` opens the script of that path, one with `http://` that of a URL a proxy is asked for; `/path 2` is the script of the second request for that
/// path, `/path #2` that of the second request on one connection. Lines before the first path are for all others.
/// Each other line is a step; blank lines and those that begin with `#` are skipped:
///
///     send "HTTP/1.1 200 OK\r\n\r\n"    sends the bytes (escapes: \r \n \t \0 \\ \" \xHH)
///     repeat 1000 "X-A: b\r\n"          sends them that often
///     trickle 100ms "text"              sends them one by one, with a pause before each
///     wait 300ms                        pauses
///     upgrade chat                      opens the WebSocket that is asked for, with that subprotocol, if any
///     body                              reads the body of a request that said `Expect: 100-continue`
///     read                              waits for more bytes from the client and drops them
///     hang                              keeps silent until the client closes
///     close                             closes the connection
///     reset                             closes it with a TCP reset
///
/// After the last step the connection stays open for the next request.
package struct FaultScript: Sendable {
  package enum Step: Sendable, Equatable {
    case send([UInt8])
    case repeated(Int, [UInt8])
    case trickle(Duration, [UInt8])
    case wait(Duration)
    case read
    case upgrade(subprotocol: String?)
    case body
    case hang
    case close
    case reset
  }

  package struct SyntaxError: Error, CustomStringConvertible {
    package let line: Int
    package let description: String
  }

  private var steps: [String: [Step]] = [:]

  /// The steps for each path.
  package init(_ steps: [String: [Step]]) { self.steps = steps }

  package init(_ text: String) throws {
    var section = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("/") || line.hasPrefix("http://") {
        section = line
        steps[section] = []
      } else if let step = Self.step(line) {
        steps[section, default: []].append(step)
      } else {
        throw SyntaxError(line: index + 1, description: "line \(index + 1) is not a step of a fault script: \(line)")
      }
    }
  }

  /// The steps for a path, by how often it and this connection were asked (both from 1); nil if there are none.
  package func steps(path: String, requestOfPath: Int, requestOfConnection: Int) -> [Step]? {
    steps["\(path) \(requestOfPath)"] ?? steps["\(path) #\(requestOfConnection)"] ?? steps[path] ?? steps[""]
  }

  private static func step(_ line: String) -> Step? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words[0] {
    case "send": return bytes(rest).map { .send($0) }
    case "wait": return duration(rest).map { .wait($0) }
    case "repeat", "trickle":
      let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, let bytes = bytes(parts[1]) else { return nil }
      if words[0] == "repeat" { return Int(parts[0]).map { .repeated($0, bytes) } }
      return duration(parts[0]).map { .trickle($0, bytes) }
    case "read": return .read
    case "upgrade": return .upgrade(subprotocol: rest.isEmpty ? nil : rest)
    case "body": return .body
    case "hang": return .hang
    case "close": return .close
    case "reset": return .reset
    default: return nil
    }
  }

  private static func duration(_ text: String) -> Duration? {
    if text.hasSuffix("ms") { return Int(text.dropLast(2)).map { .milliseconds($0) } }
    if text.hasSuffix("s") { return Int(text.dropLast()).map { .seconds($0) } }
    return nil
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
    var result: [UInt8] = []
    var rest = Array(text.utf8).dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "0"): result.append(0)
      case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
      case UInt8(ascii: "x"):
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
        rest = rest.dropFirst(2)
        result.append(value)
      default: return nil
      }
    }
    return result
  }
}
