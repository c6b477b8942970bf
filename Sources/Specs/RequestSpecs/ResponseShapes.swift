import Matching
import Values

let requestListShape = ValueShape.list(
  of: .any([.named("request") { requestKeys.shape() }, .named("use") { useKeys.shape(needed: ["use"]) }]))

let variablesShape = ValueShape.names(of: .anything).or(.null)

let secretsShape = ValueShape.text.orList.or(.names(of: .scalar))

// MARK: Expectations

/// An expected value: a mapping of predicates, or what it equals.
let predicatesShape = ValueShape.named("predicates") {
  .any([predicateMappingShape, .scalar, .null, .list(of: .anything)])
}

let predicateMappingShape = ValueShape.named("predicate_mapping") {
  .keys(predicateKeys(all: predicateMappingShape))
}

/// The expectations of a subject: the same, also of a part that is taken from its value.
let expectedShape = ValueShape.named("expected") {
  .any([expectedMappingShape, .scalar, .null, .list(of: .anything)])
}

let expectedMappingShape = ValueShape.named("expected_mapping") {
  .keys(
    predicateKeys(all: expectedMappingShape)
      + CaptureKey.extraction.map { ValueShape.Key($0.name, $0.documentation, $0.shape) })
}

private func predicateKeys(all item: ValueShape) -> [ValueShape.Key] {
  PredicateKind.all.map { ValueShape.Key($0.name, "takes \($0.operand.phrase)", $0.operand.shape) } + [
    ValueShape.Key("unordered", "`true`: `equals` compares lists in any order", .boolean),
    ValueShape.Key("all", "mappings of predicates, all of which hold", .list(of: item, atLeast: 1)),
  ]
}

extension PredicateOperand {
  fileprivate var shape: ValueShape {
    switch self {
    case .anyValue, .part: .anything
    // Durations, sizes and dates are text.
    case .comparable, .number: .any([.number, .text])
    case .date, .pattern: .text
    case .bounds: ValueShape.list(of: .any([.number, .text]), atLeast: 2).orTemplate
    case .distance:
      ValueShape.keys(
        [
          ValueShape.Key("value", "the middle", .any([.number, .text])),
          ValueShape.Key("within", "how far from it at most", .any([.number, .text])),
        ], needed: ["value", "within"]
      ).orTemplate
    case .members: ValueShape.names(of: .anything).or(.list(of: .anything, atLeast: 1)).orTemplate.or(.null)
    case .list: ValueShape.list(of: .anything, atLeast: 1).orTemplate
    case .text: .scalar
    case .kind: ValueShape.words(MatchKind.allCases.map(\.rawValue)).orTemplate.or(.null)
    case .flag: ValueShape.boolean.orTemplate
    case .order: ValueShape.any([.constants([.bool(true)]), .words(["ascending", "descending"])]).orTemplate
    case .items: predicatesShape
    case .count: ValueShape.any([.integer(0...Int.max), .text, predicateMappingShape])
    case .predicates: predicateMappingShape
    }
  }
}

/// A mapping of attributes and what is expected of them.
func attributesShape(_ names: [String]) -> ValueShape {
  .keys(names.map { ValueShape.Key($0, "the \($0.replacing("_", with: " "))", expectedShape) })
}

let expectShape = ValueShape.keys(
  SubjectKey.expected.map { ValueShape.Key($0.name, "what is expected of `\($0.name)`", $0.expected) })

let captureShape = ValueShape.any([
  .text,
  .keys(
    SubjectKey.captured.map { ValueShape.Key($0.sourceName, $0.sourceDocumentation, $0.captured) }
      + CaptureKey.all.map { ValueShape.Key($0.name, $0.documentation, $0.shape) }),
])
