import Foundation
import TestSupport
import Testing

/// A reader of media that knows nothing of reqrun.
private let ffprobe = ["/usr/bin/ffprobe", "/usr/local/bin/ffprobe", "/opt/homebrew/bin/ffprobe"]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite("What `hls` stores plays from where it lies", .enabled(if: ffprobe != nil, "there is no ffprobe"))
struct HLSPlaybackTests {
  /// `high` is encrypted, `ranges` is made of parts of one file.
  @Test(arguments: ["high/playlist.m3u8", "ranges.m3u8", "master.m3u8"])
  func anotherReaderFindsAllOfIt(playlist: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": "url: \(try SharedDemoServer.address())/hls/\(playlist)\nhls: out\n"])
    let run = try await ProcessRun(try builtExecutable("reqrun"), ["spec.yaml"], in: folder.path).run()
    #expect(run.ending == .exited(0), "\(String(decoding: run.output + run.errorOutput, as: UTF8.self))")
    let probe = try await ProcessRun(
      try #require(ffprobe),
      [
        "-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets", "-of", "csv=p=0",
        "out/playlist.m3u8",
      ], in: folder.path
    ).run()
    #expect(String(decoding: probe.errorOutput, as: UTF8.self) == "")
    // Four segments of 38 frames.
    #expect(String(decoding: probe.output, as: UTF8.self).contains("mp3,152"))
  }
}
