import OperatingSystem
import Values

/// Returns whether two values are equal.
///
/// Numbers compare by exact value, members in any order; a date equals a text of the same instant, data equal their
/// text. Nothing else is equal across types.
func isEqual(_ left: Value, _ right: Value) -> Bool {
  switch (left, right) {
  case (.list(let a), .list(let b)):
    a.count == b.count && !EvaluationBudget.meter.isOver(after: a.count) && zip(a, b).allSatisfy { isEqual($0, $1) }
  case (.mapping(let a), .mapping(let b)): isEqual(a, b)
  case (.date(let date), .text(let text)), (.text(let text), .date(let date)): instant(text) == date
  case (.data(let data), .text(let text)), (.text(let text), .data(let data)): isEqual(data, text)
  default: left == right
  }
}

/// The same for an actual value whose items are created one at a time.
func isEqual(_ operand: Value, _ target: MatchTarget) -> Bool {
  guard canBeEqual(operand.kind, target.kind) else { return false }
  if case .list(let wanted) = operand, let items = target.items {
    return wanted.count == items.count && zip(wanted, items).allSatisfy { isEqual($0, .single($1)) }
  }
  if case .mapping(let wanted) = operand, case .single(let item) = target, let size = item.size {
    return wanted.count == size.count && isEqual(operand, item.value)
  }
  return isEqual(operand, target.value)
}

/// Returns whether values of these types can be equal at all.
func canBeEqual(_ left: ValueKind, _ right: ValueKind) -> Bool {
  if left == right { return true }
  let kinds: Set = [left, right]
  return kinds == [.text, .date] || kinds == [.text, .data]
}

private func isEqual(_ left: Mapping, _ right: Mapping) -> Bool {
  guard left.count == right.count, !EvaluationBudget.meter.isOver(after: left.count) else { return false }
  if zip(left.members, right.members).allSatisfy({ $0.key == $1.key }) {
    return zip(left.members, right.members).allSatisfy { isEqual($0.value, $1.value) }
  }
  let names = left.grouped
  let others = right.grouped
  return names.count == others.count
    && names.allSatisfy { key, values in
      guard let found = others[key], found.count == values.count else { return false }
      return zip(values, found).allSatisfy { isEqual($0, $1) }
    }
}

private func isEqual(_ data: Bytes, _ text: Text) -> Bool {
  switch data.textForm {
  case .hex: hexEncoded(data.bytes) == text.string.lowercased()
  case .base64: base64Encoded(data.bytes) == text.string
  }
}

/// A value as the key of a dictionary: mappings hash by all their members, not by their names alone.
struct StructuralKey: Hashable {
  let value: Value

  static func == (left: StructuralKey, right: StructuralKey) -> Bool { isEqual(left.value, right.value) }

  func hash(into hasher: inout Hasher) { hasher.combine(StructuralKey.digest(value)) }

  /// A hash; equal values have equal ones.
  static func digest(_ value: Value) -> Int {
    var hasher = Hasher()
    switch value {
    case .list(let items):
      hasher.combine(items.count)
      for item in items { hasher.combine(digest(item)) }
    case .mapping(let mapping):
      var sum = 0
      for member in mapping.members {
        var memberHasher = Hasher()
        memberHasher.combine(member.key)
        memberHasher.combine(digest(member.value))
        sum &+= memberHasher.finalize()
      }
      hasher.combine(sum)
    // Values that may be equal across types have the same hash.
    case .text, .date, .data: hasher.combine(crossTypeDigest(value))
    default: hasher.combine(value)
    }
    return hasher.finalize()
  }

  /// A date and its texts, data and their text.
  private static func crossTypeDigest(_ value: Value) -> Int {
    var hasher = Hasher()
    switch value {
    case .date(let date): hasher.combine(date)
    case .data(let data): hasher.combine(Value.data(data).asText.string.lowercased())
    case .text(let text):
      if let date = instant(text) { hasher.combine(date) } else { hasher.combine(text.string.lowercased()) }
    default: break
    }
    return hasher.finalize()
  }
}
