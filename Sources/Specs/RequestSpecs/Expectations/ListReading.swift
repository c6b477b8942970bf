import DocumentQueries
import Matching
import Templates
import Values
import YAMLNodes

/// A list that is made of a response, with predicates on it and paths below it.
struct ListSubject: Sendable {
  let name: String
  /// The descriptions of the list, and of its use as the root of paths.
  let phrase: String
  let root: String
  let subject: @Sendable (JSONPathSpec) -> ResponseSubject
  /// The members that its items may have; nil if the response decides.
  private(set) var itemMembers: [String]?
  /// The correct form of a key that is neither a predicate nor a path; nil if it may be one.
  private let correctForm: @Sendable (_ key: String) -> String?

  static let events = ListSubject(
    name: "events", phrase: "the list of those that came", root: "the list of events",
    subject: { .events($0) }, itemMembers: eventMembers,
    correctForm: { key in
      let first = key.prefix { $0 != "." && $0 != "[" }
      guard eventMembers.contains(String(first)) else { return nil }
      return "write `\"[0].\(key)\"` for the first event, or `any: {includes: {\(first): …}}`"
    })

  static let calls = ListSubject(
    name: "calls", phrase: "the list of those that the mock received", root: "the list of calls",
    subject: { .calls($0) }, itemMembers: callMembers,
    correctForm: { key in
      let first = key.prefix { $0 != "." && $0 != "[" }
      guard callMembers.contains(String(first)) else { return nil }
      return "write `\"[0].\(key)\"` for the first call, or `any: {includes: {\(first): …}}`"
    })

  static let csv = ListSubject(
    name: "csv", phrase: "the list of rows", root: "the list of rows", subject: { .csv($0) },
    correctForm: { key in
      let words = PredicateKind.all.map(\.name) + CaptureKey.extraction.map(\.name) + ["unordered", "all"]
      guard !words.contains(key), PredicateKind.signed(key) == nil, suggestion(key, among: words) == nil else {
        return nil
      }
      let column = Template.isName(key) ? ".\(key)" : "['\(key)']"
      return "write `\"[0]\(column)\"` for the first row, or `any: {includes: {\(key): …}}`"
    })

  /// The correct form of a path without its brackets, or of a name without its path.
  func nearlyPath(_ key: String) -> String? {
    let first = key.prefix { $0 != "." && $0 != "[" }
    if Int(first) != nil || first == "*" { return "write `\"[\(first)]\(key.dropFirst(first.count))\"`" }
    return correctForm(key)
  }
}

/// The members of a call that a mock received.
package let callMembers = [
  "method", "path", "query", "headers", "json", "body", "operation", "status", "matched", "problems",
]

extension SpecReader {
  /// Predicates on a list, and paths below it.
  mutating func listAssertions(_ node: YAMLNode, of list: ListSubject, _ result: inout ExpectSettings) {
    if case .number(let count)? = node.scalar?.meaning, node.localTag == nil {
      report(.mismatchedPredicate, "`\(list.name)` is \(list.phrase)", at: node, help: "write {count: \(count)}")
      return
    }
    guard let members = node.localTag == nil ? node.members : nil else {
      checkWhole(list, node, &result)
      return
    }
    guard isUsable(node) else { return }
    let paths = members.filter { isListPath($0.key) }
    for member in paths {
      let label = "\(list.name) \(member.key)"
      if member.value.isNull {
        result.take(label, away: member.value)
      } else {
        guard let path = listPath(member.key, of: list, at: member.keyNode) else { continue }
        if path.compiled?.isSingular == false { warnOfSingleValue(member.value) }
        for name in path.compiled?.namesOfItems ?? [] {
          warnOfUnknownMember(name, at: member.keyRange, among: list.itemMembers)
        }
        check(list.subject(path), label, as: .unknown, member.value, &result)
      }
    }
    let predicates = members.filter { !isListPath($0.key) }
    guard !predicates.isEmpty || paths.isEmpty else { return }
    var isRead = true
    for member in predicates {
      guard let path = list.nearlyPath(member.key) else { continue }
      bag.error(
        .unknownPredicate, "`\(jsonEscaped(member.key))` is neither a predicate nor a path below \(list.root)",
        at: member.keyRange, help: path)
      isRead = false
    }
    guard isRead else { return }
    let own = paths.isEmpty ? node : YAMLNode(content: .mapping(predicates), range: node.range)
    checkWhole(list, own, &result)
  }

  private mutating func checkWhole(_ list: ListSubject, _ node: YAMLNode, _ result: inout ExpectSettings) {
    guard let path = jsonPath("$", at: node) else { return }
    warnOfUnknownMembers(node, among: list.itemMembers)
    check(list.subject(path), list.name, as: .list, node, &result)
  }

  /// Warns of names that no item of a list has, among the operands of predicates on it.
  mutating func warnOfUnknownMembers(_ node: YAMLNode, among known: [String]?) {
    guard known != nil, node.localTag == nil || node.localTag?.name == "is" else { return }
    for member in node.members ?? [] {
      switch PredicateKind.named(member.key)?.operand {
      case .items, .predicates: warnOfUnknownMembers(member.value, among: known)
      case .anyValue, .part, .members, .list:
        for item in member.value.items ?? [member.value] where item.localTag == nil {
          for inner in item.members ?? [] { warnOfUnknownMember(inner.key, at: inner.keyRange, among: known) }
        }
      default: break
      }
    }
  }

  private mutating func warnOfUnknownMember(_ name: String, at range: SourceRange, among known: [String]?) {
    // Evaluation suggests a name that is nearly right.
    guard let known, !known.contains(name), misspelt(name, among: known) == nil else { return }
    bag.warning(
      .alwaysFalse, "an item of this list never has the member `\(jsonEscaped(name))`", at: range,
      help: known.contains("json")
        ? "write `json.\(name)` for a member of its data" : "its members are \(listed(known, limit: 8))")
  }

  private func isListPath(_ key: String) -> Bool {
    key.hasPrefix("[") || key.hasPrefix(".") || key.hasPrefix("$")
  }

  /// The part of a list that a path below it takes, for a capture.
  mutating func listSource(
    _ node: YAMLNode, of list: ListSubject
  ) -> (subject: ResponseSubject, label: String)? {
    guard let text = plainText(node, as: list.name), let path = listPath(text, of: list, at: node) else { return nil }
    return (list.subject(path), "\(list.name) \(text)")
  }

  /// A path below a list, with an optional `$`.
  private mutating func listPath(_ text: String, of list: ListSubject, at node: YAMLNode) -> JSONPathSpec? {
    guard !text.hasPrefix("$") || text.hasPrefix("${{") else { return jsonPath(text, at: node) }
    guard !Template.isTemplate(text) else {
      return reject(.jsonpathSyntax, "a path with templates begins with `$` here", at: node, help: "write `$\(text)`")
    }
    do {
      return JSONPathSpec(text: "$" + text, range: node.range, compiled: try JSONPath("$" + text), template: nil)
    } catch {
      let range = max(0, error.range.lowerBound - 1)..<max(0, error.range.upperBound - 1)
      return reject(
        .jsonpathSyntax, "invalid JSONPath: \(error.message)", at: node.range(ofText: range),
        help: list.nearlyPath(text) ?? error.help)
    }
  }
}
