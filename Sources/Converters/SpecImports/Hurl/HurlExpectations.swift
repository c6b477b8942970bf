import DocumentQueries
import Values

/// The assertions of an entry by their subjects.
struct HurlExpectations {
  private var paths: [[ImportedText]] = []
  private var predicates: [[ImportedText]: [[HurlChecks.Member]]] = [:]
  /// The names of headers by those in lower case.
  private var headers: [String: ImportedText] = [:]

  mutating func add(_ path: [ImportedText], _ members: [HurlChecks.Member]) {
    var path = path
    if path.count > 1, path[0] == "headers" {
      let name = path[1].source.lowercased()
      path[1] = headers[name] ?? path[1]
      headers[name] = path[1]
    }
    if predicates[path] == nil { paths.append(path) }
    predicates[path, default: []].append(members)
  }

  /// The keys of `expect`.
  var members: [HurlChecks.Member] {
    Self.tree(
      paths.compactMap { path in
        guard let all = predicates[path] else { return nil }
        // A cookie of which nothing else is checked is its value.
        let isAlone = path.last == "value" && !paths.contains { $0.count == 3 && $0[..<2] == path[..<2] && $0 != path }
        return (isAlone ? path.dropLast() : path[...], Self.merged(all))
      })
  }

  /// The members of nested mappings, with each name where it comes first.
  private static func tree(_ leaves: [(path: ArraySlice<ImportedText>, value: ImportedValue)]) -> [HurlChecks.Member] {
    let groups = leaves.compactMap { leaf in
      leaf.path.first.map { (key: $0, value: (path: leaf.path.dropFirst(), value: leaf.value)) }
    }.grouped()
    return groups.map { name, group in
      if let leaf = group.first, leaf.path.isEmpty { return (name.source, leaf.value) }
      let isTemplate = group.contains { $0.path.first?.literal == nil }
      guard isTemplate else { return (name.source, .mapping(tree(group))) }
      return (name.source, .keyed(group.compactMap { leaf in leaf.path.first.map { ($0, leaf.value) } }))
    }
  }

  /// Several predicates on one subject as one value.
  private static func merged(_ all: [[HurlChecks.Member]]) -> ImportedValue {
    var distinct: [[HurlChecks.Member]] = []
    for members in all where !distinct.contains(where: { ImportedValue.areSame($0, members) }) {
      distinct.append(members)
    }
    if distinct.count == 1 { return value(distinct[0]) }
    // The part that is looked at stands once if all look at the same.
    let part = distinct[0].filter { partKeys.contains($0.key) }
    let rests = distinct.map { $0.filter { !partKeys.contains($0.key) } }
    let keys = rests.flatMap { $0.map(\.key) }
    let isOnePart = distinct.allSatisfy { ImportedValue.areSame($0.filter { partKeys.contains($0.key) }, part) }
    if isOnePart, Set(keys).count == keys.count { return .mapping(part + rests.flatMap(\.self)) }
    return .mapping([("all", .list(distinct.map { .mapping($0) }))])
  }

  private static let partKeys: Set<String> = ["regex", "as"]

  /// Predicates as a value, in the short form for a plain comparison.
  static func value(_ members: [HurlChecks.Member]) -> ImportedValue {
    guard members.count == 1, members[0].key == "equals", members[0].value.members == nil else {
      return .mapping(members)
    }
    if case .node(let node) = members[0].value, node.isSame(as: .null) { return .mapping(members) }
    return members[0].value
  }
}
