import Values

/// The language of jq, which reads JSON in scripts.
enum JQText {
  /// A JSONPath of names, indices and wildcards; nil for any other.
  static func path(_ text: String) -> (filter: String, isSingular: Bool)? {
    guard let steps = JSONPathSteps(text) else { return nil }
    var filter = ""
    for step in steps.steps {
      switch step {
      case .name(let name):
        filter +=
          isPlainName(name)
          ? ".\(name)" : (filter.isEmpty ? "." : "") + "[\(literal(.text(name)))]"
      case .index(let index): filter += (filter.isEmpty ? "." : "") + "[\(index)]"
      case .all: filter += (filter.isEmpty ? "." : "") + "[]"
      }
    }
    return (filter.isEmpty ? "." : filter, steps.isSingular)
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
    guard var steps = JSONPathSteps(text)?.steps, let last = steps.popLast(), case .name(let name) = last else {
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

/// A JSONPath of names, indices and wildcards.
struct JSONPathSteps {
  enum Step {
    case name(String)
    case index(Int)
    case all

    var text: String {
      switch self {
      case .name(let name): "['\(name)']"
      case .index(let index): "[\(index)]"
      case .all: "[*]"
      }
    }
  }

  private(set) var steps: [Step] = []
  /// Indicates whether it finds one value at most.
  var isSingular: Bool { steps.allSatisfy { if case .all = $0 { false } else { true } } }

  /// Nil for any other path.
  init?(_ text: String) {
    var rest = text.utf8.dropFirst(text.hasPrefix("$") ? 1 : 0)
    while let first = rest.popFirst() {
      let part: Substring.UTF8View
      switch (first, rest.first) {
      case (UInt8(ascii: "."), UInt8(ascii: "*")):
        part = rest.prefix(1)
        steps.append(.all)
      case (UInt8(ascii: "."), _):
        part = rest.prefix { $0.isNameByte }
        guard isPlainName(String(Substring(part))) else { return nil }
        steps.append(.name(String(Substring(part))))
      case (UInt8(ascii: "["), let quote?) where quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""):
        part = rest.dropFirst().prefix { $0 != quote && $0 != UInt8(ascii: "\\") }
        guard rest[part.endIndex...].starts(with: [quote, UInt8(ascii: "]")]) else { return nil }
        rest = rest[part.endIndex...].dropFirst(2)
        steps.append(.name(String(Substring(part))))
        continue
      case (UInt8(ascii: "["), _):
        part = rest.prefix { $0 != UInt8(ascii: "]") }
        let index = String(Substring(part))
        guard part.endIndex < rest.endIndex else { return nil }
        rest = rest[part.endIndex...].dropFirst()
        guard index == "*" || index.utf8.count <= 10 && index.first != "+" else { return nil }
        guard let step = index == "*" ? .all : Int(index).map(Step.index) else { return nil }
        steps.append(step)
        continue
      default: return nil
      }
      rest = rest[part.endIndex...]
    }
  }
}
