import Testing
import Transfers

@Suite struct VariantTests {
  private let streams: MasterPlaylist

  init() throws {
    streams = try master(
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"de.m3u8\"",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,URI=\"en.m3u8\",CHANNELS=\"2\"",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"b\",NAME=\"Inside\",DEFAULT=YES",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"Suomi\",URI=\"fi.m3u8\"",
      "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"CC\",INSTREAM-ID=\"CC1\"",
      "#EXT-X-STREAM-INF:BANDWIDTH=2000,RESOLUTION=640x360,AUDIO=\"a\",SUBTITLES=\"s\",CODECS=\"avc1,mp4a\"",
      "mid.m3u8",
      "#EXT-X-STREAM-INF:BANDWIDTH=4000,RESOLUTION=1280x720,AUDIO=\"b\"", "high.m3u8",
      "#EXT-X-STREAM-INF:BANDWIDTH=4000,RESOLUTION=1280x720", "high-elsewhere.m3u8",
      "#EXT-X-STREAM-INF:BANDWIDTH=100", "sound.m3u8")
  }

  @Test(arguments: [
    (VariantChoice(), "high.m3u8"), (VariantChoice(.lowest), "sound.m3u8"),
    (VariantChoice(maxBandwidth: 3999), "mid.m3u8"), (VariantChoice(maxBandwidth: 4000), "high.m3u8"),
    (VariantChoice(resolution: Resolution(parsing: "640x360")), "mid.m3u8"),
  ])
  func choosesAVariant(choice: VariantChoice, uri: String) throws {
    #expect(try streams.variant(choice).uri == uri)
  }

  @Test func namesTheVariantsWhereNoneFits() {
    let choice = VariantChoice(maxBandwidth: 99, resolution: Resolution(parsing: "640x360"))
    do throws(VariantProblem) {
      _ = try streams.variant(choice)
      Issue.record("a variant was found")
    } catch {
      #expect(error.wanted == "a variant of 640x360 of at most 99 bits per second")
      #expect(
        error.found
          == "2000 bits per second, 640x360; 4000 bits per second, 1280x720; 4000 bits per second, 1280x720; "
          + "100 bits per second")
    }
  }

  @Test(arguments: [
    (RenditionChoice.default, "mid.m3u8", ["English"], ["Deutsch", "Suomi"]),
    (.all, "mid.m3u8", ["Deutsch", "English", "Suomi"], []), (.none, "mid.m3u8", [], ["Deutsch", "English", "Suomi"]),
    (.default, "high.m3u8", [], []), (.all, "sound.m3u8", [], []),
  ])
  func choosesRenditions(choice: RenditionChoice, uri: String, wanted: [String], leftOut: [String]) throws {
    let variant = try #require(streams.variants.first { $0.uri == uri })
    let renditions = streams.renditions(of: variant, choice)
    #expect(renditions.wanted.map(\.name) == wanted)
    #expect(renditions.leftOut.map(\.name) == leftOut)
  }

  @Test(arguments: ["", "1280", "1280x", "x720", "1280x720x1", "-1x1", "1280 x 720"]) func refusesSizes(text: String) {
    #expect(Resolution(parsing: text) == nil)
  }

  @Test func writesAMasterPlaylistOfWhatIsStored() throws {
    let variant = try streams.variant(VariantChoice(maxBandwidth: 2000))
    let sound = try #require(streams.renditions.first { $0.name == "English" })
    #expect(
      variant.localText(file: "main.m3u8", renditions: [(sound, "audio-1.m3u8")]) == """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",\
        URI="audio-1.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2000,CODECS="avc1,mp4a",RESOLUTION=640x360,AUDIO="audio"
        main.m3u8

        """)
  }

  @Test func writesAMediaPlaylistOfWhatIsStored() throws {
    let playlist = try media(
      "#EXT-X-TARGETDURATION:2", "#EXT-X-MEDIA-SEQUENCE:7", "#EXT-X-MAP:URI=\"i\"",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
      "#EXTINF:9.6,One", "a.m4s", "#EXT-X-BYTERANGE:1@1", "#EXT-X-PROGRAM-DATE-TIME:2024-05-01T10:00:00Z", "#EXTINF:4,",
      "b.m4s", "#EXT-X-DISCONTINUITY", "#EXT-X-MAP:URI=\"j\"", "#EXTINF:4,", "c.m4s")
    let maps = ["init-1.mp4", "init-1.mp4", "init-2.mp4"]
    let stored = zip(playlist.segments, maps).enumerated().map { index, item in
      StoredSegment(
        item.0, file: "segment-\(index + 1).m4s", mapFile: item.1, isDiscontinuity: item.0.isDiscontinuity)
    }
    let text = playlist.localText(of: stored)
    #expect(
      text == """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:10
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-MAP:URI="init-1.mp4"
        #EXTINF:9.6,One
        segment-1.m4s
        #EXT-X-PROGRAM-DATE-TIME:2024-05-01T10:00:00Z
        #EXTINF:4,
        segment-2.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-MAP:URI="init-2.mp4"
        #EXTINF:4,
        segment-3.m4s
        #EXT-X-ENDLIST

        """)
    guard case .media(let read) = try Playlist(parsing: Array(text.utf8)) else { throw NoSuchPlaylist() }
    #expect(read.segments.map(\.uri) == stored.map(\.file))
    #expect(!read.isLive)
  }

  /// A name that came with quotes or line breaks, out of a URL's query, writes no tag of its own.
  @Test func writesForeignTextAsText() throws {
    let text =
      "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"n\"\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"{$n}\",URI=\"u\"\n"
    let query = "n=%22%0A%23EXT-X-ENDLIST"
    guard case .master(let playlist) = try Playlist(parsing: Array(text.utf8), query: query) else {
      throw NoSuchPlaylist()
    }
    let variant = try #require(streams.variants.first)
    let local = variant.localText(file: "main.m3u8", renditions: [(playlist.renditions[0], "a.m3u8")])
    #expect(local.contains("NAME=\"#EXT-X-ENDLIST\","))
    #expect(!local.contains("\n#EXT-X-ENDLIST"))
  }
}
