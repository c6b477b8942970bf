import Cryptography
import Testing

@Suite struct AES128CBCTests {
  /// NIST SP 800-38A, F.2.1, and the block of padding that follows it.
  private static let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
  private static let vector = bytes("000102030405060708090a0b0c0d0e0f")
  private static let plain = bytes(
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17"
      + "ad2b417be66c3710")
  private static let cipher = bytes(
    "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e222295163ff1caa1681fac09"
      + "120eca307586e1a7")

  @Test func encryptsAsNISTHasIt() {
    let all = run(.encrypt, Self.plain, piece: 7)
    #expect(all.map { Array($0.prefix(Self.plain.count)) } == Self.cipher)
    #expect(all?.count == Self.cipher.count + 16)
  }

  @Test(arguments: [1, 15, 16, 17, 64, 4096]) func decryptsWhatItEncrypted(piece: Int) {
    for count in [0, 1, 15, 16, 17, 1000] {
      let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let encrypted = run(.encrypt, plain, piece: 100)
      #expect(encrypted?.count == count / 16 * 16 + 16)
      #expect(encrypted.flatMap { run(.decrypt, $0, piece: piece) } == plain)
    }
  }

  @Test func tellsWhatIsCutOrOfAnotherKey() throws {
    let encrypted = try #require(run(.encrypt, Self.plain, piece: 64))
    #expect(run(.decrypt, Array(encrypted.dropLast()), piece: 64) == nil)
    #expect(run(.decrypt, [], piece: 64) == nil)
    #expect(run(.decrypt, Array(encrypted.dropLast(16)), piece: 64) != Self.plain)
    var other = Self.key
    other[0] ^= 1
    #expect(run(.decrypt, encrypted, piece: 64, key: other) == nil)
  }

  @Test func takesKeysOf128BitsAlone() {
    #expect(run(.decrypt, [], piece: 1, key: [1, 2, 3]) == nil)
    #expect(run(.encrypt, [], piece: 1, key: Self.key + [0]) == nil)
    #expect(run(.encrypt, [], piece: 1)?.count == 16)
  }

  private func run(_ direction: AES128CBC.Direction, _ input: [UInt8], piece: Int, key: [UInt8] = key) -> [UInt8]? {
    guard let cipher = AES128CBC(direction, key: key, initializationVector: Self.vector) else { return nil }
    var result: [UInt8] = []
    for start in stride(from: 0, to: input.count, by: piece) {
      result += input[start..<min(input.count, start + piece)].withUnsafeBytes { cipher.update($0) }
    }
    guard let rest = cipher.finish() else { return nil }
    return result + rest
  }
}

private func bytes(_ hex: String) -> [UInt8] {
  stride(from: 0, to: hex.count, by: 2).compactMap {
    UInt8(hex.dropFirst($0).prefix(2), radix: 16)
  }
}
