import Matching
import Values

let requestListShape = SchemaShape.list(
  of: .any([.named("request") { requestKeys.shape() }, .named("use") { useKeys.shape(needed: ["use"]) }]))

let variablesShape = SchemaShape.names(of: .anything).or(.null)

let secretsShape = SchemaShape.text.orList.or(.names(of: .scalar))

// MARK: Expectations

/// An expected value: a mapping of predicates, or what it equals.
let predicatesShape = SchemaShape.named("predicates") {
  .any([predicateMappingShape, .scalar, .null, .list(of: .anything)])
}

let predicateMappingShape = SchemaShape.named("predicate_mapping") {
  .keys(predicateKeys(all: predicateMappingShape))
}

/// The expectations of a subject: the same, also of a part that is taken from its value.
let expectedShape = SchemaShape.named("expected") {
  .any([expectedMappingShape, .scalar, .null, .list(of: .anything)])
}

let expectedMappingShape = SchemaShape.named("expected_mapping") {
  .keys(
    predicateKeys(all: expectedMappingShape)
      + CaptureKey.extraction.map { SchemaShape.Key($0.name, $0.documentation, $0.shape) })
}

private func predicateKeys(all item: SchemaShape) -> [SchemaShape.Key] {
  PredicateKind.all.map { SchemaShape.Key($0.name, "takes \($0.operand.phrase)", $0.operand.shape) } + [
    SchemaShape.Key("unordered", "`true`: `equals` compares lists in any order", .boolean),
    SchemaShape.Key("all", "mappings of predicates, all of which hold", .list(of: item, atLeast: 1)),
  ]
}

extension PredicateOperand {
  fileprivate var shape: SchemaShape {
    switch self {
    case .anyValue, .part: .anything
    // Durations, sizes and dates are text.
    case .comparable, .number: .any([.number, .text])
    case .date, .pattern: .text
    case .bounds: SchemaShape.list(of: .any([.number, .text]), atLeast: 2).orTemplate
    case .distance:
      SchemaShape.keys(
        [
          SchemaShape.Key("value", "the middle", .any([.number, .text])),
          SchemaShape.Key("within", "the largest distance from it", .any([.number, .text])),
        ], needed: ["value", "within"]
      ).orTemplate
    case .members: SchemaShape.names(of: .anything).or(.list(of: .anything, atLeast: 1)).orTemplate.or(.null)
    case .list: SchemaShape.list(of: .anything, atLeast: 1).orTemplate
    case .text: .scalar
    case .kind: SchemaShape.words(MatchKind.allCases.map(\.rawValue)).orTemplate.or(.null)
    case .flag: SchemaShape.boolean.orTemplate
    case .order: SchemaShape.any([.constants([.bool(true)]), .words(["ascending", "descending"])]).orTemplate
    case .items: predicatesShape
    case .count: SchemaShape.any([.integer(0...Int.max), .text, predicateMappingShape])
    case .predicates: predicateMappingShape
    }
  }
}

/// A mapping of attributes and what is expected of them.
func attributesShape(_ names: [String]) -> SchemaShape {
  .keys(names.map { SchemaShape.Key($0, "the \($0.replacing("_", with: " "))", expectedShape) })
}

private let expectedKeys = SubjectKey.expected.map {
  SchemaShape.Key($0.name, "what is expected of `\($0.name)`", $0.expected)
}

let expectShape = SchemaShape.keys(expectedKeys)

/// `expect` as a list, some of whose items have a condition.
let expectListShape = SchemaShape.list(
  of: .keys(
    [
      SchemaShape.Key(
        "when", "a condition of the item's other keys: `true`, a template, or what is expected of the response",
        SchemaShape.boolean.orTemplate.or(expectShape))
    ] + expectedKeys))

let captureShape = sources(beside: CaptureKey.all)

/// A source in a list of such.
let listedSourceShape = SchemaShape.named("source") { sources(beside: CaptureKey.ofSource) }

private func sources(beside keys: [CaptureKey]) -> SchemaShape {
  .any([
    .text,
    .keys(
      SubjectKey.captured.map { SchemaShape.Key($0.sourceName, $0.sourceDocumentation, $0.captured) }
        + keys.map { SchemaShape.Key($0.name, $0.documentation, $0.shape) }),
  ])
}
