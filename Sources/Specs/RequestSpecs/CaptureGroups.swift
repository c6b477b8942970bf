import Diagnostics
import RegularExpressions
import Values
import YAMLNodes

extension SpecReader {
  /// `group`: a number, a name, or a list of names.
  mutating func captureGroup(_ node: YAMLNode) -> Located<CaptureGroup>? {
    if let items = node.items {
      let names = items.compactMap { constant($0, as: "group", .text)?.string }
      guard names.count == items.count else { return nil }
      if names.isEmpty {
        bag.error("no group is named here", at: node.range, notes: useNote(node), help: "leave the key out")
        return nil
      }
      return Located(.names(names), at: node.range)
    }
    return constant(node, as: "group", .captureGroup).map { Located($0, at: node.range) }
  }

  /// Checks that a group is used with a pattern, and that a literal pattern has it.
  mutating func checkGroup(_ group: Located<CaptureGroup>, of regex: Field<PatternSpec>?) {
    guard let regex else {
      bag.error("`group` belongs to a `regex`, and there is none", at: group.range, help: "add `regex: …`")
      return
    }
    if let pattern = regex.literal, let problem = pattern.problem(with: group.value) {
      bag.error(problem.message, at: group.range, help: problem.help)
    }
  }
}

extension ValueDecoder<CaptureGroup> {
  fileprivate static var captureGroup: ValueDecoder {
    ValueDecoder("the number or the name of a group, or a list of names", .any([.integer(0...Int.max), .someText])) {
      value throws(DecodingProblem) in
      switch value {
      case .number(let number): number.int.flatMap { $0 >= 0 ? .number($0) : nil }
      case .text(let text) where !text.isEmpty: .name(text.string)
      default: nil
      }
    }
  }
}

extension RegularExpression {
  /// The problem if the pattern has no such group; nil if it has.
  package func problem(with group: CaptureGroup) -> DecodingProblem? {
    switch group {
    case .number(let number):
      if number <= groupCount { return nil }
      let count = groupCount == 0 ? "no groups" : counted(groupCount, "group")
      return DecodingProblem(
        "the pattern has \(count), and no group \(number)",
        help: groupCount == 0 ? "put parentheses around the part to take" : nil)
    case .name(let name): return problem(withNames: [name])
    case .names(let names): return problem(withNames: names)
    }
  }

  private func problem(withNames names: [String]) -> DecodingProblem? {
    guard let unknown = names.first(where: { !groupNames.contains($0) }) else { return nil }
    let known = groupNames.joined(separator: ", ")
    return DecodingProblem(
      "the pattern has no group named `\(jsonEscaped(unknown))`",
      help: groupNames.isEmpty
        ? "a group gets its name so: (?<name>…)" : suggestion(unknown, among: groupNames) ?? "its groups are \(known)")
  }
}
