import Testing
import Values

@Test(arguments: [
  ("ASCII", "abc", 3), ("umlaut", "größe", 5), ("combining mark", "e\u{301}x", 2), ("CJK", "東京", 4),
  ("fullwidth", "ＡＢ", 4), ("halfwidth katakana", "ｱｲ", 2), ("Hangul", "한글", 4), ("decomposed Hangul", "한", 2),
  ("emoji", "😀", 2), ("family", "👩‍👩‍👧", 2), ("flag", "🇩🇪", 2), ("skin tone", "👍🏽", 2), ("text heart", "❤", 1),
  ("emoji heart", "❤️", 2), ("Cyrillic", "Привет", 6), ("spacing marks", "हिन्दी", 5), ("box drawing", "─│", 2),
  ("zero-width joiner", "a\u{200D}b", 2), ("empty", "", 0),
])
func displayWidth(name: String, text: String, width: Int) {
  #expect(Values.displayWidth(of: text) == width)
}

@Test(arguments: [
  ("plain", "größe 東京 👩‍👩‍👧", "größe 東京 👩‍👩‍👧"),
  ("escape sequence", "\u{1B}[31mred\u{1B}[0m", "␛[31mred␛[0m"),
  ("C1 control", "\u{9B}31m", "<U+009B>31m"),
  ("bell, delete, NUL", "\u{07}\u{7F}\0", "␇␡␀"),
  ("line breaks", "a\r\nb\tc", "a␍␊b␉c"),
  ("bidirectional", "a\u{202E}b\u{2066}c\u{200F}", "a<U+202E>b<U+2066>c<U+200F>"),
  ("invisible", "a\u{200B}b\u{FEFF}\u{2028}", "a<U+200B>b<U+FEFF><U+2028>"),
  ("tag characters", "a\u{E0041}", "a<U+E0041>"),
  ("separators", "a\u{2028}b\u{2029}c\u{85}d", "a<U+2028>b<U+2029>c<U+0085>d"),
  ("bidirectional, all", "\u{61C}\u{200E}\u{202A}\u{2069}", "<U+061C><U+200E><U+202A><U+2069>"),
  ("fillers", "a\u{3164}\u{AD}\u{34F}\u{180B}", "a<U+3164><U+00AD><U+034F><U+180B>"),
  ("joiners of nothing", "a\u{200C}b\u{200D}c", "a<U+200C>b<U+200D>c"),
  ("joiners of letters", "می\u{200C}خواهم क्\u{200D}ष", "می\u{200C}خواهم क्\u{200D}ष"),
  ("a keycap and a heart", "1\u{FE0F}\u{20E3} ❤\u{FE0F}", "1\u{FE0F}\u{20E3} ❤\u{FE0F}"),
  ("a selector of nothing", "a\u{FE0F}", "a<U+FE0F>"),
  ("a heap of marks", "e" + String(repeating: "\u{301}", count: 6), "e\u{301}\u{301}\u{301}\u{301}<U+0301><U+0301>"),
  ("spaces", "a\u{A0}b\u{3000}c", "a\u{A0}b\u{3000}c"),
  ("a workflow command", "a ##[error]b ##vso[x]", "a <U+0023>#[error]b <U+0023>#vso[x]"),
  ("numbers of headings", "## a ##b ###", "## a ##b ###"),
  ("many numbers", "###[x", "#<U+0023>#[x"),
])
func sanitizing(name: String, text: String, safe: String) {
  #expect(sanitizedForTerminal(text) == safe)
}

@Test func lineBreaksAreKeptWhereAskedFor() {
  #expect(sanitizedForTerminal("é\r\nb\tc\rd\u{1B}", keepingLineBreaks: true) == "é\nb\tc␍d␛")
}

@Test(arguments: [
  ("a control", "\u{1B}[", "\\u001b["), ("a space that is none", "a\u{A0}\u{3000}", "a\\u00a0\\u3000"),
  ("a surrogate pair", "\u{E0041}", "\\udb40\\udc41"), ("a workflow command", "##[x]", "\\u0023#[x]"),
])
func escaping(name: String, text: String, safe: String) {
  #expect(sanitizedForTerminal(text, as: .escape) == safe)
}

@Test(arguments: [
  ("plain", "a\n  b :: c\n", "a\n  b :: c\n"),
  ("at the beginning", "::error::x", "<U+003A>:error::x"),
  ("set in", "a\n  \t::error::x\n", "a\n  \t<U+003A>:error::x\n"),
  ("after wide spaces", "\u{A0}\u{2003}\u{3000}::error::x", "\u{A0}\u{2003}\u{3000}<U+003A>:error::x"),
  ("after a colour", "\u{1B}[1m::error::x\u{1B}[0m", "\u{1B}[1m<U+003A>:error::x\u{1B}[0m"),
  ("after a carriage return", "a\r::error::x", "a\r<U+003A>:error::x"),
  ("anywhere", "é ##[group]a ##vso[b] ##teamcity[c]", "é <U+0023>#[group]a <U+0023>#vso[b] <U+0023>#teamcity[c]"),
  ("sections", "section_start:1:a\n section_end:1:a", "<U+0073>ection_start:1:a\n <U+0073>ection_end:1:a"),
  ("after letters", "é::error::x", "é::error::x"),
  ("at the end", "::", "<U+003A>:"), ("cut off", ":", ":"), ("empty", "", ""),
])
func workflowCommands(name: String, text: String, safe: String) {
  #expect(withoutWorkflowCommands(text) == safe)
  #expect(withoutWorkflowCommands(safe) == safe)
}
