package import Values

/// A value that is made only if a predicate needs it, such as a node of a parsed JSON body.
package protocol LazyValue: Sendable {
  var kind: ValueKind { get }
  /// Items of a list, members of a mapping, bytes of data; nil for anything else, or where it isn't known.
  var count: Int? { get }
  /// Made anew each time.
  var value: Value { get }
  /// The value as far as a line shows it: containers may have fewer items and members than ``count``.
  var beginning: Value { get }
  /// The items of a list, where they need not be made with it.
  var items: (any LazyList)? { get }
  /// A value that was made is no longer there.
  func release()
  /// Whether it can be nothing but text, so that a number beside it means the number that it writes.
  var isUntypedText: Bool { get }
  /// Where it stands in the document, as a JSONPath; nil where there is none.
  var location: String? { get }
}

extension LazyValue {
  package var isUntypedText: Bool { false }
  package var location: String? { nil }
  package var beginning: Value { value }
  package var items: (any LazyList)? { nil }
  package func release() {}
}

/// Values in a row that are made one by one.
package protocol LazyList: Sendable {
  var count: Int { get }
  subscript(index: Int) -> any LazyValue { get }
  /// All of them, as ``LazyValue`` has it of one.
  var value: Value { get }
  var beginning: Value { get }
  func release()
}

/// Values that are already there.
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

/// What is there, for predicates to be checked against.
package enum MatchSubject: Sendable {
  case missing
  case value(Value)
  case lazy(any LazyValue)
  /// The result of a query that isn't singular: always a list, whatever the data.
  case list(any LazyList)
  /// A header: its value is the lines joined by `, `; `count`, `every`, `any`, `none` and `unique` act on the lines.
  case lines([Text])
}

/// A value that is already there, as an item of ``MatchSubject/list(_:)``.
package struct ConcreteValue: LazyValue {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package var kind: ValueKind { value.kind }
  package var count: Int? { nil }
  package var items: (any LazyList)? {
    if case .list(let items) = value { ValueList(items) } else { nil }
  }
}

/// The items of a value that is already there.
struct ValueList: LazyList {
  private let values: [Value]

  init(_ values: [Value]) { self.values = values }

  var count: Int { values.count }
  subscript(index: Int) -> any LazyValue { ConcreteValue(values[index]) }
  var value: Value { .list(values) }
  var beginning: Value { value }
  func release() {}
}
