import Diagnostics
import HTTPMessages
import YAMLNodes

/// A key of `expect`, a source of `capture`, or both: its subject, and how it is read.
struct SubjectKey: Sendable {
  /// The form of assertions under a key.
  enum Assertions: Sendable {
    typealias Reading = @Sendable (inout SpecReader, YAMLMember, inout ExpectSettings) -> Void

    /// One assertion; `null` removes that of a lower layer.
    case one(Reading)
    /// A mapping of assertions, whose keys in layers begin with the prefix.
    case group(prefix: String, Reading)
    /// A reader that handles `null` itself.
    case whole(Reading)
  }

  /// The form of a source.
  enum Source: Sendable {
    typealias Reading = @Sendable (inout SpecReader, YAMLNode) -> (subject: ResponseSubject, label: String)?

    /// The keyword alone.
    case word(ResponseSubject)
    /// The part to take, such as a path or a name.
    case part(Reading)
    /// All of it with the keyword alone, or a part of it.
    case wholeOrPart(ResponseSubject, Reading)
  }

  /// The key of `expect`; for sources without one, that of `capture`.
  let name: String
  /// The source's name if it differs.
  let sourceName: String
  /// Names in other tools for the key, and for the source.
  let words: [String]
  let sourceWords: [String]
  /// An example of a group's mapping, after `write`.
  let shape: String?
  let assertions: Assertions?
  let source: Source?

  init(
    _ name: String, sourceName: String? = nil, words: String = "", sourceWords: String = "", shape: String? = nil,
    assertions: Assertions? = nil, source: Source? = nil
  ) {
    self.name = name
    self.sourceName = sourceName ?? name
    self.words = words.split(separator: " ").map(String.init)
    self.sourceWords = sourceWords.split(separator: " ").map(String.init)
    self.shape = shape
    self.assertions = assertions
    self.source = source
  }

  /// A subject without parts, for both.
  private init(_ name: String, _ subject: ResponseSubject, words: String = "") {
    self.init(
      name, words: words, assertions: .one { $0.check(subject, $1.key, $1.value, &$2) }, source: .word(subject))
  }

  static let all: [SubjectKey] = [
    SubjectKey(
      "status", words: "code statusCode status_code http_status httpStatus response_code",
      assertions: .one { $0.statusAssertion($1, &$2) }, source: .word(.status)),
    SubjectKey(
      "content_type", words: "type mime media_type",
      assertions: .one { $0.contentTypeAssertion($1, &$2) }),
    SubjectKey(
      "headers", sourceName: "header", words: "header", sourceWords: "headers",
      shape: "{content-type: text/html}: a name and what is expected of it",
      assertions: .group(prefix: "header ") { $0.headerAssertions($1.value, &$2) },
      source: .part { $0.headerSource($1) }),
    SubjectKey(
      "cookies", sourceName: "cookie", words: "cookie", sourceWords: "cookies",
      shape: "{session: {exists: true}}: a name and what is expected of it",
      assertions: .group(prefix: "cookie ") { reader, member, result in
        reader.each(member.value, of: "cookies") { $0.cookieAssertions($1, &result) }
      },
      source: .part { reader, node in reader.named("cookie", node) { .cookie($0, .value) } }),
    SubjectKey("link", source: .part { reader, node in reader.named("link", node) { .link($0) } }),
    SubjectKey(
      "json", words: "jsonpath json_path jsonPath", sourceWords: "jsonpath path",
      assertions: .group(prefix: "json ") { reader, member, result in
        reader.each(member.value, of: "json") { $0.jsonAssertion($1, &result) }
      },
      source: .part { reader, node in
        guard let text = reader.plainText(node, as: "json"), let path = reader.jsonPath(text, at: node) else {
          return nil
        }
        return (.json(path), "json \(text)")
      }),
    SubjectKey(
      "xpath", shape: "{string(//title): Hello}: an expression and what is expected of it",
      assertions: .group(prefix: "xpath ") { reader, member, result in
        reader.each(member.value, of: "xpath") { $0.xpathAssertion($1, &result) }
      },
      source: .part { reader, node in
        guard let text = reader.plainText(node, as: "xpath"), let spec = reader.xpath(text, at: node) else {
          return nil
        }
        return (.xpath(spec), "xpath \(text)")
      }),
    SubjectKey(
      "body", words: "text content raw", assertions: .one { $0.bodyAssertion($1, &$2) },
      source: .word(.body)),
    SubjectKey(
      "bytes", words: "size length", shape: bytesHelp,
      assertions: .group(prefix: "bytes ") { reader, member, result in
        reader.each(member.value, of: "bytes") { $0.bytesAssertion($1, &result) }
      },
      source: .word(.bytes(.content))),
    SubjectKey(
      "duration", words: "time response_time responseTime elapsed latency max_time",
      assertions: .one { $0.durationAssertion($1, &$2) }, source: .word(.duration)),
    SubjectKey(
      "timing", shape: "{total: {less_than: 500ms}}",
      assertions: .group(prefix: "timing ") { reader, member, result in
        reader.each(member.value, of: "timing") { $0.timingAssertion($1, &result) }
      },
      source: .part { reader, node in reader.word("timing", node) { .timing($0) } }),
    SubjectKey(
      "redirects", words: "redirect", assertions: .one { $0.redirectsAssertion($1, &$2) }, source: .word(.redirects)),
    SubjectKey("url", words: "final_url", assertions: .one { $0.urlAssertion($1, &$2) }, source: .word(.url)),
    SubjectKey("http_version", .httpVersion, words: "version protocol"),
    SubjectKey("remote_address", .address(.remote)),
    SubjectKey("local_address", .address(.local)),
    SubjectKey("cache", assertions: .one { $0.cacheAssertion($1, &$2) }),
    SubjectKey(
      "certificate", words: "cert tls", shape: "{expires_in: {at_least: 30d}}",
      assertions: .group(prefix: "certificate ") { reader, member, result in
        reader.each(member.value, of: "certificate") { $0.certificateAssertion($1, &result) }
      },
      source: .wholeOrPart(.certificate(nil)) { reader, node in reader.word("certificate", node) { .certificate($0) } }),
    SubjectKey(
      "snapshot",
      assertions: .one { reader, member, result in
        guard let spec = reader.snapshot(member.value) else { return }
        reader.add(.snapshot, member.key, .snapshot(spec), member.value, &result)
      }),
    SubjectKey(
      "schema", words: "json_schema jsonSchema",
      assertions: .one { reader, member, result in
        guard let spec = reader.schema(member.value) else { return }
        reader.add(.schema, spec.label, key: member.key, .schema(spec), member.value, &result)
      }),
    SubjectKey(
      "events", words: "event",
      assertions: .group(prefix: "events") { $0.eventAssertions($1.value, &$2) },
      source: .part { reader, node in
        guard let text = reader.plainText(node, as: "events"), let path = reader.eventPath(text, at: node) else {
          return nil
        }
        return (.events(path), "events \(text)")
      }),
    SubjectKey("file", source: .word(.file)),
    SubjectKey("error", assertions: .whole { $2.failure = $0.setting($1.value, .word()) }),
  ]

  /// Subjects for `expect`.
  static let expected = all.filter { $0.assertions != nil }
  /// Subjects for `capture`.
  static let captured = all.filter { $0.source != nil }

  static let byName = Dictionary(uniqueKeysWithValues: expected.map { ($0.name, $0) })
  static let bySourceName = Dictionary(uniqueKeysWithValues: captured.map { ($0.sourceName, $0) })

  /// The prefix of the group's keys in layers; nil for a single assertion.
  var prefix: String? {
    if case .group(let prefix, _) = assertions { prefix } else { nil }
  }

  /// Indicates whether a source requires a part.
  var needsPart: Bool {
    if case .part = source { true } else { false }
  }

  /// The subject that the keyword alone captures.
  var whole: ResponseSubject? {
    switch source {
    case .word(let subject), .wholeOrPart(let subject, _): subject
    case .part, nil: nil
    }
  }
}
