extension Dictionary {
  /// The values of a table by their names, the first of each: tests and generated tables show a second one.
  package init(namedBy pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}

/// The places of names in a list, for names that are looked up often.
///
/// Few names share their length and their first byte: comparing those is quicker than hashing.
package struct NameIndex: Sendable {
  private static let count = 64

  private let names: [String]
  private var places = [[Int]](repeating: [], count: count)

  package init(_ names: [String]) {
    self.names = names
    for (place, name) in names.enumerated() { places[NameIndex.group(of: name)].append(place) }
  }

  /// The place of a name, of the first one if it is there twice.
  package subscript(_ name: String) -> Int? {
    places[NameIndex.group(of: name)].first { names[$0] == name }
  }

  private static func group(of name: String) -> Int {
    (name.utf8.count &* 7 ^ Int(name.utf8.first ?? 0)) & (count - 1)
  }
}
