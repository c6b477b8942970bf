import HTTPSemantics
import Values

/// The state of one media playlist while its segments are stored.
struct StreamState {
  /// Nil for the variant's own stream.
  let rendition: Rendition?
  /// The prefix of its file names.
  let prefix: String
  private(set) var source: PlaylistSource
  private(set) var playlist: MediaPlaylist
  private(set) var stored: [StoredSegment] = []
  private(set) var gaps = 0
  /// The time of the next reload.
  private(set) var due: ContinuousClock.Instant
  /// The time at which the playlist last had new segments.
  private var lastChange: ContinuousClock.Instant

  /// Listed segments that weren't taken yet.
  private var pending: ArraySlice<MediaSegment>
  private var nextSequenceNumber: Int64
  private var maps: [MapIdentity: String] = [:]
  private var followsGap = false

  private struct MapIdentity: Hashable {
    let url: HTTPURL
    let range: ByteRange?
    let encryption: SegmentJob.Encryption?
  }

  /// - Parameter loadedAt: the time at which its playlist was requested.
  init(
    _ playlist: MediaPlaylist, from source: PlaylistSource, rendition: Rendition?, prefix: String,
    loadedAt: ContinuousClock.Instant
  ) {
    self.playlist = playlist
    self.source = source
    self.rendition = rendition
    self.prefix = prefix
    pending = playlist.segments.suffix(from: playlist.isLive ? playlist.liveStart : 0)
    nextSequenceNumber = playlist.mediaSequence &+ Int64(playlist.segments.count)
    lastChange = loadedAt
    due = loadedAt + .seconds(playlist.targetDuration)
  }

  var isLive: Bool { playlist.isLive }

  /// Merges a reloaded playlist (RFC 8216, sections 6.3.4 and 6.2.2).
  mutating func reload(
    _ new: MediaPlaylist, from source: PlaylistSource, loadedAt: ContinuousClock.Instant
  ) throws(HLSFailure) {
    guard new.mediaSequence <= nextSequenceNumber else {
      throw .unusable(
        expected: "segment \(nextSequenceNumber) in \(source.base.string)",
        actual: "a playlist that begins with segment \(new.mediaSequence)",
        help: "the playlist went on faster than it could be followed")
    }
    let fresh = new.segments.suffix(
      Int(clamping: max(0, new.mediaSequence &+ Int64(new.segments.count) &- nextSequenceNumber)))
    self.source = source
    playlist = new
    if let last = fresh.last {
      pending += fresh
      nextSequenceNumber = last.sequenceNumber &+ 1
      lastChange = loadedAt
    }
    let target = Duration.seconds(new.targetDuration)
    let silence = loadedAt - lastChange
    if new.isLive, silence > target * 3 {
      throw .unusable(
        expected: "a new segment within three target durations (\(durationText(target * 3)))",
        actual: "none for \(durationText(.seconds(silence.components.seconds))) in \(source.base.string)")
    }
    due = loadedAt + (fresh.isEmpty ? target / 2 : target)
  }

  /// Jobs for the listed segments that weren't taken yet.
  mutating func takeJobs() throws(HLSFailure) -> [SegmentJob] {
    var jobs: [SegmentJob] = []
    for segment in pending {
      guard !segment.isGap else {
        gaps += 1
        followsGap = true
        continue
      }
      let mapFile = try mapFile(of: segment, &jobs)
      let url = try source.resolve(segment.uri, line: segment.line)
      let name = LocalNames.segment(
        prefix, stored.count + 1,
        extension: LocalNames.fileExtension(ofPath: url.path, otherwise: otherExtension(hasMap: mapFile != nil)))
      jobs.append(
        SegmentJob(
          source: source, url: url, range: segment.byteRange,
          encryption: try encryption(segment.key, segment.initializationVector), file: name,
          number: stored.count + 1, count: isLive ? nil : playlist.segments.count, isInitialization: false))
      stored.append(
        StoredSegment(
          segment, file: name, mapFile: mapFile, isDiscontinuity: segment.isDiscontinuity || followsGap))
      followsGap = false
    }
    pending = []
    return jobs
  }

  private func otherExtension(hasMap: Bool) -> String {
    hasMap ? "m4s" : rendition?.kind == .subtitles ? "vtt" : "ts"
  }

  /// The file of a segment's initialization section, each fetched once.
  private mutating func mapFile(
    of segment: MediaSegment, _ jobs: inout [SegmentJob]
  ) throws(HLSFailure) -> String? {
    guard let map = segment.map else { return nil }
    let url = try source.resolve(map.uri, line: map.line)
    let encryption = try encryption(map.key, map.initializationVector)
    let identity = MapIdentity(url: url, range: map.byteRange, encryption: encryption)
    if let known = maps[identity] { return known }
    let name = LocalNames.initializationSection(
      prefix, maps.count + 1, extension: LocalNames.fileExtension(ofPath: url.path, otherwise: "mp4"))
    maps[identity] = name
    jobs.append(
      SegmentJob(
        source: source, url: url, range: map.byteRange, encryption: encryption, file: name,
        number: maps.count, count: nil, isInitialization: true))
    return name
  }

  private func encryption(
    _ key: EncryptionKey?, _ vector: [UInt8]?
  ) throws(HLSFailure) -> SegmentJob.Encryption? {
    guard let key, let vector else { return nil }
    return SegmentJob.Encryption(keyURL: try source.resolve(key.uri, line: key.line), initializationVector: vector)
  }
}

extension MediaPlaylist {
  /// The start of a live stream: three target durations before its end (RFC 8216, section 6.3.3).
  fileprivate var liveStart: Int {
    var rest = Double(targetDuration) * 3
    var index = segments.count
    while index > 0, rest > 0 {
      index -= 1
      rest -= segments[index].duration.seconds
    }
    return index
  }
}
