import Testing
import Transfers
import Values

func media(_ lines: String..., query: String? = nil, imports: [String: String] = [:]) throws -> MediaPlaylist {
  let text = (["#EXTM3U"] + lines).joined(separator: "\n")
  guard case .media(let playlist) = try Playlist(parsing: Array(text.utf8), imports: imports, query: query) else {
    throw NoSuchPlaylist()
  }
  return playlist
}

func master(_ lines: String...) throws -> MasterPlaylist {
  let text = (["#EXTM3U"] + lines).joined(separator: "\n")
  guard case .master(let playlist) = try Playlist(parsing: Array(text.utf8)) else { throw NoSuchPlaylist() }
  return playlist
}

struct NoSuchPlaylist: Error {}

@Suite struct PlaylistTests {
  @Test func readsSegmentsWithWhatHoldsForThem() throws {
    let playlist = try media(
      "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:41", "#EXT-X-INDEPENDENT-SEGMENTS",
      "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"720@16\"", "# a comment", "#EXTINF:5.96,One, two", "a.m4s",
      "#EXT-X-DISCONTINUITY", "#EXT-X-PROGRAM-DATE-TIME:2024-05-01T10:00:00Z",
      "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2024-05-01T10:00:00Z\"", "#EXT-X-GAP", "#EXTINF:6", "b.m4s\r",
      "#EXT-X-ENDLIST")
    #expect(playlist.targetDuration == 6)
    #expect(playlist.hasEndList && !playlist.isLive && playlist.hasIndependentSegments)
    let (first, second) = (playlist.segments[0], playlist.segments[1])
    #expect(first.sequenceNumber == 41)
    #expect(first.duration.text == "5.96")
    #expect(first.title == "One, two")
    #expect(first.line == 9)
    #expect(first.map?.uri == "init.mp4")
    #expect(first.map?.byteRange == ByteRange(offset: 16, length: 720))
    #expect(!first.isDiscontinuity && !first.isGap && first.programDateTime == nil)
    #expect(second.uri == "b.m4s")
    #expect(second.isDiscontinuity && second.isGap)
    #expect(second.programDateTime == "2024-05-01T10:00:00Z")
  }

  @Test func goesOnWhereTheByteRangeBeforeEnded() throws {
    let playlist = try media(
      "#EXTINF:1", "#EXT-X-BYTERANGE:100@50", "a.ts", "#EXTINF:1", "#EXT-X-BYTERANGE:10", "a.ts", "#EXTINF:1",
      "#EXT-X-BYTERANGE:5", "a.ts")
    #expect(playlist.segments.map { $0.byteRange?.offset } == [50, 150, 160])
  }

  @Test func keysHoldUntilTheNextOfTheirFormat() throws {
    let playlist = try media(
      "#EXT-X-MEDIA-SEQUENCE:258", "#EXTINF:1", "clear.ts", "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\"",
      "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\"", "#EXTINF:1", "a.ts",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",IV=0x1F", "#EXTINF:1", "b.ts", "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1", "c.ts"
    )
    #expect(playlist.segments.map { $0.key?.uri } == [nil, "k1", "k2", nil])
    let zeros = [UInt8](repeating: 0, count: 14)
    #expect(playlist.segments[0].initializationVector == nil)
    #expect(playlist.segments[1].initializationVector == zeros + [1, 3])
    #expect(playlist.segments[2].initializationVector == zeros + [0, 0x1F])
  }

  @Test func aMapHasTheKeyThatHoldsWhereItStands() throws {
    let playlist = try media(
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\"", "#EXT-X-MAP:URI=\"i\"", "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1", "a.m4s")
    #expect(playlist.segments[0].key == nil)
    #expect(playlist.segments[0].map?.key?.uri == "k1")
  }

  @Test func replacesVariables() throws {
    let playlist = try media(
      "#EXT-X-DEFINE:NAME=\"host\",VALUE=\"https://cdn.example\"", "#EXT-X-DEFINE:IMPORT=\"path\"",
      "#EXT-X-DEFINE:QUERYPARAM=\"token\"", "#EXT-X-KEY:METHOD=AES-128,URI=\"{$host}/key\"", "#EXTINF:1,{$host}",
      "{$host}/{$path}/1.ts?t={$token}", query: "a=b&token=x%20y", imports: ["path": "live"])
    #expect(playlist.segments[0].uri == "https://cdn.example/live/1.ts?t=x y")
    #expect(playlist.segments[0].key?.uri == "https://cdn.example/key")
    #expect(playlist.segments[0].title == "{$host}")
    #expect(try media("#EXTINF:1", "{$none}.ts").segments[0].uri == "{$none}.ts")
  }

  @Test func computesTheTargetDurationWhereThereIsNone() throws {
    #expect(try media("#EXTINF:3.4", "a", "#EXTINF:4.6", "b").targetDuration == 5)
    #expect(try media().targetDuration == 1)
  }

  @Test func takesAPlaylistOnDemandForComplete() throws {
    #expect(try media("#EXTINF:1", "a").isLive)
    #expect(try media("#EXT-X-PLAYLIST-TYPE:EVENT", "#EXTINF:1", "a").isLive)
    #expect(try !media("#EXT-X-PLAYLIST-TYPE:VOD", "#EXTINF:1", "a").isLive)
  }

  @Test(arguments: [
    (["#EXTINF:x", "a"], "2: the duration of #EXTINF is a number of seconds, found \"x\""),
    (["#EXTINF:-1", "a"], "2: the duration of #EXTINF is a number of seconds, found \"-1\""),
    (["#EXTINF:nan", "a"], "2: the duration of #EXTINF is a number of seconds, found \"nan\""),
    (["#EXTINF:1"], "2: there is no URI after #EXTINF"),
    (["#EXT-X-KEY:URI=\"k\"", "#EXTINF:1", "a"], "2: #EXT-X-KEY has no METHOD"),
    (["#EXT-X-KEY:METHOD=AES-128", "#EXTINF:1", "a"], "2: #EXT-X-KEY has no URI"),
    (
      ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12"],
      "2: IV of #EXT-X-KEY is 0x and up to 32 hexadecimal digits, found \"12\""
    ),
    (
      ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x" + String(repeating: "1", count: 33)],
      "2: IV of #EXT-X-KEY is 0x and up to 32 hexadecimal digits, found \"0x\(String(repeating: "1", count: 33))\""
    ),
    (
      ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", "#EXTINF:1", "a"],
      "2: segments with METHOD=SAMPLE-AES cannot be decrypted"
    ),
    (
      ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"drm\"", "#EXTINF:1", "a"],
      "2: segments with METHOD=AES-128 and KEYFORMAT=\"drm\" cannot be decrypted"
    ),
    (["#EXT-X-KEY:METHOD=AES-128,URI=\"k"], "2: the value of URI in #EXT-X-KEY has no closing quote"),
    (
      ["#EXT-X-KEY:METHOD=AES-128 URI=\"k\"", "#EXTINF:1", "a"],
      "2: segments with METHOD=AES-128 URI=\"k\" cannot be decrypted"
    ),
    (["#EXT-X-KEY:URI=\"k\"METHOD=NONE"], "2: #EXT-X-KEY has no comma after the value of URI"),
    (["#EXT-X-KEY:METHOD=NONE,METHOD=NONE"], "2: #EXT-X-KEY has METHOD twice"),
    (["#EXT-X-KEY:method=NONE"], "2: #EXT-X-KEY has no NAME=value where \"method\" stands"),
    (["#EXT-X-MAP:BYTERANGE=\"1@0\""], "2: #EXT-X-MAP has no URI"),
    (["#EXT-X-MAP:URI=\"a\",BYTERANGE=\"0@0\""], "2: BYTERANGE of #EXT-X-MAP is length@offset, found \"0@0\""),
    (
      ["#EXTINF:1", "#EXT-X-BYTERANGE:9223372036854775807@1", "a"],
      "3: 9223372036854775807 bytes from 1 on are not part of any file"
    ),
    (
      ["#EXTINF:1", "#EXT-X-BYTERANGE:99999999999999999999@1", "a"],
      "3: #EXT-X-BYTERANGE is length or length@offset, found \"99999999999999999999@1\""
    ),
    (["#EXTINF:1", "#EXT-X-BYTERANGE:0@1", "a"], "3: 0 bytes from 1 on are not part of any file"),
    (
      ["#EXTINF:1", "b", "#EXTINF:1", "#EXT-X-BYTERANGE:1", "b"],
      "5: #EXT-X-BYTERANGE has no offset, and the segment before it is not part of b"
    ),
    (["#EXTINF:1", "a", "#EXT-X-MEDIA-SEQUENCE:1"], "4: #EXT-X-MEDIA-SEQUENCE stands behind the first segment"),
    (["#EXT-X-TARGETDURATION:9999999"], "2: #EXT-X-TARGETDURATION is a number of seconds, found \"9999999\""),
    (["#EXT-X-DEFINE:NAME=\"a\""], "2: #EXT-X-DEFINE has no VALUE"),
    (["#EXT-X-DEFINE:IMPORT=\"a\""], "2: the master playlist defines no variable \"a\""),
    (["#EXT-X-DEFINE:QUERYPARAM=\"a\""], "2: the playlist's URL has no parameter \"a\""),
    (["#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"", "#EXTINF:1", "{$b}"], "4: there is no variable \"b\" for {$…}"),
    (
      ["#EXTINF:1", "a", "#EXT-X-STREAM-INF:BANDWIDTH=1", "b"], "4: #EXT-X-STREAM-INF and #EXTINF stand in one playlist"
    ),
    (["#EXT-X-STREAM-INF:BANDWIDTH=1", "b", "c"], "4: a segment and #EXT-X-STREAM-INF stand in one playlist"),
    (["#EXT-X-STREAM-INF:BANDWIDTH=1"], "2: there is no URI after #EXT-X-STREAM-INF"),
    (["#EXT-X-STREAM-INF:RESOLUTION=1x1", "a"], "2: #EXT-X-STREAM-INF has no BANDWIDTH"),
    (["#EXT-X-STREAM-INF:BANDWIDTH=-1", "a"], "2: BANDWIDTH of #EXT-X-STREAM-INF is a number, found \"-1\""),
    (
      ["#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=big", "a"],
      "2: RESOLUTION of #EXT-X-STREAM-INF is a size such as 1280x720, found \"big\""
    ),
    (
      ["#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",DEFAULT=yes"],
      "2: DEFAULT of #EXT-X-MEDIA is YES or NO, found \"yes\""
    ),
    (["#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"n\""], "2: #EXT-X-MEDIA has no GROUP-ID"),
  ])
  func tellsWhatIsWrongByLine(lines: [String], problem: String) {
    let text = (["#EXTM3U"] + lines).joined(separator: "\n")
    #expect(failure(Array(text.utf8)) == problem)
  }

  @Test func tellsWhatIsNoPlaylist() {
    #expect(
      failure(Array("<!DOCTYPE html>\n<html>".utf8))
        == "1: the playlist begins with \"<!DOCTYPE html>\", not with #EXTM3U")
    #expect(failure([]) == "1: the playlist is empty")
    #expect(failure(Array("\n#EXTM3U".utf8)) == "1: the playlist's first line is empty, not #EXTM3U")
    #expect(
      failure([0, 1, 2, 0xFF]).map { Excerpt.shown(Text($0)).string }
        == "1: the playlist begins with \"\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\", not with #EXTM3U")
    #expect(failure(Array("#EXTM3U\n#EXTINF:1\n".utf8) + [0xFF, 0x0A]) == "3: the line is not UTF-8")
    #expect(failure(Array("\u{FEFF}#EXTM3U\n".utf8)) == nil)
  }

  @Test func endsWhereAPlaylistHasNoMeasure() {
    let segments = String(repeating: "#EXTINF:1\na\n", count: Playlist.segmentLimit + 1)
    #expect(
      failure(Array(("#EXTM3U\n" + segments).utf8)) == "200003: the playlist has more than 100000 segments")
    let comments = [UInt8](repeating: 0x0A, count: Playlist.sizeLimit)
    #expect(failure(Array("#EXTM3U\n".utf8) + comments) == "1: the playlist is larger than 16 MiB")
    let variants = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", count: 1001)
    #expect(failure(Array(("#EXTM3U\n" + variants).utf8)) == "2003: the playlist has more than 1000 variants")
    var bomb = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
    for number in 1...40 {
      bomb += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"{$v\(number - 1)}{$v\(number - 1)}\"\n"
    }
    #expect(failure(Array(bomb.utf8)) == "15: with its variables the line is longer than 64 KiB")
  }

  /// Cut anywhere, a playlist is read or refused.
  @Test func readsWhatIsLeftOfAPlaylist() {
    let text = Array(
      "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"ké\",IV=0x1\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:1,é\n#EXT-X-BYTERANGE:1@2\na\n"
        .utf8)
    var read = 0
    for count in 0...text.count where failure(Array(text[..<count])) == nil { read += 1 }
    #expect((1..<text.count).contains(read))
  }

  private func failure(_ bytes: [UInt8]) -> String? {
    do throws(PlaylistProblem) {
      _ = try Playlist(parsing: bytes)
      return nil
    } catch {
      return "\(error.line): \(error.message)"
    }
  }
}
