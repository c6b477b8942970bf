import Foundation
import TestSupport
import Testing
import Values

@Suite("Secrets in a stream")
struct SecretFilterStreamTests {
  static func streamed(_ filter: SecretFilter, _ chunks: [[UInt8]]) -> String {
    var stream = filter.stream()
    var result: [UInt8] = []
    for chunk in chunks { result += stream.push(chunk) }
    return String(decoding: result + stream.finish(), as: UTF8.self)
  }

  @Test(
    "each encoding, cut at each byte, into two pieces and into single bytes", arguments: try SecretFilterTests.forms())
  func cuts(_ form: SecretFilterTests.Form) {
    let bytes = Array("é\(form.text)<&\(form.text)".utf8)
    let expected = "é***<&***"
    for cut in 0...bytes.count {
      #expect(Self.streamed(SecretFilterTests.filter, [Array(bytes[..<cut]), Array(bytes[cut...])]) == expected)
    }
    #expect(Self.streamed(SecretFilterTests.filter, bytes.map { [$0] }) == expected)
  }

  @Test("base64 cut at each byte", arguments: 0...2)
  func base64(_ before: Int) {
    let filter = SecretFilter(secrets: ["s3cret-token"])
    let text = "<" + Data((String(repeating: "u", count: before) + "s3cret-token").utf8).base64EncodedString() + ">"
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let result = Self.streamed(filter, [Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(result == filter.mask(text).masked)
      #expect(result.hasSuffix("***>"))
    }
  }

  @Test("bytes that cannot be part of a secret come out at once, but for one that may belong to base64")
  func promptly() {
    var stream = SecretFilter(secrets: ["s3cret-token"]).stream()
    #expect(stream.push(Array("data: hello\n\n".utf8)) == Array("data: hello\n\n".utf8))
    #expect(stream.push(Array("data: s3cret-".utf8)) == Array("data: ".utf8))
    #expect(stream.push(Array("token\n".utf8)) == Array("***\n".utf8))
    #expect(stream.push(Array("s3cret".utf8)) == [])
    #expect(stream.push(Array("ly".utf8)) == Array("s3cretl".utf8))
    #expect(stream.push(Array("!".utf8)) == Array("y!".utf8))
    #expect(stream.finish() == [])
  }

  @Test("what was held back comes out at the end, and what is not text passes through")
  func end() {
    let filter = SecretFilter(secrets: ["s3cret-token"])
    #expect(Self.streamed(filter, [Array("a s3cret-tok".utf8)]) == "a s3cret-tok")
    let bytes: [UInt8] = [0, 255, 254, 0x25, 0xC3]
    #expect(filter.masked(bytes) == bytes)
    #expect(SecretFilter(secrets: []).masked(bytes) == bytes)
  }

  @Test("random texts and cuts: a stream gives what the whole text gives", arguments: 0..<40)
  func random(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let secrets = ["aaaaaa", "abcabc", "bc%25a", "a%a%a%", "\\\\\\\\\\\\", "a b&c+", "aa\\\\aa", "YWFhYWFh"]
    let pieces = [
      "a", "b", "c", "%", "2", "5", "%25", "\\", "\\\\", "&", "&amp;", "+", " ", "aaa", "abc", "YWFh", "=", "616161",
      "\\u0061", "é",
    ]
    for _ in 0..<25 {
      let filter = SecretFilter(
        secrets: secrets.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
      let text = (0..<60).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      var chunks: [[UInt8]] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 1...9, using: &generator))
        chunks.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(Self.streamed(filter, chunks) == filter.mask(text).masked)
    }
  }

  @Test("work grows with the text and not with its square, however much it looks like the secret")
  func adversarial() {
    let filter = SecretFilter(secrets: [String(repeating: "\\", count: 32) + "x", String(repeating: "ab", count: 100)])
    let growth = growth(to: 1_600) { count in
      let text =
        String(repeating: "\\", count: count) + String(repeating: "ab", count: count / 16 - 1)
        + String(repeating: "c", count: 10 * count)
      #expect(!filter.mask(text).isSecret)
      #expect(Self.streamed(filter, Array(text.utf8).chunks(of: 1_000)) == text)
    }
    #expect(growth < 1.5)
  }
}

extension Array where Element == UInt8 {
  fileprivate func chunks(of size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
