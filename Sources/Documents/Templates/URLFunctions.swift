import Values

extension TemplateFunction {
  static let urlFunctions = [
    TemplateFunction(
      "url", ["text"], takes: "a URL, also a relative one",
      yields: "`{scheme, host, port, path, query, fragment}`: texts, null where there is none; the port as a number, "
        + "also the scheme's own", fails: "blanks, an invalid port", result: .always(.mapping), .whole(url))
  ]
}

private func url(_ call: FunctionCall) throws(TemplateError) -> Value {
  let text = try call.text(0).string
  guard !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 }) else {
    throw call.problem("a URL has no blanks", at: 0, help: "`trim` removes those around it")
  }
  let reference = URIReference(text)
  let scheme = reference.scheme?.lowercased()
  var host: String?
  var port = scheme.flatMap { usualPorts[$0] }
  if let authority = reference.authority {
    let location = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let bracket = location.lastIndex(of: "]")
    let colon = location[(bracket ?? location.startIndex)...].lastIndex(of: ":")
    host = location[..<(colon ?? location.endIndex)].lowercased()
    if let colon, colon != location.index(before: location.endIndex) {
      guard let number = UInt16(location[location.index(after: colon)...]) else {
        throw call.problem("the port of this URL is not a number up to 65535", at: 0)
      }
      port = Int(number)
    }
  } else {
    port = nil
  }
  func part(_ part: String?) -> Value { part.map { .text($0) } ?? .null }
  return .mapping(
    Mapping([
      ("scheme", part(scheme)), ("host", part(host)), ("port", port.map { .integer($0) } ?? .null),
      ("path", .text(host != nil && reference.path.isEmpty ? "/" : reference.path)), ("query", part(reference.query)),
      ("fragment", part(reference.fragment)),
    ]))
}

private let usualPorts = ["http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21]
