internal import Values

/// A predicate: how it is written, what it takes and suits, when it holds, and how that is told.
package final class PredicateKind: Sendable {
  typealias Evaluation = @Sendable (PredicateEvaluator, Predicate, MatchTarget) -> MatchOutcome

  package let name: String
  /// Signs and words of other tools that data hardly have as names: `>=`, `gte`.
  package let signs: [String]
  /// Other words of other tools, in lower case and without `_`.
  package let words: [String]
  package let operand: PredicateOperand
  package let subjects: PredicateSubjects
  /// Whether it denies what its operand says.
  package let isNegation: Bool
  /// Whether it goes through what a query found, and so has nothing to check where it found nothing.
  let goesThroughItems: Bool
  /// Whether it decides for itself where there is nothing.
  let takesWhatIsMissing: Bool
  /// The items that it is about, as in `at least one item`.
  let quantity: String
  /// What is wrong with an operand of the right form, and how to fix it.
  package let problem: @Sendable (Predicate.Operand) -> (message: String, help: String?)?
  /// What would have been right, for the line `expected`.
  let expectation: @Sendable (Predicate, ExpectationWording) -> Text
  let outcome: Evaluation
  /// The reference's words on what it applies to, and on when it holds; empty where the row above is for it, too.
  package let documentation: (subjects: String, meaning: String)

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

  /// All predicates, in the order in which they are documented.
  package static let all: [PredicateKind] =
    equality + comparisons + parts + texts + kinds + [exists] + containers + items + dates + [not]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  private static let bySign = Dictionary(uniqueKeysWithValues: all.flatMap { kind in kind.signs.map { ($0, kind) } })
  private static let byWord = Dictionary(uniqueKeysWithValues: all.flatMap { kind in kind.words.map { ($0, kind) } })

  package static func named(_ name: String) -> PredicateKind? { byName[name] }
  /// The predicate that other tools write by a sign.
  package static func signed(_ sign: String) -> PredicateKind? { bySign[sign] }
  /// The predicate that other tools have another word for.
  package static func called(_ word: String) -> PredicateKind? { byWord[word] }

  /// Whether data hardly have a member of that name.
  package var isTelling: Bool { name.contains("_") }

  /// Whether it looks at a header's lines, and not at its text alone.
  package var countsLines: Bool { operand == .count || subjects.contain(.lines) && !subjects.contain(.text) }

  /// Whether a reader could take it to hold where there is nothing.
  func seemsToHoldForNothing(_ operand: Predicate.Operand) -> Bool {
    switch operand {
    case .value(.null): self === PredicateKind.equals || isNegation
    case .kind(.null), .kind(.empty): true
    default: isNegation || self.operand == .count
    }
  }
}

/// How an expectation is worded.
struct ExpectationWording {
  /// The kind of what is there, where that is known to fit.
  var kind: ValueKind?
  var unit = ""
  var namesTypes = false

  func shown(_ value: Value) -> Text { namesTypes ? typed(value, unit: unit) : rendered(value, unit: unit) }

  func all(_ predicates: [Predicate]) -> Text {
    Matching.expectation(of: predicates, unit: unit, namesTypes: namesTypes)
  }

  /// Before what is said of items.
  var items: String { namesTypes ? "an array, " : "" }
}
