import DocumentQueries
import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension StreamSpec {
  static let formats = ValueDecoder<EventStreamFormat>.word(instead: formatWord)

  static let keys = Keys<StreamSpec>([
    Key("format", "`sse`, `ndjson`, `text` or `websocket`", synonyms: "type", .constant(formats)) {
      $0.format = $1 ?? .sse
    },
    Key(
      "send", "the messages for a WebSocket's server, and the waits between them", synonyms: "messages",
      MessageDraft.listShape
    ) {
      $2.messages = $0.messages($1.value)
      $2.messageKeys.append($1.keyRange)
    },
    Key(
      "subprotocol", "the subprotocols that are offered to a WebSocket's server, the preferred one first",
      synonyms: "subprotocols protocol protocols", ValueDecoder<Text>.text.shape.orTemplate.orList
    ) { reader, member, stream in
      stream.subprotocols = (member.value.items ?? [member.value]).compactMap { reader.subprotocol($0) }
      stream.messageKeys.append(member.keyRange)
    },
    Key(
      "max_events", "the number of events, or of messages received, after which the request ends",
      synonyms: "max count",
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
    SchemaShape.Key("data", "the event's data, or a message's in base64", predicatesShape),
    SchemaShape.Key("json", "JSONPaths into the event", .names(of: predicatesShape)),
    SchemaShape.Key("type", "a message's type: `text`, `binary`, `ping`, `pong` or `close`", predicatesShape),
    SchemaShape.Key("text", "a message's text", predicatesShape),
    SchemaShape.Key("code", "the code of a close frame", predicatesShape),
    SchemaShape.Key("reason", "the reason of a close frame", predicatesShape),
  ])
}

/// - Parameter paths: the keys that are JSONPaths.
private func conditionAdvice(_ paths: [String], _ format: EventStreamFormat) -> [String: String] {
  let own = format.conditions.filter { $0 != "json" }.map { "`\($0)`" }.joined(separator: ", ")
  return Dictionary(
    ["status", "headers", "body", "events", "count"].map {
      ($0, "`until` looks at one event as it comes: at \(own), or by JSONPath under `json`")
    } + paths.map { ($0, "write {json: {\(eventJSONPath($0, format)): …}}") }, uniquingKeysWith: { $1 })
}

/// A path to a member of an event, or else of its JSON.
func eventJSONPath(_ path: String, _ format: EventStreamFormat) -> String {
  let name = path.dropFirst(2).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  return format.members.contains(String(name)) ? path : "$.json\(path.dropFirst())"
}

/// The format for another word.
private func formatWord(_ value: Value) -> String? {
  switch value {
  case .bool(true): return "`sse`, `ndjson`, `text` or `websocket`, or {format: sse} with what ends it"
  case .bool(false): return "`null`, or leave the key out"
  case .text(let text):
    switch text.string {
    case "json", "jsonl", "json_lines", "jsonlines": return "`ndjson` for JSON in each line"
    case "events", "event", "event_stream", "event-stream", "eventsource", "text/event-stream": return "`sse`"
    case "lines", "line", "plain": return "`text`"
    case "ws", "wss", "websockets", "web_socket": return "`websocket`"
    default: return nil
    }
  default: return nil
  }
}

/// The members that an event of any format may have.
let eventMembers =
  EventStreamFormat.sse.members
  + EventStreamFormat.websocket.members.filter { !EventStreamFormat.sse.members.contains($0) }

extension EventStreamFormat {
  /// The members of an event.
  var members: [String] {
    self == .websocket
      ? ["direction", "type", "text", "json", "data", "code", "reason"] : ["event", "id", "data", "json"]
  }

  /// The keys of the conditions on an event.
  fileprivate var conditions: [String] { members.filter { $0 != "direction" } }
}

extension SpecReader {
  mutating func stream(_ node: YAMLNode) -> StreamSpec? {
    let errorsBefore = bag.errorCount
    var stream = StreamSpec(range: node.range)
    let format = node.members?.first { $0.key == "format" || $0.key == "type" }?.value ?? node
    let isWithinWebSocket = isWithinWebSocket
    self.isWithinWebSocket = format.plainText == EventStreamFormat.websocket.rawValue
    defer { self.isWithinWebSocket = isWithinWebSocket }
    if node.members == nil {
      stream.format = constant(node, as: "stream", StreamSpec.formats) ?? .sse
    } else {
      visit(node, as: "`stream`", keys: StreamSpec.keys, into: &stream)
    }
    if stream.format == .websocket {
      if let until = stream.messages.last(where: \.isClose), until.range != stream.messages.last?.range {
        bag.error(
          .conflictingKeys, "nothing is sent after `close`", at: until.range.firstLine, help: "make it the last item")
      }
    } else if let key = stream.messageKeys.first {
      bag.error(
        .orphanedKey, "only a WebSocket has `\(key.text)`", at: key,
        help: "write `format: websocket`, and a URL that begins with ws:// or wss://")
    } else if stream.format != .sse {
      if let key = stream.reconnectKey {
        bag.error(
          .conflictingKeys, "only server-sent events connect again", at: key,
          help: "remove it: a connection of `\(stream.format.rawValue)` that ends has said all")
      }
      if let until = stream.until { checkLineConditions(until, stream.format) }
    }
    guard bag.errorCount == errorsBefore else { return nil }
    if !stream.hasEnd {
      bag.warning(
        .suspiciousStream, "nothing but the server ends this stream", at: node.range.firstLine, notes: useNote(node),
        help: "add `until`, `max_events`, or a `timeout` to listen for")
    }
    return stream
  }

  /// A word that a header may have in a list (RFC 6455, section 4.1).
  fileprivate mutating func subprotocol(_ node: YAMLNode) -> Field<Text>? {
    guard let field = field(node, .text) else { return nil }
    guard let literal = field.literal?.string, !isToken(literal) else { return field }
    return reject(
      .invalidValue, "\"\(jsonEscaped(literal))\" is not a subprotocol", at: node,
      help: "it is a word such as graphql-transport-ws; write several as a list")
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

  mutating func eventConditions(_ node: YAMLNode) -> EventConditions? {
    guard isUsable(node) else { return nil }
    if let text = node.plainText {
      return reject(
        .wrongType, "`until` is a mapping, found text", at: node,
        help: "write {data: \(node.range.text)} or {event: \(jsonEscaped(text))}")
    }
    let errorsBefore = bag.errorCount
    var conditions: [EventCondition] = []
    let paths = (node.members ?? []).map(\.key).filter { $0.hasPrefix("$") }
    let format = conditionFormat
    let keys = KeyTable(known: format.conditions, advice: conditionAdvice(paths, format))
    visit(node, as: "`until`", keys: keys) { reader, member in
      switch member.key {
      case "json": conditions += reader.jsonConditions(member.value)
      case "code":
        if let condition = reader.condition(.code, "code", member.value, .plain, .number) {
          conditions.append(condition)
        }
      case let key:
        let part: EventCondition.Part =
          key == "event" || key == "type" ? .type : key == "id" ? .id : .data(key)
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

  /// The format whose conditions are read; all but that of messages have the same.
  private var conditionFormat: EventStreamFormat { isWithinWebSocket ? .websocket : .sse }

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
          help: "write `\(eventJSONPath("$.\(member.key)", conditionFormat))`")
      }
      guard let path = eventPath(member.key, at: member.keyNode) else { return nil }
      if path.compiled?.isSingular == false { warnOfSingleValue(member.value) }
      return condition(.json(path), "json \(member.key)", member.value, .plain, .unknown)
    }
  }

  /// A path into an event.
  mutating func eventPath(_ text: String, at node: YAMLNode) -> JSONPathSpec? {
    guard let path = jsonPath(text, at: node) else { return nil }
    let members = conditionFormat.members
    if let name = path.compiled?.firstName, !members.contains(name) {
      let list = members.dropLast().map { "`\($0)`" }.joined(separator: ", ") + " and `\(members.last ?? "")`"
      return reject(
        .unknownValue, "an event has \(list), and no `\(jsonEscaped(name))`", at: node.range,
        help: "write `\(eventJSONPath(text, conditionFormat))` for a member of its JSON")
    }
    return path
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
      case .data, .code: continue
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
