import Matching
import Templates
import Values
import YAMLNodes

/// The places of an expectation's parts, for failures to point at.
package struct ExpectedPlaces: Sendable {
  /// The place of the whole; for an alias, of its use.
  package let range: SourceRange
  /// The place of an alias's target.
  package let target: SourceRange?
  /// The places of several predicates; empty for a single one.
  private let predicates: [SourceRange]
  /// The size in bytes above which nodes are not kept: they take a multiple of their text.
  private static let longestOperand = 256 << 10
  /// The operands of predicates that span several lines.
  private let operands: [YAMLNode]

  init(_ node: YAMLNode) {
    range = node.place
    guard node.useSite == nil else {
      target = node.range
      predicates = []
      operands = []
      return
    }
    target = nil
    let bytes = node.range.bytes
    let isBare = node.scalar.map { $0.style == .plain && $0.text.utf8.count == bytes.count } ?? false
    let spansLines = !isBare && bytes.count <= ExpectedPlaces.longestOperand && node.range.spansLines
    guard node.members != nil else {
      predicates = []
      operands = spansLines ? [node] : []
      return
    }
    let all = predicateMembers(node)
    let members = all.count > 1 || spansLines ? all : []
    predicates = members.count > 1 ? members.map { $0.keyRange.through($0.value.range) } : []
    operands = spansLines ? members.map(\.value) : []
  }

  /// The place of a predicate, or of the part of its operand that a failure is about.
  ///
  /// - Parameters:
  ///   - line: the line of an expected text, counted from 1.
  ///   - paths: the differing paths in a structure, such as `.user.name` and `[2].id`.
  package func range(ofPredicate index: Int, line: Int?, paths: some Sequence<Substring>) -> SourceRange {
    let whole = predicates.indices.contains(index) ? predicates[index] : range
    guard operands.indices.contains(index) else { return whole }
    let operand = operands[index]
    if let scalar = operand.scalar {
      guard let line, scalar.style == .literal, !Template.isTemplate(scalar.text) else { return whole }
      return operand.range.line(after: line)
    }
    return paths.lazy.compactMap { operand.place(ofPath: $0) }.first ?? whole
  }
}

/// The predicates of a mapping, and then those of its `all`, in the order in which they are read.
private func predicateMembers(_ node: YAMLNode) -> [YAMLMember] {
  guard let members = node.members else { return [] }
  let own = members.filter { PredicateKind.named($0.key) != nil }
  let rest = members.filter(isConjunction).flatMap { ($0.value.items ?? []).filter { $0.localTag == nil } }
  return rest.isEmpty ? own : own + rest.flatMap(predicateMembers)
}

extension YAMLNode {
  /// The member or item that a path leads to, or the last existing one on the way.
  fileprivate func place(ofPath path: Substring) -> SourceRange? {
    var node = self
    var found: SourceRange?
    for step in steps(path) {
      switch step {
      case .member(let name):
        guard let member = node.members?.last(where: { $0.key == name }) else { return found }
        node = member.value
        found = node.scalar == nil ? member.keyRange : node.place
      case .item(let index):
        guard let items = node.items, items.indices.contains(index) else { return found }
        node = items[index]
        found = node.scalar == nil ? node.place.firstLine : node.place
      }
    }
    return found
  }
}

private enum PathStep {
  case member(Substring)
  case item(Int)
}

/// The leading names and indices of a path, `.a['b c'][2]`, as far as they are written without escapes.
private func steps(_ path: Substring) -> [PathStep] {
  var steps: [PathStep] = []
  var rest = path
  while let first = rest.first {
    if first == "." {
      let name = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
      steps.append(.member(name))
      rest = rest[name.endIndex...]
    } else if rest.hasPrefix("['") {
      let name = rest.dropFirst(2).prefix { $0 != "'" && $0 != "\\" }
      guard rest[name.endIndex...].hasPrefix("']") else { break }
      steps.append(.member(name))
      rest = rest[name.endIndex...].dropFirst(2)
    } else if first == "[", let close = rest.firstIndex(of: "]"), let index = Int(rest.dropFirst()[..<close]) {
      steps.append(.item(index))
      rest = rest[rest.index(after: close)...]
    } else {
      break
    }
  }
  return steps
}

extension SourceRange {
  /// The line of a block scalar by number, the first being that after the `|`; without its indent.
  fileprivate func line(after number: Int) -> SourceRange {
    let source = source
    let last = source.lineIndex(at: max(bytes.lowerBound, bytes.upperBound - 1))
    let line = source.lineBytes(min(last, source.lineIndex(at: bytes.lowerBound) + max(number, 1)))
    return moved(to: line.dropFirst(source.utf8[line].prefix { $0 == 0x20 }.count))
  }
}
