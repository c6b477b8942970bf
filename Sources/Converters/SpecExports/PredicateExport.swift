import DocumentQueries
import Matching
import Values

/// Takes predicates apart into those that other tools have, too.
struct PredicateExport {
  let subject: ExportedSubject
  let filters: [ExportedFilter]
  let label: String
  /// The text with words for its secret parts, by the name of what it is expected of.
  let open: (String, Text) -> String
  private(set) var checks: [ExportedCheck] = []
  var missing: [String] = []

  init(subject: ExportedSubject, filters: [ExportedFilter], label: String, open: @escaping (String, Text) -> String) {
    (self.subject, self.filters, self.label, self.open) = (subject, filters, label, open)
  }

  private mutating func add(_ predicate: ExportedPredicate, of subject: ExportedSubject? = nil) {
    checks.append(
      ExportedCheck(
        subject: subject ?? self.subject, filters: filters, predicate: opened(predicate, of: subject ?? self.subject),
        label: label))
  }

  /// The name of what is compared.
  private var name: String { PredicateExport.name(subject) ?? label }

  private static func name(_ subject: ExportedSubject) -> String? {
    if case .json(let path) = subject { path } else { nil }
  }

  /// The predicate with words for its secrets.
  private func opened(_ predicate: ExportedPredicate, of subject: ExportedSubject) -> ExportedPredicate {
    let name = PredicateExport.name(subject) ?? label
    func opened(_ value: Value) -> Value {
      switch value {
      case .text(let text): .text(Text(open(name, text)))
      case .list(let items): .list(items.map(opened))
      default: value
      }
    }
    return switch predicate {
    case .compares(let comparison, let value): .compares(comparison, opened(value))
    case .contains(let value, let isNegated): .contains(opened(value), isNegated: isNegated)
    case .oneOf(let values): .oneOf(values.map(opened))
    default: predicate
    }
  }

  private mutating func leaveOut(_ predicate: Predicate) { missing.append("`\(predicate.kind.name)`") }

  private static let comparisons: [String: ExportedComparison] = [
    "greater_than": .above, "at_least": .least, "less_than": .below, "at_most": .most,
  ]

  mutating func add(_ predicate: Predicate) {
    let kind = predicate.kind.name
    switch (kind, predicate.operand) {
    case ("equals", .value(let value)): addEqual(value, at: subject)
    case ("not_equals", .value(let value)) where value.isScalar: add(.compares(.notEqual, value))
    case ("contains", .value(let value)), ("not_contains", .value(let value)):
      if value.isScalar { add(.contains(value, isNegated: kind == "not_contains")) } else { leaveOut(predicate) }
    case ("contains", .text(let text)), ("not_contains", .text(let text)):
      add(.contains(.text(text), isNegated: kind == "not_contains"))
    case ("starts_with", .text(let text)), ("starts_with", .value(.text(let text))): add(.startsWith(open(name, text)))
    case ("ends_with", .text(let text)), ("ends_with", .value(.text(let text))): add(.endsWith(open(name, text)))
    case ("matches", .pattern(let pattern)): addPattern(pattern, isNegated: false, of: subject)
    case ("not_matches", .pattern(let pattern)): addPattern(pattern, isNegated: true, of: subject)
    case ("exists", .flag(let flag)): add(.exists(flag))
    case ("is", .kind(let kind)): add(.isKind(kind, isNegated: false))
    case ("is_not", .kind(let kind)): add(.isKind(kind, isNegated: true))
    case ("one_of", .values(let values)) where values.allSatisfy(\.isScalar): add(.oneOf(values))
    case ("between", .bounds(.number(let low), .number(let high))):
      add(.compares(.least, .number(low)))
      add(.compares(.most, .number(high)))
    case ("close_to", .distance(let number, let within)):
      if let low = number - within, let high = number + within {
        add(.compares(.least, .number(low)))
        add(.compares(.most, .number(high)))
      } else {
        leaveOut(predicate)
      }
    case ("count", .predicates(let inner)): addCount(inner, predicate)
    case ("not", .predicates(let inner)): addNegation(inner, predicate)
    case ("includes", .value(let value)): addParts(value, predicate)
    case (_, .value(.number(let number))):
      guard let comparison = PredicateExport.comparisons[kind] else { return leaveOut(predicate) }
      add(.compares(comparison, .number(number)))
    case (_, .shape(let shaped)) where !shaped.isNegated && !shaped.isUnordered: addShape(shaped, predicate)
    default: leaveOut(predicate)
    }
  }

  private mutating func addPattern(_ pattern: RegularExpression, isNegated: Bool, of subject: ExportedSubject) {
    guard let text = pattern.writable, !isSecretName(lastName(of: PredicateExport.name(subject) ?? label)) else {
      return missing.append("a pattern with a secret or a value that only a run knows")
    }
    add(.matches(text, isNegated: isNegated), of: subject)
  }

  // MARK: structures

  /// A path below that of a JSON subject; nil for any other.
  private func path(_ subject: ExportedSubject, _ name: String) -> ExportedSubject? {
    guard case .json(let path) = subject, filters.isEmpty else { return nil }
    return .json(
      isPlainName(name)
        ? "\(path).\(name)" : "\(path)['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']")
  }

  private func path(_ subject: ExportedSubject, _ index: Int) -> ExportedSubject? {
    guard case .json(let path) = subject, filters.isEmpty else { return nil }
    return .json("\(path)[\(index)]")
  }

  /// Returns whether a path finds one value at most.
  private static func isSingular(_ subject: ExportedSubject) -> Bool {
    guard case .json(let path) = subject else { return true }
    return !path.contains("*") && !path.contains("..") && !path.contains("?") && !path.contains(":")
  }

  private mutating func addEqual(_ value: Value, at subject: ExportedSubject) {
    switch value {
    case .list(let items):
      guard path(subject, 0) != nil else { return missing.append("a list of values") }
      guard PredicateExport.isSingular(subject) else {
        return items.allSatisfy(\.isScalar)
          ? add(.compares(.equal, value), of: subject) : missing.append("a list of values")
      }
      add(.counts(.equal, .integer(items.count)), of: subject)
      for (index, item) in items.enumerated() {
        if let below = path(subject, index) { addEqual(item, at: below) }
      }
    case .mapping(let mapping):
      guard PredicateExport.isSingular(subject), path(subject, "a") != nil else { return missing.append("a mapping") }
      addMemberCount(mapping.count, of: subject)
      for member in mapping.members {
        if let below = path(subject, member.key.string) { addEqual(member.value, at: below) }
      }
    default:
      guard PredicateExport.isSingular(subject) else { return missing.append("`equals` on several values") }
      add(.compares(.equal, value), of: subject)
    }
  }

  private mutating func addMemberCount(_ count: Int, of subject: ExportedSubject) {
    guard case .json(let path) = subject else { return }
    if count == 0 {
      add(.isKind(.empty, isNegated: false), of: subject)
    } else {
      add(.counts(.equal, .integer(count)), of: .json("\(path).*"))
    }
  }

  private mutating func addParts(_ value: Value, _ predicate: Predicate) {
    switch value {
    case .mapping: addShape(.value(value), isPartial: true, at: subject, predicate)
    case .list(let items) where items.allSatisfy(\.isScalar):
      for item in items { add(.contains(item, isNegated: false)) }
    default: leaveOut(predicate)
    }
  }

  private mutating func addShape(_ shaped: ShapedPredicate, _ predicate: Predicate) {
    guard PredicateExport.isSingular(subject), path(subject, 0) != nil, shaped.use == .equals || shaped.use == .includes
    else { return leaveOut(predicate) }
    addShape(shaped.shape, isPartial: shaped.use == .includes, at: subject, predicate)
  }

  private mutating func addShape(
    _ shape: Shape, isPartial: Bool, at subject: ExportedSubject, _ predicate: Predicate
  ) {
    switch shape {
    case .value(.mapping(let mapping)) where isPartial:
      guard path(subject, "a") != nil else { return leaveOut(predicate) }
      for member in mapping.members {
        if let below = path(subject, member.key.string) {
          addShape(.value(member.value), isPartial: true, at: below, predicate)
        }
      }
    case .value(.list(let items)) where isPartial:
      for item in items {
        if item.isScalar { add(.contains(item, isNegated: false), of: subject) } else { leaveOut(predicate) }
      }
    case .value(let value): addEqual(value, at: subject)
    case .anything: add(.exists(true), of: subject)
    case .kind(let kind): add(.isKind(kind, isNegated: false), of: subject)
    case .pattern(let pattern): addPattern(pattern, isNegated: false, of: subject)
    case .each: missing.append("`!each`")
    case .predicates(let inner):
      var below = PredicateExport(subject: subject, filters: [], label: label, open: open)
      for one in inner { below.add(one) }
      checks += below.checks
      missing += below.missing
    case .list(let items):
      guard !isPartial else { return leaveOut(predicate) }
      add(.counts(.equal, .integer(items.count)), of: subject)
      for (index, item) in items.enumerated() {
        if let below = path(subject, index) { addShape(item, isPartial: false, at: below, predicate) }
      }
    case .object(let members):
      let mayVary = members.contains { $0.isOptional }
      if !isPartial, !mayVary { addMemberCount(members.count, of: subject) }
      for member in members {
        if member.isOptional {
          missing.append("a member that may be absent")
        } else if let below = path(subject, member.key.string) {
          addShape(member.shape, isPartial: isPartial, at: below, predicate)
        }
      }
    }
  }

  // MARK: counts and negations

  private mutating func addCount(_ inner: [Predicate], _ predicate: Predicate) {
    for one in inner {
      guard case .value(.number(let number)) = one.operand else { return leaveOut(predicate) }
      let names = PredicateExport.comparisons.merging(["equals": .equal, "not_equals": .notEqual]) { $1 }
      guard let comparison = names[one.kind.name] else { return leaveOut(predicate) }
      add(.counts(comparison, .number(number)))
    }
  }

  private mutating func addNegation(_ inner: [Predicate], _ predicate: Predicate) {
    guard inner.count == 1, let first = inner.first else { return leaveOut(predicate) }
    switch (first.kind.name, first.operand) {
    case ("equals", .value(let value)) where value.isScalar: add(.compares(.notEqual, value))
    case ("contains", .value(let value)) where value.isScalar: add(.contains(value, isNegated: true))
    case ("contains", .text(let text)): add(.contains(.text(text), isNegated: true))
    case ("matches", .pattern(let pattern)): addPattern(pattern, isNegated: true, of: subject)
    case ("is", .kind(let kind)): add(.isKind(kind, isNegated: true))
    default: leaveOut(predicate)
    }
  }
}

extension Value {
  var isScalar: Bool {
    switch self {
    case .list, .mapping: false
    default: true
    }
  }
}
