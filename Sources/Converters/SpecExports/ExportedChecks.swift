import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Templates
import Values

/// A part of a response, in the words that other tools have, too.
enum ExportedSubject: Sendable, Hashable {
  case status, url, body, bytes, sha256, md5, duration, httpVersion, redirectCount
  case header(String)
  case cookie(String, CookieAttribute)
  case json(String)
  case xpath(String)
}

/// A step from a subject's value to another.
enum ExportedFilter: Sendable, Hashable {
  case regex(String)
  case integer, number, first
}

enum ExportedComparison: String, Sendable, Hashable {
  case equal = "=="
  case notEqual = "!="
  case above = ">"
  case least = ">="
  case below = "<"
  case most = "<="
}

/// An expectation of one value.
enum ExportedPredicate: Sendable, Hashable {
  case compares(ExportedComparison, Value)
  case contains(Value, isNegated: Bool)
  case startsWith(String)
  case endsWith(String)
  case matches(String, isNegated: Bool)
  case exists(Bool)
  case isKind(MatchKind, isNegated: Bool)
  case counts(ExportedComparison, Value)
  case oneOf([Value])
}

struct ExportedCheck: Sendable, Hashable {
  let subject: ExportedSubject
  var filters: [ExportedFilter] = []
  let predicate: ExportedPredicate
  /// The assertion's name, such as `json $.id`.
  let label: String
}

struct ExportedCapture: Sendable {
  enum Source: Sendable {
    case subject(ExportedSubject, [ExportedFilter])
    /// A text, in which words stand.
    case value(String)
  }

  let name: String
  let source: Source
  let label: String
  let standard: String?
}

/// The captures and expectations of a request, and its poll, in words that other tools have, too.
struct ExportedChecks: Sendable {
  /// Nil for any status.
  private(set) var status: StatusSet?
  private(set) var captures: [ExportedCapture] = []
  private(set) var checks: [ExportedCheck] = []
  /// The assertions of `poll.until`, if there are any.
  private(set) var until: [ExportedCheck]?
  private(set) var schema: SchemaSpec?
  /// Indicates whether the exchange must fail.
  let expectsFailure: Bool
  /// The reasons why parts are missing.
  private(set) var missing: [String] = []
  /// A text that is expected, with words for its open and its secret parts, by the name of the assertion.
  private let open: @Sendable (String, Text) -> String
  private let scope: ExpectedScope

  init(_ step: RequestStep, at place: String, in scope: FileScope, _ words: ExportWords) {
    let settings = step.settings
    self.scope = ExpectedScope(scope: scope)
    open = { label, text in
      let name = lastName(of: label)
      let written = words.opened(text, named: name, at: place)
      guard isSecretName(name), !written.isEmpty, !words.hides(written[...]) else { return written }
      return words.secretWord(written, named: name, at: place)
    }
    expectsFailure = settings.expect.failure.value != nil
    status = expectedStatus(settings)
    for assertion in settings.expect.assertions { add(assertion) }
    if expectsFailure { status = nil }
    for entry in settings.capture.entries {
      if let capture = entry.value, entry.key.text != RowsSpec.nextCapture {
        add(capture, as: entry.key.text)
      }
    }
    guard let poll = step.poll else { return }
    if poll.failIf != nil { missing.append("`poll.fail_if`") }
    guard let condition = poll.until else { return }
    let own = checks
    checks = []
    for assertion in condition.assertions { add(assertion) }
    until = checks
    checks = own
  }

  /// The checks of what a used file gives under other names.
  mutating func add(_ names: [(name: String, capture: String)], _ words: ExportWords) {
    let own = Set(captures.map(\.name))
    for (name, capture) in names where name != capture && own.contains(capture) {
      captures.append(
        ExportedCapture(
          name: name, source: .value(words.wordForValue(.capture(capture))), label: "capture \(capture)",
          standard: nil))
    }
  }

  /// Indicates whether the status is that of a redirect.
  var expectsRedirect: Bool { status?.ranges.contains { $0.lowerBound >= 300 && $0.upperBound <= 400 } ?? false }

  /// The texts in which words may stand.
  var texts: [String] {
    func texts(_ value: Value) -> [String] {
      switch value {
      case .list(let items): items.flatMap(texts)
      case .mapping(let mapping): mapping.members.flatMap { [$0.key.string] + texts($0.value) }
      default: [value.asText.string]
      }
    }
    var result: [String] = []
    for check in checks + (until ?? []) {
      switch check.predicate {
      case .compares(_, let value), .contains(let value, _), .counts(_, let value): result += texts(value)
      case .startsWith(let text), .endsWith(let text), .matches(let text, _): result.append(text)
      case .oneOf(let values): result += values.flatMap(texts)
      case .exists, .isKind: break
      }
      switch check.subject {
      case .json(let text), .header(let text), .xpath(let text), .cookie(let text, _): result.append(text)
      default: break
      }
    }
    for case .value(let text) in captures.map(\.source) { result.append(text) }
    return result
  }

  // MARK: status

  private mutating func expectedStatus(_ settings: RequestSettings) -> StatusSet? {
    if settings.expect.expectsStatus { return nil }
    switch settings.validate.value {
    case nil, .auto?: return StatusSet([200..<300])
    case .none?: return nil
    case .rules(let status, let types)?:
      if types != nil { missing.append("`validate.content_type`") }
      guard let status else { return StatusSet([200..<300]) }
      if status.literal == nil { missing.append("`validate.status` from a template") }
      return status.literal
    }
  }

  // MARK: assertions

  private mutating func add(_ assertion: Assertion) {
    switch assertion.check {
    case .status(let field):
      do throws(TemplateError) {
        status = try field.resolve(in: scope)
      } catch {
        missing.append("`expect.status` from a template")
      }
    case .contentType(let field):
      if let type = (try? field.resolve(in: scope)).map({ open("content_type", $0) }), !type.contains("*") {
        checks.append(
          ExportedCheck(
            subject: .header("Content-Type"), predicate: .startsWith(type), label: assertion.label))
      } else {
        missing.append("`expect.content_type` with a wildcard")
      }
    case .schema(let spec):
      schema = spec
      missing.append("`expect.schema`")
    case .snapshot: missing.append("`expect.snapshot`")
    case .predicates(let specs): add(specs, [], of: assertion)
    case .extracted(let parts):
      for part in parts {
        let filters = part.extractions.flatMap { self.filters($0) ?? [] }
        if filters.isEmpty || part.extractions.contains(where: { self.filters($0) == nil }) {
          missing.append("a part of `\(assertion.subjectKey)`")
        } else {
          add(part.predicates, filters, of: assertion)
        }
      }
    }
  }

  private mutating func add(_ specs: [PredicateSpec], _ filters: [ExportedFilter], of assertion: Assertion) {
    guard let subject = self.subject(assertion.subject) else {
      missing.append("`expect.\(assertion.subjectKey)`")
      return
    }
    for spec in specs {
      var reading = PredicateExport(subject: subject, filters: filters, label: assertion.label, open: open)
      do throws(TemplateError) {
        let predicate = try spec.resolve(in: scope)
        reading.add(predicate)
      } catch {
        reading.missing.append("a value that only a run knows")
      }
      checks += reading.checks
      missing += reading.missing.map { "`expect.\(assertion.subjectKey)`: \($0)" }
    }
  }

  /// A subject with its names; nil if other tools have no such thing.
  private func subject(_ subject: ResponseSubject) -> ExportedSubject? {
    switch subject {
    case .status: return .status
    case .contentType: return .header("Content-Type")
    case .url: return .url
    case .body: return .body
    case .bytes(.content): return .bytes
    case .bytes(.sha256): return .sha256
    case .bytes(.md5): return .md5
    case .duration, .timing(.total): return .duration
    case .httpVersion: return .httpVersion
    case .redirects: return .redirectCount
    case .header(let name): return (try? name.resolve(in: scope)).map { .header(open("name", $0)) }
    case .cookie(let name, let attribute):
      return (try? name.resolve(in: scope)).map { .cookie(open("name", $0), attribute) }
    case .json(let path): return (try? path.resolve(in: scope)).map { .json($0.text) }
    case .xpath(let path): return path.template == nil ? .xpath(path.text) : nil
    default: return nil
    }
  }

  private func filters(_ extraction: Extraction?) -> [ExportedFilter]? {
    guard let extraction else { return [] }
    if extraction.group != nil { return nil }
    var filters: [ExportedFilter] = []
    if let regex = extraction.regex {
      guard let pattern = try? regex.resolve(in: scope).writable else { return nil }
      filters.append(.regex(pattern))
    }
    switch extraction.conversion {
    case nil, .string: break
    case .integer: filters.append(.integer)
    case .number: filters.append(.number)
    case .first: filters.append(.first)
    case .boolean, .date, .url, .json: return nil
    }
    return filters
  }

  // MARK: captures

  private mutating func add(_ capture: CaptureSpec, as name: String) {
    var standard: String?
    if let value = capture.defaultValue {
      guard let literal = try? value.resolve(in: scope) else {
        missing.append("`capture` with a default from a template")
        return
      }
      standard = open(name, literal.asText)
    }
    if case .value(let template) = capture.subject {
      if let value = try? template.resolve(in: scope), case .text(let text) = value, capture.extraction == nil {
        captures.append(
          ExportedCapture(name: name, source: .value(open(name, text)), label: "value", standard: standard))
      } else {
        missing.append("`capture` of a computed value")
      }
      return
    }
    var extraction = capture.extraction
    // What a header says is made absolute where it is used.
    if extraction?.conversion == .url, extraction?.regex == nil { extraction = nil }
    guard let subject = self.subject(capture.subject),
      let filters = self.filters(extraction)
    else {
      missing.append("`capture` of \(capture.label.split(separator: " ").first ?? "")")
      return
    }
    captures.append(
      ExportedCapture(name: name, source: .subject(subject, filters), label: capture.label, standard: standard))
  }
}

extension Assertion {
  /// The key of `expect` that it stands under.
  var subjectKey: String { label.split(separator: " ").first.map(String.init) ?? label }
}

/// The last name of a path, such as that of an assertion.
func lastName(of label: String) -> String {
  label.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.last.map(String.init) ?? ""
}

extension RegularExpression {
  /// The pattern; nil for one with a secret, or a value that only a run knows.
  var writable: String? { !secrets.isEmpty || ExportWords.hasWord(pattern[...]) ? nil : pattern }
}

/// The scope of what is expected, where only texts stay open.
private struct ExpectedScope: TemplateScope {
  let scope: FileScope

  var names: [String] { scope.names }
  var standsIn: Bool { scope.standsIn }
  func open(_ expression: OpenExpression) throws(TemplateError) -> Value? {
    let value = try scope.open(expression)
    guard case .text(let text)? = value, let known = text.open?.known else { return value }
    if case .text = known { return value }
    return known
  }
  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup { try scope.lookup(name) }
  func environmentVariable(_ name: String) -> Text? { scope.environmentVariable(name) }
  func now() -> Timestamp { scope.now() }
  func nextRandom() -> UInt64 { scope.nextRandom() }
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    try scope.readFile(path, from: range)
  }
}
