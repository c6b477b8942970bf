import APIContracts
import DocumentQueries
import Matching
import Values

/// A JSON value that grows with what is expected of it.
indirect enum JSONSketch {
  /// Nothing is known but that it may be there.
  case open
  /// A value that was made; an expected one takes its place.
  case made(Value)
  case value(Value)
  case list([JSONSketch])
  case object([(name: String, sketch: JSONSketch)])

  var value: Value {
    switch self {
    case .open: .text(Text("text"))
    case .made(let value), .value(let value): value
    case .list(let items): .list(items.map(\.value))
    case .object(let members): .mapping(Mapping(members.map { ($0.name, $0.sketch.value) }))
    }
  }

  /// The value, unless nothing is known of it.
  var knownValue: Value? { if case .open = self { nil } else { value } }

  private static let itemLimit = 1_000

  /// Changes the part at a path, which comes into being with everything on the way to it.
  mutating func change(_ steps: ArraySlice<JSONPath.Step>, _ change: (inout JSONSketch) -> Void) {
    guard let step = steps.first else { return change(&self) }
    let rest = steps.dropFirst()
    switch (step, expanded) {
    case (.name(let name), .object(var members)):
      let place = members.firstIndex { $0.name == name } ?? members.count
      if place == members.count { members.append((name, .open)) }
      members[place].sketch.change(rest, change)
      self = .object(members)
    case (.name, .open), (.name, .made):
      self = .object([])
      self.change(steps, change)
    case (.index, .list(var items)), (.all, .list(var items)):
      var index = 0
      if case .index(let given) = step { index = given < 0 ? max(0, items.count + given) : given }
      guard index < JSONSketch.itemLimit else { return }
      while items.count <= index { items.append(.open) }
      items[index].change(rest, change)
      self = .list(items)
    case (.index, .open), (.all, .open), (.index, .made), (.all, .made):
      self = .list([])
      self.change(steps, change)
    default: break
    }
  }

  /// The same with the parts of a value as sketches.
  private var expanded: JSONSketch {
    switch self {
    case .value(.list(let items)): .list(items.map { .value($0) })
    case .value(.mapping(let mapping)): .object(mapping.members.map { ($0.key.string, .value($0.value)) })
    case .made(.list(let items)): .list(items.map { .made($0) })
    case .made(.mapping(let mapping)): .object(mapping.members.map { ($0.key.string, .made($0.value)) })
    default: self
    }
  }

  /// A value that meets what both are about; nil if they contradict each other.
  func merged(with other: JSONSketch) -> JSONSketch? {
    switch (expanded, other.expanded) {
    case (.open, let other): return other
    case (let own, .open): return own
    case (.made, let other): return other
    case (let own, .made): return own
    case (.value(let own), .value(let other)): return own == other ? .value(own) : nil
    case (.list(let own), .list(let other)):
      var items: [JSONSketch] = []
      for index in 0..<max(own.count, other.count) {
        let pair = (index < own.count ? own[index] : .open, index < other.count ? other[index] : .open)
        guard let item = pair.0.merged(with: pair.1) else { return nil }
        items.append(item)
      }
      return .list(items)
    case (.object(var own), .object(let other)):
      for member in other {
        guard let place = own.firstIndex(where: { $0.name == member.name }) else {
          own.append(member)
          continue
        }
        guard let sketch = own[place].sketch.merged(with: member.sketch) else { return nil }
        own[place].sketch = sketch
      }
      return .object(own)
    default: return nil
    }
  }

  // MARK: expectations

  /// Takes what a predicate expects; false if it can't.
  mutating func take(_ predicate: Predicate) -> Bool {
    let kind = predicate.kind
    switch predicate.operand {
    case .shape(let shaped):
      if !shaped.isNegated { take(shaped) }
      return true
    case _ where kind.isNegation: return true
    case .value(let value): return take(kind.name, value)
    case .values(let values):
      if let first = values.first { self = .value(first) }
    case .bounds(let low, _): self = .value(low)
    case .distance(let number, _): self = .value(.number(number))
    case .text(let text):
      let own = text.string
      if case .value(.text(let known)) = self {
        self = .value(.text(Text(kind.name == "starts_with" ? own + known.string : known.string + own)))
      } else {
        self = .value(.text(text))
      }
    case .pattern(let pattern):
      guard let text = PatternExample.text(matching: pattern.pattern) else { return false }
      self = .value(.text(Text(text)))
    case .kind(let kind): take(kind)
    case .flag(true): break
    case .flag(false): return true
    case .order: if case .open = self { self = .list([.open]) }
    case .predicates(let inner): return take(inner, of: kind)
    }
    return true
  }

  private mutating func take(_ name: String, _ value: Value) -> Bool {
    switch (name, value) {
    case ("contains", _):
      switch expanded {
      case .list(let items): self = .list(items + [.value(value)])
      case .value(.text(let known)): self = .value(.text(Text(known.string + value.asText.string)))
      case .open, .made: self = value.isText ? .value(value) : .list([.value(value)])
      default: return false
      }
    case ("includes", .mapping(let mapping)):
      for member in mapping.members {
        change([.name(member.key.string)]) { $0 = .value(member.value) }
      }
    case ("includes", .list(let items)): self = .list(items.map { .value($0) })
    case ("after", _), ("before", _): if case .open = self { self = .value(value) }
    case ("greater_than", .number(let number)): self = .value(moved(number, by: 1))
    case ("less_than", .number(let number)): self = .value(moved(number, by: -1))
    default: self = .value(value)
    }
    return true
  }

  private func moved(_ number: Number, by step: Int) -> Value {
    if let integer = number.int, case let (sum, overflow) = integer.addingReportingOverflow(step), !overflow {
      return .integer(sum)
    }
    return Double(number.lexeme).map { .number(Number(lexeme: "\($0 + Double(step))")) } ?? .number(number)
  }

  private mutating func take(_ inner: [Predicate], of kind: PredicateKind) -> Bool {
    if kind === PredicateKind.count {
      var count = JSONSketch.open
      for predicate in inner { _ = count.take(predicate) }
      guard case .number(let number) = count.value, let wanted = number.int, (0...JSONSketch.itemLimit).contains(wanted)
      else { return false }
      var items: [JSONSketch] = []
      if case .list(let known) = expanded { items = known }
      while items.count < wanted { items.append(items.first ?? .open) }
      self = .list(Array(items.prefix(wanted)))
      return true
    }
    // `every`, `any` and the like are about items.
    var isTaken = true
    change([.index(0)]) { item in
      for predicate in inner { isTaken = item.take(predicate) && isTaken }
    }
    return isTaken
  }

  private mutating func take(_ kind: MatchKind) {
    if case .made(let value) = self, value.isOf(kind) { return }
    switch self {
    case .open, .made: break
    case .value, .list, .object: return
    }
    switch kind {
    case .array: self = .list([])
    case .object: self = .object([])
    default: self = .made(JSONSketch.example(kind))
    }
  }

  private static func example(_ kind: MatchKind) -> Value {
    let text: String
    switch kind {
    case .integer: return .integer(1)
    case .number: return .number(Number(lexeme: "1.5"))
    case .boolean: return .bool(true)
    case .array: return .list([])
    case .object: return .mapping(Mapping())
    case .null: return .null
    case .string: text = "text"
    case .empty: text = ""
    case .uuid: text = "3fa85f64-5717-4562-b3fc-2c963f66afa6"
    case .date: text = "2026-01-31"
    case .datetime: text = "2026-01-31T12:00:00Z"
    case .email: text = "ann@example.com"
    case .url: text = "https://example.com/"
    case .ipv4: text = "192.0.2.1"
    case .ipv6: text = "2001:db8::1"
    case .base64: text = "aGVsbG8="
    case .json: text = "{}"
    }
    return .text(Text(text))
  }

  // MARK: shapes

  private mutating func take(_ shaped: ShapedPredicate) {
    switch (shaped.use, shaped.shape) {
    case (.oneOf, .list(let shapes)): if let first = shapes.first { take(first) }
    case (.contains, let shape): change([.index(0)]) { $0.take(shape) }
    case (_, let shape): take(shape)
    }
  }

  private mutating func take(_ shape: Shape) {
    switch shape {
    case .value(let value): self = .value(value)
    case .anything: break
    case .kind(let kind): take(kind)
    case .pattern(let pattern):
      if let text = PatternExample.text(matching: pattern.pattern) { self = .value(.text(Text(text))) }
    case .each(let item): change([.index(0)]) { $0.take(item) }
    case .predicates(let inner): for predicate in inner { _ = take(predicate) }
    case .list(let items):
      for (index, item) in items.prefix(JSONSketch.itemLimit).enumerated() { change([.index(index)]) { $0.take(item) } }
    case .object(let members):
      change([]) { if case .object = $0.expanded { $0 = $0.expanded } else { $0 = .object([]) } }
      for member in members where !member.isOptional { change([.name(member.key.string)]) { $0.take(member.shape) } }
    }
  }
}

extension Value {
  /// Returns whether it is of a type that a kind is of.
  fileprivate func isOf(_ kind: MatchKind) -> Bool {
    switch (self, kind) {
    case (.number(let number), .integer): number.isInteger
    case (.number, .number), (.bool, .boolean), (.null, .null), (.list, .array), (.mapping, .object): true
    case (.text, .string): true
    default: false
    }
  }

  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
