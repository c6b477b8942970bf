import Matching
import Values

/// The group of a pattern that is taken.
package enum PatternGroup: Sendable {
  /// The group's number; 0 is the whole match.
  case number(Int)
  case name(String)
  /// Several groups, as a mapping by their names.
  case names([String])
}

/// The part of a subject's value that is captured or compared: the match of a pattern, converted to another type.
package struct Extraction: Sendable {
  package enum Conversion: String, Sendable, CaseIterable {
    case integer, number, boolean, string, date, url, json, first

    /// The description of a value that can be converted.
    package var phrase: String {
      switch self {
      case .integer: "the text of an integer"
      case .number: "the text of a number"
      case .boolean: "true or false"
      case .string: "a text"
      case .date: "a date of RFC 3339 or HTTP"
      case .url: "a URL"
      case .json: "JSON text"
      case .first: "a list with an item"
      }
    }
  }

  package let regex: Field<PatternSpec>?
  /// The group of the pattern; nil is the first, or the whole match if there is none.
  package let group: PatternGroup?
  package let conversion: Conversion?

  /// The description beside a subject in messages, such as `/id=(\d+)/ as integer`.
  package var label: String {
    let pattern = regex.map { field in field.literal.map { "/\(Excerpt($0.pattern, limit: 60))/" } ?? "regex" }
    return [pattern, conversion.map { "as \($0.rawValue)" }].compactMap(\.self).joined(separator: " ")
  }

  /// Indicates whether the value can only be text, so that a number compared with it means the number in the text.
  package var yieldsText: Bool {
    switch conversion {
    case nil: if case .names = group { false } else { regex != nil }
    case .string, .url: true
    case .integer, .number, .boolean, .date, .json, .first: false
    }
  }

  /// The type of the value.
  func type(of subject: SubjectType) -> SubjectType {
    if yieldsText { return .text }
    return switch conversion {
    case .integer, .number: .number
    case .boolean: .boolean
    case .date: .date
    case .first where regex == nil: subject == .texts ? .text : subject == .list ? .unknown : subject
    case nil, .string, .url, .json, .first: .unknown
    }
  }
}

/// Predicates on what extractions take from a subject, one after the other.
package struct ExtractedPredicates: Sendable {
  package let extractions: [Extraction]
  package let predicates: [PredicateSpec]
}
