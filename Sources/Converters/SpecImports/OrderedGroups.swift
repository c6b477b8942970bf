extension Sequence {
  /// The values of each key, by the keys in the order in which they come first.
  func grouped<Key: Hashable, Value>() -> [(key: Key, values: [Value])] where Element == (key: Key, value: Value) {
    var places: [Key: Int] = [:]
    var groups: [(key: Key, values: [Value])] = []
    for (key, value) in self {
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append((key, []))
      }
      groups[place].values.append(value)
    }
    return groups
  }
}
