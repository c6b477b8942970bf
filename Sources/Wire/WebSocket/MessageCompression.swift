import OperatingSystem
import Values

/// The agreement of both ends on permessage-deflate (RFC 7692).
///
/// A reader keeps the context of earlier messages, and a writer never uses one: both are right whatever is agreed on.
package struct MessageCompression: Sendable, Hashable {
  /// The bytes at the end of the data of each message, which are not sent (section 7.2.1).
  static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]
  static let name = "permessage-deflate"

  /// The logarithm of the largest window of the end that writes.
  let windowBits: Int

  /// The data of a message; nil if it isn't shorter.
  func compressed(_ payload: [UInt8]) -> ArraySlice<UInt8>? {
    // zlib has no window of 256 bytes, and no message must be compressed.
    guard windowBits > 8 else { return nil }
    let data = deflated(payload, windowBits: windowBits).dropLast(Self.tail.count)
    return data.count < payload.count ? data : nil
  }
}

/// The parameters of permessage-deflate in an offer or a response (RFC 7692, section 7.1).
struct DeflateParameters {
  private(set) var serverForgets = false
  private(set) var clientForgets = false
  private(set) var serverBits: Int?
  private(set) var clientBits: Int?
  /// Indicates whether `client_max_window_bits` is there, which needs no value in an offer.
  private(set) var limitsClient = false

  /// - Returns: nil if they are not valid.
  init?(_ element: ExtensionElement) {
    guard element.name == MessageCompression.name else { return nil }
    var names: Set<String> = []
    for (name, value) in element.parameters {
      guard names.insert(name).inserted else { return nil }
      let bits = value.flatMap { (8...15).map(String.init).firstIndex(of: $0) }.map { $0 + 8 }
      switch name {
      case "server_no_context_takeover" where value == nil: serverForgets = true
      case "client_no_context_takeover" where value == nil: clientForgets = true
      case "server_max_window_bits" where bits != nil: serverBits = bits
      case "client_max_window_bits" where value == nil || bits != nil: (limitsClient, clientBits) = (true, bits)
      default: return nil
      }
    }
  }

  /// Returns whether a response with these parameters may follow an offer.
  func isResponse(to offer: DeflateParameters) -> Bool {
    if limitsClient, !offer.limitsClient || clientBits == nil { return false }
    if let offered = offer.clientBits, let clientBits, clientBits > offered { return false }
    if let offered = offer.serverBits, serverBits.map({ $0 > offered }) ?? true { return false }
    return serverForgets || !offer.serverForgets
  }

  /// The response of a server to these parameters.
  var response: String {
    MessageCompression.name + (serverForgets ? "; server_no_context_takeover" : "")
      + (serverBits.map { "; server_max_window_bits=\($0)" } ?? "")
  }
}

/// An element of `Sec-WebSocket-Extensions` (RFC 6455, section 9.1).
struct ExtensionElement {
  let name: String
  let parameters: [(name: String, value: String?)]

  /// The elements in the lines of the header. Quoted values are tokens, too, so no separator is within one.
  static func list(_ lines: [String]) -> [ExtensionElement] {
    lines.flatMap { $0.split(separator: ",") }.compactMap { element in
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map { trimmingBlanks($0) }
      guard let name = parts.first, !name.isEmpty || parts.count > 1 else { return nil }
      return ExtensionElement(
        name: name.lowercased(),
        parameters: parts.dropFirst().map { part in
          let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          let value = pair.count < 2 ? nil : trimmingBlanks(pair[1]).filter { $0 != "\"" }
          return (trimmingBlanks(pair[0]).lowercased(), value)
        })
    }
  }
}
