import DocumentQueries
import HTTPSemantics
import JSONSchemas
import Matching
import RequestSpecs
import Templates
import Values

extension Assertion.Check {
  var count: Int {
    switch self {
    case .predicates(let specs): max(1, specs.count)
    case .extracted(let parts): parts.reduce(0) { $0 + $1.predicates.count }
    case .status, .contentType, .snapshot, .schema: 1
    }
  }
}

extension Value {
  /// - Parameter isUntyped: whether a text may stand for a number.
  func subject(isUntyped: Bool) -> MatchSubject {
    if isUntyped, case .text(let text) = self { .lazy(UntypedText(text)) } else { .value(self) }
  }
}

extension ResponseSubject {
  /// The prefix for the paths of differences: that of the value in the document.
  var path: String {
    switch self {
    case .json(let path), .events(let path), .calls(let path), .csv(let path):
      path.compiled?.isSingular == true ? path.text : "$"
    default: "$"
    }
  }

  /// The format that the body must have for the subject.
  var form: String {
    switch self {
    case .xpath: "XML or HTML"
    case .body: "text"
    case .events: "a stream of events"
    case .csv: "CSV"
    default: "JSON"
    }
  }

  var unit: String {
    switch self {
    case .duration, .timing, .certificate(.expiresIn), .cookie(_, .maxAge): "ms"
    default: ""
    }
  }
}

/// A path up to its first index: expected items may have other positions.
func withoutItems(_ path: String) -> Substring {
  var index = path.startIndex
  while let open = path[index...].firstIndex(of: "[") {
    index = path.index(after: open)
    if index < path.endIndex, path[index].isNumber || path[index] == "*" { return path[..<open] }
  }
  return path[...]
}
