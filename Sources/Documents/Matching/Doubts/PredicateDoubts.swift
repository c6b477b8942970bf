import DocumentQueries
import Values

extension Predicate {
  /// The doubt about a predicate that holds, or does not as it should: names that are misspelt, and what is denied, but
  /// is there in another form.
  ///
  /// - Parameters:
  ///   - isDenied: whether it should not hold.
  ///   - isComputed: whether its operand is made of templates: a literal text in quotes may be meant as such.
  package func doubt(in subject: MatchSubject, isDenied: Bool = false, isComputed: Bool = false) -> Doubt? {
    guard isDenied || mayBeDoubtful else { return nil }
    let targets = [MatchTarget(subject)]
    return doubt(in: targets, isDenied: isDenied) ?? (isComputed ? kindDoubt(in: targets, isDenied: isDenied) : nil)
  }

  /// Indicates whether it denies something, or has names that need not be there.
  private var mayBeDoubtful: Bool {
    switch operand {
    case .predicates, .shape: true
    default: kind.isNegation
    }
  }

  /// The number of items that are looked at.
  static let itemLimit = 100

  /// - Parameter isDecisive: whether it fails as a whole if a target has what is denied.
  private func doubt(in targets: [MatchTarget], isDenied: Bool, isDecisive: Bool = true) -> Doubt? {
    let isDenied = isDenied != kind.isNegation
    if case .predicates(let inner) = operand {
      return doubt(of: inner, in: targets, isDenied: isDenied, isDecisive: isDecisive)
    }
    if case .shape(let shaped) = operand, case .predicates(let inner) = shaped.shape, shaped.use == .equals {
      return inner.lazy.compactMap { $0.doubt(in: targets, isDenied: isDenied, isDecisive: isDecisive) }.first
    }
    if let name = misspelling(in: targets, isDenied: isDenied) { return .misspelling(of: name) }
    guard isDenied, isDecisive else { return nil }
    for target in targets {
      guard let hint = Likeness(of: target, to: self)?.hint else { continue }
      return Doubt(
        "it is there in another form", expected: expectation(self, of: target.kind), actual: rendered(target),
        hint: hint)
    }
    return nil
  }

  private func doubt(of inner: [Predicate], in targets: [MatchTarget], isDenied: Bool, isDecisive: Bool) -> Doubt? {
    var items = targets
    var isDecisive = isDecisive && (!isDenied || inner.count == 1)
    if kind === PredicateKind.not {
      for target in targets where isDenied && isDecisive {
        guard let hint = inner[0].partHint(in: target) else { continue }
        return Doubt(
          "a part of what is denied is there", expected: expectation(self, of: target.kind), actual: rendered(target),
          hint: hint)
      }
    } else {
      guard kind.goesThroughItems else { return nil }
      if kind.quantity == "no", isDenied, isDecisive {
        for target in targets {
          guard let hint = inner[0].wordsHint(in: target) else { continue }
          return Doubt(
            "it is there in another form", expected: expectation(self, of: target.kind), actual: rendered(target),
            hint: hint)
        }
      }
      items = targets.flatMap { target -> [MatchTarget] in
        if case .lines(let lines, _) = target { return lines.map { MatchTarget(.lines([$0])) } }
        return target.items?.prefix(Predicate.itemLimit).map { .single($0) } ?? []
      }
      // One item that holds is enough for `any`, and one that doesn't for the negation of `every`.
      isDecisive = isDecisive && isDenied == (kind.quantity != "every")
    }
    return inner.lazy.compactMap { $0.doubt(in: items, isDenied: isDenied, isDecisive: isDecisive) }.first
  }

  private func misspelling(in targets: [MatchTarget], isDenied: Bool) -> String? {
    guard let shape = comparison, shape.use == .includes else { return nil }
    return shape.shape.misspelling(in: targets.map(\.value), isDenied: isDenied)
  }

  /// The expected value, and its use; nil for predicates that don't compare.
  var comparison: (use: ShapedPredicate.Use, shape: Shape)? {
    switch (operand, kind.operand) {
    case (.shape(let shaped), _): (shaped.use, shaped.shape)
    case (.values(let values), _): (.oneOf, .value(.list(values)))
    case (.value(let value), .anyValue): (.equals, .value(value))
    case (.value(let value), .part): (.contains, .value(value))
    case (.value(let value), .members): (.includes, .value(value))
    default: nil
    }
  }
}

extension Shape {
  /// The number of members without a value that names are compared for.
  private static let absentLimit = 32

  /// The existing name that a member of `includes` certainly misspells, so that it is never looked at.
  ///
  /// - Parameters:
  ///   - values: the values that the shape is compared with.
  ///   - isDenied: whether it should not hold: then each member counts, not only an optional one.
  fileprivate func misspelling(in values: [Value], isDenied: Bool) -> String? {
    switch expanded {
    case .object(let members):
      let groups = values.compactMap { if case .mapping(let mapping) = $0 { mapping.grouped } else { nil } }
      guard !groups.isEmpty else { return nil }
      let names = Set(groups.flatMap(\.keys))
      let absent = members.filter { !names.contains($0.key) && (isDenied || ShapeMatcher.mayBeAbsent($0)) }
      if !absent.isEmpty {
        let others = names.subtracting(members.map(\.key)).map(\.string).sorted()
        let found = absent.prefix(Shape.absentLimit).lazy.compactMap { misspelt($0.key.string, among: others) }.first
        if let found { return found }
        let columns = absent.prefix(Shape.absentLimit).lazy.compactMap {
          unsplitColumns(with: $0.key.string, among: others)
        }
        if let joined = columns.first { return joined }
        // A text that another member has, whose name is similar.
        for member in absent where isDenied {
          guard case .value(.text(let text)) = member.shape, text.string.utf8.count > 2 else { continue }
          let names = values.lazy.flatMap { value -> [String] in
            guard case .mapping(let mapping) = value else { return [] }
            return mapping.members.filter { isEqual(.text(text), $0.value) }.map(\.key.string)
          }
          if let near = similarName(to: member.key.string, among: names) { return near }
        }
        if isDenied, let place = absent.lazy.compactMap({ inner($0, in: values) }).first { return place }
      }
      return members.lazy.compactMap { member in
        member.shape.misspelling(in: groups.compactMap { $0[member.key]?.last }, isDenied: isDenied)
      }.first
    case .each(let item):
      let first = values.compactMap { value in
        if case .list(let items) = value { items.first } else { nil }
      }
      return item.misspelling(in: first, isDenied: isDenied)
    default: return nil
    }
  }

  /// The path of a text of a member that is not in a mapping itself, but in one of its members.
  private func inner(_ member: Member, in values: [Value]) -> String? {
    guard case .value(.text(let text)) = member.shape, text.string.utf8.count > 2 else { return nil }
    for case .mapping(let mapping) in values {
      let outer = mapping.members.first { outer in
        guard case .mapping(let inner) = outer.value, let value = inner[member.key.string] else { return false }
        return isEqual(.text(text), value)
      }
      if let outer { return "\(outer.key.string): {\(member.key.string): …}" }
    }
    return nil
  }
}
