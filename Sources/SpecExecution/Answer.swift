import Digests
import HTTPMessages
import HTTPSemantics
import JSONQueries
import Matching
import RequestSpecs
import Values

/// A final answer, as captures and assertions look at it. The body is read and parsed at most once.
final class Answer {
  let result: ExchangeResult
  let request: ResolvedRequest
  private let collector: ResponseCollector
  private let registry: SecretRegistry

  init(
    result: ExchangeResult, collector: ResponseCollector, request: ResolvedRequest, registry: SecretRegistry
  ) {
    self.result = result
    self.collector = collector
    self.request = request
    self.registry = registry
  }

  var head: ResponseHead { result.head }
  var bodyCount: Int64 { collector.count }

  /// The URL of the answer; without a redirect it is the request's own, with its marks.
  var finalURL: Text {
    result.redirectCount > 0 ? registry.filtered(result.finalURL.string) : request.sentURL
  }

  /// Why a subject cannot be looked at.
  struct Unreadable: Error {
    let message: String
    let help: String?
    /// The part of the body that is at fault, in place of the message.
    var excerpt: MatchFailure?

    init(_ message: String, help: String? = nil) {
      self.message = message
      self.help = help
    }
  }

  /// The body as text: UTF-8, or Latin-1 where the content type says so.
  private(set) lazy var bodyText: String? =
    isLatin1(head.headers.first("Content-Type")) ? collector.wholeBody().map(latin1Text) : collector.wholeText()

  /// The body as it came, decoded; nil if it could not be kept.
  var bodyBytes: [UInt8]? { collector.wholeBody() }

  var notStored: Unreadable {
    Unreadable("the body could not be kept: \(collector.storageProblem ?? "it cannot be read again")")
  }

  private lazy var parsed: Result<JSONDocument, Unreadable> = {
    guard let bytes = collector.wholeBody() else { return .failure(notStored) }
    guard !bytes.isEmpty else { return .failure(Unreadable("the body is empty")) }
    do throws(JSONParseError) {
      return .success(try JSONDocument(parsing: bytes))
    } catch {
      return .failure(unreadable(error, in: bytes))
    }
  }()

  private func unreadable(_ error: JSONParseError, in bytes: [UInt8]) -> Unreadable {
    var help: String? = "it has no content type"
    if let type = head.headers.first("Content-Type") {
      // One that says JSON explains nothing.
      help = type.contains("json") ? nil : "its content type is \(registry.masked(type))"
    }
    var result = Unreadable(
      "the body is not JSON (line \(error.line), column \(error.column): \(error.message))", help: help)
    if let text = try? body(), text.string.utf8.count == bytes.count {
      result.excerpt = notJSON(text, at: error.offset, because: error.message)
    }
    return result
  }

  /// How the body of an answer that is an error begins, in one line.
  private(set) lazy var errorBeginning: String? = {
    let bytes = collector.errorBeginning
    // A secret that the cut goes through would not be found.
    let isWhole = bytes.count == Int(collector.count)
    let masked =
      isWhole
      ? Array(registry.masked(String(decoding: bytes, as: UTF8.self)).utf8) : registry.masked(prefix: bytes)
    guard masked.count > 2, !masked.contains(0) else { return nil }
    let text = decodeText(masked, contentType: head.headers.first("Content-Type"))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 240 ? words.prefix(200) + "…" : isWhole ? words : words + "…"
  }()

  func json() throws(Unreadable) -> JSONDocument { try parsed.get() }

  func body() throws(Unreadable) -> Text {
    guard let bodyText else { throw notStored }
    return registry.filtered(bodyText)
  }

  /// The redirects that were followed, each with its status and where it led.
  var redirects: [Value] {
    result.redirects.map { redirect in
      .mapping(
        Mapping([
          ("status", .integer(redirect.status)), ("url", .text(registry.filtered(redirect.url.string))),
        ]))
    }
  }

  /// The server's certificates, its own first; empty where none are known.
  private(set) lazy var certificates: [Certificate] =
    result.summary.certificateChain?.compactMap { Certificate(pem: $0) } ?? []

  var durationMilliseconds: Value { .number(milliseconds(result.total)) }

  /// When the exchange came how far, for a message; nil where there was a redirect, or little is known.
  var phases: String? {
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

  func timing(_ phase: TimingPhase) -> Value? {
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

  func digest(_ aspect: BytesAspect) -> Text {
    let algorithm: DigestAlgorithm = aspect == .md5 ? .md5 : .sha256
    return Text(hexEncoded(collector.digest(algorithm) ?? []))
  }

  /// The cookies that the answer and its redirects set, the last of a name winning.
  func cookie(_ name: String) -> SetCookie? {
    for hop in result.hops.reversed() {
      for line in hop.head.headers.values("Set-Cookie").reversed() {
        if let cookie = SetCookie(parsing: line), cookie.name == name { return cookie }
      }
    }
    return nil
  }

  func filtered(_ text: String) -> Text { registry.filtered(text) }
  func filtered(_ value: Value) -> Value { registry.filtered(value) }
  func lazy(_ node: JSONNode) -> any LazyValue { LazyNode(node: node, registry: registry) }
}

/// Bytes as text: UTF-8 unless the content type names Latin-1, or they are no UTF-8.
func decodeText(_ bytes: [UInt8], contentType: String?) -> String {
  isLatin1(contentType) ? latin1Text(bytes) : String(decoding: bytes, as: UTF8.self)
}

private func isLatin1(_ contentType: String?) -> Bool {
  guard let type = contentType?.lowercased() else { return false }
  return ["iso-8859-1", "\"iso-8859-1\"", "latin1", "windows-1252"].contains { type.contains("charset=\($0)") }
}

private func latin1Text(_ bytes: [UInt8]) -> String {
  String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
}

/// A node of a parsed body, made a value only where a predicate needs it; secrets in it are marked on the way.
struct LazyNode: LazyValue {
  let node: JSONNode
  let registry: SecretRegistry

  var location: String? { node.location }

  var kind: ValueKind { node.kind }
  var count: Int? { node.kind == .list || node.kind == .mapping ? node.count : nil }
  var value: Value { registry.filtered(node.value) }
}
