import Templates
import Values
import YAMLNodes

/// One of several independent tests of a file.
package struct FlowSpec: Sendable {
  package internal(set) var name: Field<Text>?
  package internal(set) var description: String?
  package internal(set) var tags: [String] = []
  package var variables = KeyedSettings<ValueTemplate>()
  package internal(set) var contract = Setting<Field<ContractChoice>>.inherited
  package internal(set) var defaults: RequestSettings?
  /// The rows for which it runs; nil runs it once.
  package internal(set) var rows: RowsSpec?
  package internal(set) var when: Field<Bool>?
  package internal(set) var skip: Field<SkipRule>?
  package internal(set) var setup: [RequestSpec] = []
  package internal(set) var requests: [RequestSpec] = []
  package internal(set) var teardown: [RequestSpec] = []
  /// Indicates whether the defaults are complete.
  package internal(set) var knowsAllDefaults = true
  /// Indicates whether it is the file's `requests` with its `each`.
  package internal(set) var isWholeFile = false
  /// The place of the flow, from its first to its last line.
  package let range: SourceRange

  package var allRequests: [RequestSpec] { setup + requests + teardown }

  /// The tags of the flow and of its requests.
  package var allTags: [String] { tags + requests.flatMap(\.tags) }

  /// The templates of `when` and `skip`.
  package var conditionTemplates: [Template] { (when?.templates ?? []) + (skip?.templates ?? []) }
}

let flowKeys: Keys<FlowSpec> = Keys(
  [
    Key(
      "name", "for people, selection and reports; it may have templates", synonyms: "title label test_name",
      .field(.scalarText)
    ) { $0.name = $1 },
    Key("description", "for people", synonyms: "summary desc", .text) {
      $2.description = $0.plainText($1.value, as: "description")
    },
    Key("tags", "a word or a list, without commas; its requests have them too", SchemaShape.text.orList) {
      $2.tags = $0.tags($1.value)
    },
    Key(
      "variables", "a mapping; evaluated once for the flow; they may read captures of the file's setup",
      synonyms: "vars var variable env environment params", variablesShape
    ) { $2.variables = $0.variables($1.value) },
    Key(
      "defaults", "request keys, merged under every request of the flow, over those of the file",
      synonyms: "default common shared base", defaultsKeys.shape()
    ) { reader, member, flow in
      let shared = reader.sharedRequest(member.value)
      flow.defaults = shared.settings
      flow.knowsAllDefaults = shared.isWhole
    },
    Key(
      "openapi", "an OpenAPI document that the flow's responses are checked against, in place of the file's; `none`",
      synonyms: "contract swagger", ContractDraft.shape
    ) { $2.contract = $0.contract($1.value) },
    Key(
      "each", "the flow runs once for each row: see \"Rows\"",
      synonyms: "loop for_each foreach with_items iteration iterations parameterize examples repeat rows",
      RowsDraft.shape
    ) { $2.rows = $0.rows($1.value) },
    Key(
      "when", "a condition: the request runs only if it is true", synonyms: "if condition only_if run_if",
      ValueDecoder<Bool>.condition.shape.orTemplate
    ) { reader, member, flow in
      reader.checkCondition(member.value)
      flow.when = reader.field(member.value, .condition)
    },
    Key("skip", "`true`, or a reason", synonyms: "disabled ignore ignored pending", .field(.skipRule)) {
      $0.skip = $1
    },
    Key(
      "setup", "requests; a failure here skips `requests`",
      synonyms: "before before_all beforeAll beforeall setUp set_up pre", requestListShape
    ) { $2.setup = $0.requests($1.value, key: "setup") },
    Key(
      "requests", "requests, in order; a failure skips those that follow in the flow, not other flows",
      synonyms: "request steps step stages stage scenarios tests calls actions", requestListShape
    ) { $2.requests = $0.requests($1.value, key: "requests") },
    Key(
      "teardown", "requests that always run, each whatever happened before",
      synonyms: "after after_all afterAll afterall tearDown tear_down post cleanup finally", requestListShape
    ) { $2.teardown = $0.requests($1.value, key: "teardown") },
  ],
  advice: MigrationHints.flowAdvice,
  usual: ["name", "requests", "variables", "defaults", "setup", "teardown", "when", "skip"])

extension SpecReader {
  mutating func flows(_ node: YAMLNode) -> [FlowSpec] {
    guard isUsable(node) else { return [] }
    guard let items = node.items else {
      let first = node.members?.first { $0.value.members != nil }
      report(
        .wrongType, "`flows` is a list of flows, found \(node.kindPhrase)", at: node,
        help: first.map { "write `- name: \(jsonEscaped($0.key))`, and below it the keys of the flow" }
          ?? "begin each flow with `- `")
      return []
    }
    if items.isEmpty {
      bag.error(
        .nothingToRun, "`flows` is empty: nothing would run", at: node.range,
        help: "write a flow: `- name: …` with `requests:`")
    }
    // Requests in place of flows are one mistake.
    let requests = items.filter { item in
      item.members?.contains { $0.key == "url" } == true && item.members?.contains { $0.key == "requests" } != true
    }
    if let url = requests.first?.members?.first(where: { $0.key == "url" }) {
      missedNames = .any
      return reject(
        .misplacedKey, "this is a request, and `flows` is a list of flows", at: url.keyRange,
        help: "write `requests:` in place of `flows:`, or a flow with `requests:` around it") ?? []
    }
    return items.compactMap { flow($0) }
  }

  private mutating func flow(_ node: YAMLNode) -> FlowSpec? {
    var flow = FlowSpec(range: node.range)
    let missedBefore = missedKeys
    missedKeys = []
    defer { missedKeys.formUnion(missedBefore) }
    guard !node.hasError else { return nil }
    let errorsBefore = bag.errorCount
    visit(node, as: "a flow", keys: flowKeys, into: &flow)
    guard let members = node.members else { return nil }
    if flow.requests.isEmpty, !missedKeys.contains("requests") {
      if let member = members.first(where: { $0.key == "requests" }) {
        if member.value.items?.isEmpty == true {
          bag.error(
            .nothingToRun, "`requests` is empty: nothing would run", at: member.keyRange,
            help: "write a request, at least `- url: …`")
        }
      } else if bag.errorCount == errorsBefore {
        bag.error(
          .missingKey, "the flow has no `requests`", at: node.range.firstLine,
          help: "write its requests under `requests:`")
      }
    }
    return flow
  }
}
