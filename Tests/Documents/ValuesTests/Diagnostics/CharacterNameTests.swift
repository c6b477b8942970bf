import Testing
import Values

struct CharacterNameTests {
  @Test(
    arguments: [
      ("\u{A0}", "U+00A0 (no-break space)"), ("\u{200B}", "U+200B (zero width space)"),
      ("а", "U+0430 (cyrillic small letter a)"), ("\u{FEFF}", "U+FEFF (zero width no-break space)"),
    ] as [(Unicode.Scalar, String)])
  func names(_ scalar: Unicode.Scalar, name: String) {
    #expect(characterName(scalar) == name)
  }

  @Test(
    "words that look like others",
    arguments: [
      ("hеaders", "headers"), ("url\u{200B}", "url"), ("ｕｒｌ", "url"), ("content‑type", "content-type"), ("ΑPI", "API"),
      ("größe", "größe"), ("имя", "имя"),
    ])
  func plain(_ word: String, expected: String) {
    #expect(plainLooking(word) == expected)
    #expect((misleadingCharacter(in: word) == nil) == (word == expected))
  }
}
