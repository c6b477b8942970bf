import Cryptography
import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import RequestSpecs
import Values

/// The final response for captures and assertions. The body is read and parsed at most once.
package final class Response {
  package let result: ExchangeResult
  package let request: ResolvedRequest
  private let collector: ResponseCollector
  /// The collector of the response's document.
  private let document: ResponseCollector
  package let registry: SecretRegistry
  private let namespaces: [(prefix: String, uri: String)]
  private let content: BodyContent
  /// The list of a stream's events.
  private let events: BodyContent?
  private var calls: JSONDocument?
  package let storage: StorageBudget
  /// The memory of the values that predicates make from the documents.
  package private(set) lazy var memory = ValueMemory(of: storage)

  package init(
    result: ExchangeResult, collector: ResponseCollector, request: ResolvedRequest,
    namespaces: [(prefix: String, uri: String)], registry: SecretRegistry, storage: StorageBudget,
    events: ResponseCollector? = nil
  ) {
    self.events = events.map {
      BodyContent($0, name: "the list of events", contentType: "application/json", registry: registry, storage: storage)
    }
    self.storage = storage
    document = events ?? collector
    self.result = result
    self.collector = collector
    self.request = request
    self.namespaces = namespaces
    self.registry = registry
    content = BodyContent(
      collector, name: "the response", wireCount: result.summary.wireBodyBytes,
      contentType: result.head.headers.first("Content-Type"), registry: registry, storage: storage)
  }

  package var head: ResponseHead { result.head }
  package var bodyCount: Int64 { collector.count }
  /// The path of the file that was downloaded.
  package var file: Text? { collector.downloadedPath }

  /// The URL of the response; without a redirect it is the request's own, with its secrets marked.
  package var finalURL: Text {
    result.redirectCount > 0 ? registry.filtered(result.finalURL.string) : request.sentURL
  }

  /// The reason why a subject cannot be evaluated.
  package struct Unreadable: Error {
    package let message: String
    package let help: String?
    /// The invalid part of the body, instead of the message.
    package var excerpt: MatchFailure?
    /// Indicates whether more memory might help.
    package private(set) var isUndecided = false

    package init(_ message: String, help: String? = nil) {
      self.message = message
      self.help = help
    }

    /// - Parameter what: the part that needs more memory than there is.
    package init(_ shortage: MemoryShortage, _ what: String, _ details: String? = nil) {
      self.init(shortage.message(what, details), help: shortage.help)
      isUndecided = true
    }
  }

  /// The body without content codings, or a stream's list of events; nil if it could not be kept.
  package func documentBytes() throws(Unreadable) -> [UInt8] { try (events ?? content).bytes.get() }

  /// The body, or the list of a stream's events.
  package func json() throws(Unreadable) -> JSONDocument { try (events ?? content).json.get() }
  /// The body itself, even of a stream.
  package func bodyJSON() throws(Unreadable) -> JSONDocument { try content.json.get() }

  /// The rows of a body in CSV.
  package func csv() throws(Unreadable) -> JSONDocument {
    if let bodyForm { throw Unreadable("the body is \(bodyForm)") }
    return try content.csv.get()
  }

  /// The calls of a mock, as they were when the response was first looked at.
  func calls(of mock: RunningMock?) throws(Unreadable) -> JSONDocument {
    if let calls { return calls }
    guard let mock else {
      throw Unreadable("the project has no mock", help: "write `mock: true` in the project file")
    }
    let list = mock.calls()
    // Those of others, which no spec declares.
    registry.add(list.secretHeaders)
    do throws(JSONParseError) {
      let document = try JSONDocument(parsing: Array(list.jsonText().string.utf8))
      calls = document
      return document
    } catch {
      throw Unreadable("the calls can't be read: \(error.message)")
    }
  }

  /// The list of a stream's events.
  package func eventList() throws(Unreadable) -> JSONDocument {
    guard let events else {
      let type = head.headers.first("Content-Type").map { registry.masked($0) } ?? "none"
      throw Unreadable(
        "the response was not read as a stream of events",
        help: "its status is \(head.status), its content type \(type)")
    }
    return try events.json.get()
  }
  package func body() throws(Unreadable) -> Text { registry.filtered(try content.text.get()) }

  /// Returns whether a text on disk certainly meets the predicates; false leaves it open.
  package func storedTextCertainlyMeets(_ specs: [PredicateSpec]) -> Bool {
    let searches = collector.isOnDisk ? specs.compactMap { $0.fixed.flatMap(StoredTextSearch.init) } : []
    return !searches.isEmpty && searches.count == specs.count && content.hasEach(searches)
  }

  /// A note that the body's text may be wrong.
  package var bodyNote: String? { content.note }
  package var isUTF16: Bool { content.isUTF16 }

  /// A summary in one line of the body of an error response.
  package private(set) lazy var errorBeginning: String? = summary(of: collector.errorBeginning).line

  /// A description of a body that is a page or isn't text; nil for any other.
  package private(set) lazy var bodyForm: String? = summary(of: bodyBeginning).formOtherThanText

  /// A description of a body that isn't text.
  package private(set) lazy var binaryForm: String? = summary(of: bodyBeginning).binaryForm

  private var bodyBeginning: [UInt8] { collector.beginning(ResponseCollector.errorLimit) }

  private func summary(of beginning: [UInt8]) -> BodySummary {
    let contentType = head.headers.first("Content-Type")
    let charset = BodyCharset(contentType: contentType) { Array(beginning.prefix($0)) }
    let text = charset.decodeReplacing(beginning)
    // A secret cut in two would not be found.
    let isWhole = beginning.count == Int(collector.count)
    let masked =
      isWhole ? registry.masked(text) : String(decoding: registry.masked(prefix: Array(text.utf8)), as: UTF8.self)
    return BodySummary(
      text: masked, isWhole: isWhole, contentType: contentType.map { registry.masked($0) }, count: collector.count)
  }

  /// A note about an unexpected status.
  package var statusNote: String? {
    if let note = result.note { return note }
    if let first = result.redirects.first, head.status < 300 {
      return "the redirect with status \(first.status) was followed: `redirects: none` in the request shows it"
    }
    guard head.status == 400, !result.finalURL.isSecure else { return nil }
    let text = String(decoding: collector.errorBeginning, as: UTF8.self).lowercased()
    // Headings of nginx, Apache, Go and Tomcat.
    let phrases = [
      "sent to https port", "plain http to an ssl-enabled server port", "http request to an https server",
      "combination of host and port requires tls",
    ]
    return phrases.contains(where: text.contains)
      ? "the server speaks TLS on that port: write https:// instead of http://" : nil
  }

  /// The failure of an assertion or a capture for a body that cannot be read.
  package func failure(_ error: Unreadable, form: String) -> MatchFailure {
    var failure = error.excerpt ?? MatchFailure(predicate: Text(""), expected: Text(form), actual: Text(error.message))
    if form == "JSON" || form == "CSV", !error.isUndecided, let bodyForm {
      failure = MatchFailure(predicate: Text("the body is not \(form)"), expected: Text(form), actual: Text(bodyForm))
    }
    failure.hint = error.help
    return failure
  }

  // MARK: XPath

  package func xpath(_ xpath: XPath) throws -> XPathResult {
    try content.markup.get().evaluate(xpath, namespaces: namespaces)
  }

  /// The reason why an expression finds nothing, if one is known.
  package func absence(of xpath: XPath) -> String? {
    (try? content.markup.get())?.absence(of: xpath, namespaces: namespaces)
  }

  /// The doubt about an expression that finds nothing.
  package func doubt(of xpath: XPath) -> Doubt? {
    (try? content.markup.get())?.doubt(of: xpath, namespaces: namespaces)
  }

  /// The followed redirects, each with its status and target.
  package var redirects: [Value] {
    result.redirects.map { redirect in
      .mapping(
        Mapping([
          ("status", .integer(redirect.status)), ("url", .text(registry.filtered(redirect.url.string))),
        ]))
    }
  }

  /// The server's certificates, its own first; empty if none are known.
  package private(set) lazy var certificates: [Certificate] =
    result.summary.certificateChain?.compactMap { Certificate(pem: $0) } ?? []

  package var durationMilliseconds: Value { .number(milliseconds(result.total)) }

  /// The times of the exchange's phases, for a message; nil if there was a redirect, or little is known.
  package var phases: String? {
    let timings = result.summary.timings
    guard result.redirectCount == 0, let firstByte = timings.firstByte else { return nil }
    func shown(_ duration: Duration) -> String { "\(milliseconds(duration))ms" }
    let steps = [
      timings.nameLookup.map { "name found after \(shown($0))" },
      timings.connect.map { "connected after \(shown($0))" },
      timings.tls.map { "TLS agreed after \(shown($0))" },
    ]
    return (steps.compactMap(\.self) + ["first byte after \(shown(firstByte))"]).joined(separator: ", ")
  }

  package func timing(_ phase: TimingPhase) -> Value? {
    let timings = result.summary.timings
    let duration =
      switch phase {
      case .nameLookup: timings.nameLookup
      case .connect: timings.connect
      case .tls: timings.tls
      case .firstByte: timings.firstByte
      case .total: Optional(result.total)
      }
    return duration.map { .number(milliseconds($0)) }
  }

  package func digest(_ aspect: BytesAspect) -> Text {
    let algorithm: DigestAlgorithm = aspect == .md5 ? .md5 : .sha256
    return Text(hexEncoded(collector.digest(algorithm) ?? []))
  }

  /// The cookie that the response or its redirects set; the last of a name wins.
  package func cookie(_ name: String) -> SetCookie? {
    for hop in result.hops.reversed() {
      for line in hop.head.headers.values("Set-Cookie").reversed() {
        if let cookie = SetCookie(parsing: line), cookie.name == name { return cookie }
      }
    }
    return nil
  }

  package func filtered(_ text: String) -> Text { registry.filtered(text) }
  package func filtered(_ value: Value) -> Value { registry.filtered(value) }
  package func lazy(_ node: JSONNode) -> LazyNode { LazyNode(node: node, registry: registry, memory: memory) }

  /// Reserves memory until the end of the response at the latest.
  package func take(_ count: Int, for what: String) throws(Unreadable) {
    if memory.take(count) { return }
    if let shortage = memory.takeShortage() { throw Unreadable(shortage, what) }
  }

  /// The subject for predicates on what a path selects.
  package func subject(of selection: JSONSelection, _ path: JSONPath) -> MatchSubject {
    if path.isSingular { return selection.nodes.first.map { .lazy(lazy($0)) } ?? .missing }
    return .list(LazyNodeList(count: selection.nodes.count, registry, memory) { selection.nodes })
  }

  /// The nodes that a path selects, as far as there is memory for their positions.
  package func selection(of path: JSONPath, in document: JSONDocument) throws(JSONPathError) -> JSONSelection {
    try path.selection(in: document, nodeLimit: memory.nodeLimit)
  }
}

extension Value {
  /// The secret headers of the calls in a list.
  fileprivate var secretHeaders: Value {
    guard case .list(let calls) = self else { return self }
    return .list(
      calls.flatMap { call -> [Value] in
        guard case .mapping(let members) = call, case .mapping(let headers)? = members["headers"] else { return [] }
        return headers.members.compactMap { header in
          markedHeader(header.key.string, header.value.asText.string).map { .text($0) }
        }
      })
  }
}
