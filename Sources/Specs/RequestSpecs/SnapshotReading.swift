import Diagnostics
import JSONQueries
import Templates
import Values
import YAMLNodes

private let snapshotKeys = KeyTable(
  known: ["name", "ignore"], synonyms: ["exclude": "ignore", "ignored": "ignore", "file": "name"])

extension SpecReader {
  /// `true`, or a name and what to ignore.
  mutating func snapshot(_ node: YAMLNode) -> SnapshotSpec? {
    guard isUsable(node) else { return nil }
    if node.members == nil {
      if case .bool(true)? = node.scalar?.meaning { return SnapshotSpec(name: nil, ignored: []) }
      let isFalse = if case .bool? = node.scalar?.meaning { true } else { false }
      let help =
        if isFalse {
          "leave the key out, or write `null` to take away one of the defaults"
        } else if let text = node.plainText {
          "write {name: \(jsonEscaped(text))}"
        } else {
          "write `true`, or {name: …, ignore: [$.id]}"
        }
      bag.error(
        "`snapshot` is true or a mapping, found \(isFalse ? "false" : node.kindPhrase)", at: node.range,
        notes: useNote(node), help: help)
      return nil
    }
    var name: Field<Text>?
    var ignored: [JSONPathSpec] = []
    let errorsBefore = bag.errorCount
    visit(node, as: "`snapshot`", keys: snapshotKeys) { reader, member in
      switch member.key {
      case "name": name = reader.field(member.value, .text)
      default: ignored = reader.ignoredPlaces(member.value)
      }
    }
    return bag.errorCount == errorsBefore ? SnapshotSpec(name: name, ignored: ignored) : nil
  }

  /// A JSONPath or a list of them.
  private mutating func ignoredPlaces(_ node: YAMLNode) -> [JSONPathSpec] {
    guard isUsable(node) else { return [] }
    return (node.items ?? [node]).compactMap { item in
      guard isUsable(item) else { return nil }
      guard let scalar = item.scalar, case .text(let text) = scalar.meaning else {
        bag.error(
          "`ignore` is a JSONPath or a list of them, found \(item.kindPhrase)", at: item.range, notes: useNote(item))
        return nil
      }
      guard let path = jsonPath(text, at: item) else { return nil }
      if text == "$" {
        bag.error(
          "`$` is the whole body: nothing would be compared", at: item.range, notes: useNote(item),
          help: "name the places in it that change, such as $.id")
      }
      return path
    }
  }
}
