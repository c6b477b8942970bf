import DocumentQueries
import HTTPSemantics
import Matching
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// Captures values from a response.
package struct Capturing {
  package let response: Response
  package let scope: FileScope
  private let subjects: SubjectEvaluation
  /// The first duplicate name of an object on the way of a path.
  package private(set) var repeatedMember: JSONRepeatedMember?

  /// The doubt about a source that has no value.
  private(set) var doubt: Doubt?
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

  /// The value of a capture: that of its first source that is found; a missing one is replaced by the default, or fails.
  package mutating func value(of capture: CaptureSpec) throws(Failure) -> Value {
    var misses: [Miss] = []
    for source in capture.sources {
      switch try found(source) {
      case .success(let value):
        if isEmptyList(value) { doubt = (try? subjects.doubt(of: source.subject)) ?? nil }
        return tainted(value, capture)
      case .failure(let miss): misses.append(miss)
      }
    }
    if let defaultValue = capture.defaultValue {
      if let source = capture.onlySource {
        doubt =
          (try? subjects.doubt(of: source.subject)) ?? response.doubtAboutFormat(of: source.subject)
          ?? doubtAboutPattern(source)
      }
      do {
        return tainted(try defaultValue.resolve(in: scope), capture)
      } catch {
        throw .spec(error)
      }
    }
    throw failure(misses, of: capture)
  }

  /// The doubt about a pattern that would match if it were written otherwise.
  private func doubtAboutPattern(_ source: CaptureSpec.Source) -> Doubt? {
    guard let field = source.extraction?.regex, let pattern = try? field.resolve(in: scope),
      case .text(let text)? = try? subjects.wholeValue(of: source.subject, reserving: { _ in }).value,
      (try? pattern.matches(text.string)) == false, let hint = patternHint(pattern, in: text, ignoresCase: true)
    else { return nil }
    return Doubt(
      "the pattern does not match as it is written", expected: Text("/\(Excerpt(pattern.pattern, limit: 60))/"),
      actual: rendered(.text(text)), hint: hint)
  }

  /// The reason why a source has no value.
  private enum Miss: Error {
    case missing(String)
    case unconverted(Value, Extraction.Conversion)
    case unreadable(Response.Unreadable)

    func text(isSecret: Bool) -> String {
      switch self {
      case .missing(let reason): reason
      case .unconverted(.list(let items), _) where items.isEmpty: "an empty list"
      case .unconverted(let value, _): value.tainted(if: isSecret).phrase
      case .unreadable(let error): error.message
      }
    }
  }

  private mutating func found(_ source: CaptureSpec.Source) throws(Failure) -> Result<Value, Miss> {
    do {
      let subject = try subjects.wholeValue(of: source.subject) { count throws(Response.Unreadable) in
        try take(count)
      }
      repeatedMember = subject.repeated
      guard let value = subject.value else { return .failure(.missing("nothing")) }
      guard let extraction = source.extraction else { return .success(value) }
      let extracting = Extracting(response: response, scope: scope)
      switch try extracting.result(
        of: extraction, from: value, reserving: { count throws(Response.Unreadable) in try take(count) })
      {
      case .value(let value): return .success(value)
      case .nothing:
        return .failure(
          .missing("no match of the regular expression" + (extraction.group == nil ? "" : ", or none of that group")))
      case .unconverted(let value, let conversion): return .failure(.unconverted(value, conversion))
      }
    } catch let error as TemplateError {
      throw .spec(error)
    } catch let error as Response.Unreadable {
      if error.isUndecided {
        throw .undecided(expected: "a value to capture from \(source.label)", actual: error.message)
      }
      return .failure(.unreadable(error))
    } catch let error as JSONPathError {
      throw .spec(
        TemplateError(DecodingProblem(.templateEvaluation, error.message, help: error.help), at: source.range))
    } catch let error as XPathError {
      throw .spec(
        TemplateError(DecodingProblem(.templateEvaluation, error.message, help: error.help), at: source.range))
    } catch let error as RegularExpressionMatchError {
      throw .undecided(
        expected: "a match of the regular expression in \(source.label)", actual: error.message)
    } catch {
      return .failure(.missing("\(error)"))
    }
  }

  private func failure(_ misses: [Miss], of capture: CaptureSpec) -> Failure {
    func absence(_ source: CaptureSpec.Source) -> String? {
      source.extraction?.regex == nil ? (try? subjects.absence(of: source.subject)) ?? nil : nil
    }
    guard let source = capture.onlySource, let miss = misses.first else {
      let texts = misses.map { $0.text(isSecret: capture.isSecret) }
      let each = zip(capture.sources, texts).map { "\($0.label): \($1)" }
      let hints = capture.sources.compactMap(absence)
      return .missing(
        expected: "a value to capture from \(capture.label)",
        actual: Set(texts) == ["nothing"] ? "nothing" : each.joined(separator: "; "),
        hint: hints.isEmpty ? nil : hints.joined(separator: "\n"))
    }
    let text = miss.text(isSecret: capture.isSecret)
    switch (miss, source.subject) {
    case (.unconverted(let value, let conversion), _):
      return .missing(
        expected: "\(source.label) as \(conversion.rawValue)", actual: text,
        hint: isEmptyList(value) ? (try? subjects.absence(of: source.subject)) ?? nil : nil)
    case (.unreadable(let error), .json), (.unreadable(let error), .csv):
      return .unreadable(error, form: source.subject.form)
    case (.missing, _), (.unreadable, _):
      return .missing(
        expected: "a value to capture from \(source.label)", actual: text, hint: absence(source))
    }
  }

  private func isEmptyList(_ value: Value) -> Bool {
    if case .list(let items) = value { items.isEmpty } else { false }
  }

  private func tainted(_ value: Value, _ capture: CaptureSpec) -> Value {
    value.tainted(if: capture.isSecret)
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
}

extension Response {
  /// The doubt about a source in a body whose type is that of another format.
  fileprivate func doubtAboutFormat(of subject: ResponseSubject) -> Doubt? {
    let readable: [String]
    switch subject {
    case .json: readable = ["json"]
    case .csv: readable = ["csv"]
    case .xpath: readable = ["html", "xml"]
    default: return nil
    }
    let type = mediaType(of: head.headers.first("Content-Type") ?? "")
    guard head.status < 400, ["json", "csv", "html", "xml"].contains(where: type.contains),
      !readable.contains(where: type.contains)
    else { return nil }
    return Doubt(
      "the body has another format", expected: Text(subject.form), actual: Text(type),
      hint: "take it from `\(type.contains("json") ? "json" : type.contains("csv") ? "csv" : "xpath")`, or from `body`")
  }
}

extension Value {
  package func tainted(if isSecret: Bool) -> Value { isSecret ? tainted : self }
}
