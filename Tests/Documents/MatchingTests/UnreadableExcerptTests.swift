import Matching
import Testing
import Values

@Suite("Excerpts of bodies that cannot be read")
struct UnreadableExcerptTests {
  @Test("a place inside of a character, before the text or behind it ends nothing")
  func places() {
    let body = "<r><秘密の合言葉ですよ>\n</r>"
    let secret = Text(body, secretRanges: [4..<4 + "秘密の合言葉ですよ".utf8.count])
    for text in [Text(body), secret] {
      for offset in [Int.min, -1] + Array(0...body.utf8.count) + [body.utf8.count + 1, Int.max] {
        let failure = unreadableExcerpt(of: text, at: offset, form: "XML", problem: "cannot be read", because: "so")
        #expect(failure.actual.string.utf8.count <= body.utf8.count)
        #expect(!text.isSecret || !failure.actual.masked.contains("密"), "\(offset): \(failure.actual.masked)")
      }
    }
  }
}
