import Templates
import Testing
import Values

/// A scope of given values.
private struct ValueScope: TemplateScope {
  let values: [String: Value]
  var names: [String] { Array(values.keys) }

  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup { values[name].map { .value($0) } ?? .unknown }
  func environmentVariable(_ name: String) -> Text? { nil }
  func now() -> Timestamp { Timestamp(seconds: 0) }
  func nextRandom() -> UInt64 { 7 }
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] { [] }
}

private let mebibyte = String(repeating: "a", count: 1 << 20)

private let scope = ValueScope(values: [
  "a": .text(mebibyte), "half": .text(String(repeating: "ab", count: 16 << 20)),
  "most": .text(String(repeating: "a", count: ResultLimit.size - 40)),
  "list": .list([Value](repeating: .text(mebibyte), count: 40)),
  "lists": .list([Value](repeating: .list([Value](repeating: .null, count: 100_000)), count: 100)),
  "doubled": (0..<60).reduce(Value.text("x")) { value, _ in .list([value, value]) },
  "letters": .text(String(repeating: "a", count: 3_000_000)), "pad": .text(String(repeating: "c", count: 100)),
  "quotes": .text(String(repeating: "\"", count: ResultLimit.size / 6 + 1)),
])

@Suite("What templates make is limited")
struct TemplateLimitTests {
  private func evaluate(_ text: String) throws -> Value {
    let source = SourceText(name: "spec.yaml", text: text)
    var bag = DiagnosticBag()
    let template = Template.parse(text, place: { SourceRange(source, $0) }, into: &bag)
    return try #require(template).evaluate(in: scope)
  }

  @Test(
    "more is an error at the place that makes it",
    arguments: [
      "${{ «replace(a, 'a', a)» }}",
      "${{ a | «replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')» }}",
      "${{ half }}${{ half }}${{ «half» }}", "${{ most }} and ${{ «most» }}", "${{ most | «hex» }}",
      "${{ most | «base64» }}", "${{ list | «join(a)» }}", "${{ lists | «flatten» }}",
      "${{ letters | «split('a')» }}", "${{ «concat(half, half, half)» }}",

      "${{ «concat(list, list)» }}", "${{ «[half, half, half]» }}", "${{ «{a: half, b: half, c: half}» }}",
      "${{ «replace_regex(a, 'a', replace(a, 'a', 'bb'))» }}", "${{ «replace_regex(a, '', pad)» }}",
      "${{ most | «base64url» }}", "${{ «html_escape(quotes)» }}",
    ])
  func tooMuch(_ marks: String) throws {
    let (text, range) = marked(marks)
    let error = #expect(throws: TemplateError.self) { try evaluate(text) }
    #expect(error?.message == "the value would be larger than 64 MiB")
    #expect(error?.range?.bytes == range)
  }

  @Test(
    "up to there everything goes",
    arguments: [
      ("${{ length(replace(a, 'a', 'aaaa')) }}", 4 << 20), ("${{ length(replace(a, a, '')) }}", 0),
      ("${{ length(replace(a, 'b', a)) }}", 1 << 20), ("${{ length(split(a, 'b')) }}", 1),
      ("${{ length(hex(a)) }}", 2 << 20),
      ("${{ length(join(list)) }}", 40 << 20), ("${{ length(most) }}", ResultLimit.size - 40),
    ])
  func enough(_ text: String, _ length: Int) throws {
    #expect(try evaluate(text) == .integer(length))
  }

  @Test(
    "Occurrences are found from the left, and don't overlap",
    arguments: [
      ("aaaa", "aa", 2), ("aabaabaaab", "aaab", 1), ("abcabcabd", "abcabd", 1), ("aaa", "aa", 1), ("ababab", "abab", 1),
      ("", "a", 0), ("a", "ab", 0), ("äöä", "ä", 2), ("aaaaab", "aab", 1), ("xx", "x", 2),
    ])
  func occurrences(_ text: String, _ sought: String, _ count: Int) throws {
    let value = try evaluate("${{ length(split('\(text)', '\(sought)')) }}")
    #expect(value == .integer(count + 1))
    let replaced = try evaluate("${{ replace('\(text)', '\(sought)', '|') }}")
    #expect(replaced == .text(text.replacing(sought, with: "|")))
  }

  @Test("A text that almost matches everywhere takes no longer")
  func almost() throws {
    #expect(try evaluate("${{ length(replace(a, replace(a, 'aaaaaaaa', 'aaab'), '')) }}") == .integer(1 << 20))
  }

  @Test(
    "Numbers of any size are numbers, or an error",
    arguments: ["-9223372036854775808", "-1", "0", "9223372036854775807", "18446744073709551615", "1e400", "-1e-400"])
  func numbers(_ number: String) throws {
    let expressions = [
      "N + N", "N - N", "N * N", "-N", "N == N", "N < N", "random_int(N, N)", "random_string(N)", "list[N]",
      "to_integer(N)",
      "to_integer('N')", "plus(now, 'Nd')", "plus(now, 'Nms')", "plus(now, 'N')", "format(plus(now, 'Nd'), 'unix_ms')",
      "length(json(N))", "N / 3", "3 / N", "N % 3", "3 % N", "round(N)", "round(N, 2)", "round(1, N)", "floor(N)",
      "ceil(N)",
      "length(range(N))", "length(range(0, N, N))", "length(range(N, 5))", "sum([N, N])", "max([N, 1])",
      "date(N, 'unix')",
      "date(N, 'unix_ms')", "date('N', 'yyyy')", "plus(now, 'Nmo')", "plus(now, 'Ny')", "match('a', 'a', N)", "[1][N]",
      "difference(date(N, 'unix'), now)", "replace_regex('a', 'a', '$N')", "totp('N')", "N in [N]", "url('http://a:N')",
      "from_json('N')", "from_json('[N]')[0]", "doubled[N]",
    ]
    for expression in expressions {
      let text = "${{ \(expression.replacing("N", with: number)) }}"
      // Some are wrong before they are evaluated.
      let source = SourceText(name: "spec.yaml", text: text)
      var bag = DiagnosticBag()
      let template = Template.parse(text, place: { SourceRange(source, $0) }, into: &bag)
      #expect(template != nil || bag.hasErrors)
      do { _ = try template?.evaluate(in: scope) } catch {}
    }
  }

  @Test("A date pattern is no longer than anyone writes one")
  func pattern() throws {
    #expect(throws: TemplateError.self) { try evaluate("${{ format(now, replace(a, 'a', 'y')) }}") }
  }
}
