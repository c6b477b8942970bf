import Values

extension AddressOverride {
  /// Reads `host:port:address[,address]`, the form of curl's `--resolve`; addresses may be in brackets.
  package init(parsing text: String) throws(URLProblem) {
    let help = "write host:port:address, such as example.com:443:127.0.0.1"
    let bytes = Array(text.utf8)[...]
    var rest = bytes
    guard let host = takePart(&rest), let port = takePart(&rest), !rest.isEmpty else {
      throw URLProblem("this is not host:port:address", at: bytes.indices, help: help)
    }
    let name = host.elementsEqual("*".utf8) ? "*" : try overriddenHost(host, help: help)
    self = try AddressOverride(host: name, port: overriddenPort(port), addresses: rest)
  }

  /// Reads the two parts given separately, as in a mapping of `host:port` to addresses.
  package init(hostAndPort: String, addresses: [String]) throws(URLProblem) {
    self = try AddressOverride(parsing: "\(hostAndPort):\(addresses.joined(separator: ","))")
  }

  private init(host: String, port: Int, addresses bytes: ArraySlice<UInt8>) throws(URLProblem) {
    var addresses: [String] = []
    for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let isBracketed = part.first == UInt8(ascii: "[") && part.last == UInt8(ascii: "]")
      let address = String(decoding: isBracketed ? part.dropFirst().dropLast() : part, as: UTF8.self)
      guard IPAddress(address) != nil else {
        throw URLProblem(
          "this is not an IP address", at: part.indices, help: "`connect_to` takes host names")
      }
      addresses.append(address)
    }
    self.init(host: host, port: port, addresses: addresses)
  }
}

extension ConnectTo {
  /// Reads `host:port:other host:other port`, the form of curl's `--connect-to`; each part may be empty.
  package init(parsing text: String) throws(URLProblem) {
    let help = "write host:port:other-host:other-port, parts that stay as they are empty"
    let bytes = Array(text.utf8)[...]
    var rest = bytes
    guard let host = takePart(&rest), let port = takePart(&rest), let targetHost = takePart(&rest),
      !rest.contains(UInt8(ascii: ":"))
    else { throw URLProblem("this is not host:port:other-host:other-port", at: bytes.indices, help: help) }
    self.init(
      host: host.isEmpty ? "" : try overriddenHost(host, help: help),
      port: port.isEmpty ? nil : try overriddenPort(port),
      targetHost: targetHost.isEmpty ? "" : try overriddenHost(targetHost, help: help),
      targetPort: rest.isEmpty ? nil : try overriddenPort(rest))
    guard !self.targetHost.isEmpty || self.targetPort != nil else {
      throw URLProblem("this leads nowhere else", at: bytes.indices, help: help)
    }
  }
}

/// Takes the text before the next colon outside brackets; nil if there is none.
private func takePart(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  var from = rest.startIndex
  if rest.first == UInt8(ascii: "["), let close = rest.firstIndex(of: UInt8(ascii: "]")) { from = close }
  guard let colon = rest[from...].firstIndex(of: UInt8(ascii: ":")) else { return nil }
  defer { rest = rest[(colon + 1)...] }
  return rest[..<colon]
}

private func overriddenHost(_ bytes: ArraySlice<UInt8>, help: String) throws(URLProblem) -> String {
  guard !bytes.isEmpty else { throw URLProblem("the host is missing", at: bytes.indices, help: help) }
  return try parseHostAndPort(bytes).host
}

private func overriddenPort(_ bytes: ArraySlice<UInt8>) throws(URLProblem) -> Int {
  guard bytes.count <= 5, bytes.allSatisfy(isDigit), let port = Int(String(decoding: bytes, as: UTF8.self)),
    (1...65_535).contains(port)
  else { throw URLProblem("a port is a number from 1 to 65535", at: bytes.indices) }
  return port
}
