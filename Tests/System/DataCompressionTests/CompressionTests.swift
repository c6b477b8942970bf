import DataCompression
import Foundation
import Testing

/// What goes through the compressor comes back, in any pieces.
struct CompressionTests {
  static let texts: [(name: String, bytes: [UInt8])] = [
    ("nothing", []),
    ("one byte", [7]),
    ("text", Array(String(repeating: "every good boy does fine; ", count: 20_000).utf8)),
    ("noise", noise(300_000)),
    ("zeros", [UInt8](repeating: 0, count: 1 << 20)),
  ]

  /// The same every time.
  private static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  @Test("what was compressed comes back", arguments: CompressionFormat.allCases, [1, 1000, 1 << 30])
  func roundTrip(_ format: CompressionFormat, _ size: Int) throws {
    for (name, bytes) in Self.texts where size > 1 || bytes.count < 10 {
      var small: [UInt8] = []
      var compressor = Compressor(format)
      for piece in pieces(of: bytes, size) {
        let goesOn = compressor.compress(piece) { output in
          small.append(contentsOf: output)
          return true
        }
        #expect(goesOn)
      }
      _ = compressor.finish { output in
        small.append(contentsOf: output)
        return true
      }
      if name == "zeros" { #expect(small.count < 2000) }
      // What stands behind is left alone.
      let behind: [UInt8] = [1, 2, 3]
      var decompressor = Decompressor(format)
      var back: [UInt8] = []
      var used = 0
      for piece in pieces(of: small + behind, size) where !decompressor.isFinished {
        used += try decompressor.decompress(piece) { output in
          back.append(contentsOf: output)
          return true
        }
      }
      let isFinished = decompressor.isFinished
      let isSame = back == bytes
      #expect(isFinished && isSame, "\(name), \(format), \(size)")
      #expect(used == small.count, "\(name), \(format), \(size)")
    }
  }

  private func pieces(of bytes: [UInt8], _ size: Int) -> [UnsafeRawBufferPointer] {
    // They live as long as the test.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    copy.copyBytes(from: bytes)
    let all = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<bytes.count])
    return stride(from: 0, to: bytes.count, by: size).map {
      UnsafeRawBufferPointer(rebasing: all[$0..<min(bytes.count, $0 + size)])
    }
  }

  @Test("the formats are those of other programs")
  func formats() throws {
    #expect(compressed([], .gzip).prefix(3) == [0x1F, 0x8B, 8])
    #expect(compressed([], .zlib).prefix(1) == [0x78])
    #expect(compressed([], .deflate) == [3, 0])
    // `printf hello | gzip -9`, without a name.
    let gzip: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]
    var text: [UInt8] = []
    var decompressor = Decompressor(.gzip)
    let used = try gzip.withUnsafeBytes {
      try decompressor.decompress($0) {
        text.append(contentsOf: $0); return true
      }
    }
    #expect(used == gzip.count)
    #expect(String(decoding: text, as: UTF8.self) == "hello")
  }

  @Test("broken bytes are an error, cut ones never finish")
  func broken() throws {
    let bytes = Array(String(repeating: "hello ", count: 1000).utf8)
    for format in CompressionFormat.allCases {
      var small = compressed(bytes, format)
      var cut = Decompressor(format)
      _ = try small.dropLast().withUnsafeBytes { try cut.decompress($0) { _ in true } }
      let isFinished = cut.isFinished
      #expect(!isFinished)
      if format != .deflate {
        small[small.count - 1] ^= 0xFF
        var wrong = Decompressor(format)
        #expect(throws: DecompressionError.self) {
          _ = try small.withUnsafeBytes { try wrong.decompress($0) { _ in true } }
        }
      }
    }
  }

  @Test("who had enough gets no more")
  func enough() throws {
    let bomb = compressed([UInt8](repeating: 0, count: 10 << 20), .gzip)
    var count = 0
    var decompressor = Decompressor(.gzip)
    _ = try bomb.withUnsafeBytes { bytes in
      try decompressor.decompress(bytes) { piece in
        count += piece.count
        return count < 100_000
      }
    }
    #expect(count < 200_000)
    let isFinished = decompressor.isFinished
    #expect(!isFinished)
  }

  @Test("the check sum is that of gzip and zip")
  func checkSum() {
    var sum = CRC32()
    Array("1234".utf8).withUnsafeBytes { sum.update($0) }
    Array("56789".utf8).withUnsafeBytes { sum.update($0) }
    #expect(sum.value == 0xCBF4_3926)
  }
}
