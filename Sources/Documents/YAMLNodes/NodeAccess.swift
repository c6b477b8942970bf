import Values

extension YAMLNode {
  package var scalar: YAMLScalar? {
    if case .scalar(let scalar) = content { return scalar }
    return nil
  }

  package var members: [YAMLMember]? {
    if case .mapping(let members) = content { return members }
    return nil
  }

  package var items: [YAMLNode]? {
    if case .sequence(let items) = content { return items }
    return nil
  }

  /// The type of the node in diagnostics.
  package var kindPhrase: String {
    switch content {
    case .mapping: return "a mapping"
    case .sequence: return "a list"
    case .scalar(let scalar):
      switch scalar.meaning {
      case .null: return "null"
      case .bool: return "true or false"
      case .number, .nonFinite: return "a number"
      case .text: return "text"
      case .timestamp: return "a date"
      case .binary: return "data"
      }
    }
  }

  /// The source range for a UTF-8 range of the scalar's text: exact if the source shows the text, as it nearly always
  /// does; otherwise the whole node.
  package func range(ofText utf8: Range<Int>) -> SourceRange {
    guard let scalar, let places = ScalarTextPlaces(scalar, range: range) else { return range }
    guard let bytes = places.sourceRange(of: utf8) else { return range }
    return range.moved(to: bytes)
  }

  /// The same for many ranges of one text, which is scanned once, on demand.
  package var rangesOfText: (Range<Int>) -> SourceRange {
    var known: ScalarTextPlaces??
    return { utf8 in
      let places = known ?? scalar.flatMap { ScalarTextPlaces($0, range: range) }
      known = .some(places)
      guard let bytes = places?.sourceRange(of: utf8) else { return range }
      return range.moved(to: bytes)
    }
  }
}
