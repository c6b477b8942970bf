import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension RepetitionSettings: LayeredSettings {
  package static let settingKeys = SettingKeys<RepetitionSettings>([
    SettingKey(
      RequestKey.retry.rawValue,
      "sends the request again if the exchange fails: `{attempts: …, interval: …, backoff: …, max_interval: …, jitter: …, "
        + "causes: …}`, or `none`; see \"Trying again\"",
      SettingKind(
        reader: ValueReader(RetrySettings.settingKeys.keys.shape().or(.words(["none"])).or(.null)) {
          $0.retry($1.value)
        }, removed: .removed, over: { $0.over($1) }, addTemplates: { $0.addTemplates(to: &$1) },
        addNeeds: { _, _ in }), { $0.retry }, { $0.retry = $1 }),
    SettingKey(
      RequestKey.poll.rawValue,
      "sends the request again until the response is as expected: `{timeout: …, interval: …, attempts: …, backoff: …, "
        + "until: …, fail_if: …}`; see \"Waiting\"",
      .whole(
        PollSpec.keys.shape(), templates: \.templates,
        needs: { poll, needs in
          for assertion in poll.conditions.flatMap(\.assertions) { assertion.addNeeds(to: &needs) }
        }
      ) { $0.poll($1) }, { $0.poll }, { $0.poll = $1 }),
  ])
}

extension RetrySettings: LayeredSettings {
  package static let settingKeys = SettingKeys<RetrySettings>(
    [
      SettingKey(
        RetryKey.attempts.rawValue, "the maximum number of attempts, including the first (3)",
        synonyms: "max_attempts maxAttempts times tries", .field(.integer(1...1000)), { $0.attempts },
        { $0.attempts = $1 }),
      SettingKey(
        RetryKey.interval.rawValue, "the pause before the second attempt (500 ms)",
        synonyms: "delay wait pause initial_interval initial_delay base_delay", .field(.duration), { $0.interval },
        { $0.interval = $1 }),
      SettingKey(
        RetryKey.backoff.rawValue,
        "how the pause grows: `exponential` (the default) doubles it each time, `linear` adds the interval, `none` "
          + "keeps it",
        synonyms: "strategy policy", .field(.word(instead: backoffWord)), { $0.backoff }, { $0.backoff = $1 }),
      SettingKey(
        RetryKey.maxInterval.rawValue, "the longest pause (1 m), also one that the server asks for",
        synonyms: "max_delay maxDelay cap",
        .field(.positive("a pause is longer than 0", help: "leave it out for a minute")), { $0.maxInterval },
        { $0.maxInterval = $1 }),
      SettingKey(
        RetryKey.jitter.rawValue, "`true` makes each pause random, from half of it to all of it",
        synonyms: "randomize random_factor", .field(.boolean), { $0.jitter }, { $0.jitter = $1 }),
      SettingKey(
        RetryKey.causes.rawValue,
        "a list of `connection`, `timeout` and statuses: the first two, 408, 429, 500, 502, 503 and 504 where it is "
          + "absent",
        synonyms: "on retry_on retryOn status statuses status_codes on_status conditions errors",
        .field(ValueDecoder<RetryCauses>.retryCauses.shape) { $0.retryCauses($1) }, { $0.causes }, { $0.causes = $1 }),
    ],
    advice: [
      "max_retries": "`attempts` counts the first time: 2 retries are `attempts: 3`",
      "retries": "`attempts` counts the first time: 2 retries are `attempts: 3`",
      "limit": "`attempts` counts the first time: 2 retries are `attempts: 3`",
      "count": "`attempts` counts the first time: 2 retries are `attempts: 3`",
      "max": "`attempts` counts the first time: 2 retries are `attempts: 3`",
      "timeout": "the request's own `timeout` is for each attempt",
      "until": MigrationHints.pollUntil, "expect": MigrationHints.pollUntil, "condition": MigrationHints.pollUntil,
      "methods": "under `defaults` it acts on idempotent methods, in a request on any",
    ], shape: "{attempts: 3}")

  /// The place isn't a key of the mapping.
  package func over(_ base: RetrySettings) -> RetrySettings {
    if case .removed = place { return self }
    var result = base
    for key in RetrySettings.settingKeys.all { key.merge(self, &result) }
    result.place = place.over(base.place)
    return result
  }
}

/// The keyword of `backoff` for another notation.
func backoffWord(_ value: Value) -> String? {
  switch value {
  case .bool(let grows): grows ? "`exponential`" : "`none`"
  case .null: "`none`"
  case .text(let text):
    switch text.string.lowercased() {
    case "constant", "fixed", "static": "`none`"
    case "exponential_backoff", "expo", "double", "doubling": "`exponential`"
    default: nil
    }
  default: nil
  }
}

extension SpecReader {
  mutating func retry(_ node: YAMLNode) -> RetrySettings {
    var result = RetrySettings()
    guard isUsable(node) else { return result }
    if node.isNull || node.plainText == "none" {
      result.place = .removed
      return result
    }
    result.place = .given(node.range)
    if reportNumber(node, for: "retry") { return result }
    let isFalse = if case .bool(false)? = node.scalar?.meaning { true } else { false }
    visit(
      node, as: "`retry`", keys: RetrySettings.settingKeys.keys, instead: isFalse ? "`none`" : nil, into: &result)
    if let interval = result.interval.value, let pause = interval.literal,
      let limit = result.maxInterval.value?.literal, pause > limit
    {
      bag.warning(
        .noEffect, "no pause is longer than `max_interval`", at: interval.range, help: "write a longer `max_interval`")
    }
    if let attempts = result.attempts.value, attempts.literal == 1 {
      bag.warning(
        .noEffect, "the first attempt counts, too: nothing is sent again", at: attempts.range,
        help: "write `attempts: 2`, or `retry: none`")
    }
    return result
  }

  /// Reports a number in place of `retry` or `poll`: other tools mean one or the other by it.
  mutating func reportNumber(_ node: YAMLNode, for key: String) -> Bool {
    guard case .number(let number)? = node.scalar?.meaning else { return false }
    report(
      .wrongType, "`\(key)` is a mapping, found \(node.kindPhrase)", at: node,
      help: MigrationHints.retryOrPoll(attempts: "\(number)"))
    return true
  }

  /// The causes, each reported at its place.
  fileprivate mutating func retryCauses(_ node: YAMLNode) -> Setting<Field<RetryCauses>> {
    let errorsBefore = bag.errorCount
    for item in node.items ?? [] { _ = field(item, .retryCauses) }
    return bag.errorCount == errorsBefore ? setting(node, .retryCauses) : .inherited
  }
}

extension ValueDecoder where Output == RetryCauses {
  /// `connection`, `timeout`, a status, or a list of these.
  static var retryCauses: ValueDecoder {
    let words = RetryCauses.Failure.allCases.map(\.rawValue)
    let item = SchemaShape.words(words).or(ValueDecoder<StatusSet>.status.shape)
    return ValueDecoder(
      "connection, timeout, a status such as 503 or 5xx, or a list of these", item.or(.list(of: item, atLeast: 1))
    ) { value throws(DecodingProblem) in
      let items: [Value] = if case .list(let items) = value { items } else { [value] }
      guard !items.isEmpty else {
        throw DecodingProblem(
          .emptyValue, "a list of no causes never sends anything again", help: "write `retry: none`")
      }
      var causes = RetryCauses(failures: [], statuses: StatusSet([Range<Int>]()))
      for item in items {
        if case .text(let text) = item {
          if let failure = RetryCauses.Failure(rawValue: text.string) {
            causes.failures.insert(failure)
            continue
          }
          guard text.string.utf8.first.map({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) ?? false else {
            let known = ["dns", "tls", "ssl", "network", "reset", "connect", "connection_error", "error"]
            throw unknownWord(
              text, among: words + ["a status"],
              instead: known.contains(text.string.lowercased()) && !text.isSecret ? "`connection`" : nil)
          }
        }
        causes.statuses = StatusSet(causes.statuses.ranges + (try ValueDecoder<StatusSet>.status.decode(item)).ranges)
      }
      return causes
    }
  }
}
