import Templates
import Values
import YAMLNodes

/// `mock`: a response that a mock gives to requests like that of the spec.
package struct MockSpec: Sendable {
  package enum Fault: String, Sendable, CaseIterable {
    case empty, reset, truncated, slow
  }

  /// The name of the request that arrived, in templates.
  package static let requestName = "request"

  package private(set) var status: Field<Int>?
  package private(set) var headers = KeyedSettings<ValueTemplate>()
  package private(set) var json: ValueTemplate?
  package private(set) var body: Field<Text>?
  package private(set) var file: Field<Text>?
  package private(set) var delay: Field<Duration>?
  package private(set) var fault: Field<Fault>?
  package private(set) var times: Field<Int>?
  package private(set) var condition: Field<Bool>?

  /// The templates that are evaluated when a request arrives.
  package var templates: [Template] {
    let fields = [
      status?.templates, body?.templates, file?.templates, delay?.templates, fault?.templates, times?.templates,
      condition?.templates, json?.templates,
    ]
    return headers.templates + fields.flatMap { $0 ?? [] }
  }

  static let keys = Keys<MockSpec>(
    [
      Key(
        "status", "the status; by default what `expect` says, or 200", synonyms: "code status_code",
        .field(.integer(100...599))
      ) { $0.status = $1 },
      Key(
        "headers", "beside those that `expect` says, or in their place", synonyms: "header",
        .names(of: .scalar)
      ) { $2.headers = $0.scalars($1.value, as: "headers", lists: false) },
      Key("json", "the body as JSON, of any type", .anything) { $2.json = $0.valueTemplate($1.value) },
      Key("body", "the body as text", synonyms: "text content", .field(.text)) { $0.body = $1 },
      Key("file", "the path of a file with the body", synonyms: "body_file bodyFile", .field(.text)) { $0.file = $1 },
      Key("delay", "the time before the response", synonyms: "latency wait", .field(.duration)) { $0.delay = $1 },
      Key(
        "fault",
        "what goes wrong: `empty` (the connection is closed without a response), `reset` (it is reset), `truncated` (the "
          + "body ends in its middle) or `slow` (the body comes in pieces, over five seconds)", synonyms: "error",
        .field(.word())
      ) { $0.fault = $1 },
      Key("times", "for how many requests; any number by default", synonyms: "count", .field(.integer(1...1_000_000))) {
        $0.times = $1
      },
      Key("when", "a condition, such as `${{ request.query.page == '2' }}`", synonyms: "if", .field(.condition)) {
        $0.condition = $1
      },
    ], shape: "{status: 200, json: {…}}")
}

extension SpecReader {
  /// One response, or several: the first that applies is given.
  mutating func mocks(_ node: YAMLNode) -> [MockSpec] {
    (node.items ?? [node]).compactMap { item in
      var mock = MockSpec()
      guard visit(item, as: "`mock`", keys: MockSpec.keys, into: &mock) else { return nil }
      let bodies = ["json", "body", "file"].compactMap { name in item.members?.first { $0.key == name } }
      if bodies.count > 1 {
        return reject(
          .conflictingKeys, "a response has one body, and `\(bodies[0].key)` is given, too", at: bodies[1].keyRange,
          help: "leave out one of them")
      }
      return mock
    }
  }
}
