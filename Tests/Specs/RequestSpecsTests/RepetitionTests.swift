import RequestSpecs
import Testing

@Suite("retry and poll")
struct RepetitionTests {
  private static let difference =
    "`retry: {attempts: 3}` tries again when the connection fails or the server says 429 or 5xx; to wait until `expect` "
    + "holds write `poll: {attempts: 3}`"

  static let cases: [DiagnosticCase] = [
    .request(
      "all keys",
      "retry: {attempts: 5, interval: 200ms, backoff: linear, max_interval: 5s, jitter: true, causes: [connection, 429, 5xx]}"
    ),
    .request("the defaults", "retry: {}"),
    .request("none", "retry: none"),
    .request("templates", "retry: {attempts: \"${{ 1 + 2 }}\", causes: \"${{ 503 }}\"}"),
    .request("a number", "retry: «3»", "`retry` is a mapping, found a number | \(difference)"),
    .request("true", "retry: «true»", "`retry` is a mapping, found true or false | write {attempts: 3}"),
    .request("false", "retry: «false»", "`retry` is a mapping, found true or false | write `none`"),
    .request("a word", "retry: «always»", "`retry` is a mapping, found text | write {attempts: 3}"),
    .request(
      "no attempt", "retry: {attempts: «0»}", "expected an integer from 1 to 1000, found 0"),
    .request(
      "retries are not attempts", "retry: {«max_retries»: 2}",
      "unknown key `max_retries` in `retry` | `attempts` counts the first time: 2 retries are `attempts: 3`"),
    .request("a delay", "retry: {«delay»: 1s}", "unknown key `delay` in `retry` | write `interval`"),
    .request(
      "a condition", "retry: {«until»: {status: 200}}",
      "unknown key `until` in `retry` | what to wait for in the response stands under `poll:`, as `until`"),
    .request("no unit", "retry: {interval: «200»}", "the duration 200 has no unit | write 200ms, or 200s for seconds"),
    .request(
      "another word for a backoff", "retry: {backoff: «fixed»}",
      "unknown value \"fixed\": expected one of none, linear, exponential | write `none`"),
    .request(
      "a pause of nothing", "retry: {max_interval: «0s»}", "a pause is longer than 0 | leave it out for a minute"),
    .request(
      "an unknown cause", "retry: {causes: [timeout, «conection»]}",
      "unknown value \"conection\": expected one of connection, timeout, a status | did you mean `connection`?"),
    .request(
      "another word for a cause", "retry: {causes: «dns»}",
      "unknown value \"dns\": expected one of connection, timeout, a status | write `connection`"),
    .request(
      "no status", "retry: {causes: [«50»]}",
      "\"50\" is not a status | write a number from 100 to 999, 2xx, 200..<300 or a list of these"),
    .request(
      "no cause", "retry: {causes: «[]»}", "a list of no causes never sends anything again | write `retry: none`"),
    .request(
      "a poll",
      "poll: {timeout: 30s, interval: 500ms, attempts: 60, backoff: none, until: {json: {$.a: 1}}, fail_if: {status: 500}}"
    ),
    .request("a poll until `expect` holds", "poll: {}\nexpect: {status: 200}"),
    .request("a number of rounds", "poll: «3»", "`poll` is a mapping, found a number | \(difference)"),
    .request("a time to wait", "poll: «30s»", "`poll` is a mapping, found text | write {timeout: 30s}"),
    .request(
      "an empty condition", "poll: {until: «{}»}",
      "an empty mapping checks nothing | write what is expected, or remove `until`"),
    .request("a status alone", "poll: {until: «200»}", "`until` is a mapping, found a number | write {status: 200}"),
    .request(
      "no condition", "poll: {until: «null»}",
      "`until` is a mapping, found null | leave it out, or write what is looked for"),
    .request(
      "a failure to wait for", "poll: {fail_if: {error: «timeout»}}",
      "`error` cannot be waited for: `fail_if` looks at responses | a failed exchange is a round that is not over yet"),
    .request(
      "a schema", "poll: {until: {schema: «a.json»}}",
      "`schema` belongs under `expect`, which looks at the last response | write what of the response shows that it is ready, such as `status` or `json`"
    ),
    .request(
      "nothing to remove", "poll: {until: {json: {$.a: 1}, status: «null»}}",
      "there is nothing to remove here: nothing is inherited by `until` | write {exists: false} for what must not be there"
    ),
    .request(
      "an expectation of a poll", "poll: {«expect»: {status: 200}}", "unknown key `expect` in `poll` | write `until`"),
    .request(
      "causes of a poll", "poll: {«causes»: [503]}",
      "unknown key `causes` in `poll` | failed exchanges within a round are the business of `retry`, beside `poll`"),
    .request(
      "wait_until", "«wait_until»: {status: 200}",
      "unknown key `wait_until` in a request | write `poll: {until: …}` in a request"),
    DiagnosticCase(
      "in the defaults", "defaults: {«poll»: {}}\nrequests: [{url: http://h/}]\n",
      "unknown key `poll` in `defaults` | it belongs to a request: each waits for something else"),
    .request("max_retries", "«max_retries»: 3", "unknown key `max_retries` in a request | \(difference)"),
  ]

  @Test(arguments: cases)
  func diagnostics(_ test: DiagnosticCase) { test.check() }
}
