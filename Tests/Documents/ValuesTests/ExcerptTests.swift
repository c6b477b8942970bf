import Testing
import Values

@Suite("Excerpts of foreign text")
struct ExcerptTests {
  private func shown(_ message: String, marking secret: String = "") -> String {
    var ranges: [Range<Int>] = []
    if !secret.isEmpty {
      for range in message.ranges(of: secret) {
        let start = message.utf8.distance(from: message.startIndex, to: range.lowerBound)
        ranges.append(start..<start + secret.utf8.count)
      }
    }
    return Excerpt.shown(Text(message, secretRanges: ranges)).masked
  }

  @Test("what is short stands in a message as it is")
  func short() {
    #expect("found \"\(Excerpt("abc", limit: 3))\"" == "found \"abc\"")
    #expect("\(Excerpt("", limit: 0))" == "")
    #expect(shown("ä \(Excerpt("äö", limit: 3)) ö") == "ä äö ö")
  }

  @Test("what is long is kept whole until it is shown")
  func long() {
    let text = "0123456789"
    let message = "a \(Excerpt(text, limit: 4)) b \(Excerpt(text, limit: 9)) c"
    #expect(message.contains(text))
    #expect(shown(message) == "a 0123… b 012345678… c")
    #expect(shown("\(Excerpt(text, limit: 4, showsEnd: true))") == "01…89")
    #expect(shown("\(Excerpt(text, limit: 10, showsEnd: true))") == text)
  }

  @Test("a secret is masked wherever the cut goes", arguments: 0...24)
  func secrets(_ before: Int) {
    let secret = "s3cret-token-of-twenty"
    for after in [0, 3, 30] {
      for limit in [0, 1, 5, 12, 20, 40] {
        for showsEnd in [false, true] {
          let text = String(repeating: "x", count: before) + secret + String(repeating: "y", count: after)
          let result = shown("<\(Excerpt(text, limit: limit, showsEnd: showsEnd))>", marking: secret)
          #expect(!result.contains("s3") && !result.contains("ty") && !result.contains("token"), "\(result)")
          #expect(result.hasPrefix("<") && result.hasSuffix(">"))
          #expect(result.count <= limit + 6, "\(result)")
        }
      }
    }
  }

  @Test("control characters are not shown, and found before that")
  func controls() {
    let text = "a\u{1B}[31m\nb\u{85}"
    #expect("\(Excerpt(text, limit: 80))".contains(text))
    #expect(shown("\(Excerpt(text, limit: 80))") == "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}")
    #expect(shown("\(Excerpt(text, limit: 80))", marking: text) == "***")
  }

  @Test("a server can't write an excerpt of its own, nor end one")
  func forged() {
    for mark in 0xFDD0...0xFDD2 {
      guard let scalar = Unicode.Scalar(UInt32(mark)) else { continue }
      #expect(shown("a\(scalar)0\(scalar)b") == "a\(scalar)0\(scalar)b")
      #expect(shown("\(Excerpt("abc\(scalar)def", limit: 5))") == "abc\u{FFFD}d…")
    }
    var marks = ""
    for mark in 0xFDD0...0xFDD2 { marks += Unicode.Scalar(UInt32(mark)).map { "\($0)1" } ?? "" }
    #expect(shown(marks) == marks)
  }

  @Test("of what is very long only the beginning is kept")
  func bounded() {
    let message = "\(Excerpt(String(repeating: "ab", count: 1 << 20), limit: 60))"
    #expect(message.utf8.count < Excerpt.keptLimit + 100)
    #expect(shown(message) == String(repeating: "ab", count: 30) + "…")
    #expect(Excerpt.places(in: message).first?.isCut == true)
    #expect(shown("\(Excerpt(cut: "reason: ab"))") == "reason: ab…")
  }
}
