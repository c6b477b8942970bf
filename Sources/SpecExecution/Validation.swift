import Diagnostics
import Matching
import RequestSpecs
import Templates
import Values

/// The validation rules of a request, and where they come from.
struct ValidationRulesSource {
  let rules: ValidationRules
  /// Nil for the automatic rules, which stand nowhere.
  let range: SourceRange?

  /// How many assertions the rules stand for in the report; the automatic ones count for none.
  var checks: Int {
    range == nil ? 0 : (rules.status == nil ? 0 : 1) + (rules.contentTypes == nil ? 0 : 1)
  }

  init(_ settings: RequestSettings, scope: FileScope) throws(TemplateError) {
    switch settings.validate.value {
    case .some(.none):
      rules = .none
      range = nil
    case .rules(let status, let contentTypes):
      var types: [String]?
      if let contentTypes {
        types = []
        for field in contentTypes { types?.append(try field.resolve(in: scope).string) }
      }
      rules = ValidationRules(status: try status?.resolve(in: scope), contentTypes: types)
      range = status?.range ?? contentTypes?.first?.range
    case .auto, nil:
      range = nil
      if settings.expect.expectsStatus {
        rules = .none
        return
      }
      let accept = settings.headers.entries.last { $0.key.text.lowercased() == "accept" }?.value
      rules = .automatic(accept: try accept?.resolve(in: scope).asText.string)
    }
  }
}

extension AssertionReport {
  func hinted(_ hint: String) -> AssertionReport {
    AssertionReport(
      subject: subject, range: range, predicate: predicate, expected: expected, actual: actual,
      differences: differences, moreDifferences: moreDifferences, hint: hint)
  }
}

extension RequestSettings {
  /// What of the answer's body something will look at.
  func bodyInterest(_ trace: TraceOptions) -> BodyInterest {
    var interest = BodyInterest()
    for assertion in expect.assertions {
      switch assertion.subject {
      case .json, .body: interest.keepsBytes = true
      case .bytes(.sha256): interest.digests.insert(.sha256)
      case .bytes(.md5): interest.digests.insert(.md5)
      default: break
      }
    }
    for entry in capture.entries {
      switch entry.value?.source {
      case .json, .body: interest.keepsBytes = true
      default: break
      }
    }
    return interest
  }
}
