internal import Values

/// Finds the items that a part can match by one of its members, so that not every pair is looked at.
struct CandidateIndex {
  private struct Entry: Hashable {
    let key: Text
    let value: Value
  }

  private var positions: [Entry: [Int]] = [:]

  init(_ items: [Value]) {
    for (position, item) in items.enumerated() {
      guard case .mapping(let mapping) = item else { continue }
      var seen: Set<Text> = []
      // Of a name that stands twice the last one counts.
      for member in mapping.members.reversed() where seen.insert(member.key).inserted {
        if isPlain(member.value) {
          positions[Entry(key: member.key, value: member.value), default: []].append(position)
        }
      }
    }
  }

  /// The positions of all items that may match, ascending; nil where no member tells.
  func candidates(for part: Shape) -> [Int]? {
    guard case .object(let members) = part else { return nil }
    var fewest: [Int]?
    for member in members where !member.isOptional {
      guard case .value(let value) = member.shape, isPlain(value) else { continue }
      let found = positions[Entry(key: member.key, value: value)] ?? []
      if found.count < fewest?.count ?? .max { fewest = found }
    }
    return fewest
  }
}

/// Whether a value equals nothing but itself.
func isPlain(_ value: Value) -> Bool {
  switch value {
  case .null, .bool, .number, .text: true
  case .date, .data, .list, .mapping: false
  }
}

/// Whether dates or data are in a value, which equal texts too.
func crossesTypes(_ value: Value) -> Bool {
  switch value {
  case .null, .bool, .number, .text: false
  case .date, .data: true
  case .list(let items): items.contains(where: crossesTypes)
  case .mapping(let mapping): mapping.members.contains { crossesTypes($0.value) }
  }
}
