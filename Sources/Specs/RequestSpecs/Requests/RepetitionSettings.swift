import HTTPSemantics
import Matching
import Templates
import Values

/// The rules for sending a request again.
package struct RepetitionSettings: Sendable {
  package var retry = RetrySettings()
  package var poll = Setting<PollSpec>.inherited

  package init() {}
}

/// `retry`: after which failed exchanges a request is sent again, how often, and when.
package struct RetrySettings: Sendable {
  /// The place of the mapping; removed by `none`.
  package internal(set) var place = Setting<SourceRange>.inherited
  package internal(set) var attempts = Setting<Field<Int>>.inherited
  package internal(set) var interval = Setting<Field<Duration>>.inherited
  package internal(set) var backoff = Setting<Field<RetryPolicy.Backoff>>.inherited
  package internal(set) var maxInterval = Setting<Field<Duration>>.inherited
  package internal(set) var jitter = Setting<Field<Bool>>.inherited
  package internal(set) var causes = Setting<Field<RetryCauses>>.inherited

  package init() {}
}

/// The failures and statuses after which a request is sent again.
package struct RetryCauses: Sendable, Hashable {
  package enum Failure: String, Sendable, Hashable, CaseIterable {
    case connection, timeout
  }

  package var failures: Set<Failure>
  package var statuses: StatusSet

  package static let usual = RetryCauses(
    failures: [.connection, .timeout], statuses: StatusSet([408, 429, 500, 502, 503, 504]))
}

/// `poll`: a request is sent again until its response is as it should be.
package struct PollSpec: Sendable {
  package internal(set) var timeout: Field<Duration>?
  package internal(set) var attempts: Field<Int>?
  package internal(set) var interval: Field<Duration>?
  package internal(set) var backoff: Field<RetryPolicy.Backoff>?
  /// Nil for what `expect` says.
  package internal(set) var until: ResponseCondition?
  package internal(set) var failIf: ResponseCondition?
  package let range: SourceRange

  package var conditions: [ResponseCondition] { [until, failIf].compactMap(\.self) }

  var templates: [Template] {
    var found = (timeout?.templates ?? []) + (attempts?.templates ?? []) + (interval?.templates ?? [])
    found += backoff?.templates ?? []
    for assertion in conditions.flatMap(\.assertions) { assertion.addTemplates(to: &found) }
    return found
  }
}
