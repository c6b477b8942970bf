import HTTPSemantics
import SpecExecution
import Values

/// The objects of the JSON report for what was sent and received.
enum JSONHopRecords {
  static let hop = ReportRecord<HopReport>(
    HopReport(
      step: .none, attempt: 1, number: 1, start: .epoch, request: request.blank, response: nil, timings: nil,
      remoteAddress: nil, localAddress: nil, cache: nil, note: nil),
    .required("attempt", "The number of the attempt, counted from 1", \.attempt, .ordinal),
    .required("number", "The number in its attempt, counted from 1", \.number, .ordinal),
    .required("start", "When it was sent", \.start, .time),
    .required("request", "The request as it was sent", \.request, request.form),
    .optional("response", "The response; missing if there was none", \.response, response.form),
    .optional("timings", "The timings; missing if the transport doesn't report them", \.timings, timings.form),
    .optional("remote_address", "The address and the port of the peer", \.remoteAddress, .text),
    .optional("local_address", "The address and the port of this end", \.localAddress, .text),
    .optional("cache", "The cache's part", \.cache, .cache),
    .optional("note", "The reason why credentials did not help", \.note, .text),
    .flag("part", "true for one of several requests of a transfer whose response is not that of the step", \.isPart),
    .optional("problem", "The reason why such a request has no response, or not all of it", \.problem, .text))

  static let request = ReportRecord<SentRequest>(
    SentRequest(method: "", scheme: "", authority: "", target: "", httpVersion: nil, proxy: nil, headers: []),
    .required("method", "The method", \.method, .text),
    .custom("url", "The URL", .text, isOptional: false) {
      $0.url
    } read: { (request, node, url) throws(ReportFault) in
      let target = try node.value("target", .text) ?? ""
      let end = target.hasPrefix("/") ? target : "/"
      guard let border = url.firstRange(of: "://"), url.hasSuffix(end),
        url.utf8.count - end.utf8.count >= url[..<border.upperBound].utf8.count
      else { throw node.with(node.json, name: "url").fault("not a URL of its target") }
      request.scheme = String(url[..<border.lowerBound])
      request.authority = String(url[border.upperBound...].dropLast(end.count))
    }, .required("target", "The target in the request line: path and query", \.target, .text),
    .optional("http_version", "The version in the request line, such as HTTP/1.1", \.httpVersion, .text),
    .optional("proxy", "The URL of the proxy", \.proxy, .text),
    .list("headers", "The headers in their order", \.headers, header.form),
    .optional("head_size", "The size of request line and headers in bytes", \.headSize, .size),
    .list("cookies", "The cookies, without their values", \.cookies, cookie.form),
    .optional("body", "The body; missing if nothing was sent", \.body, .body))

  static let response = ReportRecord<ReceivedResponse>(
    ReceivedResponse(status: 0, reason: "", httpVersion: "", headers: [], body: nil),
    .required("status", "The status", \.status, .status),
    .optional("reason", "The reason phrase", \.reason, .text, unless: ""),
    .optional("http_version", "The version: 1.0, 1.1, 2 or 3", \.httpVersion, .text, unless: ""),
    .list("headers", "The headers in their order", \.headers, header.form),
    .list("trailers", "The fields behind the body, in their order", \.trailers, header.form),
    .optional("head_size", "The size of status line and headers in bytes", \.headSize, .size),
    .optional("body_size", "The size of the body as received", \.bodySize, .size),
    .list("cookies", "The cookies that it sets, without their values", \.cookies, cookie.form),
    .optional("body", "The body; missing if another hop follows", \.body, .body),
    .list("messages", "The messages of a WebSocket in their order", \.messages, message.form),
    .optional("more_messages", "The number of messages that are left out after them", \.moreMessages, .count, unless: 0)
  )

  static let message = ReportRecord<ReportedMessage>(
    ReportedMessage(time: .epoch, isSent: false, kind: .text, size: 0),
    .required("time", "When it was sent or received", \.time, .time),
    .required(
      "direction", "The direction", \.isSent, .words([true, false]) { $0 ? "sent" : "received" }),
    .required("type", "The type", \.kind, .word), .required("size", "The size in bytes", \.size, .size),
    .optional("text", "The text, or the reason of a close frame, or its beginning", \.text, .text),
    .optional(
      "base64", "Other bytes, or their beginning", \.bytes,
      ReportForm<String>.text.converted({ base64Encoded($0) }, { base64Decoded($0) }, fault: "not base64")),
    .optional("code", "The code of a close frame", \.code, .ordinal),
    .flag("cut", "true if the content is longer", \.isCut))

  static let header = ReportRecord<(name: String, value: String)>(
    (name: "", value: ""), .required("name", "The name", \.name, .text),
    .required("value", "The value", \.value, .text))

  static let cookie = ReportRecord<HopCookie>(
    HopCookie(name: ""), .required("name", "The name", \.name, .text), .optional("path", "The path", \.path, .text),
    .optional("domain", "The domain", \.domain, .text),
    .optional("expires", "The date in its attributes", \.expires, .time),
    .flag("http_only", "true if scripts may not read it", \.isHTTPOnly),
    .flag("secure", "true if it is sent over TLS alone", \.isSecure))

  static let timings = ReportRecord<ExchangeTimings>(
    ExchangeTimings(),
    .optional("name_lookup", "From the start until the name was resolved", \.nameLookup, .duration),
    .optional("connect", "From the start until the connection was made", \.connect, .duration),
    .optional("tls", "From the start until the TLS handshake was complete", \.tls, .duration),
    .optional("first_byte", "From the start until the first byte of the response", \.firstByte, .duration),
    .required("total", "From the start to the end of the response", \.total, .duration))

  static let body = ReportRecord<ReportedBody>(
    ReportedBody(), .optional("size", "The size in bytes, decoded", \.size, .size),
    .optional("wire_size", "The size in bytes as received", \.wireSize, .size),
    .optional("content_type", "The content type", \.contentType, .text),
    .optional("text", "The body, or its beginning, if it is text", \.text, .text),
    .optional(
      "base64", "The body, or its beginning, if it isn't text", \.bytes,
      ReportForm<String>.text.converted({ base64Encoded($0) }, { base64Decoded($0) }, fault: "not base64")),
    .optional(
      "description", "A description in place of the content, such as that of a form with files", \.description, .text),
    .flag("cut", "true if the body is longer", \.isCut))
}

extension ReportForm<BodyReference> {
  fileprivate static var body: ReportForm {
    JSONHopRecords.body.form.converted({ ReportedBody($0) }, { $0.reference })
  }
}

/// A body with its excerpt.
struct ReportedBody {
  var size: Int64?
  var wireSize: Int64?
  var contentType: String?
  var text: String?
  var bytes: [UInt8]?
  var description: String?
  var isCut = false

  init() {}

  init(_ body: BodyReference) {
    (size, wireSize) = (body.size, body.wireSize)
    guard let excerpt = body.excerpt() else { return }
    (contentType, isCut) = (excerpt.contentType, excerpt.isCut)
    switch excerpt.content {
    case .text(let content): text = content
    case .data(let content): bytes = content
    case .description(let content): description = content
    }
  }

  fileprivate var reference: BodyReference {
    let content: BodyExcerpt.Content? =
      text.map { .text($0) } ?? bytes.map { .data($0) } ?? description.map { .description($0) }
    let excerpt = content.map { BodyExcerpt($0, isCut: isCut, contentType: contentType) }
    return BodyReference(size: size, wireSize: wireSize, excerpt: { excerpt })
  }
}
