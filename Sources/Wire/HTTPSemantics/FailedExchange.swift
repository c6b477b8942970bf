import Values

/// An exchange without a complete response: describes its phase and its progress in the same words for all transports.
struct FailedExchange {
  let request: WireRequest
  /// The head of the response, if it was received.
  let head: ResponseHead?
  /// The timeouts as given, for all hops together.
  let timeouts: ExchangeTimeouts
  /// The hops before it.
  let hops: [ExchangeHop]
  /// The error as the transport reports it.
  let error: TransportError

  var described: TransportError {
    var result = error
    switch error.kind {
    case .timeout(let clock):
      guard let message = message(clock) else { break }
      result.message = message
      if head == nil, case .connection = phase {
        result.help = "check that the host answers on that port, or raise timeout.\(clock.rawValue)"
      }
      if clock == .connect, request.options.proxy != nil {
        result.help = "check that the proxy answers and reaches the host, or raise timeout.connect"
      }
    case .truncated:
      if let progress = bodyProgress {
        result.message = "the connection closed before the whole body had come: it stopped after \(progress)"
      }
    case .reset:
      if let progress = bodyProgress {
        result.message += head == nil ? "" : ", after \(progress)"
      }
    default: break
    }
    if let redirect { result.message += "; \(redirect)" }
    return result
  }

  /// The redirect to the URL that failed, which the spec doesn't have.
  private var redirect: String? {
    guard error.kind != .cancelled, let hop = hops.last(where: { !$0.isChallenged }) else { return nil }
    return "a redirect (\(hop.head.status)) led from \(hop.request.url.string) to \(request.url.string)"
  }

  private func message(_ clock: TransportError.Clock) -> String? {
    let set =
      switch clock {
      case .connect: timeouts.connect
      case .request: timeouts.request
      case .resource: timeouts.resource
      }
    guard let set else { return nil }
    let limit = durationText(set)
    let name = "(timeout.\(clock.rawValue))"
    let peer = request.url.authority
    let included = clock == .resource ? redirectsIncluded(hops.redirectCount) : ""
    if head != nil {
      let progress = bodyProgress
      return clock == .request
        ? "\(peer) sent nothing for \(limit) \(name)\(progress.map { ", after \($0)" } ?? "")"
        : "the body from \(peer) was not complete after \(limit) \(name)\(included)\(progress.map { ": it stopped after \($0)" } ?? "")"
    }
    switch phase {
    case .lookup: return "the name \"\(request.url.host)\" was not resolved within \(limit) \(name)\(included)"
    case .connection:
      let proxy = request.options.proxy.map { " through the proxy \($0)" } ?? ""
      return "no connection to \(peer)\(proxy) within \(limit) \(name)\(included)"
    case .handshake(let connected):
      return "no TLS connection with \(peer) within \(limit) \(name)\(included); \(connected)"
    case .response(let connected):
      return clock == .request
        ? "\(peer) sent nothing for \(limit) \(name)\(connected)"
        : "no response from \(peer) within \(limit) \(name)\(included)\(connected)"
    }
  }

  private enum Phase {
    case lookup, connection
    case handshake(connected: String)
    case response(connected: String)
  }

  /// The phase of an exchange whose head wasn't received.
  private var phase: Phase {
    guard let summary = error.summary else {
      if case .timeout(.connect) = error.kind { return .connection }
      return .response(connected: "")
    }
    let timings = summary.timings
    let connected =
      "connected\(request.options.proxy == nil ? "" : " to the proxy")"
      + (timings.connect.map { " in \(roundedDurationText($0))" } ?? "")
    if summary.wasConnectionReused == true { return .response(connected: "; the connection was open already") }
    guard timings.connect != nil else {
      let isAddressed = IPAddress(request.url.host) != nil || timings.nameLookup != nil || request.options.proxy != nil
      return isAddressed ? .connection : .lookup
    }
    if request.url.isSecure, timings.tls == nil { return .handshake(connected: connected) }
    return .response(connected: "; \(connected)\(sendingProgress)")
  }

  /// The part of the request's body that was sent, if that isn't all.
  private var sendingProgress: String {
    guard let length = request.body.length, length > 0, let sent = error.summary?.sentBodyBytes, sent < length,
      sent > 0
    else { return "" }
    return ", \(sent) of \(length) bytes of the request's body sent"
  }

  /// The part of the body that was received: `306 of 1000 bytes`.
  private var bodyProgress: String? {
    guard let head, let received = error.summary?.wireBodyBytes else { return nil }
    let announced = head.headers.first("Content-Length").flatMap { Int64($0) }
    if let announced, announced >= received { return "\(received) of \(announced) bytes" }
    return received == 1 ? "1 byte" : "\(received) bytes"
  }
}

extension ExchangeTimeouts {
  /// The error if the time for all hops is over before the next one begins.
  func wholeIsOver(at url: HTTPURL, redirects: Int) -> TransportError {
    let limit = resource.map(durationText) ?? ""
    return TransportError(
      .timeout(.resource),
      "the exchange with \(url.authority) was not complete after \(limit) (timeout.resource)"
        + redirectsIncluded(redirects),
      help: "find out what takes the server so long, or raise timeout.resource")
  }
}

/// A note that the whole time includes redirects.
private func redirectsIncluded(_ redirects: Int) -> String {
  redirects > 0 ? ", \(counted(redirects, "redirect")) included" : ""
}
