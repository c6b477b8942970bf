import Values

/// A subject during the evaluation.
enum MatchTarget {
  case missing
  case single(MatchItem)
  case list(MatchList)
  case lines([Text], joined: MatchItem)

  init(_ subject: MatchSubject) {
    switch subject {
    case .missing: self = .missing
    case .value(let value): self = .single(MatchItem(ConcreteValue(value)))
    case .lazy(let value): self = .single(MatchItem(value))
    case .list(let values): self = .list(MatchList(values, areFound: true))
    case .lines(let lines):
      self = lines.isEmpty ? .missing : .lines(lines, joined: MatchItem(UntypedText(joined(lines, by: ", "))))
    }
  }

  init(_ value: Value) { self.init(.value(value)) }

  /// The value as a whole; null for a missing one.
  var value: Value {
    switch self {
    case .missing: .null
    case .single(let item): item.value
    case .list(let items): items.value
    case .lines(_, let joined): joined.value
    }
  }

  /// The part of the value that a line shows, and the number of its items or members, if it has more.
  var beginning: (value: Value, count: Int?) {
    switch self {
    case .missing: (.null, nil)
    case .single(let item), .lines(_, let item): item.beginning
    case .list(let items): (items.beginning, items.count)
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

  /// The items for `every`, `any`, `none`, `unique` and `sorted`; nil for anything without items.
  var items: MatchList? {
    switch self {
    case .missing: nil
    case .single(let item): item.items
    case .list(let items): items
    case .lines(let lines, _): MatchList(EagerList(lines.map { UntypedText($0) }))
    }
  }

  /// The noun for an item, in the singular.
  var itemNoun: String {
    switch self {
    case .list: "value"
    case .lines: "line"
    default: "item"
    }
  }

  /// The number, or that in a text that can only be text.
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

/// A list of values; a created one is released with its ``MatchItem``.
final class MatchList: RandomAccessCollection {
  private let source: any LazyList
  /// Indicates whether a query that isn't singular selected them.
  let areFound: Bool
  private var made: Value?
  let startIndex = 0
  let endIndex: Int

  init(_ source: any LazyList, areFound: Bool = false) {
    self.source = source
    self.areFound = areFound
    endIndex = source.count
  }

  deinit {
    if made != nil { source.release() }
  }

  subscript(index: Int) -> MatchItem { MatchItem(source[index], isFound: areFound) }

  /// All of them.
  var value: Value {
    if let made { return made }
    let value = source.value
    made = value
    return value
  }

  /// The part of all values that a line shows.
  var beginning: Value { made ?? source.beginning }
}

/// A value that is created once, on demand.
final class MatchItem {
  private let source: any LazyValue
  private var made: Value?
  private(set) lazy var items: MatchList? = {
    guard kind == .list else { return nil }
    if let items = source.items { return MatchList(items) }
    if case .list(let items) = value { return MatchList(ValueList(items)) }
    return nil
  }()

  var value: Value {
    if let made { return made }
    let value = source.value
    made = value
    return value
  }

  /// The same as ``MatchTarget/beginning``.
  var beginning: (value: Value, count: Int?) { (made ?? source.beginning, source.count) }

  /// Indicates whether a query that isn't singular selected it.
  let isFound: Bool

  init(_ source: any LazyValue, isFound: Bool = false) {
    self.source = source
    self.isFound = isFound
  }

  deinit {
    if made != nil { source.release() }
  }

  /// The place in the document; nil if it is unknown.
  var location: String? { source.location }
  var kind: ValueKind { source.kind }

  /// The same as ``MatchTarget/number``.
  var number: Number? {
    guard kind == .number || source.isUntypedText else { return nil }
    switch value {
    case .number(let number): return number
    case .text(let text):
      return Number(parsing: String(text.string.trimming(while: \.isWhitespace)), isSecret: text.isSecret)
    default: return nil
    }
  }

  /// The size of the value with its noun; nil for a value without parts.
  var size: (count: Int, noun: String)? {
    let noun: String
    switch kind {
    case .list: noun = "item"
    case .mapping: noun = "member"
    case .data: noun = "byte"
    case .text: noun = "character"
    case .null, .boolean, .number, .date: return nil
    }
    if kind != .text, let count = source.count { return (count, noun) }
    switch value {
    case .list(let items): return (items.count, noun)
    case .mapping(let mapping): return (mapping.count, noun)
    case .text(let text): return (text.string.unicodeScalars.count, noun)
    case .data(let data): return (data.bytes.count, noun)
    default: return nil
    }
  }
}
