import HTTPMessages
import Synchronization
import Values

/// Keeps the cookies of a run of requests, as RFC 6265bis has it.
///
/// Hosts on the loopback count as secure, as in curl and browsers, so that `Secure` cookies can be tested without TLS.
/// There is no public suffix list: a domain of a single label, and any domain for an IP address, is refused.
package final class CookieJar: Sendable {
  private struct Entry {
    var cookie: Cookie
    /// Counts up with each new cookie.
    var creation: Int
  }

  private struct State {
    var entries: [Entry] = []
    var created = 0
  }

  private let state = Mutex(State())

  /// Bounds of a jar that a hostile server fills.
  private static let limit = (total: 3000, perDomain: 180)

  package init() {}

  /// All cookies, expired ones too until something is stored or sent, oldest first.
  package var all: [Cookie] { state.withLock { $0.entries.map(\.cookie) } }

  package func removeAll() {
    state.withLock { $0.entries = [] }
  }

  /// Takes the cookies of an answer from that URL; the system's clock tells what is expired unless `now` does.
  ///
  /// - Returns: those taken, without those that only removed one.
  @discardableResult
  package func store(from head: ResponseHead, url: HTTPURL, now: Timestamp? = nil) -> [Cookie] {
    let lines = head.headers.values("Set-Cookie")
    guard !lines.isEmpty else { return [] }
    let now = now ?? currentTime()
    return lines.compactMap { line in
      guard let parsed = SetCookie(parsing: line), let cookie = Cookie(parsed, from: url, now: now) else { return nil }
      return store(cookie, from: url, now: now) ? cookie : nil
    }
  }

  /// Takes a cookie from elsewhere, such as a file.
  package func insert(_ cookie: Cookie) {
    state.withLock { CookieJar.put(cookie, in: &$0) }
  }

  private func store(_ cookie: Cookie, from url: HTTPURL, now: Timestamp) -> Bool {
    state.withLock { state in
      // RFC 6265bis, section 5.7: plain HTTP may not lay a cookie over one that only TLS could set.
      let isOverlay =
        !cookie.isSecure && !url.isTrustworthy
        && state.entries.contains { entry in
          entry.cookie.isSecure && entry.cookie.name == cookie.name
            && (hostMatches(cookie.domain, domain: entry.cookie.domain)
              || hostMatches(entry.cookie.domain, domain: cookie.domain))
            && pathMatches(cookie.path, cookiePath: entry.cookie.path)
        }
      guard !isOverlay else { return false }
      if cookie.isExpired(at: now) {
        state.entries.removeAll { $0.cookie.isSame(as: cookie) }
        return false
      }
      state.entries.removeAll { $0.cookie.isExpired(at: now) }
      CookieJar.put(cookie, in: &state)
      return true
    }
  }

  private static func put(_ cookie: Cookie, in state: inout State) {
    if let index = state.entries.firstIndex(where: { $0.cookie.isSame(as: cookie) }) {
      // A cookie that is set again keeps its place in the order.
      state.entries[index].cookie = cookie
      return
    }
    if state.entries.count(where: { $0.cookie.domain == cookie.domain }) >= limit.perDomain,
      let oldest = state.entries.firstIndex(where: { $0.cookie.domain == cookie.domain })
    {
      state.entries.remove(at: oldest)
    }
    if state.entries.count >= limit.total { state.entries.removeFirst() }
    state.created += 1
    state.entries.append(Entry(cookie: cookie, creation: state.created))
  }

  /// The cookies for a request to that URL: longer paths first, then older cookies.
  package func cookies(for url: HTTPURL, now: Timestamp? = nil) -> [Cookie] {
    let now = now ?? currentTime()
    let path = url.path.isEmpty ? "/" : url.path
    return state.withLock { state in
      state.entries.filter { entry in
        let cookie = entry.cookie
        let isHost = cookie.isHostOnly ? cookie.domain == url.host : hostMatches(url.host, domain: cookie.domain)
        return isHost && pathMatches(path, cookiePath: cookie.path) && (!cookie.isSecure || url.isTrustworthy)
          && !cookie.isExpired(at: now)
      }
    }
    .sorted { left, right in
      let (a, b) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
      return a == b ? left.creation < right.creation : a > b
    }
    .map(\.cookie)
  }

  /// The `Cookie` header for a request to that URL; nil without cookies.
  package func cookieHeader(for url: HTTPURL, now: Timestamp? = nil) -> String? {
    let found = cookies(for: url, now: now)
    return found.isEmpty ? nil : found.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }
}
