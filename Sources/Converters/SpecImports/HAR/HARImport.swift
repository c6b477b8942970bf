import DocumentQueries
import HTTPSemantics
import Values

/// Reads HTTP archives (HAR 1.2) of browsers, proxies and other tools.
enum HARImport {
  static let kind = ImportReader(
    extensions: ["har"],
    recognizes: { source in
      let beginning = String(decoding: source.bytes.prefix(4096), as: UTF8.self)
      return source.fileExtension == "har"
        || beginning.trimmed.hasPrefix("{") && beginning.contains("\"log\"")
          && (beginning.contains("\"creator\"") || beginning.contains("\"entries\""))
    }, read: read)

  private static func read(
    _ sources: [ImportSource], _ selection: ImportSelection, _ bag: inout DiagnosticBag
  ) -> ImportedCollection? {
    var collection = ImportedCollection()
    var attachments: [(path: String, bytes: [UInt8])] = []
    let files = collection.read(sources, &bag) { source, bag -> [ImportedFile]? in
      guard let archive = HARArchive(source, into: &bag) else { return nil }
      var reader = HARReader(archive: archive, selection: selection)
      reader.read()
      attachments += reader.attachments
      let paths = HARFiles(reader.exchanges)
      var files = selection.hasDirectory && !selection.isTogether && !archive.isOwn ? paths.byPath : [paths.whole]
      for index in files.indices {
        files[index].path =
          files.count > 1 && sources.count == 1 ? files[index].path : [source.stem] + files[index].path
      }
      files[0].untranslated = reader.untranslated
      return files
    }
    collection.files = Array(files.joined())
    // Each file has all that its requests read.
    collection.sharesCaptures = false
    var paths: Set<String> = []
    collection.attachments = attachments.filter { paths.insert($0.path).inserted }
    return collection.files.isEmpty ? nil : collection
  }
}

/// The entries of an archive in the order of time.
struct HARArchive {
  private(set) var entries: [RecordedExchange] = []
  /// The titles of pages by their identifiers, if there are several.
  private(set) var titles: [String: String] = [:]
  /// Indicates that reqrun has written it: values of secrets are masked, and names of requests are comments.
  private(set) var isOwn = false

  init?(_ source: ImportSource, into bag: inout DiagnosticBag) {
    guard let root = source.json(into: &bag)?.root else { return nil }
    let log = root[member: "log"] ?? root
    // A file may also be one request, as httpsnippet and other tools take it.
    let isRequest = log[member: "url"] != nil && log[member: "method"] != nil
    guard isRequest || log[member: "entries"]?.kind == .list else {
      source.addError(
        "this is not an HTTP archive: `log` has no list of `entries`", at: { _ in root.byteRange.prefix(1) },
        help: "save it in the network tools of a browser, as HAR with content", &bag)
      return nil
    }
    if let entries = log[member: "entries"], entries.items.isEmpty {
      source.addError(
        "the archive has no entries", at: { _ in entries.byteRange },
        help: "record requests, and save it again, as HAR with content", &bag)
      return nil
    }
    isOwn = log[member: "creator"]?[member: "name"]?.isString("reqrun") ?? false
    let pages = log[member: "pages"]?.items ?? []
    if pages.count > 1 {
      for page in pages {
        if let id = page.text("id"), let title = page.text("title") { titles[id] = title }
      }
    }
    let nodes = isRequest ? [root] : log[member: "entries"]?.items ?? []
    entries = nodes.map { isRequest ? RecordedExchange(request: log) : RecordedExchange($0) }.sorted(byTime: \.start)
  }
}

/// An entry of an archive.
struct RecordedExchange {
  let request: JSONNode
  let response: JSONNode?
  let start: Timestamp?
  let page: String?
  let comment: String?
  let url: String
  let method: String
  /// The messages of a WebSocket, in the form of Chromium.
  let messages: [JSONNode]

  init(request: JSONNode) {
    self.init(request: request, entry: nil)
  }

  init(_ entry: JSONNode) {
    self.init(request: entry[member: "request"] ?? entry, entry: entry)
  }

  private init(request: JSONNode, entry: JSONNode?) {
    self.request = request
    response = entry?[member: "response"]
    start = entry?.text("startedDateTime").flatMap { Timestamp(rfc3339: $0) }
    page = entry?.text("pageref")
    comment = entry?.text("comment") ?? request.text("comment")
    url = request.text("url") ?? ""
    method = request.text("method") ?? "GET"
    messages = entry?[member: "_webSocketMessages"]?.items ?? []
  }

  /// The status of the response; nil if there was none.
  var status: Int? { response?[member: "status"].flatMap { Int($0.text) }.flatMap { $0 > 0 ? $0 : nil } }

  var scheme: String { url.firstRange(of: ":").map { url[..<$0.lowerBound].lowercased() } ?? "" }

  /// The URL; where an export of reqrun has names in double braces, with the names alone, in the host or as a path.
  var parsedURL: HTTPURL? {
    let url = httpForm(ofWebSocket: url) ?? url
    let open = url.replacing("}}", with: "")
    return (try? HTTPURL(parsing: url)) ?? (try? HTTPURL(parsing: open.replacing("{{", with: "")))
      ?? (try? HTTPURL(parsing: open.replacing("{{", with: "/")))
  }

  /// Indicates whether it has opened a WebSocket.
  var isWebSocket: Bool { httpForm(ofWebSocket: url) != nil }

  /// The type of the response, in lower case and without parameters.
  var responseType: String { mediaType(of: response?[member: "content"]?.text("mimeType") ?? "") }

  var requestHeaders: [(name: String, value: String)] { request[member: "headers"]?.pairs ?? [] }
  var responseHeaders: [(name: String, value: String)] { response?[member: "headers"]?.pairs ?? [] }

  /// The cookies of the response, whose lines some tools join.
  var setCookies: [SetCookie] {
    responseHeaders.filter { equalsIgnoringCase($0.name, "set-cookie") }
      .flatMap { $0.value.split(whereSeparator: \.isNewline) }.compactMap { SetCookie(parsing: String($0)) }
  }

  /// The `Location` as the server has sent it.
  var location: String? {
    let text =
      responseHeaders.last { equalsIgnoringCase($0.name, "location") }?.value ?? response?.text("redirectURL") ?? ""
    return text.isEmpty ? nil : text
  }

  /// The target of a redirect.
  var redirectTarget: HTTPURL? {
    guard let status, [301, 302, 303, 307, 308].contains(status) else { return nil }
    guard let location, let base = parsedURL else { return nil }
    return try? HTTPURL.resolve(location, against: base)
  }

  /// The body of the response; nil if the archive hasn't all of it.
  var responseText: String? {
    guard let content = response?[member: "content"], let text = content.text("text"), !text.isEmpty else { return nil }
    guard content.text("encoding") == "base64" || content.text("_encoding") == "base64" else { return text }
    return base64Decoded(text).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The bytes of a body that is not text; nil if the archive hasn't all of it.
  var responseBytes: [UInt8]? {
    guard let content = response?[member: "content"], content.text("encoding") == "base64" else { return nil }
    return content.text("text").flatMap { base64Decoded($0) }.flatMap {
      $0.isEmpty || String(validating: $0, as: UTF8.self) != nil ? nil : $0
    }
  }

  /// Indicates that a browser asked with it for leave to send another request.
  var isPreflight: Bool {
    method == "OPTIONS" && requestHeaders.contains { equalsIgnoringCase($0.name, "access-control-request-method") }
  }
}

extension JSONNode {
  /// The names and values of a list of HAR's.
  var pairs: [(name: String, value: String)] {
    items.compactMap { item in item.text("name").map { ($0, item.text("value") ?? "") } }
  }
}
