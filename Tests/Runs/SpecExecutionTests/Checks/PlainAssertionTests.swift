import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import SpecExecution
import Testing
import Values

/// Random documents, header lines and predicates, from few enough values that many of them meet.
private struct Generator {
  var random: SplitMix64

  private static let texts = [
    "", "a", "b", "ab", "A", "1", "1.0", "true", "null", "é", "e\u{301}", "a\"b", "\\", "/", "\n", "\u{1F600}", "a, b",
    " a ",
  ]
  private static let numbers = [
    "0", "-0", "0.0", "1", "1.0", "1e0", "10", "1E1", "1e1", "-1", "0.1", "2", "3", "100000000000000000000",
    "1e400", "9223372036854775808",
  ]

  mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
  mutating func text() -> String { pick(Self.texts) }

  mutating func value(depth: Int = 2) -> Value {
    switch below(depth > 0 ? 8 : 6) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2, 3: .number(Number(lexeme: pick(Self.numbers)))
    case 4, 5: .text(Text(text()))
    case 6: .list((0..<below(4)).map { _ in value(depth: depth - 1) })
    default:
      // A name may stand twice.
      .mapping(
        Mapping(
          (0..<below(4)).map { _ in Mapping.Member(key: Text(pick(["a", "b", "c"])), value: value(depth: depth - 1))
          }))
    }
  }

  /// The value as JSON, in one of the ways to write it.
  mutating func json(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): number.lexeme
    case .list(let items): "[" + items.map { json($0) }.joined(separator: pick([",", " , "])) + "]"
    case .mapping(let mapping):
      "{" + mapping.members.map { "\(quoted($0.key.string)): \(json($0.value))" }.joined(separator: ",") + "}"
    default: quoted(value.asText.string)
    }
  }

  private mutating func quoted(_ text: String) -> String {
    let isEscaped = below(3) == 0
    var result = "\""
    for unit in text.utf16 {
      if isEscaped || unit < 0x20 || unit == 0x22 || unit == 0x5C || unit > 0x7E {
        let digits = String(unit, radix: 16, uppercase: below(2) == 0)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      }
    }
    return result + "\""
  }

  mutating func predicate(for value: Value, depth: Int = 1) -> Predicate {
    let operand = below(3) > 0 ? value : self.value(depth: 1)
    switch below(depth > 0 ? 12 : 8) {
    case 0, 1, 2: return Predicate(.equals, .value(operand))
    case 3: return Predicate(.exists, .flag(below(3) > 0))
    case 4: return Predicate(.contains, .value(.text(Text(text()))))
    case 5: return Predicate(.notEquals, .value(operand))
    case 6: return Predicate(.notContains, .value(.text(Text(text()))))
    case 7: return Predicate(.oneOf, .values([operand, self.value(depth: 0)]))
    case 8, 9, 10:
      let size =
        switch value {
        case .list(let items): items.count
        case .mapping(let mapping): mapping.members.count
        default: 1
        }
      let wanted = below(2) == 0 ? size : below(4)
      let count: Value = below(3) > 0 ? .integer(wanted) : .number(Number(lexeme: "\(wanted).0"))
      return Predicate(.count, .predicates([Predicate(.equals, .value(count))]))
    default: return Predicate(.not, .predicates([predicate(for: value, depth: 0)]))
    }
  }

  mutating func predicates(for value: Value) -> [Predicate] {
    (0...below(4) / 3).map { _ in predicate(for: value) }
  }

  mutating func path() -> String { pick(["$", "$", "$.a", "$.b", "$[0]", "$[-1]", "$.a.b", "$.a[1]", "$[*]", "$..a"]) }
}

/// How often both ways of looking at an assertion agree that it holds, or that it does not, and how often only the full
/// one sees that it holds.
private struct Agreement {
  var holds = 0
  var fails = 0
  var onlyFull = 0

  mutating func note(plain: Bool, full: Bool, _ what: @autoclosure () -> String) {
    #expect(!plain || full, "\(what())")
    if plain { holds += 1 } else if full { onlyFull += 1 } else { fails += 1 }
  }
}

@Suite("Plain assertions hold where the full evaluation says so, and nowhere else")
struct PlainAssertionTests {
  private func full(_ predicates: [Predicate], _ subject: MatchSubject) -> Bool {
    Matching.failures(of: predicates, against: subject).isEmpty
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func documents(_ seed: UInt64) throws {
    var generator = Generator(random: SplitMix64(seed: seed))
    let memory = ValueMemory(of: StorageBudget(bodies: 1 << 20, disk: 0))
    var agreement = Agreement()
    for _ in 0..<20000 {
      let text = generator.json(generator.value(depth: 3))
      let document = try JSONDocument(parsing: text)
      let path = try JSONPath(generator.path())
      let selection = try path.selection(in: document)
      let subject: MatchSubject =
        path.isSingular
        ? selection.nodes.first.map { .lazy(LazyNode(node: $0, registry: nil, memory: memory)) } ?? .missing
        : .list(LazyNodeList(count: selection.nodes.count, nil, memory) { selection.nodes })
      let predicates = generator.predicates(for: selection.nodes.first?.value ?? .null)
      let plain =
        document.node(at: path).map { node in predicates.allSatisfy { $0.certainlyHolds(for: node) } } ?? false
      agreement.note(plain: plain, full: full(predicates, subject), "\(predicates) of \(path) in \(text)")
      // Of such a member a report tells.
      if plain { #expect(selection.ambiguity == nil, "\(path) in \(text)") }
    }
    #expect(agreement.holds > 500 && agreement.fails > 500, "\(agreement)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func headers(_ seed: UInt64) {
    var generator = Generator(random: SplitMix64(seed: seed))
    var agreement = Agreement()
    for _ in 0..<20000 {
      let headers = HeaderFields(
        (0..<generator.below(4)).map { _ in (generator.pick(["A", "a", "B"]), generator.text()) })
      let lines = headers.values("a")
      let predicates = generator.predicates(for: lines.first.map { .text(Text($0)) } ?? .null)
      let plain =
        headers.onlyValue("a").map { line in predicates.allSatisfy { $0.certainlyHolds(forHeader: line) } } ?? false
      let subject: MatchSubject = lines.isEmpty ? .missing : .lines(lines.map { Text($0) })
      agreement.note(plain: plain, full: full(predicates, subject), "\(predicates) of \(lines)")
    }
    #expect(agreement.holds > 500 && agreement.fails > 500, "\(agreement)")
  }
}
