import Foundation
import OperatingSystem
import TestSupport
import Testing

/// Compressed bytes are decompressed to the same, in any pieces.
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
      let back = try #require(inflated(small + [1, 2, 3], isRaw: format == .deflate))
      #expect(back.isFinished && back.bytes == bytes, "\(name), \(format), \(size)")
      #expect(back.used == small.count, "\(name), \(format), \(size)")
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
  }

  @Test("nothing more is passed on after a refusal")
  func refusal() {
    var compressor = Compressor(.gzip)
    var count = 0
    let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let goesOn = bytes.withUnsafeBytes {
      compressor.compress($0) { _ in
        count += 1
        return false
      }
    }
    #expect(!goesOn && count == 1)
  }
}
