import HTTPMessages
import RunEvents
import Values

/// The hops of a step as JSON, made as they end: of very many the first and the last.
struct HTMLHops {
  private static let limit = 20
  /// The longest body, in bytes of its text.
  private static let bodyLimit = 16 << 10

  private struct Entry {
    let head: String
    let bodies: String
  }

  private var entries: [Entry] = []
  /// The number of hops in the middle that were left out.
  private(set) var leftOut = 0
  /// Method and URL of the first hop.
  private(set) var url = ""
  /// The timings of the last hop in milliseconds; nil if there are none.
  private(set) var timings: String?

  var isEmpty: Bool { entries.isEmpty }
  /// The list of hops without their bodies.
  var heads: String { "[\(entries.map(\.head).joined(separator: ","))]" }
  /// The bodies of each hop: those of its request and of its response.
  var bodies: String { "[\(entries.map(\.bodies).joined(separator: ","))]" }

  mutating func add(_ hop: HopReport) {
    if entries.isEmpty { url = "\(hop.request.method) \(hop.request.url)" }
    if entries.count == HTMLHops.limit {
      entries.remove(at: HTMLHops.limit / 2)
      leftOut += 1
    }
    entries.append(
      Entry(
        head: HTMLText.json(head(hop)),
        bodies: "[\(body(hop.request.body)),\(body(hop.response?.body))]"))
    timings = hop.timings.map { timings in
      let ends = [timings.nameLookup, timings.connect, timings.tls, timings.firstByte, timings.total]
      return "[\(ends.map { $0.map(HTMLText.milliseconds) ?? "null" }.joined(separator: ","))]"
    }
  }

  private func head(_ hop: HopReport) -> Value {
    object([
      ("attempt", .integer(hop.attempt)), ("request", request(hop.request)), ("response", hop.response.map(response)),
      ("timings", hop.timings.map(timings)), ("remote_address", hop.remoteAddress.map { .text($0) }),
      ("cache", hop.cache.map { .text($0.words) }), ("note", hop.note.map { .text($0) }),
    ])
  }

  private func request(_ request: SentRequest) -> Value {
    object([
      ("method", .text(request.method)), ("url", .text(request.url)), ("target", .text(request.target)),
      ("http_version", request.httpVersion.map { .text($0) }), ("proxy", request.proxy.map { .text($0) }),
      ("headers", headers(request.headers)), ("body_size", size(request.body?.size)),
    ])
  }

  private func response(_ response: ReceivedResponse) -> Value {
    object([
      ("status", .integer(response.status)), ("reason", .text(response.reason)),
      ("http_version", .text(response.httpVersion)), ("headers", headers(response.headers)),
      ("body_size", size(response.body?.size)), ("wire_size", size(response.body?.wireSize)),
    ])
  }

  private func timings(_ timings: ExchangeTimings) -> Value {
    func time(_ duration: Duration?) -> Value? { duration.map { .number(Number(lexeme: secondsText($0))) } }
    return object([
      ("lookup", time(timings.nameLookup)), ("connect", time(timings.connect)), ("tls", time(timings.tls)),
      ("first_byte", time(timings.firstByte)), ("total", time(timings.total)),
    ])
  }

  private func headers(_ headers: [(name: String, value: String)]) -> Value {
    .list(headers.map { .list([.text($0.name), .text($0.value)]) })
  }

  private func size(_ size: Int64?) -> Value? { size.map { .integer(Int(clamping: $0)) } }

  private func object(_ members: [(String, Value?)]) -> Value {
    .mapping(Mapping(members.compactMap { name, value in value.map { (name, $0) } }))
  }

  /// A body as JSON; `null` if there is nothing to show.
  private func body(_ reference: BodyReference?) -> String {
    guard let reference, let excerpt = reference.excerpt() else { return "null" }
    var text: String
    var isCut = excerpt.isCut
    switch excerpt.content {
    case .text(let whole):
      text = beginning(of: whole)
      isCut = isCut || text.utf8.count < whole.utf8.count
    case .data, .description: text = reference.beginning() ?? ""
    }
    if text.isEmpty { return "null" }
    return HTMLText.json(
      object([
        ("text", .text(text)), ("type", excerpt.contentType.map { .text($0) }), ("cut", isCut ? .bool(true) : nil),
      ]))
  }

  /// The beginning of a text whose secrets are masked.
  private func beginning(of text: String) -> String {
    let utf8 = text.utf8
    var end = utf8.index(utf8.startIndex, offsetBy: HTMLHops.bodyLimit, limitedBy: utf8.endIndex) ?? utf8.endIndex
    while end < utf8.endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(text[..<end])
  }
}
