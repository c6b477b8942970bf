import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import SpecExecution
import Templates
import Values

/// Makes the checks of a request.
struct CheckExport {
  private(set) var checks = ExportedChecks()
  private let open: (String, Text) -> String
  private let scope: ExpectedScope

  /// - Parameter open: a text that is expected, with words for its open and its secret parts, by the name of the
  ///   assertion.
  init(_ step: RequestStep, in scope: FileScope, open: @escaping (String, Text) -> String) {
    let settings = step.settings
    (self.scope, self.open) = (ExpectedScope(scope: scope), open)
    checks.expectsFailure = settings.expect.failure.value != nil
    checks.status = expectedStatus(settings)
    for assertion in settings.expect.assertions { add(assertion) }
    if !settings.expect.groups.isEmpty { missing("`expect` with `when`") }
    if checks.expectsFailure { checks.status = nil }
    for entry in settings.capture.entries {
      if let capture = entry.value, entry.key.text != RowsSpec.nextCapture {
        add(capture, as: entry.key.text)
      }
    }
    guard let poll = step.poll else { return }
    if poll.failIf != nil { missing("`poll.fail_if`") }
    guard let condition = poll.until else { return }
    var own = checks
    checks = ExportedChecks()
    for assertion in condition.assertions { add(assertion) }
    own.until = ExportedChecks.Condition(
      status: checks.status, checks: checks.checks, isWhole: checks.missing.isEmpty)
    own.missing += checks.missing
    own.status = checks.status ?? own.status
    checks = own
  }

  private mutating func missing(_ reason: String) { checks.missing.append(reason) }

  private mutating func expectedStatus(_ settings: RequestSettings) -> StatusSet? {
    if settings.expect.expectsStatus { return nil }
    switch settings.validate.value {
    case nil, .auto?: return StatusSet([200..<300])
    case .none?: return nil
    case .rules(let status, let types)?:
      if types != nil { missing("`validate.content_type`") }
      guard let status else { return StatusSet([200..<300]) }
      if status.literal == nil { missing("`validate.status` from a template") }
      return status.literal
    }
  }

  // MARK: assertions

  private mutating func add(_ assertion: Assertion) {
    switch assertion.check {
    case .status(let field):
      do throws(TemplateError) {
        checks.status = try field.resolve(in: scope)
      } catch {
        missing("`expect.status` from a template")
      }
    case .contentType(let field):
      if let type = (try? field.resolve(in: scope)).map({ open("content_type", $0) }), !type.contains("*") {
        checks.checks.append(
          ExportedCheck(
            subject: .header("Content-Type"), predicate: .startsWith(type), label: assertion.label))
      } else {
        missing("`expect.content_type` with a wildcard")
      }
    case .schema: missing("`expect.schema`")
    case .snapshot: missing("`expect.snapshot`")
    case .predicates(let specs): add(specs, [], of: assertion)
    case .extracted(let parts):
      for part in parts {
        let filters = part.extractions.flatMap { self.filters($0) ?? [] }
        if filters.isEmpty || part.extractions.contains(where: { self.filters($0) == nil }) {
          missing("a part of `\(assertion.key)`")
        } else {
          add(part.predicates, filters, of: assertion)
        }
      }
    }
  }

  private mutating func add(_ specs: [PredicateSpec], _ filters: [ExportedFilter], of assertion: Assertion) {
    guard let subject = self.subject(assertion.subject) else {
      missing("`expect.\(assertion.key)`")
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
      checks.checks += reading.checks
      checks.missing += reading.missing.map { "`expect.\(assertion.key)`: \($0)" }
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
    guard let source = capture.onlySource else {
      missing("`capture` of the first of several sources")
      return
    }
    var standard: String?
    if let value = capture.defaultValue {
      guard let literal = try? value.resolve(in: scope) else {
        missing("`capture` with a default from a template")
        return
      }
      standard = open(name, literal.asText)
    }
    if case .value(let template) = source.subject {
      if let value = try? template.resolve(in: scope), case .text(let text) = value, source.extraction == nil {
        checks.captures.append(
          ExportedCapture(name: name, source: .value(open(name, text)), label: "value", standard: standard))
      } else {
        missing("`capture` of a computed value")
      }
      return
    }
    var extraction = source.extraction
    // What a header says is made absolute where it is used.
    if extraction?.conversion == .url, extraction?.regex == nil { extraction = nil }
    guard let subject = self.subject(source.subject),
      let filters = self.filters(extraction)
    else {
      missing("`capture` of \(capture.key)")
      return
    }
    checks.captures.append(
      ExportedCapture(name: name, source: .subject(subject, filters), label: capture.label, standard: standard))
  }
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
