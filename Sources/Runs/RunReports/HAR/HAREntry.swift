import HTTPSemantics
import SpecExecution
import Values

/// An entry of an HTTP archive: one hop.
struct HAREntry {
  let hop: HopReport
  /// The name of its step.
  let name: String?
  /// The reason why there is no response.
  let problem: String?

  func value(page: String) -> Value {
    let timings = HARTimings(hop.timings)
    var members: [(String, Value?)] = [
      ("pageref", .text(page)), ("startedDateTime", .text(hop.start.iso8601)), ("time", timings.time),
      ("request", HARRequest(hop: hop).value), ("response", response), ("cache", cache), ("timings", timings.value),
    ]
    if let address = hop.remoteAddress.flatMap(HARText.host) { members.append(("serverIPAddress", .text(address))) }
    if let port = hop.localAddress.flatMap(HARText.port) { members.append(("connection", .text(port))) }
    // Chromium guesses it from the content type, and takes JSON for a script.
    members.append(("_resourceType", .text(hop.isWebSocket ? "websocket" : "fetch")))
    if hop.isWebSocket {
      members.append(("_webSocketMessages", .list((hop.response?.messages ?? []).map(\.harValue))))
    }
    members.append(("comment", comment.isEmpty ? nil : .text(comment)))
    return HARText.object(members)
  }

  private var comment: String {
    var parts = name.map { [$0] } ?? []
    if hop.attempt > 1 { parts.append("attempt \(hop.attempt)") }
    if let proxy = hop.request.proxy { parts.append("by the proxy \(proxy)") }
    if let note = hop.note { parts.append(note) }
    if hop.response != nil, let problem = hop.problem { parts.append(problem) }
    if let count = hop.response?.moreMessages, count > 0 { parts.append(ArchivedMessages.omitted(count)) }
    if hop.leftOut > 0 { parts.append("\(counted(hop.leftOut, "request")) before it are left out") }
    return parts.joined(separator: ", ")
  }

  private var cache: Value {
    guard let outcome = hop.cache else { return HARText.object([]) }
    let text =
      switch outcome {
      case .hit: "a hit: nothing was sent"
      case .revalidated: "a hit: the server confirmed it"
      case .miss(let isStored): isStored ? "a miss: the response was stored" : "a miss: the response was not stored"
      case .bypass: "not used"
      }
    return HARText.object([("comment", .text(text))])
  }

  private var response: Value {
    guard let response = hop.response else {
      return HARText.object([
        ("status", .integer(0)), ("statusText", .text("")), ("httpVersion", .text("")), ("cookies", .list([])),
        ("headers", .list([])), ("content", HARText.object([("size", .integer(0)), ("mimeType", .text(""))])),
        ("redirectURL", .text("")), ("headersSize", .integer(-1)), ("bodySize", .integer(-1)),
        ("_error", (hop.problem ?? problem).map { .text($0) }),
      ])
    }
    let type = response.headers.value(of: "Content-Type") ?? ""
    let location = response.headers.value(of: "Location")
    return HARText.object([
      ("status", .integer(response.status)), ("statusText", .text(response.reason)),
      ("httpVersion", .text(response.httpVersion.isEmpty ? "" : "HTTP/\(response.httpVersion)")),
      ("cookies", HARText.cookies(response.cookies)), ("headers", HARText.headers(response.headers)),
      ("content", content(response, type)),
      ("redirectURL", .text((300...399).contains(response.status) ? location ?? "" : "")),
      ("headersSize", .integer(response.headSize ?? -1)), ("bodySize", .integer(Int(response.bodySize ?? -1))),
      ("_trailers", response.trailers.isEmpty ? nil : HARText.headers(response.trailers)),
    ])
  }

  private func content(_ response: ReceivedResponse, _ type: String) -> Value {
    let wireSize = response.bodySize
    let isEncoded = response.headers.value(of: "Content-Encoding") != nil
    if let wireSize, let size = response.body?.size, response.status == 206, !isEncoded, wireSize != size {
      return HARText.object([
        ("size", .integer(Int(wireSize))), ("mimeType", .text(type)),
        ("comment", .text("a part of \(size) bytes: not repeated here")),
      ])
    }
    let size = response.body?.size ?? wireSize ?? 0
    var members: [(String, Value?)] = [("size", .integer(Int(size)))]
    if let wireSize, wireSize < size { members.append(("compression", .integer(Int(size - wireSize)))) }
    members.append(("mimeType", .text(type)))
    guard let excerpt = response.body?.excerpt() else { return HARText.object(members) }
    switch excerpt.content {
    case .text(let text): members.append(("text", .text(Text(text))))
    case .data(let bytes): members += [("text", .text(Text(base64Encoded(bytes)))), ("encoding", .text("base64"))]
    case .description(let text): members.append(("comment", .text(Text(text))))
    }
    if excerpt.isCut { members.append(("comment", .text("the beginning of \(size) bytes"))) }
    return HARText.object(members)
  }
}

extension ReportedMessage {
  /// The message in the form of Chromium: binary data in base64, the time in seconds.
  package var harValue: Value {
    let opcodes: [Kind: Int] = [.text: 1, .binary: 2, .close: 8, .ping: 9, .pong: 10]
    let seconds = "\(time.seconds).\(padded(Int(time.nanoseconds / 1000), 6))"
    return HARText.object([
      ("type", .text(isSent ? "send" : "receive")), ("time", .number(Number(lexeme: seconds))),
      ("opcode", .integer(opcodes[kind] ?? 1)),
      ("data", .text(Text(text ?? bytes.map(base64Encoded) ?? ""))), ("_code", code.map { .integer($0) }),
      ("comment", isCut ? .text(Text(ArchivedMessages.cut(from: size))) : nil),
    ])
  }
}

/// The phases of a hop in milliseconds. A phase that did not happen, or that the transport doesn't report, is -1.
struct HARTimings {
  private var dns: Duration?
  private var connect: Duration?
  private var tls: Duration?
  private var wait = Duration.zero
  private var receive = Duration.zero

  /// - Parameter timings: the ends of the phases, from the start of the hop.
  init(_ timings: ExchangeTimings?) {
    guard let timings else { return }
    var end = Duration.zero
    func length(until next: Duration) -> Duration {
      defer { end = max(end, next) }
      return max(.zero, next - end)
    }
    dns = timings.nameLookup.map { length(until: $0) }
    connect = timings.connect.map { length(until: $0) }
    tls = timings.tls.map { length(until: $0) }
    wait = length(until: timings.firstByte ?? timings.total)
    receive = length(until: timings.total)
  }

  /// The sum of all phases. The handshake of TLS is a part of `connect`.
  var time: Value {
    milliseconds((dns ?? .zero) + (connect ?? .zero) + (tls ?? .zero) + wait + receive)
  }

  var value: Value {
    HARText.object([
      ("blocked", .integer(-1)), ("dns", milliseconds(dns)),
      ("connect", milliseconds(connect.map { $0 + (tls ?? .zero) })),
      ("ssl", milliseconds(tls)), ("send", .integer(0)), ("wait", milliseconds(wait)),
      ("receive", milliseconds(receive)),
    ])
  }

  private func milliseconds(_ duration: Duration?) -> Value {
    duration.map { HARText.milliseconds($0) } ?? .integer(-1)
  }
}
