import HTTPMessages
import Matching
import Values

let requestListShape = ValueShape.list(of: .named("request") { requestKeys.shape() })

let variablesShape = ValueShape.names(of: .anything).or(.null)

let secretsShape = ValueShape.text.orList.or(.names(of: .scalar))

// MARK: Expectations

/// An expected value: a mapping of predicates, or what it equals.
let predicatesShape = ValueShape.named("predicates") {
  .any([predicateMappingShape, .scalar, .null, .list(of: .anything)])
}

private let predicateMappingShape = ValueShape.named("predicate mapping") {
  .keys(
    PredicateKind.all.map {
      ValueShape.Key($0.name, "takes \($0.operand.phrase)", $0.operand.shape)
    } + [ValueShape.Key("unordered", "`true`: `equals` compares lists in any order", .boolean)])
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

private func attributes(_ names: [String]) -> ValueShape {
  .keys(names.map { ValueShape.Key($0, "the \($0.replacing("_", with: " "))", predicatesShape) })
}

let expectShape = ValueShape.keys(
  expectKeys.known.map { name in
    let shape: ValueShape =
      switch name {
      case "headers", "cookies", "json", "xpath": .names(of: predicatesShape)
      case "timing": attributes(TimingPhase.allCases.map(\.rawValue))
      case "certificate": attributes(CertificateAttribute.allCases.map(\.rawValue))
      case "bytes": attributes(["count", "wire_count", "sha256", "md5"])
      case "error": ValueDecoder<TransportFailure>.word().shape.orTemplate
      case "status": ValueDecoder<StatusSet>.status.shape.orTemplate.or(predicateMappingShape)
      case "schema": .any([.someText, .names(of: .anything)])
      case "snapshot": SnapshotDraft.keys.shape().or(.constants([.bool(true)]))
      case "events": .anything
      default: predicatesShape
      }
    return ValueShape.Key(name, "what is expected of `\(name)`", shape.or(.null))
  })

// MARK: Captures

let captureShape = ValueShape.any([
  .text,
  .keys(
    captureKeys.known.map { name in
      let shape: ValueShape =
        switch name {
        case "secret": .boolean
        case "as": ValueDecoder<CaptureSpec.Conversion>.word().shape
        case "default": .anything
        case "group": .any([.text, .integer(0...Int.max), .list(of: .text)])
        case "timing": .words(TimingPhase.allCases.map(\.rawValue))
        case "json", "xpath", "header", "cookie", "regex", "link", "events": .text
        case "certificate": .any([.words(CertificateAttribute.allCases.map(\.rawValue)), .constants([.bool(true)])])
        default: .constants([.bool(true)])
        }
      return ValueShape.Key(name, "`\(name)` of the response", shape)
    }),
])
