import Diagnostics
import Testing

@Test(arguments: [
  ("ASCII", "abc", 3), ("umlaut", "größe", 5), ("combining mark", "e\u{301}x", 2), ("CJK", "東京", 4),
  ("fullwidth", "ＡＢ", 4), ("halfwidth katakana", "ｱｲ", 2), ("Hangul", "한글", 4), ("decomposed Hangul", "한", 2),
  ("emoji", "😀", 2), ("family", "👩‍👩‍👧", 2), ("flag", "🇩🇪", 2), ("skin tone", "👍🏽", 2), ("text heart", "❤", 1),
  ("emoji heart", "❤️", 2), ("Cyrillic", "Привет", 6), ("spacing marks", "हिन्दी", 5), ("box drawing", "─│", 2),
  ("zero-width joiner", "a\u{200D}b", 2), ("empty", "", 0),
])
func displayWidth(name: String, text: String, width: Int) {
  #expect(Diagnostics.displayWidth(of: text) == width)
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
])
func sanitizing(name: String, text: String, safe: String) {
  #expect(sanitizedForTerminal(text) == safe)
}

@Test func lineBreaksAreKeptWhereAskedFor() {
  #expect(sanitizedForTerminal("é\r\nb\tc\rd\u{1B}", keepingLineBreaks: true) == "é\nb\tc␍d␛")
}
