import DocumentQueries
import HTTPSemantics
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

  /// The existing name that a source with a missing value certainly misspells.
  private(set) var missedName: String?
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
    var unconverted: (value: Value, conversion: Extraction.Conversion)?
    do {
      let subject = try subjects.wholeValue(of: capture.subject) { count throws(Response.Unreadable) in
        try take(count)
      }
      repeatedMember = subject.repeated
      found = subject.value
      if let value = found, let extraction = capture.extraction {
        let extracting = Extracting(response: response, scope: scope)
        switch try extracting.result(
          of: extraction, from: value, reserving: { count throws(Response.Unreadable) in try take(count) })
        {
        case .value(let value): found = value
        case .nothing:
          found = nil
          reason = "no match of the regular expression" + (extraction.group == nil ? "" : ", or none of that group")
        case .unconverted(let value, let conversion):
          found = nil
          unconverted = (value, conversion)
        }
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
    if let found { return tainted(found, capture) }
    if let (value, conversion) = unconverted, capture.defaultValue == nil {
      throw .missing(
        expected: "\(capture.label) as \(conversion.rawValue)",
        actual: isEmptyList(value) ? "an empty list" : value.tainted(if: capture.isSecret).phrase,
        hint: isEmptyList(value) ? (try? subjects.absence(of: capture.subject)) ?? nil : nil)
    }
    guard let defaultValue = capture.defaultValue else {
      throw .missing(
        expected: "a value to capture from \(capture.label)", actual: reason,
        hint: capture.extraction?.regex == nil ? (try? subjects.absence(of: capture.subject)) ?? nil : nil)
    }
    missedName = (try? subjects.misspelling(of: capture.subject)) ?? nil
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

extension Value {
  package func tainted(if isSecret: Bool) -> Value { isSecret ? tainted : self }
}
