import HTTPSemantics
import Testing
import Values

/// Pieces that meet in odd ways.
private let pieces = [
  "http", "https", "HTTP", ":", "//", "/", "\\", "@", "?", "#", "[", "]", "::1", "%", "%2F", "%41", "%zz", "%C3", "%BC",
  ".", "..", "a", "b.example", "localhost", "1", "127", "0x7f", "08", "256", "99999", " ", "\t", "\n", "\0", "\u{7F}",
  "ü", "ß", "e\u{301}", "💩", "\u{200D}", "י", "\u{FFFD}", "xn--", "-", "_", "{", "}", "|", "\"", "<", "^", "`", "+",
  ",",
  ";", "=", "&", "user:pw@", "\u{1F468}\u{200D}\u{1F469}", "。",
]

@Test("Whatever is accepted is ASCII, has a host, and reads the same again", arguments: 0..<8 as Range<UInt64>)
func readsTheSameAgain(_ seed: UInt64) throws {
  var numbers = SplitMix64(seed: seed)
  let base = try HTTPURL(parsing: "http://base.example/a/b?c")
  var accepted = 0
  for _ in 0..<2000 {
    let tail = (0..<Int.random(in: 0...6, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
    let text = (Bool.random(using: &numbers) ? "http://" : "") + tail.joined()
    for url in [try? HTTPURL(parsing: text), try? HTTPURL.resolve(text, against: base)] {
      guard let url else { continue }
      accepted += 1
      let sent = url.string
      #expect(sent.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription)")
      #expect(!url.host.isEmpty, "\(text.debugDescription)")
      let again = try HTTPURL(parsing: sent)
      #expect(again.string == sent && again.host == url.host, "\(text.debugDescription)")
    }
  }
  #expect(accepted > 100)
}
