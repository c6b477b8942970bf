import Synchronization
import Values

/// Keeps the cookies of a run of requests, following RFC 6265bis.
///
/// Loopback hosts count as secure, as in curl and browsers, so that `Secure` cookies can be tested without TLS. Domains
/// that are public suffixes, and any domain for an IP address, are rejected.
package final class CookieJar: Sendable {
  fileprivate struct Entry {
    var cookie: Cookie
    /// The position in the order of creation.
    let creation: Int
    /// The position in the order of last use, whether stored or sent.
    var access: Int
  }

  fileprivate struct State {
    /// Cookies by domain, each list oldest first.
    var domains: [String: [Entry]] = [:]
    var count = 0
    var created = 0
    var accesses = 0
  }

  private let state: Mutex<State>
  private let publicSuffixes: PublicSuffixes
  /// The cookies at the start, for a copy of another jar.
  private let origin: [String: [Entry]]

  /// Limits that keep a hostile server from filling the jar.
  fileprivate static let limit = (total: 3000, perDomain: 180)

  package init(publicSuffixes: PublicSuffixes = .system) {
    self.publicSuffixes = publicSuffixes
    state = Mutex(State())
    origin = [:]
  }

  /// Starts with cookies from another source, such as a file.
  package convenience init(_ cookies: [Cookie]) {
    self.init()
    for cookie in cookies { insert(cookie) }
  }

  /// Starts with the cookies of another jar.
  package init(copying other: CookieJar) {
    publicSuffixes = other.publicSuffixes
    let start = other.state.withLock { $0 }
    origin = start.domains
    state = Mutex(start)
  }

  /// Takes over what a jar that began as a copy of this one has stored or removed since then.
  package func merge(_ other: CookieJar) {
    let (base, changed) = (other.origin, other.state.withLock { $0.domains })
    for entry in changed.values.joined().sorted(by: { $0.creation < $1.creation }) {
      let before = base[entry.cookie.domain] ?? []
      if !before.contains(where: { $0.cookie == entry.cookie }) { insert(entry.cookie) }
    }
    for (domain, before) in base {
      let entries = changed[domain] ?? []
      let removed = before.filter { old in !entries.contains { $0.cookie.isSame(as: old.cookie) } }
      if removed.isEmpty { continue }
      state.withLock { state in
        state.removeAll(of: domain) { cookie in removed.contains { $0.cookie.isSame(as: cookie) } }
      }
    }
  }

  /// The cookies that have not expired, oldest first.
  package func unexpired(at now: Timestamp) -> [Cookie] { all.filter { !$0.isExpired(at: now) } }

  /// All cookies, oldest first. Expired ones stay until something is stored for their domain.
  package var all: [Cookie] {
    state.withLock { $0.domains.values.joined().sorted { $0.creation < $1.creation }.map(\.cookie) }
  }

  package func removeAll() {
    state.withLock { $0 = State() }
  }

  /// Takes the cookies of a response from that URL. Expiry is checked against `now`, or the system clock.
  ///
  /// - Returns: the stored cookies, without those that only removed one.
  @discardableResult
  package func store(from head: ResponseHead, url: HTTPURL, now: Timestamp? = nil) -> [Cookie] {
    let lines = head.headers.fields.filter { equalsIgnoringCase($0.name, "Set-Cookie") }
    guard !lines.isEmpty else { return [] }
    let now = now ?? .now
    return lines.compactMap { line in
      guard let parsed = SetCookie(parsing: line.value, isLatin1: line.isLatin1),
        let cookie = Cookie(parsed, from: url, now: now, publicSuffixes: publicSuffixes)
      else { return nil }
      return store(cookie, from: url, now: now) ? cookie : nil
    }
  }

  /// Takes a cookie from another source, such as a file.
  package func insert(_ cookie: Cookie) {
    state.withLock { $0.put(cookie) }
  }

  private func store(_ cookie: Cookie, from url: HTTPURL, now: Timestamp) -> Bool {
    state.withLock { state in
      guard cookie.isSecure || url.isTrustworthy || !state.holdsSecure(like: cookie) else { return false }
      let isExpired = cookie.isExpired(at: now)
      state.removeAll(of: cookie.domain) { $0.isExpired(at: now) || (isExpired && $0.isSame(as: cookie)) }
      if !isExpired { state.put(cookie) }
      return !isExpired
    }
  }

  /// The cookies for a request to that URL: longer paths first, then older cookies.
  package func cookies(for url: HTTPURL, now: Timestamp? = nil) -> [Cookie] {
    let path = url.path.isEmpty ? "/" : url.path
    return state.withLock { state in
      var found: [Entry] = []
      guard !state.domains.isEmpty else { return found }
      let now = now ?? .now
      state.accesses += 1
      var domain = url.host[...]
      while true {
        let key = String(domain)
        for index in (state.domains[key] ?? []).indices {
          guard let cookie = state.domains[key]?[index].cookie,
            cookie.isHostOnly ? key == url.host : hostMatches(url.host, domain: key),
            pathMatches(path, cookiePath: cookie.path), !cookie.isSecure || url.isTrustworthy,
            !cookie.isExpired(at: now)
          else { continue }
          state.domains[key]?[index].access = state.accesses
          if let entry = state.domains[key]?[index] { found.append(entry) }
        }
        guard let dot = domain.firstIndex(of: ".") else { break }
        domain = domain[domain.index(after: dot)...]
      }
      return found
    }
    .sorted { left, right in
      let (a, b) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
      return a == b ? left.creation < right.creation : a > b
    }
    .map(\.cookie)
  }
}

extension CookieJar.State {
  /// Stores a cookie; one that is set again keeps its place in the order.
  fileprivate mutating func put(_ cookie: Cookie) {
    accesses += 1
    if let index = domains[cookie.domain]?.firstIndex(where: { $0.cookie.isSame(as: cookie) }) {
      domains[cookie.domain]?[index].cookie = cookie
      domains[cookie.domain]?[index].access = accesses
      return
    }
    if domains[cookie.domain, default: []].count >= CookieJar.limit.perDomain { removeExcess(of: cookie.domain) }
    if count >= CookieJar.limit.total {
      let stalest = domains.mapValues { $0.map(\.access).min() ?? .max }.min { $0.value < $1.value }
      if let stalest { removeStalest(of: stalest.key) { _ in true } }
    }
    created += 1
    count += 1
    domains[cookie.domain, default: []].append(CookieJar.Entry(cookie: cookie, creation: created, access: accesses))
  }

  fileprivate mutating func removeAll(of domain: String, where isRemoved: (Cookie) -> Bool) {
    guard var entries = domains[domain] else { return }
    let before = entries.count
    entries.removeAll { isRemoved($0.cookie) }
    count -= before - entries.count
    domains[domain] = entries.isEmpty ? nil : entries
  }

  /// Makes room in a domain: cookies that aren't `Secure` go first, then the least recently used.
  private mutating func removeExcess(of domain: String) {
    if !removeStalest(of: domain, where: { !$0.isSecure }) { removeStalest(of: domain) { _ in true } }
  }

  /// Removes the least recently used cookie that may be removed; false if there is none.
  @discardableResult
  private mutating func removeStalest(of domain: String, where isRemovable: (Cookie) -> Bool) -> Bool {
    guard var entries = domains[domain],
      let stalest = entries.indices.filter({ isRemovable(entries[$0].cookie) })
        .min(by: { entries[$0].access < entries[$1].access })
    else { return false }
    entries.remove(at: stalest)
    count -= 1
    domains[domain] = entries.isEmpty ? nil : entries
    return true
  }

  /// Returns whether the jar has a cookie that only TLS could set and that this one would shadow (RFC 6265bis, section
  /// 5.7).
  fileprivate func holdsSecure(like cookie: Cookie) -> Bool {
    domains.contains { domain, entries in
      (hostMatches(cookie.domain, domain: domain) || hostMatches(domain, domain: cookie.domain))
        && entries.contains {
          $0.cookie.isSecure && $0.cookie.name == cookie.name && pathMatches(cookie.path, cookiePath: $0.cookie.path)
        }
    }
  }
}
