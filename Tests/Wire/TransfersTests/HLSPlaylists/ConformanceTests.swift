import Foundation
import TestSupport
import Testing
import Transfers

/// Playlists that another parser reads: where this one reads them too, it finds the same segments and variants.
///
/// That parser takes everything; what RFC 8216 has a client refuse is refused here, by line and reason.
@Suite(.enabled(if: conformanceRoot != nil, "REQRUN_CONFORMANCE is not set")) struct ConformanceTests {
  /// What is refused, in the words of the problem, with its line.
  private static let refused: [String: String] = [
    "byteRange": "12: #EXT-X-BYTERANGE has no offset, and the segment before it is not part of hls_450k_video2.ts",
    "empty": "1: the playlist is empty",
    "emptyMediaSequence": "3: #EXT-X-MEDIA-SEQUENCE is a number, found \"\"",
    "emptyTargetDuration": "2: #EXT-X-TARGETDURATION is a number, found \"\"",
    "extinf": "9: the duration of #EXTINF is a number of seconds, found \";asljasdfii11)))00\"",
    "invalidMediaSequence": "3: #EXT-X-MEDIA-SEQUENCE is a number, found \"gobblegobble\"",
    "invalidTargetDuration": "2: #EXT-X-TARGETDURATION is a number, found \"NaN\"",
    "liveMissingSegmentDuration":
      "8: the segment /test/ts-files/tvy7/56be1cef869a1c0cc8e38864ad1add17d187f051-hi720.ts has no #EXTINF before it",
    "llhls-byte-range": "7: #EXT-X-BYTERANGE is length or length@offset, found \"587500@\"",
    "llhls-delta-byte-range": "7: #EXT-X-SKIP makes this a part of a playlist, of which the rest is not here",
    "llhlsDelta": "8: #EXT-X-SKIP makes this a part of a playlist, of which the rest is not here",
    "manifestExtTTargetdurationNegative": "2: #EXT-X-TARGETDURATION is a number, found \"-10\"",
    "manifestNoExtM3u": "1: the playlist begins with \"#EXT-X-TARGETDURATION:10\", not with #EXTM3U",
    "master":
      "1: the playlist begins with \"# A simple master playlist with multiple variant streams\", not with #EXTM3U",
    "missingExtinf": "8: the segment hls_450k_video.ts has no #EXTINF before it",
    "missingSegmentDuration":
      "8: the segment /test/ts-files/tvy7/56be1cef869a1c0cc8e38864ad1add17d187f051-hi720.ts has no #EXTINF before it",
    "multipleTargetDurations": "2: the segment 001.ts has no #EXTINF before it",
    "negativeMediaSequence": "3: #EXT-X-MEDIA-SEQUENCE is a number, found \"-11\"",
    "start": "1: the playlist begins with \"#EXT-X-VERSION:3\", not with #EXTM3U",
    "streamInfInvalid":
      "1: the playlist begins with \"# A simple master playlist with multiple variant streams\", not with #EXTM3U",
    "twoMediaSequences": "4: #EXT-X-MEDIA-SEQUENCE stands in line 3 already",
  ]

  @Test func readsWhatAnotherParserReads() throws {
    let file = URL(filePath: try #require(conformanceRoot)).appending(path: "hls/playlists.json")
    let cases = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
    #expect(cases.count == 60)
    var unseen = Set(Self.refused.keys)
    for entry in cases {
      let name = try #require(entry["name"] as? String)
      let text = try #require(entry["playlist"] as? String)
      let result = try #require(entry["m3u8_parser_result"] as? [String: Any])
      unseen.remove(name)
      do throws(PlaylistProblem) {
        let playlist = try Playlist(parsing: Array(text.utf8))
        #expect(Self.refused[name] == nil, "\(name) is read")
        switch playlist {
        case .media(let media): compare(media, result, name)
        case .master(let master): compare(master, result, name)
        }
      } catch {
        #expect("\(error.line): \(error.message)" == Self.refused[name], "\(name)")
      }
    }
    #expect(unseen.isEmpty, "none of the data: \(unseen)")
  }

  private func compare(_ playlist: MediaPlaylist, _ expected: [String: Any], _ name: String) {
    let segments = expected["segments"] as? [[String: Any]] ?? []
    #expect(playlist.segments.map(\.uri) == segments.map { $0["uri"] as? String ?? "" }, "\(name)")
    #expect(playlist.hasEndList == (expected["endList"] as? Bool ?? false), "\(name)")
    #expect(playlist.mediaSequence == (expected["mediaSequence"] as? Int64 ?? 0), "\(name)")
    if let duration = expected["targetDuration"] as? Int { #expect(playlist.targetDuration == duration, "\(name)") }
    for (segment, wanted) in zip(playlist.segments, segments) {
      // The other parser takes 0.01 for 0.
      if segment.duration.seconds > 0 { #expect(segment.duration.seconds == wanted["duration"] as? Double, "\(name)") }
      compare(segment.byteRange, wanted["byterange"], name)
      compare(segment.key, wanted["key"], name)
      #expect(segment.isDiscontinuity == (wanted["discontinuity"] as? Bool ?? false), "\(name)")
      let map = wanted["map"] as? [String: Any]
      #expect(segment.map?.uri == map?["uri"] as? String, "\(name)")
      compare(segment.map?.byteRange, map?["byterange"], name)
      compare(segment.map?.key, map?["key"], name)
    }
  }

  private func compare(_ range: ByteRange?, _ expected: Any?, _ name: String) {
    let expected = expected as? [String: Any]
    #expect(range?.offset == expected?["offset"] as? Int64, "\(name)")
    #expect(range?.length == expected?["length"] as? Int64, "\(name)")
  }

  private func compare(_ key: EncryptionKey?, _ expected: Any?, _ name: String) {
    let expected = expected as? [String: Any]
    #expect(key?.uri == expected?["uri"] as? String, "\(name)")
    // Four numbers of 32 bits.
    let words = (expected?["iv"] as? [String: Any])?["$bytes"] as? [UInt32]
    let bytes = words?.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    #expect(key?.explicitVector == bytes, "\(name)")
  }

  private func compare(_ playlist: MasterPlaylist, _ expected: [String: Any], _ name: String) {
    let variants = expected["playlists"] as? [[String: Any]] ?? []
    #expect(playlist.variants.map(\.uri) == variants.map { $0["uri"] as? String ?? "" }, "\(name)")
    for (variant, wanted) in zip(playlist.variants, variants) {
      let attributes = wanted["attributes"] as? [String: Any]
      #expect(variant.bandwidth == attributes?["BANDWIDTH"] as? Int64, "\(name)")
      #expect(variant.codecs == attributes?["CODECS"] as? String, "\(name)")
      #expect(variant.audio == attributes?["AUDIO"] as? String, "\(name)")
      #expect(variant.subtitles == attributes?["SUBTITLES"] as? String, "\(name)")
      let size = attributes?["RESOLUTION"] as? [String: Int]
      #expect(variant.resolution?.width == size?["width"], "\(name)")
      #expect(variant.resolution?.height == size?["height"], "\(name)")
    }
    let groups = expected["mediaGroups"] as? [String: [String: [String: [String: Any]]]] ?? [:]
    #expect(playlist.renditions.count == groups.values.flatMap(\.values).map(\.count).reduce(0, +), "\(name)")
    for rendition in playlist.renditions {
      let wanted = groups[rendition.kind.rawValue]?[rendition.group]?[rendition.name]
      #expect(rendition.uri == wanted?["uri"] as? String, "\(name) \(rendition.name)")
      #expect(rendition.isDefault == wanted?["default"] as? Bool, "\(name) \(rendition.name)")
      #expect(rendition.language == wanted?["language"] as? String, "\(name) \(rendition.name)")
    }
  }
}
