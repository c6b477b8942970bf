import Cryptography
import DocumentQueries
import HTTPSemantics
import Values

/// Makes a request of an entry, without what browsers and connections add.
struct HARRequestReading {
  private(set) var request: ImportedRequest
  private let entry: RecordedExchange
  /// Indicates that reqrun has written the archive, with `***` for secrets.
  private let isOwn: Bool
  /// The domains of the cookies that earlier responses have set, by their names.
  private let cookies: [String: Set<String>]
  /// Indicates whether bodies that are not text become files.
  private let writesFiles: Bool
  /// The files that the request sends.
  private(set) var attachments: [(path: String, bytes: [UInt8])] = []

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
  private func text(_ text: String, _ name: String) -> ImportedText {
    if isExport { return Self.exported(text) }
    guard isOwn, text.contains("***") else { return ImportedText(text) }
    let pieces = text.split(separator: "***", omittingEmptySubsequences: false)
    let parts = pieces.map { [ImportedText.Part.text(String($0))] }
    return ImportedText(parts: parts.joined(separator: [.variable(HARNames.word(name))]))
  }

  /// Indicates that reqrun has written it without sending it, with names in double braces for values of a run.
  private var isExport: Bool { isOwn && entry.status == nil }

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
  private func exportedFile(_ node: JSONNode) -> ImportedText? {
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
    "x-client-data", "x-chrome-id-consistency-request",
  ]
  private static let volatilePrefixes = [
    ":", "sec-", "x-b3-", "x-datadog-", "x-newrelic-", "device-memory", "viewport-",
  ]

  private mutating func readHeaders() {
    for (name, value) in entry.requestHeaders {
      let key = name.lowercased()
      let isVolatile = Self.volatile.contains(key) || Self.volatilePrefixes.contains(where: key.hasPrefix)
      if isVolatile, !isExport || ["cookie", "content-length"].contains(key) { continue }
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

  // MARK: bodies

  private mutating func readBody(_ data: JSONNode) {
    let header = entry.requestHeaders.last { equalsIgnoringCase($0.name, "content-type") }?.value
    let type = header ?? data.text("mimeType") ?? ""
    let media = mediaType(type)
    let parameters = data[member: "params"]?.items ?? []
    var body = data.text("text") ?? ""
    if data.text("encoding") == "base64" || data.text("_encoding") == "base64" {
      guard let bytes = base64Decoded(body) else {
        return request.remark("bodies that are not base64", String(body.prefix(80)))
      }
      guard let decoded = String(validating: bytes, as: UTF8.self) else {
        readBytes(bytes, type)
        return addType(type, header)
      }
      body = decoded
    }
    if let bytes = bytes(of: body) {
      readBytes(bytes, type)
    } else if media.hasPrefix("multipart/") {
      readMultipart(body, type, parameters)
    } else if !body.isEmpty {
      readText(body, media)
    } else if !parameters.isEmpty {
      let pairs = data[member: "params"]?.pairs ?? []
      request.body = .form(pairs.map { .init(name: ImportedText($0.name), value: text($0.value, $0.name)) })
    } else if let path = exportedFile(data) {
      request.body = .file(path)
    } else if let comment = data.text("comment"), isOwn {
      request.remark("bodies that are not in the archive", comment)
    }
    if request.body != nil { addType(type, header) }
  }

  /// Reads a body that is not text, or has parts that are not.
  private mutating func readBytes(_ bytes: [UInt8], _ type: String) {
    if mediaType(type).hasPrefix("multipart/"), let parts = HARMultipartText.parts(of: bytes, type: type) {
      request.body = .multipart(
        parts.map { part, content in
          guard let content else { return part }
          var part = part
          part.content = self.content(content, named: part.filename?.literal ?? "")
          return part
        })
    } else if writesFiles {
      let subtype = mediaType(type).split(separator: "/").last.map(String.init) ?? ""
      request.body = .file(file(bytes, named: "body." + (subtype == "octet-stream" ? "bin" : subtype)))
    } else {
      request.body = .base64(base64Encoded(bytes))
    }
  }

  /// The content of a part that is not text.
  private mutating func content(_ bytes: [UInt8], named name: String) -> ImportedRequest.Part.Content {
    writesFiles
      ? .file(file(bytes, named: name))
      : .text(ImportedText(.expression("base64_decode('\(base64Encoded(bytes))')")))
  }

  /// The path of a file with these bytes: equal ones are one file.
  private mutating func file(_ bytes: [UInt8], named name: String) -> ImportedText {
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    let isPlain = (1...5).contains(ending.utf8.count) && ending.utf8.allSatisfy { $0 < 0x80 && isShellNameByte($0) }
    let digest = hexEncoded(DigestAlgorithm.sha256.digest(of: bytes)).prefix(12)
    // No run takes it for a spec.
    let path = "files/\(digest).\(isPlain && !["yaml", "yml"].contains(ending) ? ending : "bin")"
    attachments.append((path, bytes))
    return ImportedText(path)
  }

  /// The bytes of a body that an archive has as a text with a character for each, by the size of the body; nil for any
  /// other.
  private func bytes(of body: String) -> [UInt8]? {
    guard let size = entry.request[member: "bodySize"].flatMap({ Int($0.text) }), size < body.utf8.count,
      body.unicodeScalars.count == size
    else { return nil }
    let bytes = body.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    return bytes.count == size && String(validating: bytes, as: UTF8.self) == nil ? bytes : nil
  }

  /// Adds the type of a body that the headers don't name.
  private mutating func addType(_ type: String, _ header: String?) {
    if header != nil || type.isEmpty { return }
    request.headers.append(.init(name: ImportedText("Content-Type"), value: ImportedText(type)))
  }

  private mutating func readText(_ body: String, _ media: String) {
    if media == "application/x-www-form-urlencoded", let pairs = ImportedText(body).formPairs, pairs.areTogether {
      request.body = .form(
        pairs.map { .init(name: $0.name, value: text($0.value.literal ?? "", $0.name.literal ?? "")) })
    } else if media == "application/json" || media.hasSuffix("+json") {
      request.body = graphQL(body) ?? .json(maskedJSON(body))
    } else {
      request.body = .text(text(body, "body"))
    }
  }

  private func maskedJSON(_ body: String) -> ImportedText {
    if isExport { return text(body, "body") }
    guard isOwn, body.contains("***"), let document = try? JSONDocument(parsing: body) else {
      return ImportedText(body)
    }
    return document.replacingTexts { string, name in
      string == "***" ? .variable(HARNames.word(name ?? "secret")) : nil
    }
  }

  /// A query of GraphQL that succeeded, with nothing but what such a body has.
  private func graphQL(_ body: String) -> ImportedRequest.Body? {
    guard entry.url.prefix(while: { $0 != "?" }).lowercased().hasSuffix("graphql"),
      let root = (try? JSONDocument(parsing: body))?.root, let query = root[member: "query"], query.kind == .text,
      root.members.allSatisfy({ ["query", "variables", "operationName"].contains($0.key) }),
      !(entry.responseText ?? "").contains("\"errors\"")
    else { return nil }
    let operation = root[member: "operationName"].flatMap { $0.kind == .text ? ImportedText($0.string) : nil }
    let variables = root[member: "variables"].flatMap { $0.kind == .mapping ? ImportedText($0.text) : nil }
    return .graphql(query: ImportedText(query.string), variables: variables, operation: operation)
  }

  private mutating func readMultipart(_ body: String, _ type: String, _ parameters: [JSONNode]) {
    var parts: [ImportedRequest.Part] = []
    for item in parameters {
      guard let name = item.text("name") else { continue }
      let filename = item.text("fileName").map { ImportedText($0) }
      let contentType = item.text("contentType").map { ImportedText($0) }
      var part = ImportedRequest.Part(
        name: ImportedText(name), content: .text(ImportedText()), filename: filename, type: contentType)
      if let value = item.text("value") {
        let isEncoded = item.text("_encoding") == "base64" || item.text("encoding") == "base64"
        if isEncoded, let bytes = base64Decoded(value) {
          part.content = content(bytes, named: filename?.literal ?? "")
        } else {
          part.content = .text(text(value, name))
        }
      } else if let path = exportedFile(item) {
        part.content = .file(path)
        if path.literal?.split(separator: "/").last.map(String.init) == filename?.literal { part.filename = nil }
      } else if let filename {
        part.content = .file(filename)
        part.filename = nil
      }
      parts.append(part)
    }
    if parts.isEmpty { parts = HARMultipartText.parts(of: body, type: type) ?? [] }
    if !parts.isEmpty {
      request.body = .multipart(parts)
    } else if !body.isEmpty {
      request.body = .text(ImportedText(body))
    }
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
