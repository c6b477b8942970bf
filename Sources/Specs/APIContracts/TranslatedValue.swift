import DocumentQueries
import Values

/// A value of a translated document; each names the node that it comes from, whose place is its own.
indirect enum TranslatedValue {
  case copy(JSONNode)
  /// A scalar in JSON.
  case literal(String, from: JSONNode)
  case list([TranslatedValue], from: JSONNode)
  case object([(name: String, value: TranslatedValue)], from: JSONNode)

  static func text(_ text: String, from node: JSONNode) -> TranslatedValue {
    .literal("\"" + jsonEscaped(text) + "\"", from: node)
  }

  private var origin: JSONNode {
    switch self {
    case .copy(let node), .literal(_, let node), .list(_, let node), .object(_, let node): node
    }
  }

  /// Appends the value as JSON, and the positions of the nodes that its nodes come from.
  func write(to text: inout [UInt8], _ origins: inout [Int]) {
    switch self {
    case .copy(let node):
      text += node.text.utf8
      origins += node.position..<node.end
      return
    case .literal(let scalar, let node):
      text += scalar.utf8
      origins.append(node.position)
    case .list(let items, let node):
      origins.append(node.position)
      text.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        item.write(to: &text, &origins)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members, let node):
      origins.append(node.position)
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        // A member's name comes before its value.
        origins.append(max(0, member.value.origin.position - 1))
        text += "\"\(jsonEscaped(member.name))\":".utf8
        member.value.write(to: &text, &origins)
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
