import Values

/// Texts that are numbers, or `true` and `false`, compared with values of these types: the two are never equal.
extension Predicate {
  /// The doubt about what is denied, since it could not be there in any case.
  func kindDoubt(in targets: [MatchTarget], isDenied: Bool) -> Doubt? {
    let isDenied = isDenied != kind.isNegation
    if case .predicates(let inner) = operand {
      let items =
        kind.goesThroughItems
        ? targets.flatMap { $0.items?.prefix(Predicate.itemLimit).map { .single($0) } ?? [] } : targets
      return inner.lazy.compactMap { $0.kindDoubt(in: items, isDenied: isDenied) }.first
    }
    guard isDenied, let (use, shape) = comparison, let target = targets.first else { return nil }
    var values = targets.map(\.value)
    if use == .contains, target.kind == .list {
      values = targets.flatMap { $0.items?.prefix(Predicate.itemLimit).map(\.value) ?? [] }
    }
    let choices = if use == .oneOf, case .list(let choices) = shape.expanded { choices } else { [shape] }
    guard let first = choices.first, let (text, value) = values.first.flatMap({ first.unequal(to: $0) }),
      choices.allSatisfy({ choice in values.allSatisfy { choice.unequal(to: $0) != nil } })
    else { return nil }
    let isNumber = value.kind == .number
    return Doubt(
      "a text never equals \(isNumber ? "a number" : "a boolean")", expected: typed(.text(text)), actual: typed(value),
      hint: "headers, environment variables and CSV have texts: write "
        + (isNumber ? "`| to_number`, or `as: number`" : "`== 'true'`, or `as: boolean`") + " where it is captured")
  }
}

extension Shape {
  /// A text and the value that it is never equal to; nil if it might be, or is of another kind altogether.
  fileprivate func unequal(to value: Value) -> (text: Text, value: Value)? {
    switch (expanded, value) {
    case (.value(.text(let text)), .number) where text.secretRanges.isEmpty && Number(parsing: text.string) != nil,
      (.value(.text(let text)), .bool) where ["true", "false"].contains(text.string) && text.secretRanges.isEmpty:
      return (text, value)
    case (.object(let members), .mapping(let mapping)):
      return members.lazy.compactMap { member in mapping.last(member.key).flatMap { member.shape.unequal(to: $0) } }
        .first
    default: return nil
    }
  }
}
