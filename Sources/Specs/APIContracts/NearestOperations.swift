import HTTPSemantics
import OperatingSystem
import Values

extension APIContract {
  /// The violation by a request without an operation, with the nearest ones.
  func unknownPath(_ exchange: ContractExchange) -> ContractViolation {
    let near = nearest(to: exchange.url.path)
    let count = operations.count
    let own = "\(exchange.method) \(exchange.url.path.isEmpty ? "/" : exchange.url.path)"
    let nearest = near.map { "\($0.methods) \($0.text)" }.joined(separator: "; ")
    return ContractViolation(
      subject: .operation, message: "\(own) is not an operation of \(name)",
      expected: (count == 0
        ? "an operation, of which the document has none"
        : count == 1 ? "its one operation" : "one of its \(count) operations")
        + (near.isEmpty ? "" : ", the nearest: \(nearest)"),
      actual: own,
      place: near.first?.node.place, hint: outsideHint)
  }

  func unknownMethod(_ exchange: ContractExchange, _ path: DeclaredPath) -> ContractViolation {
    ContractViolation(
      subject: .operation, message: "\(path.text) is not declared for \(exchange.method) in \(name)",
      expected: path.operations.isEmpty ? "no method" : "\(path.methods) \(path.text)",
      actual: "\(exchange.method) \(exchange.url.path)", place: path.node.place, hint: outsideHint)
  }

  private var outsideHint: String { "exclude a request from the contract with `openapi: none`" }

  /// At most three declared paths similar to a path, the nearest first.
  private func nearest(to path: String) -> [DeclaredPath] {
    let segments = PathTemplate.split(path[...]).map { percentDecoded($0) }
    var found: [(distance: Double, path: DeclaredPath)] = []
    let meter = EvaluationBudget.meter
    for declared in paths where !declared.operations.isEmpty {
      if meter.isOver(after: 16) { break }
      var best = Double.infinity
      for base in Set(declared.operations.flatMap(\.bases)).union([.root]) {
        let pattern = base.segments + declared.template.segments
        guard abs(pattern.count - segments.count) <= 1 else { continue }
        best = min(best, distance(segments, pattern))
      }
      if best <= max(0.7, 0.4 * Double(segments.count)) { found.append((best, declared)) }
    }
    return found.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.prefix(3)
      .map(\.element.path)
  }

  /// Returns the number of differing segments, a fraction for similar ones; one too many or too few counts as a whole
  /// one.
  private func distance(_ segments: [String], _ pattern: [SegmentPattern]) -> Double {
    var result = Double(abs(segments.count - pattern.count))
    // A trailing slash is a common slip.
    if segments.last == "", segments.count > pattern.count { result -= 0.8 }
    for (segment, part) in zip(segments, pattern) {
      guard let literal = part.literal else {
        if part.match(segment[...]) == nil { result += 1 }
        // A literal segment is nearer than a parameter, which matches anything.
        result += 0.1
        continue
      }
      if literal == segment { continue }
      result +=
        literal.lowercased() == segment.lowercased() ? 0.1 : nearestWord(to: segment, among: [literal]) != nil ? 0.4 : 1
    }
    return result
  }
}
