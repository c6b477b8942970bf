import DocumentQueries
import Matching
import Values
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
    return checkPredicates(members, of: subject, type)
  }

  mutating func checkPredicates(_ members: [YAMLMember], of subject: String, _ type: SubjectType) -> Bool {
    var isGood = true
    for member in members {
      guard let kind = PredicateKind.named(member.key) else {
        for item in isConjunction(member) ? member.value.items ?? [] : [] {
          isGood = checkPredicates(item, of: subject, type) && isGood
        }
        continue
      }
      guard type.takes(kind) else {
        bag.error(
          .mismatchedPredicate, "`\(kind.name)` is for \(kind.subjects.phrase), and \(subject) is \(type.phrase)",
          at: member.keyRange, notes: useNote(member.value))
        isGood = false
        continue
      }
      switch kind.operand {
      case .predicates: isGood = checkPredicates(member.value, of: subject, type) && isGood
      case .items:
        let item = "\(type == .lines ? "a line" : "an item") of \(subject)"
        isGood = checkPredicates(member.value, of: item, type.item) && isGood
      case .part, .members:
        if type == .text || type == .lines { isGood = checkParts(kind, member.value, of: subject) && isGood }
      case .count: isGood = checkPredicates(member.value, of: "a count", .number) && isGood
      default: break
      }
    }
    return isGood
  }
  /// Reports an operand of `contains` or `includes` that no text can have.
  private mutating func checkParts(_ kind: PredicateKind, _ node: YAMLNode, of subject: String) -> Bool {
    guard node.localTag == nil, !node.hasError else { return true }
    if kind.operand == .members {
      guard node.members != nil else { return true }
      report(
        .mismatchedPredicate, "\(subject) is text, which has no members to include", at: node,
        help: "write a list of parts of the text, or `json: {$: {\(kind.name): …}}` for a body that is JSON")
      return false
    }
    guard node.scalar == nil else { return true }
    let parts = node.items?.map { $0.range.text } ?? []
    let list = "[\(parts.joined(separator: ", "))]"
    let isShort = !parts.isEmpty && list.utf8.count <= 80 && !list.contains(where: \.isNewline)
    let each =
      kind.isNegation ? "all: [{\(kind.name): …}, {\(kind.name): …}]" : "includes: \(isShort ? list : "[…, …]")"
    report(
      .mismatchedPredicate, "\(subject) is text, and `\(kind.name)` takes one part of it, found \(node.kindPhrase)",
      at: node, help: "write `\(each)` for several parts")
    return false
  }
}
