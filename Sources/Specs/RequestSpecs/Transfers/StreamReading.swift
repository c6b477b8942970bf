import DocumentQueries
import Matching
import Templates
import Values
import YAMLNodes

extension StreamSpec {
  static let formats = ValueDecoder<EventStreamFormat>.word(instead: formatWord)

  static let keys = Keys<StreamSpec>([
    Key("format", "`sse`, `ndjson` or `text`", synonyms: "type", .constant(formats)) { $0.format = $1 ?? .sse },
    Key(
      "max_events", "the number of events after which the request ends", synonyms: "max count",
      .field(.integer(1...1_000_000_000))
    ) {
      $0.maxEvents = $1
    },
    Key("until", "the conditions for the event that ends the request", EventConditions.shape) {
      $2.until = $0.eventConditions($1.value)
    },
    Key("timeout", "how long to listen", .field(.timeLimit)) { $0.timeout = $1 },
    Key(
      "reconnect", "how often to connect again", synonyms: "retry",
      ValueReader<Field<Int>?>.field(.integer(0...1_000_000)).shape()
    ) { reader, member, stream in
      stream.reconnect = reader.field(member.value, .integer(0...1_000_000))
      stream.reconnectKey = member.keyRange
    },
    Key("during", "requests that are sent once the stream is open", synonyms: "while", requestListShape) {
      $2.during = $0.during($1)
    },
  ])
}

extension EventConditions {
  static let shape = SchemaShape.keys([
    SchemaShape.Key("event", "the event's type", predicatesShape),
    SchemaShape.Key("id", "the event's ID", predicatesShape),
    SchemaShape.Key("data", "the event's data", predicatesShape),
    SchemaShape.Key("json", "JSONPaths into the event", .names(of: predicatesShape)),
  ])
}

/// - Parameter paths: the keys that are JSONPaths.
private func conditionAdvice(_ paths: [String]) -> [String: String] {
  Dictionary(
    ["status", "headers", "body", "events", "count"].map {
      ($0, "`until` looks at one event as it comes: at `event`, `id`, `data`, or by JSONPath under `json`")
    } + paths.map { ($0, "write {json: {\(eventJSONPath($0)): …}}") }, uniquingKeysWith: { $1 })
}

/// A path to a member of an event, or else of its JSON.
func eventJSONPath(_ path: String) -> String {
  let name = path.dropFirst(2).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  return eventMembers.contains(String(name)) ? path : "$.json\(path.dropFirst())"
}

/// The format for another word.
private func formatWord(_ value: Value) -> String? {
  switch value {
  case .bool(true): return "`sse`, `ndjson` or `text`, or {format: sse} with what ends it"
  case .bool(false): return "`null`, or leave the key out"
  case .text(let text):
    switch text.string {
    case "json", "jsonl", "json_lines", "jsonlines": return "`ndjson` for JSON in each line"
    case "events", "event", "event_stream", "event-stream", "eventsource", "text/event-stream": return "`sse`"
    case "lines", "line", "plain": return "`text`"
    default: return nil
    }
  default: return nil
  }
}

let eventMembers = ["event", "id", "data", "json"]

extension SpecReader {
  mutating func stream(_ node: YAMLNode) -> StreamSpec? {
    let errorsBefore = bag.errorCount
    var stream = StreamSpec(range: node.range)
    if node.members == nil {
      stream.format = constant(node, as: "stream", StreamSpec.formats) ?? .sse
    } else {
      visit(node, as: "`stream`", keys: StreamSpec.keys, into: &stream)
    }
    if stream.format != .sse {
      if let key = stream.reconnectKey {
        bag.error(
          .conflictingKeys, "only server-sent events connect again", at: key,
          help: "remove it: a connection of `\(stream.format.rawValue)` that ends has said all")
      }
      if let until = stream.until { checkLineConditions(until, stream.format) }
    }
    guard bag.errorCount == errorsBefore else { return nil }
    if stream.maxEvents == nil, stream.until == nil, stream.timeout == nil {
      bag.warning(
        .suspiciousStream, "nothing but the server ends this stream", at: node.range.firstLine, notes: useNote(node),
        help: "add `until`, `max_events`, or a `timeout` to listen for")
    }
    return stream
  }

  fileprivate mutating func during(_ member: YAMLMember) -> [RequestSpec] {
    guard !isWithinDuring else {
      bag.error(.misplacedKey, "`during` cannot stand within `during`", at: member.keyRange)
      return []
    }
    isWithinDuring = true
    defer { isWithinDuring = false }
    return requests(member.value, key: "during")
  }

  // MARK: until

  fileprivate mutating func eventConditions(_ node: YAMLNode) -> EventConditions? {
    guard isUsable(node) else { return nil }
    if let text = node.plainText {
      return reject(
        .wrongType, "`until` is a mapping, found text", at: node,
        help: "write {data: \(node.range.text)} or {event: \(jsonEscaped(text))}")
    }
    let errorsBefore = bag.errorCount
    var conditions: [EventCondition] = []
    let paths = (node.members ?? []).map(\.key).filter { $0.hasPrefix("$") }
    visit(node, as: "`until`", keys: KeyTable(known: eventMembers, advice: conditionAdvice(paths))) { reader, member in
      switch member.key {
      case "json": conditions += reader.jsonConditions(member.value)
      case let key:
        let part: EventCondition.Part = key == "event" ? .type : key == "id" ? .id : .data
        if let condition = reader.condition(part, key, member.value, .text, .text) { conditions.append(condition) }
      }
    }
    if conditions.isEmpty, bag.errorCount == errorsBefore {
      report(
        .emptyValue, "an empty mapping is met by the first event", at: node,
        help: "write `max_events: 1`, or what the event must meet")
    }
    return EventConditions(range: node.range, conditions: conditions)
  }

  private mutating func jsonConditions(_ node: YAMLNode) -> [EventCondition] {
    guard isUsable(node) else { return [] }
    guard let members = node.members else {
      report(
        .wrongType, "`json` under `until` is a mapping of JSONPaths, found \(node.kindPhrase)", at: node,
        help: "write {$.json.state: done}: a path into the event, and what is expected there")
      return []
    }
    return members.compactMap { member in
      if let first = member.key.first, first.isLetter || first == "_" {
        return reject(
          .jsonpathSyntax, "invalid JSONPath: a JSONPath starts with `$`", at: member.keyRange,
          help: "write `\(eventJSONPath("$.\(member.key)"))`")
      }
      guard let path = jsonPath(member.key, at: member.keyNode) else { return nil }
      if let name = path.compiled?.firstName, !eventMembers.contains(name) {
        return reject(
          .unknownValue, "an event has `event`, `id`, `data` and `json`, and no `\(jsonEscaped(name))`",
          at: member.keyRange, help: "write `\(eventJSONPath(member.key))` for a member of its JSON")
      }
      if path.compiled?.isSingular == false { warnOfSingleValue(member.value) }
      return condition(.json(path), "json \(member.key)", member.value, .plain, .unknown)
    }
  }

  private mutating func condition(
    _ part: EventCondition.Part, _ label: String, _ node: YAMLNode, _ unit: OperandUnit, _ type: SubjectType
  ) -> EventCondition? {
    guard checkPredicates(node, of: label, type), let specs = predicates(node, unit: unit) else { return nil }
    return EventCondition(part: part, label: label, predicates: specs, places: ExpectedPlaces(node))
  }

  /// Checks conditions on lines: a line has no type and no ID, and a text line no JSON.
  private mutating func checkLineConditions(_ until: EventConditions, _ format: EventStreamFormat) {
    for condition in until.conditions {
      let name: String
      switch condition.part {
      case .type: name = "event"
      case .id: name = "id"
      case .data: continue
      case .json(let path):
        guard let first = path.compiled?.firstName, first != "data", first != "json" || format == .text else {
          continue
        }
        name = first
      }
      bag.error(
        .orphanedKey, "an event of `\(format.rawValue)` has no `\(name)`", at: condition.places.range,
        help: "it has `data`, which is the line" + (format == .ndjson ? ", and `json`, which is its value" : ""))
    }
  }
}
