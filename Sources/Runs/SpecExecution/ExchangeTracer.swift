import HTTPSemantics
import Values

/// Makes the reports of an attempt's hops: the data that was sent and received, masked.
struct ExchangeTracer {
  let registry: SecretRegistry
  let request: ResolvedRequest
  /// The collector of the response's body.
  let collector: ResponseCollector
  let needs: ReportNeeds
  let attempt: AttemptStart
  /// Indicates whether responses are secret as a whole.
  var hidesResponses = false

  /// The headers of secret responses whose values are shown.
  private static let plainHeaders: Set<String> = [
    "age", "cache-control", "connection", "content-encoding", "content-length", "content-type", "date", "expires",
    "keep-alive", "pragma", "retry-after", "server", "strict-transport-security", "transfer-encoding", "vary",
    "x-content-type-options", "x-frame-options",
  ]

  /// - Parameter log: the requests of a transfer; nil if it has a single exchange.
  func hops(of result: Result<ExchangeResult, ExchangeFailure>, _ log: TransferLog? = nil) -> [HopReport] {
    let own = tracedHops(of: result)
    return (log.map { merged(own, with: $0) } ?? own).enumerated().reduce(into: []) { reports, hop in
      let number = (reports.last?.number ?? 0) + 1 + hop.element.leftOut
      reports.append(report(hop.element, number: number))
    }
  }

  /// A hop, and its part in the exchange.
  private struct TracedHop {
    let request: WireRequest
    let begin: ContinuousClock.Instant?
    let head: ResponseHead?
    var trailers = HeaderFields()
    var summary: ExchangeSummary?
    /// The size of its body as received, if that is the only one that was collected.
    var wholeSize: Int64?
    /// Indicates whether the target is that of the spec.
    let isFirst: Bool
    /// Indicates whether its body is the one that was collected.
    let isLast: Bool
    var note: String?
    /// The failure of a request that was not the transfer's last word.
    var error: TransportError?
    var isPart = false
    var leftOut = 0
  }

  private func tracedHops(of result: Result<ExchangeResult, ExchangeFailure>) -> [TracedHop] {
    switch result {
    case .success(let result):
      let last = result.hops.count - 1
      return result.hops.indices.map { traced(result.hops, at: $0, note: $0 == last ? result.note : nil, last) }
    case .failure(let failure):
      // The hops with a response, and the request that was in flight.
      let hops = failure.hops.indices.map { traced(failure.hops, at: $0, note: nil, nil) }
      guard let inFlight = failure.request else { return hops }
      return hops + [
        TracedHop(
          request: inFlight, begin: failure.begin, head: failure.head, summary: failure.error.summary,
          isFirst: failure.hops.allSatisfy(\.isChallenged), isLast: true)
      ]
    }
  }

  /// The hop of a request that isn't sent.
  func unsentHop(_ wire: WireRequest) -> HopReport {
    report(
      TracedHop(request: wire, begin: nil, head: nil, summary: nil, isFirst: true, isLast: true), number: 1)
  }

  /// - Parameter last: the index of the hop with the response; nil if there is none.
  private func traced(_ hops: [ExchangeHop], at index: Int, note: String?, _ last: Int?) -> TracedHop {
    let hop = hops[index]
    // A challenge doesn't change the target: the request after it is still the spec's own.
    return TracedHop(
      request: hop.request, begin: hop.begin, head: hop.head, trailers: hop.trailers, summary: hop.summary,
      wholeSize: index == last ? wireSize(hop.summary) : nil,
      isFirst: hops[..<index].allSatisfy(\.isChallenged), isLast: index == last, note: note)
  }

  /// All requests of a transfer. Those of the exchange with the step's response were sent by another step if they
  /// aren't in the log.
  private func merged(_ own: [TracedHop], with log: TransferLog) -> [TracedHop] {
    let begins = own.indices.compactMap { index in own[index].begin.map { ($0, index) } }
    let known = Dictionary(begins) { first, _ in first }
    var used: Set<Int> = []
    let all = log.entries.map { entry in
      guard let index = known[entry.begin], used.insert(index).inserted else {
        return TracedHop(
          request: entry.request, begin: entry.begin, head: entry.head, summary: entry.summary,
          isFirst: entry.request.url == request.outgoing.url, isLast: false, error: entry.error, isPart: true,
          leftOut: entry.leftOut)
      }
      var hop = own[index]
      // Its own size, not that of all requests together.
      hop.summary = entry.summary ?? hop.summary
      hop.leftOut = entry.leftOut
      return hop
    }
    let rest = own.indices.filter { index in
      !used.contains(index) && own[index].begin.map { $0 >= attempt.instant } ?? true
    }
    return all + rest.map { own[$0] }
  }

  private func report(_ hop: TracedHop, number: Int) -> HopReport {
    var report = HopReport(
      step: attempt.step, attempt: attempt.number, number: number,
      start: hop.begin.flatMap { attempt.time.advanced(by: $0 - attempt.instant) } ?? attempt.time,
      request: sentRequest(hop.request, hop.summary, isFirst: hop.isFirst),
      response: hop.head.map { head in
        var response = ReceivedResponse(
          status: head.status, reason: registry.masked(head.reason), httpVersion: head.httpVersion,
          headers: head.headers.fields.map { responseHeader($0.name, $0.value) },
          body: hop.isLast ? responseBody(head, wireSize: hop.wholeSize) : nil)
        if hop.isLast, let log = collector.messages {
          (response.messages, response.moreMessages) = log.messages(registry) { instant in
            attempt.time.advanced(by: instant - attempt.instant) ?? attempt.time
          }
        }
        response.trailers = hop.trailers.fields.map { responseHeader($0.name, $0.value) }
        response.headSize = head.size
        response.bodySize = hop.summary.flatMap(wireSize)
        response.cookies = hidesResponses ? [] : HopCookie.set(by: head, registry)
        return response
      },
      timings: hop.summary?.timings, remoteAddress: hop.summary?.remoteAddress, localAddress: hop.summary?.localAddress,
      cache: hop.summary?.cache, note: hop.note.map { registry.masked($0) })
    report.isPart = hop.isPart
    report.problem = hop.error.map { registry.masked($0.message) }
    report.leftOut = hop.leftOut
    return report
  }

  /// The size of a body as received.
  private func wireSize(_ summary: ExchangeSummary) -> Int64? {
    summary.cache == .hit || summary.cache == .revalidated ? nil : summary.wireBodyBytes
  }

  private func sentRequest(_ wire: WireRequest, _ summary: ExchangeSummary?, isFirst: Bool) -> SentRequest {
    let line = requestLine(wire, isFirst: isFirst)
    let sent = summary?.sentHead.map { sentFields($0, wire, authority: line.authority) }
    var request = SentRequest(
      method: wire.method.rawValue, scheme: wire.url.scheme, authority: line.authority, target: line.target,
      httpVersion: sent?.version, proxy: wire.options.proxy.map { registry.masked($0.description) },
      headers: sent?.fields ?? wire.headers.fields.map { requestHeader($0.name, $0.value) },
      body: needs.wantsBodies && !wire.body.isNone ? requestBody(wire.body.length) : nil)
    // Later versions compress it.
    if sent?.version.hasPrefix("HTTP/1.") ?? false { request.headSize = summary?.sentHead?.utf8.count }
    request.cookies = HopCookie.sent(by: wire, registry)
    return request
  }

  /// The sent head: the version of HTTP, and each line with its value masked.
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
    if isFirst, request.url.isSecret || request.requestTarget?.isSecret == true {
      let shown = request.shownURL
      let rest = shown.firstRange(of: "://").map { shown[$0.upperBound...] } ?? shown[...]
      let path = rest.drop { !"/?#".contains($0) }
      let target = request.requestTarget?.masked ?? (path.hasPrefix("/") ? String(path) : "/\(path)")
      return (target, String(rest[..<path.startIndex]))
    }
    let (authority, path) = maskedParts(wire.url)
    let target = concealingSecrets(in: wire.requestTarget.map { registry.masked($0) } ?? path)
    return (target, authority)
  }

  /// Authority and path of a URL that is masked as a whole: a secret may extend over both.
  private func maskedParts(_ url: HTTPURL) -> (authority: String, path: String) {
    let whole = registry.filtered(url.authority + url.originForm)
    let border = url.authority.utf8.count
    return (registry.shown(whole.prefix(utf8: border)), registry.shown(whole.dropping(first: border)))
  }

  /// A field of the request with its own marks, if it is from the spec.
  private func requestHeader(_ name: String, _ value: String) -> (name: String, value: String) {
    if isMaskedHeader(name) { return (name, Text.mask) }
    let own = request.headers.first { equalsIgnoringCase($0.name.string, name) && $0.value.string == value }
    return (own?.name.masked ?? name, registry.masked(own?.value.masked ?? value))
  }

  private func responseHeader(_ name: String, _ value: String) -> (name: String, value: String) {
    let isHidden = hidesResponses && !ExchangeTracer.plainHeaders.contains(name.lowercased())
    return (registry.masked(name), isHidden ? Text.mask : registry.masked(header: name, value))
  }

  // MARK: bodies

  private func requestBody(_ length: Int64?) -> BodyReference? {
    // Transfers read their file again for each exchange.
    if case .none = request.body { return BodyReference(size: length) }
    return BodyReference(size: length, excerpt: { requestExcerpt }, bytes: { requestBytes })
  }

  /// The body as it is sent, its secrets masked; nil if it is too large for a report.
  private var requestBytes: [UInt8]? { request.body.reportedBytes.map { registry.masked($0) } }

  private var requestExcerpt: BodyExcerpt? {
    let type = request.headers.first { equalsIgnoringCase($0.name.string, "Content-Type") }?.value
    let shownType = type.map { registry.masked($0.masked) }
    switch request.body {
    case .none: return nil
    case .text(let text):
      return BodyExcerpt(text: registry.masked(text.masked), contentType: shownType)
    case .data(let data) where !data.isSecret:
      return excerpt(
        Array(data.bytes.prefix(BodyExcerpt.limit)), of: Int64(data.bytes.count), type?.string, shownType)
    case .data(let data): return BodyExcerpt(.description("\(data.bytes.count) bytes"), contentType: shownType)
    case .file(let file): return BodyExcerpt(.description(registry.masked(file.shown)), contentType: shownType)
    case .multipart(let parts, let boundary):
      return BodyExcerpt(.description(registry.masked(multipartText(parts, boundary))), contentType: shownType)
    }
  }

  /// The form as it is sent, without the contents of files.
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

  private func responseBody(_ head: ResponseHead, wireSize: Int64?) -> BodyReference {
    guard needs.wantsBodies else { return BodyReference(size: collector.count, wireSize: wireSize) }
    if hidesResponses {
      let excerpt = collector.count > 0 ? BodyExcerpt(text: Text.mask) : nil
      return BodyReference(size: collector.count, wireSize: wireSize, excerpt: { excerpt })
    }
    return BodyReference(
      size: collector.count, wireSize: wireSize, excerpt: { responseExcerpt(head) }, bytes: { wholeBody },
      pieces: { needs.contains(.openBodies) && collector.read($0) })
  }

  private var wholeBody: [UInt8]? {
    guard needs.contains(.bodies), let body = collector.wholeBody(), Int64(body.count) == collector.count else {
      return nil
    }
    return registry.masked(body)
  }

  private func responseExcerpt(_ head: ResponseHead) -> BodyExcerpt? {
    let type = head.headers.first("Content-Type")
    return excerpt(collector.preview, of: collector.count, type, type.map { registry.masked($0) })
  }

  /// - Parameters:
  ///   - beginning: the beginning of the body, or all of it.
  ///   - size: the size of the whole body.
  private func excerpt(
    _ beginning: [UInt8], of size: Int64, _ contentType: String?, _ shownType: String?
  ) -> BodyExcerpt? {
    guard !beginning.isEmpty else { return nil }
    let isCut = Int64(beginning.count) < size
    let charset = BodyCharset(contentType: contentType) { Array(beginning.prefix($0)) }
    var text = charset.decodeReplacing(beginning)
    if BodySummary(text: text, isWhole: !isCut, contentType: contentType, count: size).isBinary {
      let bytes = isCut ? registry.masked(prefix: beginning) : registry.masked(beginning)
      return BodyExcerpt(.data(bytes), isCut: isCut, contentType: shownType)
    }
    if isCut {
      var decoded = Array(text.utf8)
      // The cut may be inside a character.
      if decoded.suffix(3) == [0xEF, 0xBF, 0xBD] { decoded.removeLast(3) }
      text = String(decoding: registry.masked(prefix: decoded), as: UTF8.self)
    } else {
      text = registry.masked(text)
    }
    return BodyExcerpt(text: text, isCut: isCut, contentType: shownType)
  }
}
