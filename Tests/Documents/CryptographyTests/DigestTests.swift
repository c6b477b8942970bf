import Cryptography
import Testing

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

struct DigestCase: Sendable, CustomTestStringConvertible {
  let algorithm: DigestAlgorithm
  let text: String
  let digest: String

  var testDescription: String { "\(algorithm.rawValue) of \"\(text)\"" }
}

/// The examples of RFC 1321, section A.5, RFC 3174 and FIPS 180-2.
private let digestCases = [
  DigestCase(algorithm: .md5, text: "", digest: "d41d8cd98f00b204e9800998ecf8427e"),
  DigestCase(algorithm: .md5, text: "abc", digest: "900150983cd24fb0d6963f7d28e17f72"),
  DigestCase(algorithm: .sha1, text: "abc", digest: "a9993e364706816aba3e25717850c26c9cd0d89d"),
  DigestCase(
    algorithm: .sha256, text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  DigestCase(
    algorithm: .sha256, text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  DigestCase(
    algorithm: .sha384, text: "abc",
    digest: "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
      + "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
  DigestCase(
    algorithm: .sha512, text: "abc",
    digest: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"),
  DigestCase(
    algorithm: .sha512256, text: "abc",
    digest: "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
]

@Suite("Digests")
struct DigestTests {
  @Test("A digest is the published one", arguments: digestCases)
  func published(_ example: DigestCase) {
    #expect(hex(example.algorithm.digest(of: example.text)) == example.digest)
    #expect(example.algorithm.byteCount == example.digest.count / 2)
  }

  @Test("Pieces give the digest of the whole, and can be read in between", arguments: DigestAlgorithm.allCases)
  func pieces(_ algorithm: DigestAlgorithm) {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let digest = IncrementalDigest(algorithm)
    digest.update([])
    digest.update(Array(bytes[..<1]))
    #expect(digest.value == algorithm.digest(of: [bytes[0]]))
    digest.update(Array(bytes[1..<65_000]))
    digest.update(Array(bytes[65_000...]))
    #expect(digest.value == algorithm.digest(of: bytes))
    #expect(digest.value == algorithm.digest(of: bytes), "reading does not change it")
  }

  @Test("HMAC-SHA-256 is that of RFC 4231")
  func hmac() {
    let sha256 = DigestAlgorithm.sha256
    #expect(
      hex(sha256.hmac(key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      hex(sha256.hmac(key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hex(
        sha256.hmac(
          key: [UInt8](repeating: 0xAA, count: 131),
          message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  @Test("PBKDF2-HMAC-SHA-256 is that of RFC 7914, section 11")
  func slowDigest() {
    let sha256 = DigestAlgorithm.sha256
    #expect(
      hex(sha256.slowDigest(of: "passwd", salt: Array("salt".utf8), rounds: 1))
        == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc")
    #expect(
      hex(sha256.slowDigest(of: "Password", salt: Array("NaCl".utf8), rounds: 80_000))
        == "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56")
  }

  @Test("An HMAC of nothing with no key is defined")
  func emptyHMAC() {
    #expect(
      hex(DigestAlgorithm.sha256.hmac(key: [], message: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    #expect(hex(DigestAlgorithm.md5.hmac(key: [], message: [])) == "74e6f7298a9c2d168935f58c001bad88")
    #expect(
      hex(DigestAlgorithm.sha1.hmac(key: [], message: [])) == "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d")
  }
}
