import Values

/// Makes requests of the entries of an archive.
struct HARReader {
  private(set) var requests: [ImportedRequest] = []
  private(set) var untranslated: [Untranslated] = []
  let archive: HARArchive
  let selection: ImportSelection
  /// Indicates that a request was redirected, such as a login.
  var hasRedirects = false
  /// The domains of the cookies that responses have set, by their names: the run's own cookies have them, too.
  var cookies: [String: Set<String>] = [:]

  mutating func read() {
    var exchanges: [HARExchange] = []
    var followed: Set<Int> = []
    var page: String?
    for index in archive.entries.indices where !followed.contains(index) {
      let entry = archive.entries[index]
      if entry.isPreflight { continue }
      guard let url = entry.parsedURL, entry.method != "CONNECT" else {
        remark(entry)
        continue
      }
      let chain = chain(from: index)
      followed.formUnion(chain.dropFirst())
      let last = chain.last.map { archive.entries[$0] } ?? entry
      guard isSelected(url), isSelected(type: last.responseType), !isRepetition(entry) else { continue }
      var request = HARRequestReading(entry, isOwn: archive.isOwn, cookies: cookies).request
      expect(last, of: chain, &request)
      if entry.page != page {
        page = entry.page
        if let title = page.flatMap({ archive.titles[$0] }) { request.comments.insert(title, at: 0) }
      }
      exchanges.append(HARExchange(request: request, response: last, url: url))
      for position in chain { addCookies(of: archive.entries[position]) }
    }
    var captures = HARCaptures(exchanges)
    captures.find()
    requests = captures.exchanges.map(\.request)
  }

  private mutating func remark(_ entry: RecordedExchange) {
    let isSocket = ["ws", "wss"].contains(entry.scheme)
    let reason =
      entry.url.isEmpty
      ? "entries without a request"
      : isSocket ? "WebSocket connections" : entry.method == "CONNECT" ? "tunnels of proxies" : "URLs that are not HTTP"
    untranslated.remark(reason, "\(entry.method) \(entry.url.prefix(200))")
  }

  // MARK: selection

  /// Returns whether a host is wanted: by its name, as `host:port`, or as `*.domain`.
  private func isSelected(_ url: HTTPURL) -> Bool {
    selection.hosts.isEmpty
      || selection.hosts.contains { host in
        if host.hasPrefix("*.") { return url.host.lowercased().hasSuffix(host.dropFirst().lowercased()) }
        return equalsIgnoringCase(host, url.host) || equalsIgnoringCase(host, url.authority)
          || equalsIgnoringCase(host, url.hostAndPort)
      }
  }

  private func isSelected(type: String) -> Bool {
    selection.types.isEmpty
      || selection.types.contains { wanted in
        let wanted = wanted.lowercased()
        if wanted.contains("/") { return type == wanted || wanted.hasSuffix("/*") && type.hasPrefix(wanted.dropLast()) }
        let parts = type.split(whereSeparator: { "/+".contains($0) })
        return parts.contains { $0 == wanted } || parts.last.map { $0 == "x-" + wanted } ?? false
      }
  }

  /// Returns whether reqrun has sent a request again, after it failed.
  private func isRepetition(_ entry: RecordedExchange) -> Bool {
    guard archive.isOwn, let comment = entry.comment, let start = comment.firstRange(of: ", attempt ") else {
      return false
    }
    return comment[start.upperBound...].first?.isNumber ?? false
  }

  // MARK: redirects

  /// The indexes of an entry and of those that it led to by redirects.
  private func chain(from index: Int) -> [Int] {
    var chain = [index]
    var place = index
    while chain.count <= 10, let target = archive.entries[place].redirectTarget {
      let method = archive.entries[place].method
      let keepsMethod = [307, 308].contains(archive.entries[place].status ?? 0)
      // A browser follows at once; other requests may be in between.
      let later = (place + 1)..<min(place + 50, archive.entries.count)
      guard
        let next = later.first(where: { position in
          let entry = archive.entries[position]
          guard entry.method == method || !keepsMethod && entry.method == "GET" else { return false }
          return entry.parsedURL.map { $0.withoutFragment == target.withoutFragment } ?? false
        })
      else { break }
      chain.append(next)
      place = next
    }
    return chain
  }

  private mutating func expect(_ last: RecordedExchange, of chain: [Int], _ request: inout ImportedRequest) {
    if chain.count > 1 {
      let schemes = chain.map { archive.entries[$0].scheme }
      if zip(schemes, schemes.dropFirst()).contains(where: { $0 == ("https", "http") }) {
        request.settings.set(redirects: .allowHTTP, .bool(true))
      }
    }
    guard let response = last.response else { return }
    guard let status = last.status else {
      let text = response.text("_error") ?? response.text("statusText") ?? ""
      if text.isEmpty, archive.isOwn { return }
      return request.remark(
        "requests without a response", text.isEmpty ? "\(last.method) \(last.url.prefix(200))" : text)
    }
    if last.redirectTarget != nil { request.settings.set(.redirects, .text("none")) }
    // Without validators, a server sends the whole.
    request.expect.set("status", .integer(status == 304 ? 200 : status))
    if chain.count > 1 {
      // Where a login fails, a redirect leads elsewhere, or nowhere.
      request.expect.set("redirects", .mapping([("count", .integer(chain.count - 1))]))
      if let url = last.parsedURL { request.expect.set("url", Self.expectation(url)) }
      hasRedirects = true
    } else if hasRedirects, last.responseType == "text/html", last.redirectTarget == nil {
      request.expect.set("redirects", .mapping([("count", .integer(0))]))
    }
  }

  /// The path that a redirect led to, up to a segment that may differ from run to run.
  private static func expectation(_ url: HTTPURL) -> ImportedValue {
    let path = url.path.isEmpty ? "/" : url.path
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let known = segments.prefix { !$0.utf8.contains(where: isDigit) }
    if known.count == segments.count, url.query == nil { return .mapping([("ends_with", .text(path))]) }
    let start = known.count == segments.count ? path : known.joined(separator: "/") + "/"
    return .mapping([("contains", .text(start))])
  }

  private mutating func addCookies(of entry: RecordedExchange) {
    let host = entry.parsedURL?.host.lowercased() ?? ""
    func add(_ name: String, _ domain: String?) {
      let domain = domain?.lowercased().drop { $0 == "." }
      cookies[name, default: []].insert(domain.map { $0.isEmpty ? host : String($0) } ?? host)
    }
    for cookie in entry.setCookies { add(cookie.name, cookie.domain) }
    for cookie in entry.response?[member: "cookies"]?.items ?? [] {
      if let name = cookie.text("name") { add(name, cookie.text("domain")) }
    }
  }
}

/// A request, and the response that its captures take values from.
struct HARExchange {
  var request: ImportedRequest
  let response: RecordedExchange
  let url: HTTPURL
}

extension HTTPURL {
  fileprivate var withoutFragment: HTTPURL {
    var url = self
    url.fragment = nil
    return url
  }
}
