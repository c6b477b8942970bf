extension JSONPath {
  /// The reason why the path finds nothing in any document; nil if it may find something.
  package var emptiness: String? {
    query.segments.lazy.compactMap { segment in
      switch segment.onlySelector {
      case .slice(_, _, 0): "a slice with the step 0 takes no item"
      case .slice(let start, let end?, 1...) where (start ?? 0) >= end && ((start ?? 0) < 0) == (end < 0):
        "the slice `[\(start.map { "\($0)" } ?? ""):\(end)]` ends where it begins, or before, and takes no item"
      case .filter(let condition) where condition.isContradiction: "no item meets both conditions of the filter"
      default: nil
      }
    }.first
  }
}

extension JSONPathCondition {
  /// Indicates whether two comparisons of the same member with literals exclude each other.
  fileprivate var isContradiction: Bool {
    guard case .and(let parts) = self else { return false }
    var limits: [String: (equal: [JSONPathValue], least: Int?, greatest: Int?)] = [:]
    for case .compare(.query(let query), let comparison, .literal(let value)) in parts {
      guard let name = query.chain else { continue }
      if comparison == .equal { limits[name, default: ([], nil, nil)].equal.append(value) }
      guard case .integer(let number) = value else { continue }
      switch comparison {
      // Twice the number: one more or less leaves the end out, also for fractions.
      case .greater: limits[name, default: ([], nil, nil)].least = number * 2 + 1
      case .greaterOrEqual: limits[name, default: ([], nil, nil)].least = number * 2
      case .less: limits[name, default: ([], nil, nil)].greatest = number * 2 - 1
      case .lessOrEqual: limits[name, default: ([], nil, nil)].greatest = number * 2
      case .equal, .notEqual: break
      }
    }
    return limits.values.contains { equal, least, greatest in
      zip(equal, equal.dropFirst()).contains { $0.differs(from: $1) }
        || (least.flatMap { least in greatest.map { least > $0 } } ?? false)
    }
  }
}

extension JSONPathQuery {
  /// The names and indices from `@`; nil for any other query.
  fileprivate var chain: String? {
    guard start == .current, isSingular else { return nil }
    var chain = ""
    for segment in segments {
      switch segment.onlySelector {
      case .name(let name): chain += "." + String(decoding: name, as: UTF8.self)
      case .index(let index): chain += "[\(index)]"
      default: return nil
      }
    }
    return chain
  }
}

extension JSONPathValue {
  fileprivate func differs(from other: JSONPathValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left != right
    case (.string(let left), .string(let right)): left != right
    case (.bool(let left), .bool(let right)): left != right
    default: false
    }
  }
}
