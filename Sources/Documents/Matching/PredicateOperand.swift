/// The forms of operands, with their names in errors. Their reading is part of the specs.
package enum PredicateOperand: Sendable {
  case anyValue
  /// A number or a date.
  case comparable
  case number, date
  case bounds, distance
  /// A part of a value.
  case part
  /// Members or items, among others.
  case members
  case list
  case text, pattern, kind, flag, order
  /// A value or predicates, for items.
  case items
  /// A number or predicates on it.
  case count
  case predicates

  /// The description of the operand, as in `at_least takes a number or a date`.
  package var phrase: String {
    switch self {
    case .anyValue: "any value"
    case .comparable: "a number or a date"
    case .number: "a number"
    case .date: "a date, such as 2024-05-01T10:00:00Z"
    case .bounds: "a list of two numbers or two dates, the lower one first"
    case .distance: "a mapping of two numbers, `{value: …, within: …}`"
    case .part: "part of a text, an item of a list or a key of an object"
    case .members: "a mapping or a list"
    case .list: "a list of values"
    case .text: "text"
    case .pattern: "a regular expression"
    case .kind: "one of " + MatchKind.allCases.map(\.rawValue).joined(separator: ", ")
    case .flag: "true or false"
    case .order: "true, ascending or descending"
    case .items: "a value or a mapping of predicates"
    case .count: "a number or a mapping of predicates"
    case .predicates: "a mapping of predicates"
    }
  }

  /// An example of the operand for messages: `between: [low, high]`.
  package var example: String? {
    switch self {
    case .bounds: "[low, high]"
    case .distance: "{value: …, within: …}"
    case .predicates: "{…}"
    default: nil
    }
  }

  /// Indicates whether tags may replace values in it.
  package var takesShapes: Bool {
    switch self {
    case .anyValue, .part, .members, .list: true
    default: false
    }
  }
}

/// The values that a predicate suits, for errors that are known when a spec is read.
package struct PredicateSubjects: Sendable {
  /// The class of a subject's values, by its type.
  package enum ValueClass: Sendable {
    case number, date, boolean, text, list
    /// The lines of a header, which are also one text.
    case lines
  }

  package let phrase: String
  /// The classes; nil for all.
  private let classes: Set<ValueClass>?

  private init(_ phrase: String, _ classes: Set<ValueClass>?) {
    self.phrase = phrase
    self.classes = classes
  }

  package func contain(_ valueClass: ValueClass) -> Bool { classes?.contains(valueClass) ?? true }

  static let anything = PredicateSubjects("anything", nil)
  static let numbers = PredicateSubjects("numbers", [.number, .text, .lines])
  static let numbersAndDates = PredicateSubjects("numbers and dates", [.number, .date, .text, .lines])
  static let dates = PredicateSubjects("dates", [.date, .text, .lines])
  static let texts = PredicateSubjects("texts", [.text, .lines])
  static let containers = PredicateSubjects("texts, lists and objects", [.text, .lines, .list])
  static let lists = PredicateSubjects("lists", [.list])
  static let listsAndLines = PredicateSubjects("lists", [.list, .lines])
}
