/// Failures that every transport words alike.
extension TransportError {
  package static let cancelled = TransportError(.cancelled, "the exchange was cancelled")

  /// The deadline of that clock passed.
  package static func timeout(_ clock: Clock, after limit: Duration) -> TransportError {
    let text = durationText(limit)
    switch clock {
    case .connect:
      return TransportError(
        .timeout(.connect), "no connection was made within \(text)",
        help: "check that the host answers on that port, or raise timeout.connect")
    case .request:
      return TransportError(
        .timeout(.request), "the server sent nothing for \(text)",
        help: "find out what the server waits for, or raise timeout.request")
    case .resource:
      return TransportError(
        .timeout(.resource), "the answer was not complete after \(text)",
        help: "find out what takes the server so long, or raise timeout.resource")
    }
  }

  package static func bodyTooLarge(limit: Int64) -> TransportError {
    TransportError(
      .tooLarge, "the body of the answer is larger than \(limit) bytes",
      help: "raise the limit with --max-body if that size is right")
  }

  package static func unsupported(_ feature: TransportFeature, _ reason: String) -> TransportError {
    TransportError(
      .unsupported(feature), "this transport lacks \(feature.rawValue): \(reason)",
      help: "use `transport: curl` for this request")
  }
}

/// A duration as specs write it, such as `250ms`, `1.5s` or `2m`.
package func durationText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let milliseconds = attoseconds / 1_000_000_000_000_000
  if seconds == 0 {
    if milliseconds == 0 { return "\(attoseconds / 1_000_000_000_000)µs" }
    return "\(milliseconds)ms"
  }
  if milliseconds != 0 {
    var fraction = String(1000 + milliseconds).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(seconds).\(fraction)s"
  }
  return seconds >= 60 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
}
