import YAMLNodes

/// Values by their names, in the order in which the names came.
struct OrderedMembers<Value> {
  private(set) var all: [(key: String, value: Value)] = []
  private var places: [String: Int] = [:]

  /// Changes the value of a name, which it gets first if it has none.
  mutating func change<Problem>(
    _ key: String, first: Value, _ body: (inout Value) throws(Problem) -> Void
  ) throws(Problem) {
    let place = places[key] ?? all.count
    if place == all.count {
      places[key] = place
      all.append((key, first))
    }
    try body(&all[place].value)
  }
}

extension OrderedMembers where Value == [YAMLNode] {
  /// Adds one more value of a name.
  mutating func add(_ value: YAMLNode, named name: String) { change(name, first: []) { $0.append(value) } }

  /// The members of a mapping, in which several values of a name are a list.
  var members: [(key: String, value: YAMLNode)] {
    all.map { ($0.key, $0.value.count == 1 ? $0.value[0] : .list($0.value)) }
  }
}
