import Diagnostics
import Matching
import Values
import YAMLNodes

/// Predicates' names, and paths, inside of expected values, where they are names of members.
extension SpecReader {
  /// Reports a mapping that looks like predicates and is compared as it stands.
  ///
  /// A name that data may have is a warning, since what is compared with it fails and shows it; denied, it would always hold.
  mutating func checkLiteral(_ node: YAMLNode, of kind: PredicateKind) -> Bool {
    let isDenied = denials > 0 || kind.isNegation
    var search = PredicateSearch(isDenied: isDenied)
    // A mapping that is included is one of members.
    search.visit(node, isWhole: kind.operand == .members || kind.operand == .anyValue && !isDenied)
    if let path = search.path {
      bag.error(
        "inside an expected value `\(jsonEscaped(path.key))` is the name of a member, not a path", at: path.keyRange,
        notes: useNote(node),
        help: "write the members by their names, or the whole path directly under `json:`; after `!!map` it is a name")
      return false
    }
    guard let found = search.certain ?? search.possible, let member = found.members?.first else { return true }
    let written = PredicateKind.likely(member.key) ?? .misspelt(member.key) ?? .equals
    let message = "inside an expected value `\(jsonEscaped(member.key))` is the name of a member, not a predicate"
    let help =
      "write `!is {\(written.name): …}` for the predicate, `!!map {\(jsonEscaped(member.key)): …}` for the member"
    guard search.certain != nil || isDenied else {
      bag.warning(message, at: member.keyRange, notes: useNote(found), help: help)
      return true
    }
    bag.error(message, at: member.keyRange, notes: useNote(found), help: help)
    return false
  }
}

/// The first mappings of an expected value whose names are all predicates'.
private struct PredicateSearch {
  /// Whether what is compared with a member that is not there holds: then a misspelt predicate counts, too.
  let isDenied: Bool
  /// One with a name that data hardly has.
  private(set) var certain: YAMLNode?
  /// One whose names data may have, too: `{count: 3}`.
  private(set) var possible: YAMLNode?
  /// The first name that is a JSONPath.
  private(set) var path: YAMLMember?

  init(isDenied: Bool) { self.isDenied = isDenied }

  /// - Parameter isWhole: whether the node is the whole that is compared, so that names of data are taken for such.
  mutating func visit(_ node: YAMLNode, isWhole: Bool = false) {
    // Within `!is` predicates are read as what they are.
    if certain != nil || node.localTag?.name == "is" { return }
    switch node.content {
    case .scalar: break
    case .sequence(let items): for item in items { visit(item) }
    case .mapping(let members):
      if !node.hasMapTag, !members.isEmpty, members.allSatisfy({ name($0) != nil }) {
        if members.contains(where: { name($0)?.isTelling ?? false }) {
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
  /// The predicate of a name, or of what other tools call a comparison: `gte`, `lessThan`.
  static func likely(_ name: String) -> PredicateKind? {
    named(name) ?? signed(name.lowercased()) ?? camelCased[name]
  }

  /// The comparison that a name is but for a letter or its underscores: `lessthan`, `greater_then`.
  fileprivate static func misspelt(_ name: String) -> PredicateKind? {
    nearestWord(to: name, among: all.filter { $0.isTelling && $0 !== oneOf }.map(\.name)).flatMap(named)
  }

  private static let camelCased = Dictionary(
    uniqueKeysWithValues: all.filter(\.isTelling).map { kind in
      let words = kind.name.split(separator: "_").map(String.init)
      return (words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(), kind)
    })
}
