import DocumentQueries
import YAMLNodes

/// A JSON body while items are put into it.
indirect enum BodyTree {
  case scalar(YAMLNode)
  case list([BodyTree])
  case object(OrderedMembers<BodyTree>)
  /// Nothing yet; null in the end.
  case unset

  /// Puts a value at the place that a name describes; a value that is there is replaced.
  mutating func set(_ value: BodyTree, at name: NestedName, of item: String) throws(SendProblem) {
    try set(value, at: name.steps[...], of: item)
  }

  private mutating func set(
    _ value: BodyTree, at steps: ArraySlice<NestedName.Step>, of item: String
  ) throws(SendProblem) {
    guard let step = steps.first else {
      self = value
      return
    }
    switch step {
    case .key(let key):
      var members = try members(for: item)
      // It would be copied otherwise.
      self = .unset
      try members.change(key, first: .unset) { (member) throws(SendProblem) in
        try member.set(value, at: steps.dropFirst(), of: item)
      }
      self = .object(members)
    case .index(let index):
      var items = try items(for: item)
      self = .unset
      while items.count <= index { items.append(.unset) }
      try items[index].set(value, at: steps.dropFirst(), of: item)
      self = .list(items)
    case .append:
      var items = try items(for: item)
      self = .unset
      var new = BodyTree.unset
      try new.set(value, at: steps.dropFirst(), of: item)
      items.append(new)
      self = .list(items)
    }
  }

  private func members(for item: String) throws(SendProblem) -> OrderedMembers<BodyTree> {
    switch self {
    case .object(let members): return members
    case .unset: return OrderedMembers()
    case .list: throw mismatch(item, "a key", "a list")
    case .scalar: throw mismatch(item, "a key", "a single value")
    }
  }

  private func items(for item: String) throws(SendProblem) -> [BodyTree] {
    switch self {
    case .list(let items): return items
    case .unset: return []
    case .object: throw mismatch(item, "a position", "an object")
    case .scalar: throw mismatch(item, "a position", "a single value")
    }
  }

  private func mismatch(_ item: String, _ step: String, _ kind: String) -> SendProblem {
    SendProblem(
      "the item \"\(item)\" puts \(step) into what is \(kind)", help: "an earlier item made it so: write them alike")
  }

  var isContainer: Bool {
    switch self {
    case .list, .object: true
    case .scalar, .unset: false
    }
  }

  var node: YAMLNode {
    switch self {
    case .scalar(let node): node
    case .list(let items): .list(items.map(\.node))
    case .object(let members): .mapping(members.all.map { ($0.key, $0.value.node) })
    case .unset: .null
    }
  }
}

extension BodyTree {
  /// A text of JSON, with its numbers as written; a text that is a template and nothing else keeps its type.
  ///
  /// - Parameter convert: makes a node of each text in it.
  init(json text: String, convert: (String) -> YAMLNode) throws(JSONParseError) {
    if text.hasPrefix("${{"), text.hasSuffix("}}") {
      self = .scalar(.text(text))
    } else {
      self.init(try JSONDocument(parsing: text).root, convert)
    }
  }

  private init(_ node: JSONNode, _ convert: (String) -> YAMLNode) {
    switch node.kind {
    case .list: self = .list(node.items.map { BodyTree($0, convert) })
    case .mapping:
      var members = OrderedMembers<BodyTree>()
      for (name, value) in node.members { members.change(name, first: .unset) { $0 = BodyTree(value, convert) } }
      self = .object(members)
    case .boolean: self = .scalar(.bool(node.isBoolean(true)))
    case .number: self = .scalar(.number(node.text))
    case .null: self = .scalar(.null)
    default:
      if case .text(let text) = node.value { self = .scalar(convert(text.string)) } else { self = .scalar(.null) }
    }
  }
}
