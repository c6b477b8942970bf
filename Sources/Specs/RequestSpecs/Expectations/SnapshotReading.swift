import DocumentQueries
import Templates
import Values
import YAMLNodes

extension SnapshotSpec {
  static let keys = Keys<SnapshotSpec>([
    Key("name", "the name of the stored body; without one, the request's", synonyms: "file", .field(.text)) {
      $0.name = $1
    },
    Key("ignore", "JSONPaths of what is not compared", synonyms: "exclude ignored", SchemaShape.text.orList) {
      $2.ignored = $0.ignoredPlaces($1.value)
    },
  ])
}

extension SpecReader {
  /// `true`, or a name and paths to ignore.
  mutating func snapshot(_ node: YAMLNode) -> SnapshotSpec? {
    guard isUsable(node) else { return nil }
    if node.members == nil {
      if case .bool(true)? = node.scalar?.meaning { return SnapshotSpec() }
      let isFalse = if case .bool? = node.scalar?.meaning { true } else { false }
      let help =
        if isFalse {
          "leave the key out, or write `null` to take away one of the defaults"
        } else if let text = node.plainText, ["yes", "on"].contains(text.lowercased()) {
          "write `true`"
        } else if let text = node.plainText {
          "write {name: \(jsonEscaped(text))}"
        } else {
          "write `true`, or {name: …, ignore: [$.id]}"
        }
      return reject(
        .wrongType, "`snapshot` is true or a mapping, found \(isFalse ? "false" : node.kindPhrase)", at: node,
        help: help)
    }
    var spec = SnapshotSpec()
    return visit(node, as: "`snapshot`", keys: SnapshotSpec.keys, into: &spec) ? spec : nil
  }

  /// A JSONPath or a list of them.
  fileprivate mutating func ignoredPlaces(_ node: YAMLNode) -> [JSONPathSpec] {
    guard isUsable(node) else { return [] }
    return (node.items ?? [node]).compactMap { item in
      guard isUsable(item) else { return nil }
      guard let scalar = item.scalar, case .text(let text) = scalar.meaning else {
        return reject(.wrongType, "`ignore` is a JSONPath or a list of them, found \(item.kindPhrase)", at: item)
      }
      guard let path = jsonPath(text, at: item) else { return nil }
      if ["$", "$.*", "$[*]", "$..*", "$..[*]"].contains(text) {
        report(
          .emptyValue, "`\(text)` is \(text == "$" ? "the whole body" : "all of the body"): nothing would be compared",
          at: item, help: "name the places in it that change, such as $.id")
      }
      return path
    }
  }
}
