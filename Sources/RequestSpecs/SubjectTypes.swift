import Diagnostics
import MarkupQueries
import Matching
import YAMLNodes

/// What an assertion's subject always is, where the format tells.
enum SubjectType {
  case number, duration, date, boolean, text
  /// The lines of a header, which are also one text.
  case lines
  case list
  /// The names of a certificate, the nodes of an XPath.
  case texts
  /// Only the answer tells.
  case unknown

  var phrase: String {
    switch self {
    case .number: "a number"
    case .duration: "a duration"
    case .date: "a date"
    case .boolean: "true or false"
    case .text: "text"
    case .lines: "text"
    case .list: "a list"
    case .texts: "a list of texts"
    case .unknown: "any value"
    }
  }

  /// What `every`, `any` and `none` go through.
  var item: SubjectType {
    switch self {
    case .lines, .texts: .text
    default: .unknown
    }
  }

  /// Whether the predicate can hold, or fail to hold, of such a value; others can never be applied to it.
  func takes(_ predicate: PredicateName) -> Bool {
    if self == .unknown { return true }
    let isText = self == .text || self == .lines
    let isList = self == .list || self == .texts
    let isNumber = self == .number || self == .duration
    return switch predicate {
    case .equals, .notEquals, .oneOf, .isKind, .isNotKind, .exists, .not: true
    case .greaterThan, .atLeast, .lessThan, .atMost, .between: isNumber || isText || self == .date
    case .closeTo: isNumber || isText
    case .before, .after: isText || self == .date
    case .contains, .notContains, .count: isText || isList
    case .startsWith, .endsWith, .matches, .notMatches: isText
    case .every, .any, .none, .unique: isList || self == .lines
    case .includes, .sorted: isList
    }
  }
}

extension AssertionSubject {
  var type: SubjectType {
    switch self {
    case .status: .number
    case .duration, .timing, .certificate(.expiresIn), .cookie(_, .maxAge): .duration
    case .certificate(.starts), .certificate(.expires), .cookie(_, .expires): .date
    case .certificate(.keyBits): .number
    case .certificate(.names): .texts
    case .certificate(.chain), .redirects: .list
    case .cookie(_, .secure), .cookie(_, .httpOnly): .boolean
    case .header: .lines
    case .cookie, .certificate, .contentType, .body, .url, .address, .httpVersion, .cache: .text
    case .bytes(.sha256), .bytes(.md5): .text
    case .xpath(let spec):
      switch spec.type {
      case .nodeSet: .texts
      case .string: .text
      case .number: .number
      case .boolean: .boolean
      }
    case .json, .events, .bytes, .snapshot, .schema: .unknown
    }
  }
}

extension SpecReader {
  /// Reports predicates that could never be applied to what a subject is.
  mutating func checkPredicates(_ node: YAMLNode, of subject: String, _ type: SubjectType) -> Bool {
    // Of the kinds that stand for values only `!is` takes predicates.
    guard node.localTag == nil || node.localTag?.name == "is", let members = node.members else { return true }
    var isGood = true
    for member in members {
      guard let name = PredicateName(rawValue: member.key) else { continue }
      guard type.takes(name) else {
        bag.error(
          "`\(name.rawValue)` is for \(name.scope), and \(subject) is \(type.phrase)", at: member.keyRange,
          notes: useNote(member.value))
        isGood = false
        continue
      }
      switch name {
      case .not: isGood = checkPredicates(member.value, of: subject, type) && isGood
      case .every, .any, .none:
        let item = "\(type == .lines ? "a line" : "an item") of \(subject)"
        isGood = checkPredicates(member.value, of: item, type.item) && isGood
      case .count: isGood = checkPredicates(member.value, of: "a count", .number) && isGood
      default: break
      }
    }
    return isGood
  }
}

extension PredicateName {
  /// What the predicate can be applied to.
  fileprivate var scope: String {
    switch self {
    case .equals, .notEquals, .oneOf, .isKind, .isNotKind, .exists, .not: "anything"
    case .greaterThan, .atLeast, .lessThan, .atMost, .between: "numbers and dates"
    case .closeTo: "numbers"
    case .before, .after: "dates"
    case .contains, .notContains, .count: "texts, lists and objects"
    case .startsWith, .endsWith, .matches, .notMatches: "texts"
    case .includes: "lists and objects"
    case .every, .any, .none, .unique, .sorted: "lists"
    }
  }
}
