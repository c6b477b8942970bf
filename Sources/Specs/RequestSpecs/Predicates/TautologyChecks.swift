import HTTPSemantics
import Matching
import Values
import YAMLNodes

/// The values of a subject as far as every response agrees on them.
struct SubjectDomain {
  /// The kinds that every value has.
  var kinds: Set<MatchKind> = []
  /// The least number.
  var minimum: Number?
  /// Indicates whether there is a value in any case.
  var isAlwaysThere = false
  /// All that there are; none if they are countless.
  var all: [Value] = []

  /// Returns whether no value is of a JSON type.
  func excludes(_ kind: MatchKind) -> Bool {
    !kinds.isEmpty && !kinds.contains(kind) && [.null, .object, .array].contains(kind)
  }

  /// Indicates whether no value is a text.
  fileprivate var excludesText: Bool { isAlwaysThere && !kinds.isEmpty && !kinds.contains(.string) }

  static let item = SubjectDomain(isAlwaysThere: true)
  static let count = SubjectDomain(kinds: [.number, .integer], minimum: Number(0), isAlwaysThere: true)
}

extension ResponseSubject {
  var domain: SubjectDomain {
    switch self {
    case .body, .url, .bytes(.sha256), .bytes(.md5): SubjectDomain(kinds: [.string], isAlwaysThere: true)
    case .httpVersion: SubjectDomain(kinds: [.string, .number], minimum: Number(1), isAlwaysThere: true)
    case .duration, .timing(.total): SubjectDomain(kinds: [.number], minimum: Number(0), isAlwaysThere: true)
    case .timing: SubjectDomain(kinds: [.number], minimum: Number(0))
    case .bytes: SubjectDomain(isAlwaysThere: true)
    case .redirects: SubjectDomain(kinds: [.array], isAlwaysThere: true)
    case .cache:
      SubjectDomain(isAlwaysThere: true, all: CacheOutcome.Word.allCases.map { .text(Text($0.rawValue)) })
    case .port: SubjectDomain(kinds: [.number, .integer], minimum: Number(1), isAlwaysThere: true)
    case .value(let value) where value.templates.count == 1 && value.range.text == "poll_round":
      SubjectDomain(kinds: [.number, .integer], minimum: Number(1), isAlwaysThere: true)
    case .cookie(_, .secure), .cookie(_, .httpOnly):
      SubjectDomain(kinds: [.boolean], isAlwaysThere: true, all: [.bool(true), .bool(false)])
    default: SubjectDomain()
    }
  }
}

extension PredicateSpec {
  /// Indicates whether every value of a domain meets it.
  func alwaysHolds(in domain: SubjectDomain) -> Bool {
    switch self {
    case .fixed(let predicate): predicate.alwaysHolds(in: domain)
    default: false
    }
  }
}

extension Predicate {
  fileprivate func alwaysHolds(in domain: SubjectDomain) -> Bool {
    switch operand {
    case .flag(true): kind === PredicateKind.exists && domain.isAlwaysThere
    case .kind(let wanted):
      domain.isAlwaysThere
        && (kind.isNegation ? domain.excludes(wanted) : kind === PredicateKind.isKind && domain.kinds.contains(wanted))
    case .value(.null): kind === PredicateKind.notEquals && domain.isAlwaysThere && domain.excludes(.null)
    case .value(.text): kind === PredicateKind.notEquals && domain.excludesText
    case .value(.number(let number)):
      domain.minimum.map { minimum in
        kind.name == "at_least" && number <= minimum
          || number < minimum && (kind.name == "greater_than" || kind === PredicateKind.notEquals)
      } ?? false
    case .predicates(let inner) where kind === PredicateKind.not:
      inner.boundsExcludeEachOther || inner.valuesExcludeEachOther
        || inner.allSatisfy { inner in
          if case .flag(false) = inner.operand, inner.kind === PredicateKind.exists {
            domain.isAlwaysThere
          } else {
            false
          }
        }
    case .values(let values):
      kind === PredicateKind.oneOf && domain.isAlwaysThere && !domain.all.isEmpty
        && domain.all.allSatisfy(values.contains)
    case .predicates(let inner): kind.name == "every" && inner.allSatisfy { $0.alwaysHolds(in: .item) }
    default: false
    }
  }
}

extension [Predicate] {
  /// Indicates whether no number is at least the one and at most the other.
  fileprivate var boundsExcludeEachOther: Bool {
    func bounds(_ names: Set<String>) -> [Number] {
      compactMap { predicate in
        guard names.contains(predicate.kind.name), case .value(.number(let number)) = predicate.operand else {
          return nil
        }
        return number
      }
    }
    guard let low = bounds(["at_least", "greater_than"]).max(), let high = bounds(["at_most", "less_than"]).min() else {
      return false
    }
    return high < low
  }

  /// Indicates whether no value equals what one of them and one of what another compares with.
  fileprivate var valuesExcludeEachOther: Bool {
    let all = compactMap { predicate -> (predicate: Predicate, values: [Value])? in
      switch predicate.operand {
      case .value(let value) where predicate.kind === PredicateKind.equals: (predicate, [value])
      case .values(let values) where predicate.kind === PredicateKind.oneOf: (predicate, values)
      default: nil
      }
    }
    guard all.count > 1 else { return false }
    return !all[0].values.contains { hold(all.map(\.predicate), for: .value($0)) }
  }
}

extension SpecReader {
  /// Warns of predicates that every value meets.
  mutating func warnOfTautology(_ specs: [PredicateSpec], _ node: YAMLNode, in domain: SubjectDomain) {
    guard !specs.isEmpty, specs.allSatisfy({ $0.alwaysHolds(in: domain) }) else { return }
    let goesThroughItems = node.members?.contains { $0.key == "every" } ?? false
    let help: String? =
      if goesThroughItems {
        "ask the items for a member: {every: {includes: {name: !any}}}"
      } else if domain.kinds == [.boolean] {
        "write `true` or `false`"
      } else if domain.kinds == [.array] {
        "write {count: {at_least: 1}}"
      } else if domain.isAlwaysThere, domain.kinds == [.string] {
        "write what it is, or {is_not: empty}"
      } else {
        "write what it must be"
      }
    warn(
      .alwaysTrue,
      goesThroughItems ? "every item is there: this always holds" : "every value meets this: it always holds",
      at: node, help: help)
  }

  /// Warns of tags that take anything, where they say nothing.
  mutating func warnOfAnything(_ kind: PredicateKind, _ node: YAMLNode) {
    switch kind.operand {
    case .list:
      for item in node.items ?? [] where item.localTag?.name == "any" {
        bag.warning(
          .alwaysTrue, "`!any` is any value: this always holds", at: item.place, notes: useNote(item),
          help: "write the values alone")
      }
    case .members:
      for member in node.members ?? [] {
        if let tag = member.value.localTag {
          guard tag.name == "any", tag.isOptional else { continue }
          bag.warning(
            .alwaysTrue, "`includes` says nothing of a member with `!any?`", at: member.keyRange,
            notes: useNote(member.value), help: "write `!any` if it must be there")
        } else {
          warnOfAnything(kind, member.value)
        }
      }
    default: break
    }
  }
}
