import Matching
import Values
import YAMLNodes

/// Checks for names of predicates, and paths, inside expected values, where they are names of members.
extension SpecReader {
  /// Reports a mapping that looks like predicates but is compared as a value.
  ///
  /// A name that data may have counts only if negated: else the comparison fails and shows it.
  mutating func checkLiteral(_ node: YAMLNode, of kind: PredicateKind) -> Bool {
    let isDenied = denials > 0 || kind.isNegation
    var search = PredicateSearch(isDenied: isDenied)
    // A mapping that is included consists of members.
    search.visit(node, isWhole: kind.operand == .members || kind.operand == .anyValue && !isDenied)
    if let path = search.path {
      bag.error(
        .misplacedKey, "inside an expected value `\(jsonEscaped(path.key))` is the name of a member, not a path",
        at: path.keyRange, notes: useNote(node),
        help: "write the members by their names, or the whole path directly under `json:`; after `!!map` it is a name")
      return false
    }
    guard let found = search.certain ?? (isDenied ? search.possible : nil), let member = found.members?.first else {
      return true
    }
    let written = PredicateKind.likely(member.key) ?? .misspelt(member.key) ?? .equals
    let message = "inside an expected value `\(jsonEscaped(member.key))` is the name of a member, not a predicate"
    let help =
      "write `!is {\(written.name): …}` for the predicate, `!!map {\(jsonEscaped(member.key)): …}` for the member"
    bag.error(.misplacedKey, message, at: member.keyRange, notes: useNote(found), help: help)
    return false
  }
}

/// Finds the first mappings of an expected value whose names are all predicates'.
private struct PredicateSearch {
  /// Indicates whether a comparison with a missing member holds: then a misspelt predicate counts, too.
  let isDenied: Bool
  /// A mapping with a name that is unlikely in data.
  private(set) var certain: YAMLNode?
  /// A mapping whose names may be data, too: `{count: 3}`.
  private(set) var possible: YAMLNode?
  /// The first name that is a JSONPath.
  private(set) var path: YAMLMember?

  /// - Parameter isWhole: whether the node is the whole operand, in which names of data are taken as such.
  mutating func visit(_ node: YAMLNode, isWhole: Bool = false) {
    // Predicates within `!is` are read as such.
    if certain != nil || node.localTag?.name == "is" { return }
    switch node.content {
    case .scalar: break
    case .sequence(let items): for item in items { visit(item) }
    case .mapping(let members):
      if !node.hasMapTag, !members.isEmpty, members.allSatisfy({ name($0) != nil }) {
        if members.contains(where: { name($0)?.isDistinctive ?? false }) {
          certain = node
        } else if !isWhole, possible == nil {
          possible = node
        }
      }
      for member in members {
        if path == nil, !node.hasMapTag, member.key.hasPrefix("$.") || member.key.hasPrefix("$[") { path = member }
        visit(member.value)
      }
    }
  }

  private func name(_ member: YAMLMember) -> PredicateKind? {
    PredicateKind.likely(member.key) ?? (isDenied ? PredicateKind.misspelt(member.key) : nil)
  }
}

extension PredicateKind {
  /// The predicate of a name, or of another tool's name for a comparison: `gte`, `lessThan`.
  static func likely(_ name: String) -> PredicateKind? {
    named(name) ?? signed(name.lowercased()) ?? camelCased[name]
  }

  /// The comparison whose name differs by a letter or underscores: `lessthan`, `greater_then`.
  fileprivate static func misspelt(_ name: String) -> PredicateKind? {
    nearestWord(to: name, among: all.filter { $0.isDistinctive && $0 !== oneOf }.map(\.name)).flatMap(named)
  }

  private static let camelCased = Dictionary(
    namedBy: all.filter(\.isDistinctive).map { kind in
      let words = kind.name.split(separator: "_").map(String.init)
      return (words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(), kind)
    })
}
