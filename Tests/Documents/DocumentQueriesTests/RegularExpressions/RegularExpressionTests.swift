import DocumentQueries
import Foundation
import TestSupport
import Testing

@Suite struct RegularExpressionTests {
  @Test(
    arguments: [
      (#"/users/(\d+)"#, "Location: /users/42?x", ["/users/42", "42"]),
      (#"(?<=id=)\w+"#, "id=größe;", ["größe"]),
      (#"(a)|(b)"#, "b", ["b", nil, "b"]),
      (#"^b$"#, "a\r\nb", nil),
      (#"(?m)^b$"#, "a\r\nb\r\n", ["b"]),
      (#"a.b"#, "a\nb a\u{2028}b", ["a\u{2028}b"]),
      (#"^.$"#, "e\u{301}", nil),
      (#"^..$"#, "e\u{301}", ["e\u{301}"]),
      (#"^\w$"#, "é", ["é"]),
      (#"(?i)ÄPFEL"#, "äpfel", ["äpfel"]),
      (#""#, "", [""]),
      (#"x\0y"#, "x\u{0}y", ["x\u{0}y"]),
      (#"foo\Kbar"#, "foobar", ["bar"]),
    ] as [(String, String, [String?]?)])
  func findsTheFirstMatch(pattern: String, text: String, groups: [String?]?) throws {
    let expression = try RegularExpression(pattern)
    let match = try expression.firstMatch(in: text)
    #expect(match.map { match in (0...match.groupCount).map { match.group($0) } } == groups)
    #expect(try expression.matches(text) == (groups != nil))
  }

  @Test func namesItsGroups() throws {
    let expression = try RegularExpression(#"(?<year>\d{4})-(?<month>\d\d)(-\d\d)?"#)
    #expect(expression.pattern == #"(?<year>\d{4})-(?<month>\d\d)(-\d\d)?"#)
    #expect(expression.groupCount == 3)
    #expect(expression.groupNames == ["year", "month"])
    let match = try #require(try expression.firstMatch(in: "seit ’ 2026-11."))
    #expect(match.group(named: "year") == "2026")
    #expect(match.group(named: "month") == "11")
    #expect(match.group(named: "day") == nil)
    #expect(match.group(3) == nil && match.group(4) == nil && match.group(-1) == nil)
    #expect(match.range == 9..<16)
    #expect(match.range(ofGroup: 2) == 14..<16)
  }

  @Test(arguments: [
    ("a(b", "missing closing parenthesis", 3),
    ("größe[", "missing terminating ] for character class", 8),
    ("*", "quantifier does not follow a repeatable item", 0),
    (#"a\C"#, #"using \C is disabled by the application"#, 3),
  ])
  func tellsWhatIsWrongInAPattern(pattern: String, message: String, offset: Int) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(error?.message == message)
    #expect(error?.offset == offset)
  }

  @Test func endlessBacktrackingIsAnErrorAndNoVerdict() throws {
    let text = String(repeating: "a", count: 40) + "!"
    let error = #expect(throws: RegularExpressionMatchError.self) { try RegularExpression("^(a+)+$").matches(text) }
    #expect(error?.message.contains("backtracks too much") == true)
    #expect(throws: RegularExpressionMatchError.self) {
      try RegularExpression.iRegexp("(a+)+", anchored: true).matches(text)
    }
  }

  /// Each of them takes minutes in compiled code, which counts no steps in them.
  @Test(arguments: [".*.*=", "(?<=a)[a-z]*1\\d", "(a*)b\\1", "[a-z]{3,}[0-9]", "a[a-z]{0,5000}[0-9]"])
  func searchesThatOnlyTakeLongEnd(_ pattern: String) throws {
    let text = String(repeating: "a", count: 1_000_000)
    let expression = try RegularExpression.iRegexp(pattern, anchored: false)
    let time = processorTime {
      let error = #expect(throws: RegularExpressionMatchError.self) { try expression.matches(text) }
      #expect(error?.message.contains("too") == true)
    }
    #expect(time < .seconds(30))
  }

  @Test(arguments: [
    ("\\w+ = (\\d+);", true), ("\\w+ \\d+ =", false), ("[a-z]+@[a-z]+", false), ("(more|less) of \\w+$", true),
  ])
  func longTextsAreNoProblem(_ pattern: String, _ matches: Bool) throws {
    let text = String(repeating: "some text = 1; and more of it\n", count: 20_000)
    #expect(try RegularExpression(pattern).matches(text) == matches)
  }

  /// Each waits for the processor longer than a search may take.
  @Test func manySearchesAtOnceAreNoProblem() async throws {
    let text = String(repeating: "some text = 1; and more of it\n", count: 8000)
    let expression = try RegularExpression("\\w+ \\d+ =")
    let results = await withTaskGroup(of: Bool?.self) { group in
      for _ in 0..<40 * ProcessInfo.processInfo.activeProcessorCount {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: try? expression.matches(text)) }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.allSatisfy { $0 == false })
  }

  @Test func longMatchesOutgrowTheSmallStack() throws {
    let text = String(repeating: "ab", count: 20_000)
    #expect(try RegularExpression("^(?:(a|b)(?=.|$))+$").firstMatch(in: text)?.range == 0..<40_000)
  }

  @Test(arguments: [
    ("a.*", true, "ab", true),
    ("a.*", true, "xab", false),
    ("a.*", false, "xab", true),
    ("a|ab", true, "ab", true),
    ("a", true, "a\n", false),
    ("a$", false, "a\n", false),
    (".", true, "\u{2028}", true),
    (".", true, "\r", false),
    (#"\p{Lu}"#, true, "Ж", true),
    (#"\P{Lu}+"#, true, "жЖ", false),
    ("[^b-d]{2}", true, "ae", true),
  ])
  func matchesIRegexp(pattern: String, anchored: Bool, text: String, isMatch: Bool) throws {
    #expect(try RegularExpression.iRegexp(pattern, anchored: anchored).matches(text) == isMatch)
  }

  @Test func isSharedAmongTasks() async throws {
    let expression = try RegularExpression(#"(\w+)@(\w+)"#)
    await withTaskGroup(of: String?.self) { group in
      for index in 0..<200 {
        group.addTask { (try? expression.firstMatch(in: "<user\(index)@host>"))?.group(1) }
      }
      var names: Set<String?> = []
      for await name in group { names.insert(name) }
      #expect(names.count == 200 && !names.contains(nil))
    }
  }

  /// Each of these is more than PCRE2 takes at once.
  @Test(arguments: [
    ("^(WORDS)$", "[Ww]ord1999", false), ("^(WORDS)$", "wOrd1999", true), ("^(WORDS)$", "wOrd2000", false),
    ("^(?:x|(?<w>WORDS))-(?=a|b)", "Word7-b", true), ("^(?:x|(?<w>WORDS))-(?=a|b)", "x-c", false),
    ("^(?:x|(?<w>WORDS))-(?=a|b)", "x-a", true), ("WORDS", "a word0 b", true), ("WORDS", "a wor b", false),
    ("[|(](?:\\)|WORDS)\\|", "(word12|", true), ("[|(](?:\\)|WORDS)\\|", "(|", false),
  ])
  func largePatterns(pattern: String, text: String, expected: Bool) throws {
    let words = (0..<2000).map { "[Ww][Oo][Rr][Dd]\($0)" }.joined(separator: "|")
    let expression = try RegularExpression.ecmaScript(pattern.replacing("WORDS", with: words))
    #expect(try expression.matches(text) == expected)
  }

  @Test(arguments: ["^(WORDS)+$", "^(?!WORDS)", "(a)(WORDS)\\1", "[Aa]{1,60}{CLASSES}"])
  func patternsThatAreTooLarge(pattern: String) {
    let words = (0..<2000).map { "[Ww][Oo][Rr][Dd]\($0)" }.joined(separator: "|")
    let whole = pattern.replacing("WORDS", with: words)
      .replacing("{CLASSES}", with: String(repeating: "[a-z0-9]", count: 4000))
    #expect(throws: RegularExpressionError.self) { try RegularExpression.ecmaScript(whole) }
    #expect(isECMAScriptPattern(whole))
  }

  struct PartCase: Sendable {
    let pattern: String
    var start = 0
    let part: String
    var isEnd = false
    let isCertain: Bool

    init(_ pattern: String, _ part: String, from start: Int = 0, isEnd: Bool = false, _ isCertain: Bool) {
      (self.pattern, self.part, self.start, self.isEnd, self.isCertain) = (pattern, part, start, isEnd, isCertain)
    }
  }

  @Test(
    "A match in a part of a text is certain if nothing behind the part could change it",
    arguments: [
      PartCase("bc", "abcd", true), PartCase("bc", "abc", true), PartCase("bx", "abcd", false),
      PartCase("c$", "abc", false), PartCase("c$", "abc", isEnd: true, true), PartCase("(?m)b$", "b\nc", true),
      PartCase("c\\b", "abc", false), PartCase("c\\b", "abc.", true), PartCase("c(?!d)", "abc", false),
      PartCase("c(?!d)", "abce", true), PartCase("b.*", "abc", false), PartCase("b.*", "abc\nd", true),
      PartCase("(?s)a(?!.*x)", "abc\nd", false), PartCase("(?s)a(?!.*x)", "abc\nd", isEnd: true, true),
      PartCase("^b", "ab", from: 1, false), PartCase("\\Ab", "ab", from: 1, false), PartCase("^a", "ab", true),
      PartCase("\\Gb", "abc", from: 1, isEnd: true, false), PartCase("(?<=a)b", "abc", from: 1, true),
      PartCase("a", "abc", from: 1, false), PartCase("\\bb", "abc", from: 1, false),
      PartCase("", "", isEnd: true, true),
    ])
  func tellsCertainMatches(_ item: PartCase) throws {
    let expression = try RegularExpression(item.pattern)
    #expect(
      try expression.certainlyMatches(inPart: item.part, from: item.start, isEnd: item.isEnd) == item.isCertain)
  }
}
