package import Values

/// A value that is made only if a predicate needs it, such as a node of a parsed JSON body.
package protocol LazyValue: Sendable {
  var kind: ValueKind { get }
  /// Items of a list, members of a mapping, bytes of data; nil for anything else, or where it isn't known.
  var count: Int? { get }
  var value: Value { get }
  /// Whether it can be nothing but text, so that a number beside it means the number that it writes.
  var isTextByNature: Bool { get }
  /// Where it stands in the document, as a JSONPath; nil where there is none.
  var location: String? { get }
}

extension LazyValue {
  package var isTextByNature: Bool { false }
  package var location: String? { nil }
}

/// A header's line, a cookie's value and the like.
package struct TextByNature: LazyValue {
  private let text: Text

  package init(_ text: Text) { self.text = text }

  package var kind: ValueKind { .text }
  package var count: Int? { nil }
  package var value: Value { .text(text) }
  package var isTextByNature: Bool { true }
}

/// What is there, for predicates to be held against.
package enum MatchSubject: Sendable {
  case missing
  case value(Value)
  case lazy(any LazyValue)
  /// The result of a query that isn't singular: always a list, whatever the data.
  case list([any LazyValue])
  /// A header: its value is the lines joined by `, `; `count`, `every`, `any`, `none` and `unique` act on the lines.
  case lines([Text])
}

/// A value that is already there, as an item of ``MatchSubject/list(_:)``.
package struct EagerValue: LazyValue {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package var kind: ValueKind { value.kind }
  package var count: Int? { nil }
}
