import Diagnostics
import HTTPMessages
import HTTPSemantics
import RequestBodies
import Values

/// Tells what went over the wire, masked.
struct ExchangeTracer {
  let registry: SecretRegistry
  let request: ResolvedRequest
  /// Where the answer's body is.
  let collector: ResponseCollector
  let tellsBodies: Bool

  func trace(_ result: ExchangeResult) -> [HopTrace] {
    var traces = trace(result.hops, isComplete: true)
    traces[traces.count - 1].note = result.note.map { registry.masked($0) }
    return traces
  }

  /// The hops that were answered, and the request that was in flight.
  func trace(_ failure: ExchangeFailure) -> [HopTrace] {
    let hops = trace(failure.hops, isComplete: false)
    guard let inFlight = failure.request else { return hops }
    let isFirst = failure.hops.allSatisfy(\.isChallenged)
    return hops + [
      trace(
        inFlight, head: failure.head, summary: failure.error.summary, isFirst: isFirst, isLast: true,
        isComplete: false)
    ]
  }

  /// - Parameter isComplete: whether the last of them brought the answer.
  private func trace(_ hops: [Hop], isComplete: Bool) -> [HopTrace] {
    hops.indices.map { index in
      // A challenge leads nowhere else: the request after it is still the spec's own.
      trace(
        hops[index].request, head: hops[index].head, summary: hops[index].summary,
        isFirst: hops[..<index].allSatisfy(\.isChallenged), isLast: isComplete && index == hops.count - 1)
    }
  }

  private func trace(
    _ wire: WireRequest, head: ResponseHead?, summary: ExchangeSummary?, isFirst: Bool, isLast: Bool,
    isComplete: Bool = true
  ) -> HopTrace {
    let line = requestLine(wire, isFirst: isFirst)
    let sent = summary?.sentHead.map { sentFields($0, wire, authority: line.authority) }
    return HopTrace(
      requestLine: sent.map { "\(line.target) \($0.version)\(proxy(wire))" }
        ?? "\(line.target) (\(line.authority)\(proxy(wire)))",
      requestHeaders: sent?.fields ?? wire.headers.fields.map { requestHeader($0.name, $0.value) },
      requestBody: isFirst && tellsBodies ? requestBody : nil, statusLine: head.map(statusLine),
      responseHeaders: head?.headers.fields.map { responseHeader($0.name, $0.value) } ?? [],
      responseBody: isLast ? head.flatMap(responseBody) : nil, timings: summary?.timings,
      remoteAddress: summary?.remoteAddress, bodySize: isLast && isComplete ? summary.flatMap(bodySize) : nil,
      cache: summary?.cache)
  }

  /// Of an answer that came over the wire.
  private func bodySize(_ summary: ExchangeSummary) -> (decoded: Int64, onWire: Int64)? {
    if summary.cache == .hit || summary.cache == .revalidated { return nil }
    return summary.wireBodyBytes.map { (collector.count, $0) }
  }

  /// What the head said as it went out: the version of HTTP, and each line with its value masked.
  private func sentFields(
    _ head: String, _ wire: WireRequest, authority: String
  ) -> (version: String, fields: [(name: String, value: String)]) {
    let lines = head.split(whereSeparator: \.isNewline)
    let fields = lines.dropFirst().map { line in
      let name = String(line.prefix { $0 != ":" })
      let value = trimmingBlanks(line.dropFirst(name.count + 1))
      let isOwnHost = equalsIgnoringCase(name, "Host") && !wire.headers.contains("Host")
      return isOwnHost ? (name, authority) : requestHeader(name, value)
    }
    return (lines.first?.split(separator: " ").last.map(String.init) ?? "", fields)
  }

  private func requestLine(_ wire: WireRequest, isFirst: Bool) -> (target: String, authority: String) {
    let method = wire.method.rawValue
    if isFirst, request.url.isSecret || request.requestTarget?.isSecret == true {
      let shown = request.shownURL
      let rest = shown.firstRange(of: "://").map { shown[$0.upperBound...] } ?? shown[...]
      let path = rest.drop { !"/?#".contains($0) }
      let target = request.requestTarget?.masked ?? (path.hasPrefix("/") ? String(path) : "/\(path)")
      return ("\(method) \(target)", String(rest[..<path.startIndex]))
    }
    let (authority, path) = maskedParts(wire.url)
    let target = concealingSecrets(in: wire.requestTarget.map { registry.masked($0) } ?? path)
    return ("\(method) \(target)", authority)
  }

  /// Authority and path of a URL that is masked as a whole: a secret may lie in both.
  private func maskedParts(_ url: HTTPURL) -> (authority: String, path: String) {
    let whole = registry.filtered(url.authority + url.originForm)
    let border = url.authority.utf8.count
    return (registry.shown(whole.prefix(utf8: border)), registry.shown(whole.dropping(first: border)))
  }

  /// What stands after the host where a proxy stands before it.
  private func proxy(_ wire: WireRequest) -> String {
    wire.options.proxy.map { " by the proxy \(registry.masked($0.description))" } ?? ""
  }

  private func statusLine(_ head: ResponseHead) -> String {
    let version = head.httpVersion.isEmpty ? "HTTP" : "HTTP/\(head.httpVersion)"
    return head.reason.isEmpty
      ? "\(version) \(head.status)" : "\(version) \(head.status) \(registry.masked(head.reason))"
  }

  /// A field of the request by its own marks, where the spec gave it.
  private func requestHeader(_ name: String, _ value: String) -> (name: String, value: String) {
    if isMaskedHeader(name) { return (name, Text.mask) }
    let own = request.headers.first { equalsIgnoringCase($0.name.string, name) && $0.value.string == value }
    return (own?.name.masked ?? name, registry.masked(own?.value.masked ?? value))
  }

  private func responseHeader(_ name: String, _ value: String) -> (name: String, value: String) {
    (registry.masked(name), isMaskedHeader(name) ? Text.mask : registry.masked(value))
  }

  private var requestBody: String? {
    switch request.body {
    case .none: nil
    case .text(let text): registry.masked(text.masked)
    case .data(let data): "\(data.bytes.count) bytes"
    case .file(let file): registry.masked(file.shown)
    case .multipart(let parts, let boundary): registry.masked(multipartText(parts, boundary))
    }
  }

  /// The form as it is sent, but for what is in files.
  private func multipartText(_ parts: [ResolvedPart], _ boundary: String) -> String {
    var lines: [String] = []
    for part in parts {
      let head = MultipartPart(
        name: part.name.masked, filename: part.filename?.masked, contentType: part.type?.masked, content: .bytes([])
      ).head
      lines.append("--\(boundary)\n\(head.replacing("\r\n", with: "\n"))\(part.shownContent)")
    }
    return (lines + ["--\(boundary)--"]).joined(separator: "\n")
  }

  private func responseBody(_ head: ResponseHead) -> String? {
    guard tellsBodies, !collector.preview.isEmpty else { return nil }
    let charset = BodyCharset(contentType: head.headers.first("Content-Type")) { Array(collector.preview.prefix($0)) }
    guard Int64(collector.preview.count) < collector.count else {
      let text = charset.decodeReplacing(collector.preview)
      return text.unicodeScalars.contains("\0") ? "\(collector.count) bytes" : registry.masked(text)
    }
    var decoded = Array(charset.decodeReplacing(collector.preview).utf8)
    // The cut may lie inside a character.
    if decoded.suffix(3) == [0xEF, 0xBF, 0xBD] { decoded.removeLast(3) }
    let text = String(decoding: registry.masked(prefix: decoded), as: UTF8.self)
    if text.unicodeScalars.contains("\0") { return "\(collector.count) bytes" }
    return "\(text)\n… \(collector.count) bytes in all"
  }
}
