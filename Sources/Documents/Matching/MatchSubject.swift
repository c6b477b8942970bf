import Values

/// A value that is created only if a predicate needs it, such as a node of a parsed JSON body.
package protocol LazyValue: Sendable {
  var kind: ValueKind { get }
  /// The number of items of a list, members of a mapping, bytes of data; nil for anything else, or if it is unknown.
  var count: Int? { get }
  /// The value, created again each time.
  var value: Value { get }
  /// The part of the value that a line shows: containers may have fewer items and members than ``count``.
  var beginning: Value { get }
  /// The items of a list, if they can be created separately.
  var items: (any LazyList)? { get }
  /// Notes that a created value was released.
  func release()
  /// Indicates whether it can only be text, so that a number compared with it means the number in the text.
  var isUntypedText: Bool { get }
  /// The place in the document, as a JSONPath; nil if there is none.
  var location: String? { get }
}

extension LazyValue {
  package var isUntypedText: Bool { false }
  package var location: String? { nil }
  package var beginning: Value { value }
  package var items: (any LazyList)? { nil }
  package func release() {}
}

/// Values that are created one by one.
package protocol LazyList: Sendable {
  var count: Int { get }
  subscript(index: Int) -> any LazyValue { get }
  /// All of them, like ``LazyValue/value``.
  var value: Value { get }
  var beginning: Value { get }
  func release()
}

/// A list of existing values.
package struct EagerList: LazyList {
  private let values: [any LazyValue]

  package init(_ values: [any LazyValue]) { self.values = values }

  package var count: Int { values.count }
  package subscript(index: Int) -> any LazyValue { values[index] }
  package var value: Value { .list(values.map(\.value)) }
  package var beginning: Value { value }
  package func release() {}
}

/// A header's line, a cookie's value and the like.
package struct UntypedText: LazyValue {
  private let text: Text

  package init(_ text: Text) { self.text = text }

  package var kind: ValueKind { .text }
  package var count: Int? { nil }
  package var value: Value { .text(text) }
  package var isUntypedText: Bool { true }
}

/// The subject of predicates.
package enum MatchSubject: Sendable {
  case missing
  case value(Value)
  case lazy(any LazyValue)
  /// The result of a query that isn't singular: always a list, whatever the data.
  case list(any LazyList)
  /// A header: its value is the lines joined by `, `; `count`, `every`, `any`, `none` and `unique` apply to the lines.
  case lines([Text])

  /// Indicates whether there is nothing that predicates could be about.
  package var isAbsent: Bool {
    switch self {
    case .missing: true
    case .list(let items): items.count == 0
    case .value, .lazy, .lines: false
    }
  }
}

/// An existing value, as an item of ``MatchSubject/list(_:)``.
package struct ConcreteValue: LazyValue {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package var kind: ValueKind { value.kind }
  package var count: Int? { nil }
  package var items: (any LazyList)? {
    if case .list(let items) = value { ValueList(items) } else { nil }
  }
}

/// The items of an existing value.
struct ValueList: LazyList {
  private let values: [Value]

  init(_ values: [Value]) { self.values = values }

  var count: Int { values.count }
  subscript(index: Int) -> any LazyValue { ConcreteValue(values[index]) }
  var value: Value { .list(values) }
  var beginning: Value { value }
  func release() {}
}
