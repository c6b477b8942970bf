import HTTPSemantics
import Templates
import Values
import YAMLNodes

extension PollSpec {
  static let keys = Keys<PollSpec>(
    [
      Key(
        "timeout", "the longest time to wait (30 s, unless `attempts` is given)",
        synonyms: "max_wait for within deadline", .field(.timeLimit)
      ) { $0.timeout = $1 },
      Key("interval", "the pause between two rounds (500 ms)", synonyms: "delay wait pause every", .field(.duration)) {
        $0.interval = $1
      },
      Key(
        "attempts", "the maximum number of rounds",
        synonyms: "max max_attempts maxAttempts max_rounds times tries rounds count",
        .field(.integer(1...1_000_000))
      ) { $0.attempts = $1 },
      Key(
        "backoff", "how the pause grows: `none` (the default), `linear` or `exponential`, a minute at most",
        .field(.word(instead: backoffWord))
      ) { $0.backoff = $1 },
      Key(
        "until", "what the response must be, as under `expect`; by default what `expect` says",
        synonyms: "condition expect success_if", expectShape
      ) { $2.until = $0.responseCondition($1) },
      Key(
        "fail_if", "ends it at once if all of it holds, as under `expect`",
        synonyms: "failIf fail_when stop_if abort_if error_if fail_on", expectShape
      ) { $2.failIf = $0.responseCondition($1) },
    ],
    advice: [
      "max_retries": "`attempts` counts the first round too", "retries": "`attempts` counts the first round too",
      "status": "write `until: {status: …}`", "json": "write `until: {json: …}`",
      "causes": "failed exchanges within a round are the business of `retry`, beside `poll`",
    ], shape: "{timeout: 30s, until: {…}}")
}

extension SpecReader {
  mutating func poll(_ node: YAMLNode) -> PollSpec? {
    if reportNumber(node, for: "poll") { return nil }
    let isDuration = node.plainText.map { parseDuration($0) != nil } ?? false
    var poll = PollSpec(range: node.range)
    visit(
      node, as: "`poll`", keys: PollSpec.keys, instead: isDuration ? "{timeout: \(node.range.text)}" : nil, into: &poll)
    let limit = poll.timeout.map(\.literal) ?? (poll.attempts == nil ? .seconds(30) : nil)
    if let interval = poll.interval, let pause = interval.literal, let limit, pause >= limit {
      bag.warning(
        .noEffect, "the wait is over before the second round", at: interval.range, help: "write a longer `timeout`")
    } else if let attempts = poll.attempts, attempts.literal == 1 {
      bag.warning(
        .noEffect, "one round waits for nothing", at: attempts.range, help: "write more of them, or leave out `poll`")
    }
    return poll
  }

  /// Assertions that are a condition.
  mutating func responseCondition(_ member: YAMLMember) -> ResponseCondition? {
    guard isUsable(member.value) else { return nil }
    if member.value.isNull {
      return reject(
        .wrongType, "`\(member.key)` is a mapping, found null", at: member.value,
        help: "leave it out, or write what is looked for")
    }
    let settings = expectations(member.value, as: member.key)
    if let failure = settings.failure.value {
      bag.error(
        .conflictingKeys,
        "`error` \(member.key == "when" ? "is not a condition" : "cannot be waited for"): `\(member.key)` looks at responses",
        at: failure.range,
        help: member.key == "when"
          ? "write `expect: {error: …}` for a request that must fail"
          : "a failed exchange is a round that is not over yet")
    }
    for entry in settings.entries {
      switch entry.assertion?.check {
      case nil:
        bag.error(
          .orphanedKey, "there is nothing to remove here: nothing is inherited by `\(member.key)`", at: entry.range,
          help: "write {exists: false} for what must not be there")
      case .snapshot, .schema:
        bag.error(
          .misplacedKey,
          member.key == "when"
            ? "`\(entry.key)` is not a condition, but what the whole response must be"
            : "`\(entry.key)` belongs under `expect`, which looks at the last response", at: entry.range,
          help: member.key == "when"
            ? "write what of the response the condition is, such as `status` or `json`"
            : "write what of the response shows that it is ready, such as `status` or `json`")
      case .predicates, .extracted, .status, .contentType: break
      }
    }
    return ResponseCondition(assertions: settings.assertions, range: member.value.range)
  }
}
