import Diagnostics
import MarkupQueries
import Matching
import YAMLNodes

/// The static type of an assertion's subject, if the format determines it.
enum SubjectType {
  case number, duration, date, boolean, text
  /// The lines of a header, which are also one text.
  case lines
  case list
  /// The names of a certificate, the nodes of an XPath.
  case texts
  /// A type that only the response determines.
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

  /// The unit of operands for such a value.
  var unit: OperandUnit {
    switch self {
    case .duration: .duration
    case .text, .lines, .texts: .text
    case .number, .date, .boolean, .list, .unknown: .plain
    }
  }

  /// The type of the items for `every`, `any` and `none`.
  var item: SubjectType {
    switch self {
    case .lines, .texts: .text
    default: .unknown
    }
  }

  /// Returns whether the predicate applies to such values.
  func takes(_ predicate: PredicateKind) -> Bool {
    let valueClass: PredicateSubjects.ValueClass? =
      switch self {
      case .number, .duration: .number
      case .date: .date
      case .boolean: .boolean
      case .text: .text
      case .lines: .lines
      case .list, .texts: .list
      case .unknown: nil
      }
    return valueClass.map(predicate.subjects.contain) ?? true
  }
}

extension SpecReader {
  /// Reports predicates that never apply to the type of a subject.
  mutating func checkPredicates(_ node: YAMLNode, of subject: String, _ type: SubjectType) -> Bool {
    // Among the tags, only `!is` has predicates.
    guard node.localTag == nil || node.localTag?.name == "is", let members = node.members else { return true }
    var isGood = true
    for member in members {
      guard let kind = PredicateKind.named(member.key) else { continue }
      guard type.takes(kind) else {
        bag.error(
          "`\(kind.name)` is for \(kind.subjects.phrase), and \(subject) is \(type.phrase)", at: member.keyRange,
          notes: useNote(member.value))
        isGood = false
        continue
      }
      switch kind.operand {
      case .predicates: isGood = checkPredicates(member.value, of: subject, type) && isGood
      case .items:
        let item = "\(type == .lines ? "a line" : "an item") of \(subject)"
        isGood = checkPredicates(member.value, of: item, type.item) && isGood
      case .count: isGood = checkPredicates(member.value, of: "a count", .number) && isGood
      default: break
      }
    }
    return isGood
  }
}
