import LocalServer
import Cryptography
import Values

/// A stream of silence in MP3, in segments of a second (RFC 8216).
let hlsRoutes: [Route] = [
  Route("GET", "/hls/master.m3u8", "A stream to choose from: low, and high, which is encrypted") { _ in
    var lines: [String] = []
    for quality in HLSQuality.allCases {
      lines.append("#EXT-X-STREAM-INF:BANDWIDTH=\(quality.bitRate),CODECS=\"mp4a.40.34\"")
      lines.append("\(quality.rawValue)/playlist.m3u8")
    }
    return playlist(lines)
  },
  Route("GET", "/hls/{quality}/playlist.m3u8", "Four segments of a second; those of high are encrypted") { call in
    guard let quality = HLSQuality(rawValue: call["quality"]) else { return noQuality(call) }
    var lines = ["#EXT-X-TARGETDURATION:1", "#EXT-X-PLAYLIST-TYPE:VOD"]
    if quality.isEncrypted { lines.append("#EXT-X-KEY:METHOD=AES-128,URI=\"/hls/key\"") }
    for number in 0..<segmentCount { lines += [duration, "\(number).mp3"] }
    return playlist(lines + ["#EXT-X-ENDLIST"])
  },
  Route("GET", "/hls/ranges.m3u8", "The same as byte ranges of one file") { _ in
    let size = HLSQuality.low.segment(0).count
    var lines = ["#EXT-X-TARGETDURATION:1", "#EXT-X-PLAYLIST-TYPE:VOD"]
    for number in 0..<segmentCount {
      lines += [duration, "#EXT-X-BYTERANGE:\(size)\(number == 0 ? "@0" : "")", "low.mp3"]
    }
    return playlist(lines + ["#EXT-X-ENDLIST"])
  },
  Route("GET", "/hls/low.mp3", "All segments of low in one file, and parts of it by Range") { call in
    ranged((0..<segmentCount).flatMap { HLSQuality.low.segment($0) }, entityTag: "\"low\"", call.request)
  },
  Route("GET", "/hls/live.m3u8", "The last four segments of a stream that gets one every second") { _ in
    let last = secondsSince1970
    let first = last - segmentCount + 1
    var lines = ["#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first)"]
    for number in first...last { lines += [duration, "low/\(number).mp3"] }
    return playlist(lines)
  },
  Route("GET", "/hls/key", "The key of what is encrypted") { _ in .bytes(key) },
  Route("GET", "/hls/{quality}/{segment}", "A segment, such as /hls/low/0.mp3") { call in
    guard let quality = HLSQuality(rawValue: call["quality"]) else { return noQuality(call) }
    let parts = call["segment"].split(separator: ".")
    guard parts.count == 2, parts[1] == "mp3", let number = Int(parts[0]), number >= 0 else {
      return .problem(404, "there is no segment \"\(call["segment"])\"")
    }
    return .bytes(quality.segment(number), type: "audio/mpeg")
  },
]

private let segmentCount = 4
private let frameCount = 38
/// The duration of 38 frames at 44.1 kHz.
private let duration = "#EXTINF:0.993,"
private let key = Array("demo key of HLS.".utf8)

private enum HLSQuality: String, CaseIterable {
  case low, high

  var bitRate: Int { self == .low ? 32_000 : 64_000 }
  var isEncrypted: Bool { self == .high }

  func segment(_ number: Int) -> [UInt8] {
    let plain = timestamp(of: number) + [[UInt8]](repeating: frame, count: frameCount).joined()
    guard isEncrypted else { return plain }
    // Its number is the initialization vector (RFC 8216, section 5.2).
    let vector = (0..<16).map { UInt8(truncatingIfNeeded: $0 < 8 ? 0 : number >> (8 * (15 - $0))) }
    guard let cipher = AES128CBC(.encrypt, key: key, initializationVector: vector) else { return [] }
    return plain.withUnsafeBytes { cipher.update($0) } + (cipher.finish() ?? [])
  }

  /// An empty frame of MPEG-1 audio layer III at 44.1 kHz, mono.
  private var frame: [UInt8] {
    let header: [UInt8] = [0xFF, 0xFB, self == .low ? 0x10 : 0x50, 0xC0]
    return header + [UInt8](repeating: 0, count: 144 * bitRate / 44_100 - header.count)
  }

  /// The ID3 tag at the start of an audio segment (RFC 8216, section 3.4).
  private func timestamp(of number: Int) -> [UInt8] {
    // A clock of 90 kHz, in 33 bits.
    let ticks = UInt64(number) &* UInt64(90_000 * frameCount * 1152 / 44_100) & 0x1_FFFF_FFFF
    let time = (0..<8).map { UInt8(truncatingIfNeeded: ticks >> (56 - 8 * $0)) }
    let content = Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + time
    let frame: [UInt8] = Array("PRIV".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    let header: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)]
    return header + frame
  }
}

private func playlist(_ lines: [String]) -> ServerResponse {
  .text(
    (["#EXTM3U", "#EXT-X-VERSION:4"] + lines).joined(separator: "\n") + "\n", type: "application/vnd.apple.mpegurl")
}

private func noQuality(_ call: RouteCall) -> ServerResponse {
  .problem(404, "there is no \"\(call["quality"])\": the stream is there as low and as high")
}
