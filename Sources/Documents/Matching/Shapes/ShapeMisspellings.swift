import Values

extension Predicate {
  /// The existing name that an optional member of `includes` certainly misspells, so that it is never looked at.
  package func misspelling(in subject: MatchSubject) -> String? { misspelling(in: MatchTarget(subject)) }

  private func misspelling(in target: MatchTarget) -> String? {
    switch operand {
    case .shape(let shaped) where shaped.use == .includes: return shaped.shape.misspelling(in: target.value)
    case .predicates(let inner):
      guard let items = target.items, items.count > 0 else { return nil }
      return inner.compactMap { $0.misspelling(in: .single(items[0])) }.first
    default: return nil
    }
  }
}

extension Shape {
  fileprivate func misspelling(in actual: Value) -> String? {
    switch (self, actual) {
    case (.object(let members), .mapping(let mapping)): Shape.misspelling(of: members, in: mapping.grouped)
    case (.each(let item), .list(let items)): items.first.flatMap(item.misspelling)
    default: nil
    }
  }

  /// The number of members without a value that names are compared for.
  private static let absentLimit = 32

  private static func misspelling(of members: [Member], in values: [Text: [Value]]) -> String? {
    let absent = members.filter { values[$0.key] == nil && ShapeMatcher.mayBeAbsent($0) }
    if !absent.isEmpty {
      let others = Set(values.keys).subtracting(members.map(\.key)).map(\.string).sorted()
      if let found = absent.prefix(absentLimit).compactMap({ misspelt($0.key.string, among: others) }).first {
        return found
      }
    }
    return members.compactMap { member in values[member.key]?.last.flatMap(member.shape.misspelling) }.first
  }
}
