import DocumentQueries
import HTTPSemantics
import Values

/// Makes a request of an entry, without what browsers and connections add.
struct HARRequestReading {
  var request: ImportedRequest
  let entry: RecordedExchange
  /// Indicates that reqrun has written the archive, with `***` for secrets.
  let isOwn: Bool
  /// The domains of the cookies that earlier responses have set, by their names.
  private let cookies: [String: Set<String>]
  /// Indicates whether bodies that are not text become files.
  let writesFiles: Bool
  /// The files that the request sends.
  var attachments: [(path: String, bytes: [UInt8])] = []

  init(_ entry: RecordedExchange, isOwn: Bool, cookies: [String: Set<String>], writesFiles: Bool) {
    self.entry = entry
    self.isOwn = isOwn
    self.cookies = cookies
    self.writesFiles = writesFiles
    request = ImportedRequest(url: ImportedText(""))
  }

  mutating func read() {
    request.method = ImportedText(entry.method)
    readURL()
    readHeaders()
    readCookies()
    if let data = entry.request[member: "postData"] { readBody(data) }
    readComment()
    if entry.method == (request.body == nil ? "GET" : "POST") { request.method = nil }
  }

  /// The text, with the secrets that reqrun has masked as variables.
  func text(_ text: String, _ name: String) -> ImportedText {
    if isExport { return Self.exported(text) }
    guard isOwn, text.contains("***") else { return ImportedText(text) }
    let pieces = text.split(separator: "***", omittingEmptySubsequences: false)
    let parts = pieces.map { [ImportedText.Part.text(String($0))] }
    return ImportedText(parts: parts.joined(separator: [.variable(HARNames.word(name))]))
  }

  /// Indicates that reqrun has written it without sending it, with names in double braces for values of a run.
  var isExport: Bool { isOwn && entry.status == nil }

  /// The text of an export, with variables for names in double braces; what looks like a template is text.
  private static func exported(_ text: String) -> ImportedText {
    var result = ImportedText()
    var rest = text[...]
    while let match = rest.firstMatch(of: placeholder) {
      result.append(String(rest[..<match.range.lowerBound]))
      if match.output.1.isEmpty {
        result.append(.variable(String(match.output.2)))
      } else {
        result.append(String(match.output.0))
      }
      rest = rest[match.range.upperBound...]
    }
    result.append(String(rest))
    return result
  }

  /// The path beside the archive of a file that an export sends.
  func exportedFile(_ node: JSONNode) -> ImportedText? {
    guard isExport, let comment = node.text("comment"), comment.hasPrefix("the file ") else { return nil }
    return ImportedText(String(comment.dropFirst("the file ".count)))
  }

  private mutating func readComment() {
    guard let comment = entry.comment?.trimmed, !comment.isEmpty else { return }
    if !isOwn {
      request.comments.append(comment)
    } else if !comment.hasPrefix("\(entry.method) ") {
      request.name = comment
    }
  }

  // MARK: the URL

  private mutating func readURL() {
    let url = entry.url.prefix { $0 != "#" }
    let queryStart = url.firstIndex(of: "?")
    var result = text(String(url[..<(queryStart ?? url.endIndex)]), "url")
    let query = queryStart.map { url[url.index(after: $0)...] } ?? ""
    if queryStart != nil { result.append("?") }
    for (index, pair) in query.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result.append("&") }
      let name = pair.prefix { $0 != "=" }
      result.append(text(String(pair), formDecoded(name)))
    }
    // The query stands in the URL, but for tools that keep it apart.
    let known = Set(formPairs(query).map(\.name))
    for (name, value) in entry.request[member: "queryString"]?.pairs ?? []
    where !isExport && !known.contains(name) && !known.contains(formDecoded(name)) {
      let pair = "\(percentEncoded(name, allowed: .unreserved))=\(percentEncoded(value, allowed: .unreserved))"
      result.appendQuery(ImportedText(pair))
    }
    request.url = result
  }

  // MARK: headers

  /// Headers that a browser, a connection or a tracer adds.
  private static let volatile: Set<String> = [
    "accept-encoding", "b3", "baggage", "connection", "content-length", "cookie", "dnt", "downlink", "ect", "expect",
    "host", "http2-settings", "if-modified-since", "if-none-match", "keep-alive", "newrelic", "priority",
    "proxy-authorization", "proxy-connection", "purpose", "request-context", "request-id", "rtt", "save-data",
    "sentry-trace", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests",
    "x-client-data", "x-chrome-id-consistency-request", "x-correlation-id", "x-request-id", "x-amzn-trace-id",
    "x-cloud-trace-context", "date",
  ]
  private static let volatilePrefixes = [
    ":", "sec-", "x-b3-", "x-datadog-", "x-newrelic-", "device-memory", "viewport-",
  ]

  private mutating func readHeaders() {
    for (name, value) in entry.requestHeaders {
      let key = name.lowercased()
      let isVolatile = Self.volatile.contains(key) || Self.volatilePrefixes.contains(where: key.hasPrefix)
      if isVolatile, !isExport || ["cookie", "content-length"].contains(key) { continue }
      // What a program says of itself.
      if !isOwn, key == "accept", value == "*/*" { continue }
      if !isOwn, key == "user-agent", !value.hasPrefix("Mozilla/"), !isExport { continue }
      // A browser's reload.
      if !isOwn, key == "pragma" || key == "cache-control", ["no-cache", "max-age=0"].contains(value) { continue }
      guard isHeaderName(name) else {
        // Some tools have the request line there.
        if !name.hasPrefix("\(entry.method) ") { request.remark("headers that are not valid", "\(name): \(value)") }
        continue
      }
      if isOwn, key == "user-agent", value.hasPrefix("reqrun/") { continue }
      if isOwn, key == "accept", value == "*/*" { continue }
      // Archives of HTTP/2 join what was sent in lines of their own.
      for line in value.split(separator: "\n", omittingEmptySubsequences: false) {
        request.headers.append(.init(name: ImportedText(name), value: text(String(line).trimmed, name)))
      }
    }
  }

  /// Returns whether a text is a token (RFC 9110, section 5.6.2).
  private func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
  }

  private mutating func readCookies() {
    let header = entry.requestHeaders.filter { equalsIgnoringCase($0.name, "cookie") }.map(\.value)
    if header.isEmpty {
      for (name, value) in entry.request[member: "cookies"]?.pairs ?? [] { addCookie(name, value) }
    }
    for pair in header.flatMap({ $0.split(separator: ";") }) {
      let name = pair.prefix { $0 != "=" }
      addCookie(String(name).trimmed, String(pair[name.endIndex...].dropFirst()).trimmed)
    }
  }

  private mutating func addCookie(_ name: String, _ value: String) {
    guard !name.isEmpty else { return }
    let host = entry.parsedURL?.host.lowercased() ?? ""
    if let domains = cookies[name], domains.contains(where: { host == $0 || host.hasSuffix(".\($0)") }) { return }
    request.cookies.append(.init(name: ImportedText(name), value: text(value, name)))
  }
}

extension [ImportedRequest.Pair] {
  /// Indicates that pairs of one name follow each other, as a mapping with lists sends them.
  var areTogether: Bool {
    var last: ImportedText?
    var names: Set<ImportedText> = []
    for pair in self where pair.name != last {
      guard names.insert(pair.name).inserted else { return false }
      last = pair.name
    }
    return true
  }
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let placeholder = /(\$?)\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}/
