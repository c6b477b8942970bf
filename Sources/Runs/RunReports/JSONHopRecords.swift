import HTTPMessages
import RunEvents
import Values

/// The objects of the JSON report for what was sent and received.
enum JSONHopRecords {
  static let hop = ReportRecord<HopReport>(
    .required("attempt", "The number of the attempt, counted from 1", .integer(1...Int.max)) { .integer($0.attempt) },
    .required("number", "The number in its attempt, counted from 1", .integer(1...Int.max)) { .integer($0.number) },
    .time("start", "When it was sent") { $0.start },
    .object("request", "The request as it was sent", request) { $0.request },
    .object("response", "The response; missing if there was none", response) { $0.response },
    .object("timings", "The timings; missing if the transport doesn't report them", timings) { $0.timings },
    .optionalText("remote_address", "The address and the port of the peer") { $0.remoteAddress },
    .optionalText("local_address", "The address and the port of this end") { $0.localAddress },
    .optional("cache", "The cache's part", .words(CacheOutcome.words)) { $0.cache.map { .text(Text($0.reportWord)) } },
    .optionalText("note", "The reason why credentials did not help") { $0.note },
    .flag("part", "true for one of several requests of a transfer whose response is not that of the step") {
      $0.isPart
    },
    .optionalText("problem", "The reason why such a request has no response, or not all of it") { $0.problem })

  static let request = ReportRecord<SentRequest>(
    .text("method", "The method") { $0.method },
    .text("url", "The URL") { $0.url },
    .text("target", "The target in the request line: path and query") { $0.target },
    .optionalText("http_version", "The version in the request line, such as HTTP/1.1") { $0.httpVersion },
    .optionalText("proxy", "The URL of the proxy") { $0.proxy },
    .list("headers", "The headers in their order", of: header) { $0.headers },
    .optionalInteger("head_size", "The size of request line and headers in bytes", 0...Int.max) { $0.headSize },
    .list("cookies", "The cookies, without their values", of: cookie) { $0.cookies },
    .object("body", "The body; missing if nothing was sent", body) { $0.body.map { ReportedBody($0) } })

  static let response = ReportRecord<ReceivedResponse>(
    .required("status", "The status", .integer(0...999)) { .integer($0.status) },
    .optionalText("reason", "The reason phrase") { $0.reason.isEmpty ? nil : $0.reason },
    .optionalText("http_version", "The version: 1.0, 1.1, 2 or 3") { $0.httpVersion.isEmpty ? nil : $0.httpVersion },
    .list("headers", "The headers in their order", of: header) { $0.headers },
    .optionalInteger("head_size", "The size of status line and headers in bytes", 0...Int.max) { $0.headSize },
    .optionalInteger("body_size", "The size of the body as received", 0...Int.max) {
      $0.bodySize.map { Int(clamping: $0) }
    },
    .list("cookies", "The cookies that it sets, without their values", of: cookie) { $0.cookies },
    .object("body", "The body; missing if another hop follows", body) { $0.body.map { ReportedBody($0) } })

  static let header = ReportRecord<(name: String, value: String)>(
    .text("name", "The name") { $0.name }, .text("value", "The value") { $0.value })

  static let cookie = ReportRecord<HopCookie>(
    .text("name", "The name") { $0.name }, .optionalText("path", "The path") { $0.path },
    .optionalText("domain", "The domain") { $0.domain }, .time("expires", "The date in its attributes") { $0.expires },
    .flag("http_only", "true if scripts may not read it") { $0.isHTTPOnly },
    .flag("secure", "true if it is sent over TLS alone") { $0.isSecure })

  static let timings = ReportRecord<ExchangeTimings>(
    .optionalDuration("name_lookup", "From the start until the name was resolved") { $0.nameLookup },
    .optionalDuration("connect", "From the start until the connection was made") { $0.connect },
    .optionalDuration("tls", "From the start until the TLS handshake was complete") { $0.tls },
    .optionalDuration("first_byte", "From the start until the first byte of the response") { $0.firstByte },
    .duration("total", "From the start to the end of the response") { $0.total })

  static let body = ReportRecord<ReportedBody>(
    .optionalInteger("size", "The size in bytes, decoded", 0...Int.max) { $0.size },
    .optionalInteger("wire_size", "The size in bytes as received", 0...Int.max) { $0.wireSize },
    .optionalText("content_type", "The content type") { $0.excerpt?.contentType },
    .optionalText("text", "The body, or its beginning, if it is text") {
      if case .text(let text)? = $0.excerpt?.content { text } else { nil }
    },
    .optionalText("base64", "The body, or its beginning, if it isn't text") {
      if case .data(let bytes)? = $0.excerpt?.content { base64Encoded(bytes) } else { nil }
    },
    .optionalText("description", "A description in place of the content, such as that of a form with files") {
      if case .description(let text)? = $0.excerpt?.content { text } else { nil }
    },
    .flag("cut", "true if the body is longer") { $0.excerpt?.isCut ?? false })
}

/// A body with its excerpt.
struct ReportedBody {
  let size: Int?
  let wireSize: Int?
  let excerpt: BodyExcerpt?

  init(_ body: BodyReference) {
    size = body.size.map { Int(clamping: $0) }
    wireSize = body.wireSize.map { Int(clamping: $0) }
    excerpt = body.excerpt()
  }
}
