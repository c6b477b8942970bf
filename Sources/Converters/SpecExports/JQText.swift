import DocumentQueries
import Values

/// The language of jq, which reads JSON in scripts.
enum JQText {
  /// A JSONPath of names, indices and wildcards; nil for any other.
  static func path(_ text: String) -> (filter: String, isSingular: Bool)? {
    guard let path = try? JSONPath(text), let steps = path.steps else { return nil }
    var filter = ""
    for step in steps {
      switch step {
      case .name(let name):
        filter +=
          isPlainName(name)
          ? ".\(name)" : (filter.isEmpty ? "." : "") + "[\(literal(.text(name)))]"
      case .index(let index): filter += (filter.isEmpty ? "." : "") + "[\(index)]"
      case .all: filter += (filter.isEmpty ? "." : "") + "[]"
      }
    }
    return (filter.isEmpty ? "." : filter, path.isSingular)
  }

  static func literal(_ value: Value) -> String { value.jsonText().string }

  /// The condition that a check states; nil for one that jq can't say as simply.
  static func condition(_ check: ExportedCheck) -> String? {
    guard check.filters.isEmpty, case .json(let text) = check.subject, let (filter, isSingular) = path(text) else {
      return nil
    }
    let value = isSingular ? filter : "[\(filter)]"
    switch check.predicate {
    case .compares(let comparison, let operand): return "\(value) \(comparison.rawValue) \(literal(operand))"
    case .contains(let operand, let isNegated):
      let found = "\(value) | includes(\(literal(operand)))"
      return isNegated ? "\(found) | not" : found
    case .startsWith(let text): return "\(value) | startswith(\(literal(.text(text))))"
    case .endsWith(let text): return "\(value) | endswith(\(literal(.text(text))))"
    case .matches(let pattern, let isNegated):
      return "\(value) | test(\(literal(.text(pattern))))\(isNegated ? " | not" : "")"
    case .exists(let exists):
      if !isSingular { return "\(value) | length \(exists ? ">" : "==") 0" }
      return "[\(parentPath(text) ?? filter)] | length \(exists ? ">" : "==") 0"
    case .isKind(let kind, let isNegated):
      return JQText.kind(kind.rawValue).map { "\(value) | \($0)\(isNegated ? " | not" : "")" }
    case .counts(let comparison, let count): return "\(value) | length \(comparison.rawValue) \(literal(count))"
    case .oneOf(let values): return "\(value) | IN(\(values.map(literal).joined(separator: ", ")))"
    }
  }

  /// A filter that yields nothing where the path finds nothing, though null is something.
  private static func parentPath(_ text: String) -> String? {
    guard var steps = (try? JSONPath(text))?.steps, let last = steps.popLast(), case .name(let name) = last else {
      return nil
    }
    guard let parent = path("$" + steps.map(\.text).joined()) else { return nil }
    return "\(parent.filter) | objects | select(has(\(literal(.text(name)))))"
  }

  private static func kind(_ kind: String) -> String? {
    switch kind {
    case "string", "number", "boolean", "array", "object", "null": "type == \"\(kind)\""
    case "integer": "type == \"number\" and . == floor"
    case "empty": "length == 0"
    case "uuid":
      "test(\"^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$\")"
    case "date": "test(\"^\\\\d{4}-\\\\d{2}-\\\\d{2}$\")"
    case "datetime": "test(\"^\\\\d{4}-\\\\d{2}-\\\\d{2}T\\\\d{2}:\\\\d{2}\")"
    case "email": "test(\"^[^@ ]+@[^@ ]+$\")"
    case "url": "test(\"^[a-z][a-z0-9+.-]*://\")"
    default: nil
    }
  }
}

extension JSONPath.Step {
  fileprivate var text: String {
    switch self {
    case .name(let name): "['\(name)']"
    case .index(let index): "[\(index)]"
    case .all: "[*]"
    }
  }
}
