import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Values

/// The captures and expectations of a request as Python.
struct LocustChecks {
  private let values: LoadValues
  private(set) var lines: [String] = []
  /// The lines of the condition of its poll; nil without one that can be played.
  private(set) var until: [String]?
  /// The parts that Locust's users can't check.
  private(set) var missing: [String]

  init(_ step: RequestStep, at place: String, values: LoadValues, in scope: FileScope) {
    self.values = values
    let checks = CheckExport(step, in: scope) { values.expected($1, of: $0, at: place) }.checks
    missing = checks.missing
    if checks.expectsFailure { missing.append("`expect.error`") }
    let anything = StatusSet([100..<600])
    lines = [LocustChecks.line(checks.status ?? anything)] + checks.checks.compactMap { line($0) }
    let types = Dictionary(
      step.settings.capture.entries.map { ($0.key.text, $0.value?.onlySource?.extraction?.conversion) }
    ) { $1 }
    for capture in checks.captures {
      if (types[capture.name] ?? nil) == nil, let line = line(capture) {
        lines.append(line)
      } else {
        missing.append("`capture` of \(capture.key)")
      }
    }
    guard let condition = checks.until, condition.isWhole else { return }
    let (conditions, before) = (condition.checks.compactMap { line($0) }, missing.count)
    if missing.count == before, conditions.count == condition.checks.count {
      until = (condition.status.map { [LocustChecks.line($0)] } ?? []) + conditions
    }
  }

  private static func line(_ status: StatusSet) -> String {
    "r.status(\(status.ranges.map { "range(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ")))"
  }

  private mutating func line(_ check: ExportedCheck) -> String? {
    guard check.filters.isEmpty, let subject = subject(check.subject), let predicate = predicate(check.predicate)
    else {
      missing.append("`expect.\(check.key)` in Locust")
      return nil
    }
    return "r.expect(\(PythonText.quoted(check.label)), \(subject), \(predicate))"
  }

  private func line(_ capture: ExportedCapture) -> String? {
    let name = "v[\(PythonText.quoted(capture.name))]"
    switch capture.source {
    case .value(let text): return "\(name) = \(values.python(text, "text"))"
    case .subject(let subject, let filters):
      guard var words = self.subject(subject), filters.count <= 1 else { return nil }
      if words.hasSuffix(", None") { words.removeLast(6) }
      if let filter = filters.first {
        guard case .regex(let pattern) = filter else { return nil }
        words += ", pattern=\(PythonText.quoted(pattern))"
      }
      if let standard = capture.standard { words += ", default=\(values.python(standard, "text"))" }
      return "\(name) = r.capture(\(PythonText.quoted(capture.label)), \(words))"
    }
  }

  /// A subject and its part; nil if Locust has no such thing.
  private func subject(_ subject: ExportedSubject) -> String? {
    switch subject {
    case .status: "\"status\", None"
    case .url: "\"url\", None"
    case .body: "\"body\", None"
    case .header(let name): "\"header\", \(values.python(name, "text"))"
    case .cookie(let name, .value): "\"cookie\", \(values.python(name, "text"))"
    case .json(let path):
      FoundWord.isPresent(in: path.utf8) ? nil : LocustChecks.steps(of: path).map { "\"json\", \($0)" }
    default: nil
    }
  }

  /// A JSONPath of names, indices and `*` as a list; nil for any other.
  static func steps(of path: String) -> String? {
    guard let steps = (try? JSONPath(path))?.steps else { return nil }
    let list = steps.map { step in
      switch step {
      case .name(let name): PythonText.quoted(name)
      case .index(let index): String(index)
      case .all: "\"*\""
      }
    }
    return "[\(list.joined(separator: ", "))]"
  }

  /// The name of a predicate and its operand in Python; nil for one that the script lacks.
  private func predicate(_ predicate: ExportedPredicate) -> String? {
    func words(_ name: String, _ operand: Value, isNegated: Bool = false) -> String? {
      values.python(operand).map { "\"\(isNegated ? "not_" : "")\(name)\", \($0)" }
    }
    switch predicate {
    case .compares(let comparison, let value): return words(LocustChecks.name(of: comparison), value)
    case .contains(let value, let isNegated): return words("contains", value, isNegated: isNegated)
    case .startsWith(let text): return words("starts_with", .text(Text(text)))
    case .endsWith(let text): return words("ends_with", .text(Text(text)))
    case .matches(let pattern, let isNegated): return words("matches", .text(Text(pattern)), isNegated: isNegated)
    case .exists(let exists): return words("exists", .bool(exists))
    case .counts(.equal, let count): return words("count", count)
    case .oneOf(let values): return words("one_of", .list(values))
    case .counts, .isKind: return nil
    }
  }

  private static func name(of comparison: ExportedComparison) -> String {
    switch comparison {
    case .equal: "equals"
    case .notEqual: "not_equals"
    case .above: "greater_than"
    case .least: "at_least"
    case .below: "less_than"
    case .most: "at_most"
    }
  }
}
