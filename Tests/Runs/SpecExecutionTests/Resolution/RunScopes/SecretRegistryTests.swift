import SpecExecution
import Testing

@Suite("Secrets in messages of our own") struct SecretRegistryTests {
  @Test(
    "a short secret is masked as a word in quotes, and never in our own words",
    arguments: [
      ("found \"a\"", "found \"***\""), ("there is a file", "there is a file"), ("found \"a b\"", "found \"*** b\""),
      ("the header `Date`", "the header `Date`"), ("`x`, or by a pattern: `y`", "`x`, or by a pattern: `y`"),
      ("found \"x-1\", line 1 of \"b\"", "found \"x-***\", line 1 of \"b\""),
      ("`2024-05-01T10:00:00Z`", "`2024-05-01T10:00:00Z`"),
      ("found \"?!\" and `?!`", "found \"***\" and `***`"), ("found \"x?!y\"", "found \"x***y\""),
      ("found \"p\\\"a\\\"\"", "found \"p\\\"***\\\"\""), ("found \"long-secret\"", "found \"***\""),
      ("found \"xlong-secrety\"", "found \"x***y\""), ("`x` is a `y`, \"a\"", "`x` is a `y`, \"***\""), ("", ""),
      ("\"", "\""), ("\"a", "\"a"),
    ])
  func short(_ message: String, _ masked: String) {
    let registry = SecretRegistry()
    for secret in ["a", "1", "?!", "long-secret"] { registry.add(secret) }
    #expect(registry.masked(message: message) == masked)
  }
}
