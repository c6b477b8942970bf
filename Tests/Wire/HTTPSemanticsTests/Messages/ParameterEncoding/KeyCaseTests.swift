import HTTPSemantics
import Testing
import Values

/// Keys beyond ASCII, as Alamofire 5.12 encodes them.
@Suite("Keys in other cases")
struct KeyCaseTests {
  struct Key: Sendable, CustomTestStringConvertible {
    let name: String
    let key: String
    let snake: String
    let capitalized: String
    let uppercased: String
    let lowercased: String

    var testDescription: String { name }

    init(_ name: String, _ key: String, _ snake: String, _ capitalized: String, _ upper: String, _ lower: String) {
      self.name = name
      self.key = key
      self.snake = snake
      self.capitalized = capitalized
      uppercased = upper
      lowercased = lower
    }
  }

  static let keys = [
    Key(
      "acronyms", "HTTPSConnectionURL", "h_ttps_connection_url", "HTTPSConnectionURL", "HTTPSCONNECTIONURL",
      "httpsconnectionurl"),
    Key("mixed acronyms", "iOSAppID2", "i_os_app_id2", "IOSAppID2", "IOSAPPID2", "iosappid2"),
    Key("two capitals", "AB", "a_b", "AB", "AB", "ab"),
    Key("a capital between", "aAAb", "a_a_ab", "AAAb", "AAAB", "aaab"),
    Key("a capital of two scalars", "xE\u{301}a", "x_e\u{301}a", "XE\u{301}a", "XE\u{301}A", "xe\u{301}a"),
    Key(
      "a capital of two scalars before another", "naiveE\u{301}Tude", "naive_e\u{301}_tude", "NaiveE\u{301}Tude",
      "NAIVEE\u{301}TUDE", "naivee\u{301}tude"),
    Key(
      "capitals of one scalar", "my\u{C9}T\u{C9}x", "my_\u{E9}t_\u{E9}x", "My\u{C9}T\u{C9}x", "MY\u{C9}T\u{C9}X",
      "my\u{E9}t\u{E9}x"),
    Key("a first letter of two scalars", "e\u{301}x", "e\u{301}x", "E\u{301}x", "E\u{301}X", "e\u{301}x"),
    Key("sharp s", "straßeNß", "straße_nß", "StraßeNß", "STRASSENSS", "straßenß"),
    Key("dotless i", "ıI", "ı_i", "II", "II", "ıi"),
    Key("dotted capital i", "aİb", "a_i\u{307}b", "Aİb", "AİB", "ai\u{307}b"),
    Key("a title-case letter", "a\u{1C5}b", "a_\u{1C6}b", "A\u{1C5}b", "A\u{1C4}B", "a\u{1C6}b"),
    Key("a ligature", "\u{FB01}X", "\u{FB01}_x", "FIX", "FIX", "\u{FB01}x"),
    Key("sigma, never final", "ΑΣ", "α_σ", "ΑΣ", "ΑΣ", "ασ"),
    Key(
      "letters beyond the basic plane", "\u{10400}\u{10428}X\u{10400}b", "\u{10428}\u{10428}_x_\u{10428}b",
      "\u{10400}\u{10428}X\u{10400}b", "\u{10400}\u{10400}X\u{10400}B", "\u{10428}\u{10428}x\u{10428}b"),
    Key("an emoji of several scalars", "👨‍👩‍👧Family", "👨‍👩‍👧_family", "👨‍👩‍👧Family", "👨‍👩‍👧FAMILY", "👨‍👩‍👧family"),
    Key("a capital with a joiner", "aB\u{200D}c", "a_b\u{200D}c", "AB\u{200D}c", "AB\u{200D}C", "ab\u{200D}c"),
    Key("a mark before a capital", "xA\u{600}Bc", "x_a_\u{600}bc", "XA\u{600}Bc", "XA\u{600}BC", "xa\u{600}bc"),
    Key("a mark before the first capital", "\u{600}AaB", "\u{600}aa_b", "\u{600}AaB", "\u{600}AAB", "\u{600}aab"),
    Key("a numeral that has a case and is not a letter", "ⅧAb", "ⅷ_ab", "ⅧAb", "ⅧAB", "ⅷab"),
    Key(
      "a path in brackets and dots", "user[firstName].lastName", "user[first_name].last_name",
      "User[firstName].lastName", "USER[FIRSTNAME].LASTNAME", "user[firstname].lastname"),
  ]

  static func encoded(_ key: String, _ encoding: EncodingOptions.KeyEncoding) -> String {
    URLEncodedFormEncoder(options: EncodingOptions(keyEncoding: encoding))
      .encode(Mapping([(key, .text(""))])).string
  }

  @Test("as Alamofire's", arguments: keys)
  func key(_ item: Key) throws {
    for (encoding, expected) in [
      (EncodingOptions.KeyEncoding.snakeCase, item.snake), (.capitalized, item.capitalized),
      (.uppercased, item.uppercased), (.lowercased, item.lowercased), (.unchanged, item.key),
    ] {
      #expect(Self.encoded(item.key, encoding) == percentEncoded(expected, allowed: .formQuery) + "=")
    }
  }

  @Test("in kebab case the words are those of snake case")
  func kebab() throws {
    for item in Self.keys where !item.key.contains("-") {
      let snake = Self.encoded(item.key, .snakeCase)
      #expect(Self.encoded(item.key, .kebabCase) == snake.replacing("_", with: "-"))
    }
  }

  @Test("a mark that makes one character with a letter after it ends no process, as it does Alamofire's")
  func prependedMarks() throws {
    #expect(Self.encoded("x\u{600}A\u{600}a", .snakeCase) == "x%D8%80__a%D8%80a=")
  }
}
