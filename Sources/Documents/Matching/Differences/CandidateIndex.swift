import Values

/// Finds the items that a part can match by one of its members, so that not every pair is compared.
struct CandidateIndex {
  private struct Entry: Hashable {
    /// The names of the members on the way.
    let path: [Text]
    let value: Value
  }

  /// The maximum depth of nested mappings to index.
  private static let depthLimit = 3

  private var positions: [Entry: [Int]] = [:]

  init(_ items: [Value]) {
    for (position, item) in items.enumerated() {
      if case .mapping(let mapping) = item { add(mapping, [], position) }
    }
  }

  private mutating func add(_ mapping: Mapping, _ path: [Text], _ position: Int) {
    var seen: Set<Text> = []
    // The last of duplicate names counts.
    for member in mapping.members.reversed() where seen.insert(member.key).inserted {
      if isPlain(member.value) {
        positions[Entry(path: path + [member.key], value: member.value), default: []].append(position)
      } else if case .mapping(let inner) = member.value, path.count < CandidateIndex.depthLimit {
        add(inner, path + [member.key], position)
      }
    }
  }

  /// The positions of all items that may match, ascending; nil if no member determines them.
  func candidates(for part: Shape) -> [Int]? {
    guard case .object(let members) = part else { return nil }
    return candidates(members, [])
  }

  private func candidates(_ members: [Shape.Member], _ path: [Text]) -> [Int]? {
    var fewest: [Int]?
    for member in members where !member.isOptional {
      let found: [Int]?
      switch member.shape.expanded {
      case .value(let value) where isPlain(value):
        found = positions[Entry(path: path + [member.key], value: value)] ?? []
      case .object(let inner) where path.count < CandidateIndex.depthLimit:
        found = candidates(inner, path + [member.key])
      default: found = nil
      }
      if let found, found.count < fewest?.count ?? .max { fewest = found }
    }
    return fewest
  }
}

/// Returns whether a value equals nothing but itself.
func isPlain(_ value: Value) -> Bool {
  switch value {
  case .null, .bool, .number, .text: true
  case .date, .data, .list, .mapping: false
  }
}

/// Returns whether a value contains dates or data, which equal texts too.
func crossesTypes(_ value: Value) -> Bool {
  switch value {
  case .null, .bool, .number, .text: false
  case .date, .data: true
  case .list(let items): items.contains(where: crossesTypes)
  case .mapping(let mapping): mapping.members.contains { crossesTypes($0.value) }
  }
}
