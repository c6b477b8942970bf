import OperatingSystem
import Values

/// Numbers values so that two have the same number if they are equal regardless of the order of their lists.
///
/// A value with dates or data inside has none: these also equal texts, which need not equal each other.
struct CanonicalForms {
  private enum Form: Hashable {
    case scalar(Value)
    case list([Int])
    case mapping([Member])
  }

  private struct Member: Hashable {
    let key: Text
    let value: Int
  }

  private var numbers: [Form: Int] = [:]
  private let meter = EvaluationBudget.meter

  mutating func number(of value: Value) -> Int? {
    if meter.isOver(after: 4) { return nil }
    let form: Form
    switch value {
    case .date, .data: return nil
    case .null, .bool, .number, .text: form = .scalar(value)
    case .list(let items):
      var parts: [Int] = []
      parts.reserveCapacity(items.count)
      for item in items {
        guard let part = number(of: item) else { return nil }
        parts.append(part)
      }
      form = .list(parts.sorted())
    case .mapping(let mapping):
      var members: [Member] = []
      members.reserveCapacity(mapping.count)
      for member in mapping.members {
        guard let value = number(of: member.value) else { return nil }
        members.append(Member(key: member.key, value: value))
      }
      form = .mapping(
        members.sorted {
          $0.key == $1.key ? $0.value < $1.value : $0.key.string.utf8.lexicographicallyPrecedes($1.key.string.utf8)
        })
    }
    if let number = numbers[form] { return number }
    numbers[form] = numbers.count
    return numbers.count - 1
  }
}
