import Synchronization
import Templates
import Values

/// The seed of a random sequence, derived from those around it by hashing: it depends on the place in the run, never on
/// the order of events.
package struct RandomSeed: Sendable, Hashable {
  package let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  /// The seed of a part with that number.
  package func part(_ kind: Kind, _ number: Int) -> RandomSeed {
    part(kind.rawValue).part(UInt64(truncatingIfNeeded: number))
  }

  /// The seed of a part with that name.
  package func part(_ kind: Kind, _ name: String) -> RandomSeed {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    // FNV-1a
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return part(kind.rawValue).part(hash)
  }

  private func part(_ number: UInt64) -> RandomSeed {
    var mixing = SplitMix64(seed: value ^ number)
    return RandomSeed(mixing.next() &+ number)
  }

  package enum Kind: UInt64, Sendable {
    case file = 1, repetition, group, rows, row, step, variable, round
  }
}

/// The scope for the value of a variable, with a random sequence of its own: it does not matter who reads it first.
struct VariableScope: TemplateScope {
  let scope: FileScope
  private let name: String
  let random: RandomSequence

  init(_ scope: FileScope, of name: String) {
    (self.scope, self.name) = (scope, name)
    random = RandomSequence(scope.seed.part(.variable, name))
  }

  var names: [String] { scope.names }
  var standsIn: Bool { scope.standsIn }
  func standIn(for value: Value, reading names: [String], at range: SourceRange) -> Value {
    scope.standIn(for: value, reading: names, at: range)
  }
  func open(_ expression: OpenExpression) throws(TemplateError) -> Value? {
    try scope.environment.openValues?.value(of: expression, in: scope, partOf: scope.hasParts(name) ? name : nil)
  }
  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup { try scope.lookup(name) }
  func note(_ doubt: Doubt, at range: SourceRange) { scope.note(doubt, at: range) }
  func environmentVariable(_ name: String) -> Text? { scope.environmentVariable(name) }
  func now() -> Timestamp { scope.now() }
  func nextRandom() -> UInt64 { random.next() }
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    try scope.readFile(path, from: range)
  }
}

final class RandomSequence: Sendable {
  private let generator: Mutex<SplitMix64>

  init(_ seed: RandomSeed) { generator = Mutex(SplitMix64(seed: seed.value)) }

  func next() -> UInt64 { generator.withLock { $0.next() } }
}
