import SpecExecution
import Values

/// The common parts of the objects of an HTTP archive.
enum HARText {
  static func creator(version: String) -> Value {
    object([("name", .text("reqrun")), ("version", .text(Text(version)))])
  }

  static func page(_ id: String, _ start: FileStart, _ report: FileReport) -> Value {
    let iteration = (start.variant.map { " (\($0))" } ?? "") + (start.iteration > 1 ? " (run \(start.iteration))" : "")
    let title = start.path + iteration + (start.name.map { ": \($0)" } ?? "")
    return object([
      ("startedDateTime", .text(Text(report.start.iso8601))), ("id", .text(Text(id))), ("title", .text(Text(title))),
      ("pageTimings", object([("onContentLoad", .integer(-1)), ("onLoad", milliseconds(report.duration))])),
    ])
  }

  static func headers(_ fields: [(name: String, value: String)]) -> Value {
    .list(fields.map { object([("name", .text(Text($0.name))), ("value", .text(Text($0.value)))]) })
  }

  static func cookies(_ cookies: [HopCookie]) -> Value {
    .list(
      cookies.map { cookie in
        object([
          ("name", .text(Text(cookie.name))), ("value", .text(Text(Text.mask))),
          ("path", cookie.path.map { .text(Text($0)) }), ("domain", cookie.domain.map { .text(Text($0)) }),
          ("expires", cookie.expires.map { .text(Text($0.iso8601)) }),
          ("httpOnly", cookie.isHTTPOnly ? .bool(true) : nil), ("secure", cookie.isSecure ? .bool(true) : nil),
        ])
      })
  }

  /// Bytes as text if they are UTF-8, else in base64.
  static func content(_ bytes: [UInt8], as name: String) -> [(String, Value?)] {
    if let text = String(validating: bytes, as: UTF8.self) { return [(name, .text(Text(text)))] }
    return [(name, .text(Text(base64Encoded(bytes)))), ("_encoding", .text("base64"))]
  }

  /// The address of `address:port`.
  static func host(of address: String) -> String? {
    guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let host = address[..<colon]
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
  }

  /// The port of `address:port`.
  static func port(of address: String) -> String? {
    address.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(address[address.utf8.index(after: $0)...]) }
  }

  static func milliseconds(_ duration: Duration) -> Value { .number(Number(lexeme: millisecondsText(duration))) }

  /// An object without the members that are nil.
  static func object(_ members: [(String, Value?)]) -> Value {
    .mapping(Mapping(members.compactMap { name, value in value.map { (name, $0) } }))
  }
}
