import HTTPSemantics
import Matching
import Values
import YAMLNodes

/// An assertion in the notation of other tools, `$.id == 1`, as a member of a mapping here.
struct ComparisonText {
  let subject: String
  let expectation: String

  init?(_ text: String) {
    var depth = 0
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if "[({".contains(character) {
        depth += 1
      } else if "])}".contains(character) {
        depth -= 1
      } else if character == " ", depth == 0 {
        guard let known = ComparisonText(before: text[..<index], after: text[index...]) else { return nil }
        self = known
        return
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// - Parameter rest: the operator and the operand, after a blank.
  private init?(before subject: Substring, after rest: Substring) {
    let parts = rest.split(separator: " ", maxSplits: 1)
    guard let sign = parts.first, !subject.isEmpty else { return nil }
    let operand = parts.count > 1 ? trimmingBlanks(parts[1]) : ""
    self.subject = String(subject)
    switch sign {
    case "exists" where operand.isEmpty: expectation = "{exists: true}"
    case "==", "=", "===", "equals", "eq", "is":
      guard let value = written(operand) else { return nil }
      expectation = value
    default:
      guard let kind = predicate(String(sign).lowercased()), let value = written(operand) else { return nil }
      expectation = "{\(kind.name): \(value)}"
    }
  }

  var member: String { "\(subject): \(expectation)" }
}

/// The predicate for an operator between a subject and an operand.
private func predicate(_ sign: String) -> PredicateKind? {
  if sign == "includes" { return .contains }
  let kind =
    PredicateKind.signed(sign) ?? PredicateKind.all.first { $0.name.filter { $0 != "_" } == sign.filter { $0 != "_" } }
  switch kind?.operand {
  case .anyValue, .comparable, .number, .part, .text, .pattern, .date: return kind
  default: return nil
  }
}

/// An operand in a form that is valid within `{ }`; nil if there is no simple one.
private func written(_ operand: String) -> String? {
  guard let first = operand.first, operand.utf8.count <= 80 else { return nil }
  if first == "'" || first == "\"" { return operand.count > 1 && operand.last == first ? operand : nil }
  return operand.contains { "{}[],:#&*!|>%@`'\"".contains($0) } ? nil : operand
}

extension SpecReader {
  /// Returns whether it is a list instead of a mapping: `- name: value`.
  func isListOfMembers(_ node: YAMLNode) -> Bool {
    guard let items = node.items, !items.isEmpty else { return false }
    return items.allSatisfy { $0.members?.count == 1 }
  }

  /// The members to write instead of assertions as texts, one or a list of them; nil if one is not understood.
  func membersInstead(of node: YAMLNode) -> [ComparisonText]? {
    let texts = (node.items ?? [node]).map(\.plainText)
    guard !texts.isEmpty, texts.count <= 5 else { return nil }
    let members = texts.compactMap { $0.flatMap { ComparisonText($0) } }
    return members.count == texts.count ? members : nil
  }

  /// The correct form of an `expect` that is a list or a text.
  func expectInstead(of node: YAMLNode) -> String? {
    if let items = node.items, items.contains(where: { $0.members != nil }) {
      return "write the keys without `- `: {status: …, json: {…}}"
    }
    guard let members = membersInstead(of: node) else { return nil }
    let inJSON = members.filter { $0.subject.hasPrefix("$") }
    var parts = members.filter { !$0.subject.hasPrefix("$") }.map(\.member)
    if !inJSON.isEmpty { parts.append("json: {\(inJSON.map(\.member).joined(separator: ", "))}") }
    return "{\(parts.joined(separator: ", "))}"
  }
}
