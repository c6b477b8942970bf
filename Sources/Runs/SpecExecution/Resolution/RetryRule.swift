import HTTPSemantics
import RequestSpecs
import Templates

/// The `retry` of a request.
package struct RetryRule: Sendable {
  private let settings: RetrySettings
  /// Nil for all.
  private let methods: Set<HTTPMethod>?

  /// Nil if the request is sent once. A stream connects again by rules of its own.
  init?(_ request: PlannedRequest) {
    guard let settings = request.settings.repetitionBox?.content.retry, settings.place.value != nil,
      request.settings.transferBox?.content.stream.value == nil
    else { return nil }
    self.settings = settings
    let layer = request.layer { $0.repetitionBox?.content.retry.place.isMentioned ?? false }
    methods = layer == .request ? nil : HTTPMethod.idempotent
  }

  package func policy(in scope: FileScope) throws(TemplateError) -> RetryPolicy {
    let causes = try settings.causes.value?.resolve(in: scope) ?? .usual
    var failures: Set<TransportError.Kind> = []
    if causes.failures.contains(.connection) { failures.formUnion(Set.connection) }
    if causes.failures.contains(.timeout) { failures.formUnion(Set.timeouts) }
    let interval = try settings.interval.value?.resolve(in: scope) ?? .milliseconds(500)
    let longest = try settings.maxInterval.value?.resolve(in: scope)
    // The defaults are those of Alamofire's policy.
    return RetryPolicy(
      attempts: try settings.attempts.value?.resolve(in: scope) ?? 3, methods: methods,
      statuses: Set(causes.statuses.ranges.joined()), failures: failures,
      interval: interval, backoff: try settings.backoff.value?.resolve(in: scope) ?? .exponential,
      maximumInterval: longest ?? max(interval, .seconds(60)),
      isJittered: try settings.jitter.value?.resolve(in: scope) ?? false, maximumRequestedDelay: longest ?? .seconds(60)
    )
  }
}
