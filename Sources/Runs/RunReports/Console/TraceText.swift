import HTTPSemantics
import SpecExecution
import Values

/// The data that was sent and received, in curl's style: `>` sent, `<` received.
struct TraceText {
  let style: ConsoleStyle
  /// Indicates whether JSON is pretty-printed.
  var indentsJSON = false
  /// Indicates whether bodies are shown, too.
  var showsBodies = false

  func text(of hops: [HopReport], _ attempts: AttemptText, _ captures: [CapturedValue]) -> String {
    var lines: [String] = []
    for (index, hop) in hops.enumerated() {
      if index == 0 || hops[index - 1].attempt < hop.attempt, let line = attempts.line(of: hop.attempt) {
        lines.append("* \(line)")
      }
      lines.append("> \(requestLine(hop.request))")
      lines += hop.request.headers.map { "> \($0.name): \($0.value)" }
      if showsBodies, let body = hop.request.body?.beginning() { lines += [">"] + bodyLines(body, "> ") }
      if let response = hop.response {
        lines.append("< \(statusLine(response))")
        lines += response.headers.map { "< \($0.name): \($0.value)" }
        if showsBodies, let body = response.body?.beginning() { lines += ["<"] + bodyLines(body, "< ") }
        if showsBodies { lines += messageLines(response) }
        lines += response.trailers.map { "< \($0.name): \($0.value) (trailer)" }
      }
      if let cache = hop.cache { lines.append("* cache: \(cacheText(cache))") }
      if let note = hop.note { lines.append("* \(note)") }
      if let timings = hop.timings { lines.append("* \(timingText(timings, hop))") }
    }
    lines += captures.map { "* captured \($0.name): \($0.value)" }
    return lines.map { "    \(style.dim(sanitizedForTerminal($0)))\n" }.joined()
  }

  /// The messages of a WebSocket, a line each.
  private func messageLines(_ response: ReceivedResponse) -> [String] {
    guard let first = response.messages.first else { return [] }
    var lines = [first.isSent ? ">" : "<"]
    for message in response.messages {
      let sign = message.isSent ? ">" : "<"
      let text = message.line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      lines += text.map { "\(sign) \($0)" }
    }
    if response.moreMessages > 0 { lines.append("* \(counted(response.moreMessages, "message")) more") }
    return lines
  }

  private func requestLine(_ request: SentRequest) -> String {
    let line = "\(request.method) \(request.target)"
    let proxy = request.proxy.map { " by the proxy \($0)" } ?? ""
    return request.httpVersion.map { "\(line) \($0)\(proxy)" } ?? "\(line) (\(request.authority)\(proxy))"
  }

  private func statusLine(_ response: ReceivedResponse) -> String {
    let version = response.httpVersion.isEmpty ? "HTTP" : "HTTP/\(response.httpVersion)"
    return "\(version) \(response.status)" + (response.reason.isEmpty ? "" : " \(response.reason)")
  }

  private func bodyLines(_ body: String, _ prefix: String) -> [String] {
    // A line break at the end starts no new line.
    let body = indentsJSON ? indentedJSON(body) ?? body : body
    let text = body.last?.isNewline == true ? body.dropLast() : body[...]
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      $0.isEmpty ? String(prefix.dropLast()) : prefix + $0
    }
  }

  private func cacheText(_ outcome: CacheOutcome) -> String {
    switch outcome {
    case .hit: "hit, nothing was sent"
    case .revalidated: "revalidated, the server answered 304"
    case .miss(let isStored): isStored ? "miss, stored" : "miss, not stored"
    case .bypass: "bypass"
    }
  }

  private func timingText(_ timings: ExchangeTimings, _ hop: HopReport) -> String {
    var parts = hop.remoteAddress.map { ["to \($0)"] } ?? []
    for (name, time) in zip(["name lookup", "connect", "TLS", "first byte", "total"], timings.ends) {
      if let time { parts.append("\(name) \(roundedDurationText(time))") }
    }
    if let body = hop.response?.body, let size = body.size, let wireSize = body.wireSize, size != wireSize {
      parts.append("\(size) bytes (\(wireSize) on the wire)")
    }
    return parts.joined(separator: ", ")
  }
}
