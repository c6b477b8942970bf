import HTTPSemantics
import Values

/// Makes requests of the entries of an archive.
struct HARReader {
  private(set) var exchanges: [HARExchange] = []
  private(set) var untranslated: [Untranslated] = []
  /// The files that requests send.
  private(set) var attachments: [(path: String, bytes: [UInt8])] = []
  let archive: HARArchive
  let selection: ImportSelection
  /// Indicates that a request was redirected, such as a login.
  var hasRedirects = false
  /// The domains of the cookies that responses have set, by their names: the run's own cookies have them, too.
  var cookies: [String: Set<String>] = [:]

  mutating func read() {
    var followed: Set<Int> = []
    var page: String?
    for index in archive.entries.indices where !followed.contains(index) {
      let entry = archive.entries[index]
      if entry.isPreflight || entry.status == 407 { continue }
      guard let url = entry.parsedURL, entry.method != "CONNECT" else {
        remark(entry)
        continue
      }
      let chain = chain(from: index)
      followed.formUnion(chain.dropFirst())
      let last = chain.last.map { archive.entries[$0] } ?? entry
      guard isSelected(url), isSelected(type: last.responseType), !isRepetition(entry) else { continue }
      var reading = HARRequestReading(
        entry, isOwn: archive.isOwn, cookies: cookies, writesFiles: selection.hasDirectory)
      reading.read()
      attachments += reading.attachments
      var request = reading.request
      expect(last, of: chain, &request)
      if entry.isWebSocket {
        request.headers += entry.requestHeaders.filter { equalsIgnoringCase($0.name, "Sec-WebSocket-Protocol") }
          .map { .init(name: ImportedText($0.name), value: ImportedText($0.value)) }
        request.openWebSocket(entry.recordedMessages(&request.untranslated))
      }
      if entry.page != page {
        page = entry.page
        if let title = page.flatMap({ archive.titles[$0] }) { request.comments.insert(title, at: 0) }
      }
      exchanges.append(
        HARExchange(
          request: request, method: entry.method, response: last, url: url,
          setCookies: Set(chain.flatMap { archive.entries[$0].setCookies.map(\.name) })))
      for position in chain { addCookies(of: archive.entries[position]) }
    }
    var captures = HARCaptures(exchanges)
    captures.find()
    exchanges = captures.exchanges
    for index in exchanges.indices where exchanges[index].request.name == nil && !archive.isOwn {
      exchanges[index].request.name = exchanges[index].name
    }
  }

  private mutating func remark(_ entry: RecordedExchange) {
    let reason =
      entry.url.isEmpty
      ? "entries without a request"
      : entry.method == "CONNECT" ? "tunnels of proxies" : "URLs that are not HTTP"
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

extension RecordedExchange {
  /// The messages that were sent, and the waits for those of the server before them.
  ///
  /// - Parameter untranslated: gets those that the archive doesn't have as a whole, by the comments of our archives.
  fileprivate func recordedMessages(_ untranslated: inout [Untranslated]) -> [ImportedMessage] {
    var result: [ImportedMessage] = []
    for message in messages {
      let content = ImportedText(message.text("data") ?? "")
      let isSent = message.text("type") == "send"
      if isSent, let comment = message.text("comment"), ArchivedMessages.isCut(comment) {
        untranslated.remark("messages that the archive cuts", "\(comment): \(content.source.prefix(60))")
        continue
      }
      switch message.text("opcode") {
      case "1", "2":
        let isText = message.text("opcode") == "1"
        if isSent {
          result.append(isText ? .sent(content) : .sentBytes(content))
        } else if case .awaited(let type, let count)? = result.last, type == (isText ? "text" : "binary") {
          result[result.count - 1] = .awaited(type, count: count + 1)
        } else {
          result.append(.awaited(isText ? "text" : "binary", count: 1))
        }
      default: break
      }
    }
    if let omission = comment.flatMap(ArchivedMessages.omission) {
      untranslated.remark("messages that the archive leaves out", omission)
    }
    return result
  }
}

/// A request, and the response that its captures take values from.
struct HARExchange {
  var request: ImportedRequest
  let method: String
  let response: RecordedExchange
  let url: HTTPURL
  /// The names of the cookies that the response has set, and those that led to it.
  let setCookies: Set<String>
}

extension HTTPURL {
  fileprivate var withoutFragment: HTTPURL {
    var url = self
    url.fragment = nil
    return url
  }
}
