internal import Values

/// A subject as the evaluation goes through it.
enum MatchTarget {
  case missing
  case single(MatchItem)
  case list([MatchItem])
  case lines([Text], joined: MatchItem)

  init(_ subject: MatchSubject) {
    switch subject {
    case .missing: self = .missing
    case .value(let value): self = .single(MatchItem(EagerValue(value)))
    case .lazy(let value): self = .single(MatchItem(value))
    case .list(let values): self = .list(values.map { MatchItem($0, isFound: true) })
    case .lines(let lines):
      var joined = Text("")
      for (index, line) in lines.enumerated() {
        if index > 0 { joined.append(", ") }
        joined.append(line)
      }
      self = lines.isEmpty ? .missing : .lines(lines, joined: MatchItem(TextByNature(joined)))
    }
  }

  init(_ value: Value) { self.init(.value(value)) }

  /// The value as a whole; null for what is missing.
  var value: Value {
    switch self {
    case .missing: .null
    case .single(let item): item.value
    case .list(let items): .list(items.map(\.value))
    case .lines(_, let joined): joined.value
    }
  }

  var kind: ValueKind {
    switch self {
    case .missing: .null
    case .single(let item): item.kind
    case .list: .list
    case .lines: .text
    }
  }

  /// What `every`, `any`, `none`, `unique` and `sorted` go through; nil for what has no items.
  var items: [MatchItem]? {
    switch self {
    case .missing: nil
    case .single(let item): item.items
    case .list(let items): items
    case .lines(let lines, _): lines.map { MatchItem(TextByNature($0)) }
    }
  }

  /// What the items are called, in the singular.
  var itemNoun: String {
    switch self {
    case .list: "value"
    case .lines: "line"
    default: "item"
    }
  }

  /// The number that it is, or that it writes where it can be nothing but text.
  var number: Number? {
    switch self {
    case .missing, .list: nil
    case .single(let item), .lines(_, let item): item.number
    }
  }

  var isMissing: Bool {
    if case .missing = self { return true }
    return false
  }

  var isQueryResult: Bool {
    if case .list = self { return true }
    return false
  }
}

/// A value whose materialisation happens once, and late.
final class MatchItem {
  private let source: any LazyValue
  private(set) lazy var value: Value = source.value
  private(set) lazy var items: [MatchItem]? = {
    guard kind == .list, case .list(let items) = value else { return nil }
    return items.map { MatchItem(EagerValue($0)) }
  }()

  /// Whether a query that isn't singular found it.
  let isFound: Bool

  init(_ source: any LazyValue, isFound: Bool = false) {
    self.source = source
    self.isFound = isFound
  }

  /// Where it stands in the document; nil where that is not known.
  var location: String? { source.location }
  var kind: ValueKind { source.kind }

  /// As ``MatchTarget/number``.
  var number: Number? {
    guard kind == .number || source.isTextByNature else { return nil }
    switch value {
    case .number(let number): return number
    case .text(let text): return Number(parsing: String(trimmed(text.string[...])), isSecret: text.isSecret)
    default: return nil
    }
  }

  /// How much there is of the value and what it is called; nil for what has no parts.
  var size: (count: Int, noun: String)? {
    switch kind {
    case .list:
      if let count = source.count { return (count, "item") }
    case .mapping:
      if let count = source.count { return (count, "member") }
    case .data:
      if let count = source.count { return (count, "byte") }
    case .text: break
    case .null, .boolean, .number, .date: return nil
    }
    switch value {
    case .list(let items): return (items.count, "item")
    case .mapping(let mapping): return (mapping.count, "member")
    case .text(let text): return (text.string.unicodeScalars.count, "character")
    case .data(let data): return (data.bytes.count, "byte")
    default: return nil
    }
  }
}
