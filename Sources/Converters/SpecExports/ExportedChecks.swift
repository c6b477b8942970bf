import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import Values

/// A part of a response, in the words that other tools have, too.
enum ExportedSubject: Sendable, Hashable {
  case status, url, body, bytes, sha256, md5, duration, httpVersion, redirectCount
  case header(String)
  case cookie(String, CookieAttribute)
  case json(String)
  case xpath(String)
}

/// A step from a subject's value to another.
enum ExportedFilter: Sendable, Hashable {
  case regex(String)
  case integer, number, first
}

enum ExportedComparison: String, Sendable, Hashable {
  case equal = "=="
  case notEqual = "!="
  case above = ">"
  case least = ">="
  case below = "<"
  case most = "<="
}

/// An expectation of one value.
enum ExportedPredicate: Sendable, Hashable {
  case compares(ExportedComparison, Value)
  case contains(Value, isNegated: Bool)
  case startsWith(String)
  case endsWith(String)
  case matches(String, isNegated: Bool)
  case exists(Bool)
  case isKind(MatchKind, isNegated: Bool)
  case counts(ExportedComparison, Value)
  case oneOf([Value])
}

struct ExportedCheck: Sendable, Hashable {
  let subject: ExportedSubject
  var filters: [ExportedFilter] = []
  let predicate: ExportedPredicate
  /// The assertion's name, such as `json $.id`.
  let label: String
}

struct ExportedCapture: Sendable {
  enum Source: Sendable {
    case subject(ExportedSubject, [ExportedFilter])
    /// A text, in which words stand.
    case value(String)
  }

  let name: String
  let source: Source
  let label: String
  let standard: String?
}

/// The captures and expectations of a request, and its poll, in words that other tools have, too.
struct ExportedChecks: Sendable {
  struct Condition: Sendable {
    let status: StatusSet?
    let checks: [ExportedCheck]
    /// Indicates whether no part of it is missing.
    let isWhole: Bool
  }

  /// Nil for any status.
  var status: StatusSet?
  var captures: [ExportedCapture] = []
  var checks: [ExportedCheck] = []
  /// The condition of `poll.until`, if there is one.
  var until: Condition?
  /// Indicates whether the exchange must fail.
  var expectsFailure = false
  /// The reasons why parts are missing.
  var missing: [String] = []
  /// The checks of what a used file gives under other names.
  mutating func add(_ names: [(name: String, capture: String)], _ words: ExportWords) {
    let own = Set(captures.map(\.name))
    for (name, capture) in names where name != capture && own.contains(capture) {
      captures.append(
        ExportedCapture(
          name: name, source: .value(words.wordForValue(.capture(capture))), label: "capture \(capture)",
          standard: nil))
    }
  }

  /// Indicates whether the status is that of a redirect.
  var expectsRedirect: Bool { status?.ranges.contains { $0.lowerBound >= 300 && $0.upperBound <= 400 } ?? false }

  /// Those of the poll's condition, too.
  var allChecks: [ExportedCheck] { checks + (until?.checks ?? []) }

  /// The texts in which words may stand.
  var texts: [String] {
    func texts(_ value: Value) -> [String] {
      switch value {
      case .list(let items): items.flatMap(texts)
      case .mapping(let mapping): mapping.members.flatMap { [$0.key.string] + texts($0.value) }
      default: [value.asText.string]
      }
    }
    var result: [String] = []
    for check in allChecks {
      switch check.predicate {
      case .compares(_, let value), .contains(let value, _), .counts(_, let value): result += texts(value)
      case .startsWith(let text), .endsWith(let text), .matches(let text, _): result.append(text)
      case .oneOf(let values): result += values.flatMap(texts)
      case .exists, .isKind: break
      }
      switch check.subject {
      case .json(let text), .header(let text), .xpath(let text), .cookie(let text, _): result.append(text)
      default: break
      }
    }
    for case .value(let text) in captures.map(\.source) { result.append(text) }
    return result
  }
}

/// A part of a spec whose label begins with its key, such as `json $.id`.
protocol Labelled {
  var label: String { get }
}

extension Labelled {
  var key: Substring { label.prefix { $0 != " " } }
}

extension Assertion: Labelled {}
extension CaptureSpec: Labelled {}
extension ExportedCheck: Labelled {}
extension ExportedCapture: Labelled {}

/// The last name of a path, such as that of an assertion.
func lastName(of label: String) -> String {
  label.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.last.map(String.init) ?? ""
}

extension RegularExpression {
  /// The pattern; nil for one with a secret, or a value that only a run knows.
  var writable: String? { !secrets.isEmpty || ExportWords.hasWord(pattern[...]) ? nil : pattern }
}
