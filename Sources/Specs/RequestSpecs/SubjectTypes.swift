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
  /// Only the response tells.
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

  /// How operands beside such a value are read.
  var unit: OperandUnit {
    switch self {
    case .duration: .duration
    case .text, .lines, .texts: .text
    case .number, .date, .boolean, .list, .unknown: .plain
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
  /// Reports predicates that could never be applied to what a subject is.
  mutating func checkPredicates(_ node: YAMLNode, of subject: String, _ type: SubjectType) -> Bool {
    // Of the kinds that stand for values only `!is` takes predicates.
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
