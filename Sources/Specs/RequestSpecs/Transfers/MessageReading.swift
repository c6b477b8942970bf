import Templates
import Values
import WebSocket
import YAMLNodes

/// An item of `send`, while it is read.
struct MessageDraft {
  var content: MessageSpec.Content?
  /// The key of the content; more than one is an error.
  var key: SourceRange?
  var reason: Field<Text>?
  var captures: [MessageCapture] = []
  /// The places of `reason` and `capture`.
  var reasonKey: SourceRange?
  var captureKey: SourceRange?

  static var shape: SchemaShape { keys.shape() }
  static var listShape: SchemaShape { shape.orList }

  static let keys = Keys<MessageDraft>(
    [
      Key("json", "a value, sent as JSON text", .anything) { reader, member, draft in
        draft.set(reader.valueTemplate(member.value).map { .json($0) }, member, &reader)
      },
      Key("text", "a text", SchemaShape.scalar.orTemplate) { reader, member, draft in
        draft.set(reader.field(member.value, .scalarText).map { .text($0) }, member, &reader)
      },
      Key("data", "bytes in base64, sent as a binary message", synonyms: "binary bytes", SchemaShape.text.orTemplate) {
        reader, member, draft in
        draft.set(reader.field(member.value, .base64).map { .data($0) }, member, &reader)
      },
      Key("ping", "a ping with this text, which the server replies to", SchemaShape.scalar.orTemplate) {
        reader, member, draft in
        draft.set(reader.field(member.value, .scalarText).map { .ping($0) }, member, &reader)
      },
      Key(
        "close", "ends the conversation with this code, such as 1000",
        ValueReader<Field<Int>?>.field(.integer(1000...4999)).shape()
      ) { reader, member, draft in
        draft.set(reader.closeCode(member.value).map { .close($0, reason: nil) }, member, &reader)
      },
      Key("reason", "the reason of a `close`", SchemaShape.text.orTemplate) { reader, member, draft in
        draft.reason = reader.field(member.value, .text)
        draft.reasonKey = member.keyRange
      },
      Key(
        "until", "waits for a message: what follows is sent once one meets the conditions",
        synonyms: "wait receive await expect", EventConditions.shape
      ) { reader, member, draft in
        draft.set(reader.eventConditions(member.value).map { .until($0, captures: []) }, member, &reader)
      },
      Key(
        "capture", "values of that message: a name, and a JSONPath into the event", SchemaShape.names(of: .text)
      ) { reader, member, draft in
        draft.captures = reader.messageCaptures(member.value)
        draft.captureKey = member.keyRange
      },
    ], shape: "{json: {type: ping}}")

  private mutating func set(_ content: MessageSpec.Content?, _ member: YAMLMember, _ reader: inout SpecReader) {
    if let key {
      reader.bag.error(
        .conflictingKeys, "an item of `send` is one message", at: member.keyRange,
        notes: [Diagnostic.Note("the other stands here", at: key)], help: "write each as an item of its own, with `- `")
    }
    key = member.keyRange
    self.content = content
  }
}

extension SpecReader {
  /// The messages of a stream: one, or a list of them.
  ///
  /// - Parameter waits: whether an item may wait for a message.
  mutating func messages(_ node: YAMLNode, waits: Bool = true) -> [MessageSpec] {
    guard isUsable(node) else { return [] }
    return (node.items ?? [node]).compactMap { message($0, waits: waits) }
  }

  /// The messages that follow a request of `during`.
  mutating func messagesDuring(_ node: YAMLNode) -> [MessageSpec]? {
    guard isWithinWebSocket, isWithinDuring else {
      return reject(
        .misplacedKey, "`send` stands under `stream`, or in a request of its `during`", at: node.range.firstLine,
        notes: useNote(node), help: "write `stream: {format: websocket, send: …}`")
    }
    return messages(node, waits: false)
  }

  private mutating func message(_ node: YAMLNode, waits: Bool) -> MessageSpec? {
    if let text = node.plainText {
      return reject(
        .wrongType, "an item of `send` is a mapping, found text", at: node,
        help: "write {text: \(jsonEscaped(text.count > 40 ? "…" : text))}, or {json: …} for a value")
    }
    var draft = MessageDraft()
    guard visit(node, as: "an item of `send`", keys: MessageDraft.keys, into: &draft) else { return nil }
    guard let content = draft.content else {
      if draft.key != nil { return nil }
      return reject(
        .missingKey, "an item of `send` has no message", at: node,
        help: "write {json: …}, {text: …}, {data: …}, {ping: …}, {close: 1000} or {until: …}")
    }
    switch content {
    case .close(let code, _):
      if let key = draft.captureKey { return orphan("capture", "until", key) }
      return MessageSpec(range: node.range, content: .close(code, reason: draft.reason))
    case .until(let conditions, _):
      if let key = draft.reasonKey { return orphan("reason", "close", key) }
      guard waits else {
        return reject(
          .misplacedKey, "only `send` under `stream` waits for messages", at: draft.key ?? node.range,
          help: "move it there: what is `during` the conversation begins once `send` is done")
      }
      return MessageSpec(range: node.range, content: .until(conditions, captures: draft.captures))
    default:
      if let key = draft.reasonKey { return orphan("reason", "close", key) }
      if let key = draft.captureKey { return orphan("capture", "until", key) }
      return MessageSpec(range: node.range, content: content)
    }
  }

  private mutating func orphan(_ key: String, _ owner: String, _ range: SourceRange) -> MessageSpec? {
    reject(.orphanedKey, "`\(key)` belongs to `\(owner)`", at: range, help: "remove it, or write it beside `\(owner)`")
  }

  /// A code that an endpoint may send (RFC 6455, section 7.4).
  fileprivate mutating func closeCode(_ node: YAMLNode) -> Field<Int>? {
    guard let code = field(node, .integer(1000...4999)) else { return nil }
    guard let literal = code.literal, !isSendable(closeCode: literal) else { return code }
    return reject(
      .invalidValue, "no close frame may have the code \(literal) (RFC 6455, section 7.4)", at: node,
      help: "write 1000 for a normal end, or one of 3000 to 4999 for your own meaning")
  }

  fileprivate mutating func messageCaptures(_ node: YAMLNode) -> [MessageCapture] {
    guard isUsable(node) else { return [] }
    guard let members = node.members else {
      report(
        .wrongType, "`capture` is a mapping, found \(node.kindPhrase)", at: node,
        help: "write {id: $.json.id}: a name, and a path into the event")
      return []
    }
    return members.compactMap { member -> MessageCapture? in
      guard let text = member.value.scalar?.text, !text.isEmpty else {
        return reject(
          .wrongType, "a capture from a message is a JSONPath, found \(member.value.kindPhrase)", at: member.value,
          help: "write \(jsonEscaped(member.key)): $.json.id")
      }
      guard let path = eventPath(text, at: member.value) else { return nil }
      return MessageCapture(name: member.key, range: member.keyRange, path: path)
    }
  }
}
