import Values

/// A predicate: its names, its operand and subjects, its evaluation, and its wording.
package final class PredicateKind: Sendable {
  typealias Evaluation = @Sendable (PredicateEvaluator, Predicate, MatchTarget) -> MatchOutcome

  package let name: String
  /// Operators and names of other tools that are unlikely in data: `>=`, `gte`.
  package let signs: [String]
  /// Other names in other tools, in lower case and without `_`.
  package let words: [String]
  package let operand: PredicateOperand
  package let subjects: PredicateSubjects
  /// Indicates whether it negates its operand.
  package let isNegation: Bool
  /// Indicates whether it applies to the results of a query, and so has nothing to check without any.
  let goesThroughItems: Bool
  /// Indicates whether it handles missing values itself.
  let takesWhatIsMissing: Bool
  /// The noun phrase for its items, as in `at least one item`.
  let quantity: String
  /// The error in an operand of the right form, and its fix.
  package let problem: @Sendable (Predicate.Operand) -> (message: String, help: String?)?
  /// The description of a matching value, for the line `expected`.
  let expectation: @Sendable (Predicate, ExpectationWording) -> Text
  let outcome: Evaluation
  /// The reference's text on its subjects and its meaning; empty if that of the row above applies, too.
  let documentation: (subjects: String, meaning: String)

  init(
    _ name: String, signs: [String] = [], words: String = "", takes operand: PredicateOperand,
    of subjects: PredicateSubjects, isNegation: Bool = false, goesThroughItems: Bool = false,
    takesWhatIsMissing: Bool = false, quantity: String = "",
    documentation: (subjects: String, meaning: String) = ("", ""),
    problem: @escaping @Sendable (Predicate.Operand) -> (message: String, help: String?)? = { _ in nil },
    expectation: @escaping @Sendable (Predicate, ExpectationWording) -> Text, outcome: @escaping Evaluation
  ) {
    self.name = name
    self.signs = signs
    self.words = words.split(separator: " ").map(String.init)
    self.operand = operand
    self.subjects = subjects
    self.isNegation = isNegation
    self.goesThroughItems = goesThroughItems
    self.takesWhatIsMissing = takesWhatIsMissing
    self.quantity = quantity
    self.documentation = documentation
    self.problem = problem
    self.expectation = expectation
    self.outcome = outcome
  }

  /// All predicates, in the order of the documentation.
  package static let all: [PredicateKind] =
    equality + comparisons + parts + texts + kinds + [exists] + containers + items + dates + [not]

  private static let places = NameIndex(all.map(\.name))
  private static let bySign = Dictionary(namedBy: all.flatMap { kind in kind.signs.map { ($0, kind) } })
  private static let byWord = Dictionary(namedBy: all.flatMap { kind in kind.words.map { ($0, kind) } })

  package static func named(_ name: String) -> PredicateKind? { places[name].map { all[$0] } }
  /// The predicate of another tool's operator.
  package static func signed(_ sign: String) -> PredicateKind? { bySign[sign] }
  /// The predicate with another name in other tools.
  package static func called(_ word: String) -> PredicateKind? { byWord[word] }

  /// All predicates as the reference of the format has them: a header and rows.
  package static var reference: [[String]] {
    var table = [["predicate", "applies to", "holds if"]]
    for kind in all {
      let name = "`\(kind.name)\(kind.operand.example.map { ": \($0)" } ?? "")`"
      if kind.documentation.meaning.isEmpty {
        table[table.count - 1][0] += ", " + name
      } else {
        table.append([name, kind.documentation.subjects, kind.documentation.meaning])
      }
    }
    return table
  }

  /// Indicates whether the name is unlikely in data.
  package var isDistinctive: Bool { name.contains("_") }

  /// Indicates whether it applies to a header's lines, not only to its text.
  package var countsLines: Bool { operand == .count || subjects.contain(.lines) && !subjects.contain(.text) }

  /// Returns whether a reader could expect it to hold for a missing value.
  func seemsToHoldForNothing(_ operand: Predicate.Operand) -> Bool {
    switch operand {
    case .value(.null): self === PredicateKind.equals || isNegation
    case .kind(.null), .kind(.empty): true
    default: isNegation || self.operand == .count
    }
  }
}

/// The context for wording an expectation.
struct ExpectationWording {
  /// The type of the actual value, if it is known to be suitable.
  var kind: ValueKind?
  var unit = ""
  var namesTypes = false

  func shown(_ value: Value) -> Text { namesTypes ? typed(value, unit: unit) : rendered(value, unit: unit) }

  func all(_ predicates: [Predicate]) -> Text {
    Matching.expectation(of: predicates, unit: unit, namesTypes: namesTypes)
  }

  /// The prefix for expectations of items.
  var items: String { namesTypes ? "an array, " : "" }
}
