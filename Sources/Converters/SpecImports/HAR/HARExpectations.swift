import Cryptography
import DocumentQueries
import HTTPSemantics
import RequestSpecs
import Values

/// The expectations of requests, by the responses of an archive.
extension HARReader {
  mutating func expect(_ last: RecordedExchange, of chain: [Int], _ request: inout ImportedRequest) {
    if chain.count > 1 {
      let schemes = chain.map { archive.entries[$0].scheme }
      if zip(schemes, schemes.dropFirst()).contains(where: { $0 == ("https", "http") }) {
        request.settings.set(redirects: .allowHTTP, .bool(true))
      }
    }
    guard let response = last.response else { return }
    guard let status = last.status else {
      let text = response.text("_error") ?? response.text("statusText") ?? ""
      if text.isEmpty, archive.isOwn { return }
      return request.remark(
        "requests without a response", text.isEmpty ? "\(last.method) \(last.url.prefix(200))" : text)
    }
    if last.redirectTarget != nil { request.settings.set(.redirects, .text("none")) }
    // Without validators, a server sends the whole.
    request.expect.set("status", .integer(status == 304 ? 200 : status))
    if let target = last.redirectTarget, let url = last.parsedURL {
      // Where a login fails, a redirect of the same status leads elsewhere.
      let isSame = target.authority == url.authority
      let origin = isSame ? "^(https?://[^/]+)?" : "^https?://\(Self.escaped(target.authority))"
      // A relative one that doesn't begin with a slash is looked for at its end.
      let isRooted = last.location?.hasPrefix("/") ?? false || last.location?.contains("://") ?? false
      if isRooted { request.expect.set("headers", "Location", Self.pattern(origin, target)) }
    }
    if chain.count > 1 {
      // Where a login fails, a redirect leads elsewhere, or nowhere.
      request.expect.set("redirects", .mapping([("count", .integer(chain.count - 1))]))
      if let url = last.parsedURL { request.expect.set("url", Self.pattern("^https?://[^/]+", url)) }
      hasRedirects = true
    } else if hasRedirects, last.responseType == "text/html", last.redirectTarget == nil {
      request.expect.set("redirects", .mapping([("count", .integer(0))]))
    }
    // What is masked has another form.
    if !archive.isOwn, ![101, 304].contains(status) { Self.expectBody(of: last, &request) }
  }

  /// Expects the like of a body: its type, the form of JSON, and the bytes of a file that doesn't change.
  private static func expectBody(of response: RecordedExchange, _ request: inout ImportedRequest) {
    func header(_ name: String) -> String? {
      response.responseHeaders.last { equalsIgnoringCase($0.name, name) }?.value
    }
    let type = mediaType(of: header("Content-Type") ?? "")
    if type.contains("/") { request.expect.set("content_type", .text(type)) }
    if isEventStream(contentType: type), let text = response.responseText {
      // A client ends it, and the next one may have other events.
      let count = Self.eventCount(text)
      let end: (String, ImportedValue) = count > 0 ? ("max_events", .integer(count)) : ("timeout", .text("5s"))
      request.settings.set(.stream, .mapping([("format", .text("sse")), end]))
      if count > 0 { request.expect.set("events", .mapping([("count", .integer(count))])) }
      return
    }
    if response.responseType.contains("json"), let text = response.responseText,
      let document = try? JSONDocument(parsing: text)
    {
      request.expect.set("json", .mapping([("$", .node(BodyShape(document.root).expectation))]))
    } else if let tag = header("ETag"), !tag.hasPrefix("W/"), let bytes = response.responseBytes {
      let digest = hexEncoded(DigestAlgorithm.sha256.digest(of: bytes))
      request.expect.set("bytes", .mapping([("sha256", .text(digest))]))
    }
  }

  /// The number of whole events in the text of a stream.
  private static func eventCount(_ text: String) -> Int {
    var (reader, count) = (EventReader(.sse), 0)
    _ = try? Array(text.utf8).withUnsafeBytes { bytes throws(EventStreamError) in
      try reader.read(bytes) { _ in
        count += 1
        return true
      }
    }
    return count
  }

  /// The pattern of the path that a redirect led to, up to a segment that may differ from run to run. The path of a
  /// login's page, which has that path in its query, doesn't match.
  private static func pattern(_ origin: String, _ url: HTTPURL) -> ImportedValue {
    let path = url.path.isEmpty ? "/" : url.path
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let known = segments.prefix { !$0.utf8.contains(where: isDigit) }
    let isWhole = known.count == segments.count
    let start = escaped(isWhole ? path : known.joined(separator: "/") + "/")
    return .mapping([("matches", .text(origin + start + (isWhole ? url.query == nil ? "$" : "\\?" : "")))])
  }

  private static func escaped(_ text: String) -> String { escapedForPattern(text).replacing("\\/", with: "/") }
}
