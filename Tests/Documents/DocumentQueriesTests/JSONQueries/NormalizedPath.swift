import DocumentQueries

/// The node's normalized path (RFC 9535, section 2.7), such as `$['rows'][2]`, found by where it stands in the text.
func normalizedPath(_ node: JSONNode) -> String {
  var path = "$"
  var place = node.document.root
  while place.byteRange != node.byteRange {
    if let member = place.members.last(where: { $0.value.byteRange.contains(node.byteRange.lowerBound) }) {
      path += "[\(normalizedName(member.key))]"
      place = member.value
    } else if let index = place.items.firstIndex(where: { $0.byteRange.contains(node.byteRange.lowerBound) }) {
      path += "[\(index)]"
      place = place.items[index]
    } else {
      return "a node of another document"
    }
  }
  return path
}
