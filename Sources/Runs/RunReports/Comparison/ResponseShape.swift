import DocumentQueries
import Values

/// The structure of a JSON document: its members and their types, without values. The items of a list have one shape
/// together.
indirect enum ResponseShape: Sendable, Hashable {
  case null, boolean, number, text
  /// The shape of the items; nil for a list without any.
  case list(ResponseShape?)
  case object([String: ResponseShape])
  /// Different shapes at the same place, sorted.
  case several([ResponseShape])

  /// - Parameter ignored: the positions of nodes that are left out.
  init(of node: JSONNode, without ignored: Set<Int> = []) {
    switch node.kind {
    case .null: self = .null
    case .boolean: self = .boolean
    case .number: self = .number
    case .list:
      var shape: ResponseShape?
      for item in node.items where !ignored.contains(item.position) {
        let next = ResponseShape(of: item, without: ignored)
        if shape != next { shape = shape?.merged(with: next) ?? next }
      }
      self = .list(shape)
    case .mapping:
      var members: [String: ResponseShape] = [:]
      for (name, value) in node.members where !ignored.contains(value.position) {
        members[name] = ResponseShape(of: value, without: ignored)
      }
      self = .object(members)
    default: self = .text
    }
  }

  /// The type in words.
  var word: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .text: "text"
    case .list: "list"
    case .object: "object"
    case .several(let shapes): shapes.map(\.word).joined(separator: " or ")
    }
  }

  /// The shape of two items of a list.
  private func merged(with other: ResponseShape) -> ResponseShape {
    switch (self, other) {
    case (.list(let one?), .list(let two?)): return .list(one.merged(with: two))
    case (.list(let one), .list(let two)): return .list(one ?? two)
    case (.object(let one), .object(let two)): return .object(one.merging(two) { $0.merged(with: $1) })
    case (.several(let shapes), .several(let more)): return more.reduce(.several(shapes)) { $0.merged(with: $1) }
    case (.several(var shapes), let other), (let other, .several(var shapes)):
      if let index = shapes.firstIndex(where: { $0.word == other.word }) {
        shapes[index] = shapes[index].merged(with: other)
      } else {
        shapes = (shapes + [other]).sorted { $0.word < $1.word }
      }
      return .several(shapes)
    default: return word == other.word ? self : .several([self, other].sorted { $0.word < $1.word })
    }
  }

  /// Appends the differences of a newer shape, as lines such as `$.id: number → text`.
  func appendDifferences(from newer: ResponseShape, at path: String, to lines: inout [String]) {
    switch (self, newer) {
    case (.object(let old), .object(let new)):
      for (name, shape) in old.sorted(by: { $0.key < $1.key }) {
        let place = path + normalizedSegment(name)
        if let other = new[name] {
          shape.appendDifferences(from: other, at: place, to: &lines)
        } else {
          lines.append("\(place) is gone (\(shape.word))")
        }
      }
      for (name, shape) in new.sorted(by: { $0.key < $1.key }) where old[name] == nil {
        lines.append("\(path + normalizedSegment(name)) is new (\(shape.word))")
      }
    case (.list(let old?), .list(let new?)): old.appendDifferences(from: new, at: path + "[*]", to: &lines)
    // Nothing is known of the items of an empty list.
    case (.list, .list): break
    default: if self != newer { lines.append("\(path): \(word) → \(newer.word)") }
    }
  }
}

/// A member's name as a segment of a JSONPath.
private func normalizedSegment(_ name: String) -> String {
  let isPlain =
    name.utf8.first.map { !isDigit($0) } ?? false && name.utf8.allSatisfy { $0 == 0x5F || isAlphanumeric($0) }
  return isPlain ? ".\(name)" : "['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
}
