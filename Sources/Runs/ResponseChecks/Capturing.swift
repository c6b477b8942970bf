import Diagnostics
import HTTPMessages
import HTTPSemantics
import JSONQueries
import MarkupQueries
import OperatingSystem
import RegularExpressions
import RequestSpecs
import Responses
import RunScopes
import Templates
import URLs
import Values

/// Captures values from a response.
package struct Capturing {
  package let response: Response
  package let scope: FileScope
  private let subjects: SubjectEvaluation
  /// The first duplicate name of an object on the way of a path.
  package private(set) var repeatedMember: JSONRepeatedMember?

  /// The memory reserved for the value, if it is large.
  package private(set) var share: StorageBudget.Share?
  /// The size below which a value takes no more than the request itself.
  private static let smallest = 1 << 12

  package init(response: Response, scope: FileScope) {
    self.response = response
    self.scope = scope
    subjects = SubjectEvaluation(response: response, scope: scope)
  }

  /// The reason why a capture has no value: an expectation that failed, or an error in the spec.
  package enum Failure: Error {
    case missing(expected: String, actual: String, hint: String?)
    /// The body cannot be read in the format of the source.
    case unreadable(Response.Unreadable, form: String)
    /// The existence could not be determined: no default applies.
    case undecided(expected: String, actual: String)
    case spec(TemplateError)
  }

  /// The value of a capture: a missing one is replaced by the default, or fails.
  package mutating func value(of capture: CaptureSpec) throws(Failure) -> Value {
    var found: Value?
    var reason = "nothing"
    do {
      let whole = try value(of: capture.subject)
      if let value = whole, let regex = capture.regex {
        let pattern = try regex.resolve(in: scope)
        if let problem = capture.group.flatMap({ pattern.problem(with: $0) }) {
          throw TemplateError(problem, at: regex.range)
        }
        found = try match(pattern, capture.group, in: value)
        if found == nil {
          reason = "no match of the regular expression" + (capture.group == nil ? "" : ", or none of that group")
        }
      } else {
        found = whole
      }
    } catch let error as TemplateError {
      throw .spec(error)
    } catch let error as Response.Unreadable {
      if error.isUndecided { throw undecided(error, capture) }
      if case .json = capture.subject, capture.defaultValue == nil { throw .unreadable(error, form: "JSON") }
      reason = error.message
    } catch let error as JSONPathError {
      throw .spec(TemplateError(DecodingProblem(error.message, help: error.help), at: capture.range))
    } catch let error as XPathError {
      throw .spec(TemplateError(DecodingProblem(error.message, help: error.help), at: capture.range))
    } catch let error as RegularExpressionMatchError {
      throw .undecided(
        expected: "a match of the regular expression in \(capture.label)", actual: error.message)
    } catch {
      reason = "\(error)"
    }
    if let value = found {
      guard let conversion = capture.conversion else { return tainted(value, capture) }
      let converted: Value?
      do throws(Response.Unreadable) {
        converted = try convert(value, conversion)
      } catch {
        throw undecided(error, capture)
      }
      if let converted { return tainted(converted, capture) }
      if capture.defaultValue == nil {
        throw .missing(
          expected: "\(capture.label) as \(conversion.rawValue)",
          actual: isEmptyList(value) ? "an empty list" : value.tainted(if: capture.isSecret).phrase,
          hint: isEmptyList(value) ? (try? subjects.absence(of: capture.subject)) ?? nil : nil)
      }
    }
    guard let defaultValue = capture.defaultValue else {
      throw .missing(
        expected: "a value to capture from \(capture.label)", actual: reason,
        hint: found == nil && capture.regex == nil ? (try? subjects.absence(of: capture.subject)) ?? nil : nil)
    }
    do {
      return tainted(try defaultValue.resolve(in: scope), capture)
    } catch {
      throw .spec(error)
    }
  }

  private func undecided(_ error: Response.Unreadable, _ capture: CaptureSpec) -> Failure {
    .undecided(expected: "a value to capture from \(capture.label)", actual: error.message)
  }

  private func isEmptyList(_ value: Value) -> Bool {
    if case .list(let items) = value { items.isEmpty } else { false }
  }

  private func tainted(_ value: Value, _ capture: CaptureSpec) -> Value {
    value.tainted(if: capture.isSecret)
  }

  private mutating func value(of subject: ResponseSubject) throws -> Value? {
    if let (path, document) = try subjects.query(subject) { return try captured(path, in: document) }
    switch subject {
    case .xpath(let spec): return try response.captured(try spec.resolve(in: scope))
    case .bytes(.content): return .integer(response.bodyCount)
    case .body: try take(Int(clamping: response.bodyCount))
    default: break
    }
    switch try subjects.value(of: subject) {
    case .missing: return nil
    case .value(let value): return value
    case .lazy(let value): return value.value
    case .list(let values): return values.value
    case .lines(let lines):
      var joined = Text("")
      for (index, line) in lines.enumerated() { joined.append(index == 0 ? line : ", " + line) }
      return .text(joined)
    }
  }

  private mutating func captured(_ path: JSONPath, in document: JSONDocument) throws -> Value? {
    let selection = try response.selection(of: path, in: document)
    repeatedMember = selection.ambiguity
    try take(selection.nodes.valueMemory)
    let values = selection.nodes.map { response.filtered($0.value) }
    return path.isSingular ? values.first : .list(values)
  }

  /// Reserves memory for a value that outlives the response.
  private mutating func take(_ count: Int) throws(Response.Unreadable) {
    guard count >= Capturing.smallest else { return }
    let share = StorageBudget.Share(of: response.storage)
    do throws(MemoryShortage) {
      try share.takeMemory(count)
    } catch {
      throw Response.Unreadable(error, "the value")
    }
    self.share = share
  }

  /// The match of the given group; by default group 1 if the pattern has one, else the whole match.
  private func match(_ regex: RegularExpression, _ group: CaptureGroup?, in value: Value) throws -> Value? {
    let text = value.asText
    guard let match = try regex.firstMatch(in: text.string) else { return nil }
    func marked(_ found: String) -> Value { .text(text.isSecret ? Text(secret: found) : response.filtered(found)) }
    switch group {
    case nil: return match.group(min(1, regex.groupCount)).map(marked)
    case .number(let number): return match.group(number).map(marked)
    case .name(let name): return match.group(named: name).map(marked)
    case .names(let names):
      // A group without a match is null.
      return .mapping(Mapping(names.map { ($0, match.group(named: $0).map(marked) ?? .null) }))
    }
  }

  /// The number of a text; leading zeros, as in dates and times, are ignored.
  private func number(_ text: Text) -> Number? {
    let sign = text.string.hasPrefix("-") ? "-" : ""
    var digits = text.string.dropFirst(sign.count)
    while digits.hasPrefix("0"), digits.dropFirst().first?.isWholeNumber == true { digits.removeFirst() }
    return Number(parsing: sign + digits, isSecret: text.isSecret)
  }

  private mutating func convert(
    _ value: Value, _ conversion: CaptureSpec.Conversion
  ) throws(Response.Unreadable) -> Value? {
    let text = value.asText
    switch conversion {
    case .string: return .text(text)
    case .integer:
      if case .bool = value { return nil }
      return number(text).flatMap { $0.isInteger ? .number($0) : nil }
    case .number:
      if case .bool = value { return nil }
      return number(text).map { .number($0) }
    case .boolean: return text.string == "true" ? .bool(true) : text.string == "false" ? .bool(false) : nil
    case .date:
      return (Timestamp(rfc3339: text.string) ?? cookieDate(text.string)).map { .date($0) }
    case .url:
      guard let url = try? HTTPURL.resolve(text.string, against: response.result.finalURL) else { return nil }
      return .text(Text(url.string, isSecret: text.isSecret))
    case .json:
      let bytes = Array(text.string.utf8)
      let footprint = JSONFootprint(of: bytes)
      try take(footprint.memory + valueMemory(nodes: footprint.nodes, bytes: bytes.count))
      guard let document = try? JSONDocument(parsing: bytes) else { return nil }
      return document.root.value.tainted(if: text.isSecret)
    case .first:
      if case .list(let items) = value { return items.first }
      return value
    }
  }
}

extension Value {
  package func tainted(if isSecret: Bool) -> Value { isSecret ? tainted : self }
}
