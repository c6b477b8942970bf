import HTTPMessages
import Values

/// How long the server wants to be left alone (RFC 9110, section 10.2.3); nil if it doesn't say so.
package func retryAfter(_ head: ResponseHead, at now: Timestamp = .now) -> Duration? {
  guard let text = head.headers.first("Retry-After") else { return nil }
  if let seconds = deltaSeconds(text) { return .seconds(seconds) }
  guard let date = cookieDate(text) else { return nil }
  return .seconds(max(0, date.seconds - now.seconds))
}
