import DocumentQueries
import Matching
import RequestSpecs
import SpecExecution
import Values

/// The captures and expectations of a request as Python.
struct LocustChecks {
  let values: LoadValues
  private let scope: FileScope
  private(set) var lines: [String] = []
  /// The parts that Locust's users can't check.
  private(set) var missing: [String] = []

  init(_ settings: RequestSettings, values: LoadValues, in scope: FileScope) {
    (self.values, self.scope) = (values, scope)
    addStatus(settings)
    for assertion in settings.expect.assertions { add(assertion) }
    if settings.expect.failure.value != nil { missing.append("`expect.error`") }
    for entry in settings.capture.entries {
      if let capture = entry.value { add(capture, as: entry.key.text) }
    }
  }

  /// - Parameter conditions: assertions of a poll, all of which must hold.
  init(conditions: [Assertion], values: LoadValues, in scope: FileScope) {
    (self.values, self.scope) = (values, scope)
    for assertion in conditions { add(assertion) }
  }

  private mutating func addStatus(_ settings: RequestSettings) {
    let isExpected = settings.expect.assertions.contains { if case .status = $0.check { true } else { false } }
    if isExpected { return }
    switch settings.validate.value {
    case nil, .auto?: lines.append("r.status(range(200, 300))")
    case .none?: lines.append("r.status(range(100, 600))")
    case .rules(let status, let types)?:
      if let status { add(status) } else { lines.append("r.status(range(200, 300))") }
      if types != nil { missing.append("`validate.content_type`") }
    }
  }

  private mutating func add(_ status: Field<StatusSet>) {
    guard let set = try? status.resolve(in: scope) else {
      missing.append("`expect.status` from a template")
      return
    }
    lines.append(
      "r.status(\(set.ranges.map { "range(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ")))")
  }

  private mutating func add(_ assertion: Assertion) {
    switch assertion.check {
    case .status(let status): add(status)
    case .extracted, .contentType, .snapshot, .schema: missing.append("`expect.\(assertion.subjectKey)`")
    case .predicates(let specs):
      let name = "`expect.\(assertion.subjectKey)`"
      guard let (subject, key) = subject(assertion.subject) else { return missing.append(name) }
      for spec in specs {
        guard let predicate = try? spec.resolve(in: scope) else {
          missing.append("\(name): a value that only a run knows")
          continue
        }
        if isSecretName(lastName(of: assertion.label)), LocustChecks.quotes(predicate.operand) {
          missing.append("\(name): a secret")
        } else if let (predicate, operand) = check(predicate) {
          lines.append(
            "r.expect(\(PythonText.quoted(assertion.label)), \(PythonText.quoted(subject)), \(key), \(PythonText.quoted(predicate)), \(operand))"
          )
        } else {
          missing.append("\(name): `\(predicate.kind.name)`")
        }
      }
    }
  }

  private mutating func add(_ capture: CaptureSpec, as name: String) {
    let (extraction, regex) = (capture.extraction, capture.extraction?.regex)
    let pattern = try? regex?.resolve(in: scope).writable
    guard let (subject, key) = subject(capture.subject), extraction?.conversion == nil, extraction?.group == nil,
      regex == nil || pattern != nil
    else {
      missing.append("`capture` of \(capture.label.split(separator: " ").first ?? "")")
      return
    }
    var words = [PythonText.quoted(capture.label), PythonText.quoted(subject)]
    if key != "None" { words.append(key) }
    if let pattern { words.append("pattern=\(PythonText.quoted(pattern))") }
    if let standard = capture.defaultValue {
      guard let literal = try? standard.resolve(in: scope), !literal.isSecret, let text = values.python(literal) else {
        missing.append("`capture` of \(capture.label.split(separator: " ").first ?? "")")
        return
      }
      words.append("default=\(text)")
    }
    lines.append("v[\(PythonText.quoted(name))] = r.capture(\(words.joined(separator: ", ")))")
  }

  /// Returns whether an operand has a text of the spec.
  private static func quotes(_ operand: Predicate.Operand) -> Bool {
    switch operand {
    case .value(.text(let text)), .text(let text): LoadValues.pieces(of: text.string).contains { $0.value == nil }
    case .values, .value(.list), .value(.mapping), .pattern: true
    default: false
    }
  }

  /// The names of a subject and of its part; nil if Locust has no such thing.
  private func subject(_ subject: ResponseSubject) -> (name: String, key: String)? {
    switch subject {
    case .status: return ("status", "None")
    case .url: return ("url", "None")
    case .body: return ("body", "None")
    case .header(let name): return python(name).map { ("header", $0) }
    case .cookie(let name, .value): return python(name).map { ("cookie", $0) }
    case .json(let path):
      guard let text = try? path.resolve(in: scope).text, !FoundWord.isPresent(in: text.utf8),
        let steps = LocustChecks.steps(of: text)
      else { return nil }
      return ("json", steps)
    default: return nil
    }
  }

  private func python(_ name: TextTemplate) -> String? {
    (try? name.resolve(in: scope)).flatMap { $0.isSecret ? nil : values.python($0.string, "text") }
  }

  /// A JSONPath of names, indices and `*` as a list; nil for any other.
  static func steps(of path: String) -> String? {
    guard let steps = JSONPathSteps(path)?.steps else { return nil }
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
  private func check(_ predicate: Predicate) -> (predicate: String, operand: String)? {
    let name = predicate.kind.name
    switch predicate.operand {
    case .value(let value):
      let known = [
        "equals", "not_equals", "contains", "starts_with", "ends_with", "at_least", "at_most", "greater_than",
        "less_than",
      ]
      return known.contains(name) ? values.python(value).map { (name, $0) } : nil
    case .values(let items) where name == "one_of": return values.python(.list(items)).map { (name, $0) }
    case .text(let text) where ["contains", "starts_with", "ends_with"].contains(name):
      return values.python(.text(text)).map { (name, $0) }
    case .pattern(let pattern) where name == "matches":
      return pattern.writable.map { (name, PythonText.quoted($0)) }
    case .flag(let flag) where name == "exists": return (name, flag ? "True" : "False")
    case .predicates(let inner) where name == "count":
      guard inner.count == 1, inner[0].kind.name == "equals", case .value(let value) = inner[0].operand else {
        return nil
      }
      return values.python(value).map { (name, $0) }
    default: return nil
    }
  }
}
