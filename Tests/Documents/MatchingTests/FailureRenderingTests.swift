import Matching
import Testing
import Values

/// How values are shown in failures: long texts, invisible characters, large structures, secrets.
@Suite struct FailureRenderingTests {
  @Test func longTextsAreShownAroundTheirDifference() {
    let start = String(repeating: "lorem ", count: 100)
    let failure = failures(
      of: [.equals(.text(start + "ipsum" + start))], against: .value(.text(start + "IPSUM" + start))
    ).first
    #expect(
      failure?.expected.string
        == "\"…m lorem lorem lorem ipsumlorem lorem lorem lorem lorem lorem…\" (1205 characters)")
    #expect(
      failure?.actual.string
        == "\"…m lorem lorem lorem IPSUMlorem lorem lorem lorem lorem lorem…\" (1205 characters)")
    #expect(failure?.hint == "the texts differ in letter case only")
  }

  @Test func endsOfLongTextsAreShown() {
    let failure = failures(
      of: [.endsWith("x")], against: .value(.text(String(repeating: "\u{e4}", count: 500) + "end"))
    ).first
    #expect(failure?.actual.string.hasSuffix("\u{e4}\u{e4}end\" (503 characters)") == true)
    #expect(failure?.actual.string.hasPrefix("\"…\u{e4}") == true)
  }

  @Test(arguments: [
    ("a\nb\t\u{1B}[31m", #""a\nb\t\u001b[31m""#),
    ("a\u{a0}b", #""a\u00a0b""#),
    ("\u{202e}abc\u{feff}", #""\u202eabc\ufeff""#),
    ("\u{85}", #""\u0085""#),
    ("👩‍👩‍👧 ü \"", #""👩‍👩‍👧 ü \"""#),
  ])
  func invisibleCharactersAreEscaped(_ text: String, _ shown: String) {
    #expect(failures(of: [.equals("")], against: .value(.text(text))).first?.actual.string == shown)
  }

  @Test(arguments: [
    ("e\u{301}", "\u{e9}", "the texts look alike but differ in Unicode normalisation: what is there is composed (NFC)"),
    (
      "\u{e9}", "e\u{301}",
      "the texts look alike but differ in Unicode normalisation: what is there is decomposed (NFD)"
    ),
    ("Ann", "ann", "the texts differ in letter case only"),
    ("ann", "ann\n", "what is there has one more line break, at its end"),
    ("ann\r\n", "ann", "what is there lacks the line break at the end: in a block text write `|-` instead of `|`"),
    ("a\nb", "a\r\nb", "the texts differ only in line breaks: what is there has CR LF"),
    ("a\r\nb\r\n", "a\nb\n", "the texts differ only in line breaks: what is there has LF alone"),
    (
      " ann", "ann\t",
      "the texts differ only in white space at their beginning or end: what is there has U+0009 (tab)"
    ),
    ("a b", "a\u{a0}b", "the texts differ only in white space: what is there has U+00A0 (no-break space)"),
    (
      "Ann", "\u{410}nn",
      "the texts look alike: what is there has U+0410 (cyrillic capital letter a), which only looks like `A`"
    ),
    (
      #"{"a": 1}"#, #"{"a":1}"#,
      "the texts differ only in white space; `json: {$: …}` compares what they mean"
    ),
    ("A b", "a  b", "the texts differ only in letter case and white space"),
    (
      "ab", "a\u{200b}b",
      "the texts differ only in characters that cannot be seen: what is there has U+200B (zero width space)"
    ),
    ("it's", "it\u{2019}s", "the texts differ only in the form of quotes or dashes"),
    ("1", "1.0", "the texts are the same number, written differently"),
    (
      "2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00",
      "the texts are the same instant, written differently: write `!date` before it to compare instants"
    ),
    ("http://a/b", "http://a/b/", "the texts differ only in the slash at the end"),
  ])
  func subtleDifferencesAreExplained(_ expected: String, _ actual: String, _ hint: String) {
    #expect(failures(of: [.equals(.text(expected))], against: .value(.text(actual))).first?.hint == hint)
  }

  @Test func structuresAreShortened() {
    let list = Value.list((0..<10_000).map { .integer($0) })
    let text = failures(of: [.equals([])], against: .value(list)).first?.actual.string ?? ""
    #expect(text.hasPrefix("[0, 1, 2, "))
    #expect(text.hasSuffix(", …] (10000 items)"))
    #expect(text.count < 200)
  }

  @Test func secretsStaySecret() {
    let secret = Value.text(Text(secret: "pa\"ss"))
    let predicates: [Predicate] = [
      .equals(secret), .contains(secret), .startsWith(Text(secret: "pa\"ss")), .oneOf([secret]),
      .equals(["token": secret]), .includes(["token": secret]), .every([.equals(secret)]), .not([.exists(true)]),
      .equals(.number(Number(lexeme: "4711", isSecret: true))),
    ]
    for subject in [MatchSubject.value("x"), .value(["token": "x"]), .value(["x"]), .missing, .value(secret)] {
      let drawing = drawings(predicates, subject)
      #expect(!drawing.contains("pa\""))
      #expect(!drawing.contains("pa\\"))
      #expect(!drawing.contains("ss\""))
      #expect(!drawing.contains("4711"))
    }
  }

  @Test func windowsKeepSecretParts() {
    let text =
      Text(String(repeating: "a", count: 100)) + Text(secret: "hunter2") + Text(String(repeating: "b", count: 100))
    let failure = failures(of: [.equals(.text(text))], against: .value(.text(String(repeating: "a", count: 105)))).first
    #expect(
      failure?.expected.masked == "\"…aaaaaaaaaaaaaaaaaaaa***bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb…\" (207 characters)")
  }

  struct MarkRow: Sendable {
    let expected: String
    let actual: String
    let drawing: String
  }

  /// Carets under what differs, where most is the same; each of the actual text's characters is one column wide here.
  @Test(arguments: [
    MarkRow(expected: "Hello World", actual: "Hello Wurld", drawing: "        ^"),
    MarkRow(expected: "Hello World", actual: "Hello old World", drawing: "       ^^^^"),
    MarkRow(expected: "Hello old World", actual: "Hello World", drawing: "       ^"),
    MarkRow(expected: "Hello World", actual: "Hello", drawing: ""),
    MarkRow(expected: "Ann", actual: "Anna", drawing: ""),
    MarkRow(expected: "one thing", actual: "something else", drawing: ""),
    MarkRow(expected: "a\nb and so on and on", actual: "a\tb and so on and on", drawing: "  ^^"),
  ])
  func differencesAreMarked(_ row: MarkRow) {
    let failure = failures(of: [.equals(.text(Text(row.expected)))], against: .value(.text(Text(row.actual)))).first
    let drawing = failure.flatMap { failure in failure.mark?.drawing(under: failure.actual, at: 0) } ?? ""
    #expect(drawing == row.drawing)
  }

  @Test func marksOfLongTextsTellTheirPlace() {
    let start = String(repeating: "lorem ", count: 100)
    let mark = failures(
      of: [.equals(.text(Text("a\n\(start)ipsum\(start)")))], against: .value(.text(Text("a\n\(start)dolor\(start)")))
    ).first?.mark
    #expect(mark?.label == "at line 2, character 601")
  }

  @Test(arguments: ["\u{301}abc", "a\u{301}\u{302}\u{303}\u{304}\u{305}b", "x\u{200d}y", "\u{3164}"])
  func marksOnNothingAndFillersAreEscaped(_ text: String) {
    #expect(
      failures(of: [.equals("")], against: .value(.text(Text(text)))).first?.actual.string.contains("\\u") == true)
  }

  /// What is half a secret or more must not be shown in its place.
  @Test(arguments: [
    "hunter2-and-so-o", "unter2-and-so-on", "id=hunter2-and-X; path=/", "hunter2-anX-so-on", "HUNTER and 2-and-so-on",
    String(repeating: "x", count: 500) + "hunter2-and-so-" + String(repeating: " y", count: 500),
  ])
  func nearSecretsStaySecret(_ text: String) {
    let secret = Text(secret: "hunter2-and-so-on")
    let predicates: [Predicate] = [
      .equals(.text(secret)), .equals(.text(Text("id=") + secret + Text("; path=/"))), .contains(.text(secret)),
      .startsWith(secret), .endsWith(secret), .equals(.list([.text(secret)])),
      .equals(.text(Text("one\n") + secret + Text("\nthree"))),
    ]
    for subject in [text, "one\n\(text)\nthree", "else\n\(text)"] {
      for actual in [Value.text(Text(subject)), .list([.text(Text(subject))])] {
        let drawing = drawings(predicates, .value(actual))
        #expect(!drawing.contains("hunter2") && !drawing.contains("and-so"), "\(drawing)")
      }
    }
  }
}
