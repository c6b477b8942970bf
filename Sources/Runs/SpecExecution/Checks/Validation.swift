import Matching
import RequestSpecs
import Templates
import Values

/// The validation rules of a request, and their source.
package struct ValidationRulesSource {
  package let rules: ValidationRules
  /// Nil for the automatic rules, which have no place.
  package let range: SourceRange?
  /// Indicates whether server-sent events were requested.
  package let wantsEvents: Bool
  /// Indicates whether a WebSocket was requested.
  package let wantsWebSocket: Bool

  /// The number of assertions that the rules count as in the report, whatever their results; accepting any type isn't
  /// one.
  package var checks: Int {
    let checksType = range == nil ? rules.contentTypes.map { !$0.contains("*/*") } ?? false : rules.contentTypes != nil
    return (rules.status == nil ? 0 : 1) + (checksType ? 1 : 0)
  }

  /// - Parameters:
  ///   - conditional: the assertions of groups that apply.
  ///   - accept: the `Accept` header that was sent.
  package init(
    _ request: RequestStep, _ conditional: [Assertion] = [], accept: String?, scope: FileScope
  ) throws(TemplateError) {
    let format = request.settings.transfer?.stream.value?.format
    wantsEvents = format == .sse
    wantsWebSocket = format == .websocket
    switch request.settings.validate.value {
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
      if request.expectsStatus || conditional.expectStatus {
        rules = .none
        return
      }
      if format == .websocket {
        rules = ValidationRules(status: StatusSet([101]), contentTypes: nil)
        return
      }
      rules = .automatic(accept: request.expectsContentType || conditional.expectContentType ? nil : accept)
    }
  }
}
