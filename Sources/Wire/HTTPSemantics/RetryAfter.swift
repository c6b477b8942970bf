import Values

/// The delay in `Retry-After` (RFC 9110, section 10.2.3); nil if there is none.
package func retryAfter(_ head: ResponseHead, at now: Timestamp = .now) -> Duration? {
  guard let text = head.headers.first("Retry-After") else { return nil }
  if let seconds = deltaSeconds(text) { return .seconds(seconds) }
  guard let date = cookieDate(text) else { return nil }
  return max(.zero, .seconds(date.seconds - now.seconds) - .nanoseconds(Int64(now.nanoseconds)))
}
