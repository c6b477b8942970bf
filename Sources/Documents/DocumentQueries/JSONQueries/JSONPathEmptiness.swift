extension JSONPath {
  /// The reason why the path finds nothing in any document; nil if it may find something.
  package var emptiness: String? {
    query.segments.lazy.compactMap { segment in
      switch segment.onlySelector {
      case .slice(_, _, 0): "a slice with the step 0 takes no item"
      case .slice(let start, let end?, 1...) where (start ?? 0) >= end && ((start ?? 0) < 0) == (end < 0):
        "the slice `[\(start.map { "\($0)" } ?? ""):\(end)]` ends where it begins, or before, and takes no item"
      case .filter(let condition) where condition.isContradiction: "no item meets both conditions of the filter"
      case .filter(let condition): condition.impossibleComparison
      default: nil
      }
    }.first
  }

  /// The reason why a filter selects the same whatever the items are, and the fix; nil for any other.
  package var idleFilter: (reason: String, help: String)? {
    query.segments.lazy.compactMap { segment in
      guard case .filter(let condition)? = segment.onlySelector else { return nil }
      if condition.isTautology { return ("any item meets one of its conditions", "write `&&` in place of `||`") }
      guard condition.queries.isEmpty else { return nil }
      return ("it reads nothing of the items", "write `@` for the item: `$` is the whole document")
    }.first
  }
}

extension JSONPathCondition {
  /// Indicates whether two comparisons of the same member with literals exclude each other.
  fileprivate var isContradiction: Bool {
    guard case .and(let parts) = self else { return false }
    var limits: [String: (equal: [JSONPathValue], least: Int?, greatest: Int?)] = [:]
    func raise(_ name: String, to number: Int) {
      limits[name, default: ([], nil, nil)].least = max(limits[name]?.least ?? number, number)
    }
    func lower(_ name: String, to number: Int) {
      limits[name, default: ([], nil, nil)].greatest = min(limits[name]?.greatest ?? number, number)
    }
    for case .compare(.query(let query), let comparison, .literal(let value)) in parts {
      guard let name = query.chain else { continue }
      if comparison == .equal { limits[name, default: ([], nil, nil)].equal.append(value) }
      guard case .integer(let number) = value else { continue }
      switch comparison {
      // Twice the number: one more or less leaves the end out, also for fractions.
      case .greater: raise(name, to: number * 2 + 1)
      case .greaterOrEqual: raise(name, to: number * 2)
      case .less: lower(name, to: number * 2 - 1)
      case .lessOrEqual: lower(name, to: number * 2)
      case .equal, .notEqual: break
      }
    }
    return limits.values.contains { equal, least, greatest in
      zip(equal, equal.dropFirst()).contains { $0.differs(from: $1) }
        || (least.flatMap { least in greatest.map { least > $0 } } ?? false)
    }
  }

  /// Indicates whether two of its alternatives exclude different values of the same member.
  fileprivate var isTautology: Bool {
    guard case .or(let parts) = self else { return false }
    var excluded: [String: [JSONPathValue]] = [:]
    for case .compare(.query(let query), .notEqual, .literal(let value)) in parts {
      guard let name = query.chain else { continue }
      if excluded[name, default: []].contains(where: { $0.differs(from: value) }) { return true }
      excluded[name, default: []].append(value)
    }
    return false
  }

  /// The reason why a comparison that must hold never does: the result of a function is of another kind.
  fileprivate var impossibleComparison: String? {
    switch self {
    case .and(let parts): parts.lazy.compactMap(\.impossibleComparison).first
    case .compare(.length, .notEqual, _), .compare(.count, .notEqual, _): nil
    case .compare(.length, _, .literal(.string)): "`length(…)` is a number, and never a text"
    case .compare(.count, _, .literal(.string)): "`count(…)` is a number, and never a text"
    case .compare(.count(let query), let comparison, .literal(.integer(let number))) where query.isSingular:
      switch comparison {
      case .greater where number > 0, .greaterOrEqual where number > 1, .equal where number > 1:
        "`count(…)` is 1 at most for a single value, and `length(…)` is the number of its items"
      default: nil
      }
    default: nil
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
