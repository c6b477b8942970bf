import DocumentQueries
import Values

/// JSON Pointers (RFC 6901) within documents.
package enum JSONPointer {
  /// The pointer of a node: empty for the root.
  package static func pointer(to node: JSONNode) -> String {
    var result = ""
    var container = node.document.root
    while container.position != node.position, container.count > 0 {
      let isObject = container.kind == .mapping
      var child = container.firstChild
      var index = 0
      while true {
        let value = isObject ? child.following : child
        if node.position < value.end {
          result += "/" + (isObject ? escaped(child.string) : String(index))
          // The position of a member's name counts as that of its value.
          if node.position == child.position { return result }
          container = value
          break
        }
        index += 1
        guard index < container.count else { return result }
        child = value.following
      }
    }
    return result
  }

  /// Returns whether a node is the name of a member, and not a value.
  static func isName(_ node: JSONNode) -> Bool {
    guard node.kind == .text else { return false }
    var container = node.document.root
    while container.count > 0, container.position < node.position {
      let isObject = container.kind == .mapping
      var child = container.firstChild
      var value = isObject ? child.following : child
      while value.end <= node.position {
        child = value.following
        value = isObject ? child.following : child
      }
      if isObject, child.position == node.position { return true }
      if value.position == node.position { return false }
      container = value
    }
    return false
  }

  /// The node that a pointer leads to from another one, with all nodes on the way; nil if there is none.
  ///
  /// - Parameter member: finds a member of an object, for a faster way than a linear search.
  package static func path(
    _ pointer: String, from start: JSONNode, member: (JSONNode, String) -> JSONNode? = { $0[member: $1] }
  ) -> [JSONNode]? {
    guard !pointer.isEmpty else { return [start] }
    guard pointer.first == "/" else { return nil }
    var result = [start]
    var node = start
    for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = unescaped(token) else { return nil }
      let next: JSONNode?
      switch node.kind {
      case .mapping: next = member(node, name)
      case .list: next = index(name).flatMap { node[$0] }
      default: next = nil
      }
      guard let next else { return nil }
      node = next
      result.append(node)
    }
    return result
  }

  package static func escaped(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
    return name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  private static func unescaped(_ token: Substring) -> String? {
    guard token.utf8.contains(UInt8(ascii: "~")) else { return String(token) }
    guard isSoundToken(token.utf8) else { return nil }
    return String(token).replacing("~1", with: "/").replacing("~0", with: "~")
  }

  private static func index(_ token: String) -> Int? {
    guard token == "0" || token.first != "0", token.utf8.allSatisfy(isDigit) else { return nil }
    return Int(token)
  }

  static func isPointer(_ text: String) -> Bool {
    text.isEmpty || text.utf8.first == UInt8(ascii: "/") && isSoundToken(text.utf8)
  }

  /// A `~` must be followed by `0` or `1`.
  private static func isSoundToken(_ bytes: some Sequence<UInt8>) -> Bool {
    var afterTilde = false
    for byte in bytes {
      if afterTilde, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return false }
      afterTilde = byte == UInt8(ascii: "~")
    }
    return !afterTilde
  }
}
