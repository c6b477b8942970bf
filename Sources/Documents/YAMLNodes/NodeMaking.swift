import Values

/// Nodes without a file, for specs that are made in memory and written.
extension YAMLNode {
  private init(made content: Content) {
    self.init(content: content, range: .none)
  }

  private init(_ meaning: YAMLScalar.Meaning, _ text: String) {
    self.init(made: .scalar(YAMLScalar(meaning: meaning, style: .plain, text: text)))
  }

  package static var null: YAMLNode { YAMLNode(.null, "null") }
  package static func bool(_ value: Bool) -> YAMLNode { YAMLNode(.bool(value), value ? "true" : "false") }
  /// - Parameter lexeme: the number in JSON's form.
  package static func number(_ lexeme: String) -> YAMLNode { YAMLNode(.number(lexeme), lexeme) }
  package static func text(_ text: String) -> YAMLNode { YAMLNode(.text(text), text) }
  /// A tag of expectations that stands alone, such as `!uuid`.
  package static func kind(_ name: String, isOptional: Bool = false) -> YAMLNode {
    YAMLNode(.null, "").tagged(name, isOptional: isOptional)
  }

  package static func list(_ items: [YAMLNode]) -> YAMLNode { YAMLNode(made: .sequence(items)) }

  package static func mapping(_ members: [(key: String, value: YAMLNode)]) -> YAMLNode {
    YAMLNode(made: .mapping(members.map { YAMLMember(key: $0.key, keyRange: .none, value: $0.value) }))
  }

  /// The node with a tag of expectations, such as `!each`.
  package func tagged(_ name: String, isOptional: Bool = false) -> YAMLNode {
    YAMLNode(
      content: content, range: range, localTag: YAMLLocalTag(name: name, isOptional: isOptional, range: .none))
  }

  /// The mapping with the tag `!!map`: its names are names of members, whatever they mean elsewhere.
  package var withMapTag: YAMLNode { YAMLNode(content: content, range: range, hasMapTag: true) }
}

extension YAMLNode {
  /// Returns whether another node has the same meaning, regardless of places and quotes.
  package func isSame(as other: YAMLNode) -> Bool {
    guard localTag?.text == other.localTag?.text, hasMapTag == other.hasMapTag else { return false }
    switch (content, other.content) {
    case (.scalar(let one), .scalar(let two)):
      // Texts are compared by their scalars: `é` and `e` with an accent differ.
      if case .text(let text) = one.meaning, case .text(let otherText) = two.meaning {
        return text.utf8.elementsEqual(otherText.utf8)
      }
      return one.meaning == two.meaning
    case (.sequence(let items), .sequence(let others)):
      return items.count == others.count && zip(items, others).allSatisfy { $0.isSame(as: $1) }
    case (.mapping(let members), .mapping(let others)):
      return members.count == others.count
        && zip(members, others).allSatisfy { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isSame(as: $1.value) }
    default: return false
    }
  }
}
