/// Builds a media playlist from its lines, one after another.
struct MediaPlaylistBuilder {
  private var playlist = MediaPlaylist()
  /// Tags that may occur once, by their line.
  private var single: [String: Int] = [:]

  // State for all following segments.
  private var keys: [(format: String, key: Result<EncryptionKey, PlaylistProblem>)] = []
  private var map: InitializationSection?

  // State for the next segment.
  private var info: (duration: SegmentDuration, title: String, line: Int)?
  private var range: (length: Int64, offset: Int64?, line: Int)?
  private var isDiscontinuity = false
  private var isGap = false
  private var programDateTime: String?

  /// The resource of the last byte range, and its end.
  private var lastRange: (uri: String, end: Int64)?

  mutating func add(
    tag: String, _ value: Substring, line: Int, _ variables: PlaylistVariables
  ) throws(PlaylistProblem) {
    switch tag {
    case "#EXTINF":
      let parts = value.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      guard let duration = SegmentDuration(parsing: parts.first ?? "") else {
        throw PlaylistProblem(
          "the duration of #EXTINF is a number of seconds, found \"\(excerpt(parts.first ?? ""))\"", line: line)
      }
      info = (duration, parts.count > 1 ? String(parts[1]) : "", line)
    case "#EXT-X-BYTERANGE":
      guard let parts = byteRangeParts(value) else {
        throw PlaylistProblem("\(tag) is length or length@offset, found \"\(excerpt(value))\"", line: line)
      }
      range = (parts.length, parts.offset, line)
    case "#EXT-X-DISCONTINUITY": isDiscontinuity = true
    case "#EXT-X-GAP": isGap = true
    case "#EXT-X-PROGRAM-DATE-TIME": programDateTime = String(value)
    case "#EXT-X-KEY":
      try setKey(AttributeList(parsing: value, of: tag, line: line, variables: variables), line: line)
    case "#EXT-X-MAP":
      let attributes = try AttributeList(parsing: value, of: tag, line: line, variables: variables)
      map = InitializationSection(
        uri: try attributes.required("URI"), line: line, byteRange: try attributes.byteRange("BYTERANGE"),
        key: try currentKey(), sequenceNumber: nextSequenceNumber)
    case "#EXT-X-SKIP":
      throw PlaylistProblem(
        "\(tag) makes this a part of a playlist, of which the rest is not here", line: line,
        help: "leave _HLS_skip out of the URL")
    default: try addHeader(tag: tag, value, line: line)
    }
  }

  /// Tags of the playlist as a whole.
  private mutating func addHeader(tag: String, _ value: Substring, line: Int) throws(PlaylistProblem) {
    if let earlier = single.updateValue(line, forKey: tag), tag != "#EXT-X-ENDLIST" {
      throw PlaylistProblem("\(tag) stands in line \(earlier) already", line: line)
    }
    switch tag {
    case "#EXT-X-TARGETDURATION":
      // Up to half the maximum of a duration: no segment is longer.
      let seconds = try number(tag, value, line)
      guard seconds <= 1_000_000 else {
        throw PlaylistProblem("\(tag) is a number of seconds, found \"\(excerpt(value))\"", line: line)
      }
      playlist.targetDuration = max(1, Int(seconds))
    case "#EXT-X-MEDIA-SEQUENCE":
      guard playlist.segments.isEmpty else {
        throw PlaylistProblem("\(tag) stands behind the first segment", line: line)
      }
      playlist.mediaSequence = try number(tag, value, line)
    case "#EXT-X-DISCONTINUITY-SEQUENCE": playlist.discontinuitySequence = try number(tag, value, line)
    case "#EXT-X-ENDLIST": playlist.hasEndList = true
    // An unknown type is ignored.
    case "#EXT-X-PLAYLIST-TYPE": playlist.kind = MediaPlaylist.Kind(rawValue: String(value))
    default: playlist.isIFramesOnly = true
    }
  }

  private func number(_ tag: String, _ value: Substring, _ line: Int) throws(PlaylistProblem) -> Int64 {
    if let number = decimalInteger(value) { return number }
    throw PlaylistProblem("\(tag) is a number, found \"\(excerpt(value))\"", line: line)
  }

  private var nextSequenceNumber: Int64 {
    // No stream has numbers near the maximum, and overflow must not crash this process.
    playlist.mediaSequence &+ Int64(playlist.segments.count)
  }

  /// Sets a key, which applies until the next one of its format; METHOD=NONE ends all.
  private mutating func setKey(_ attributes: AttributeList, line: Int) throws(PlaylistProblem) {
    let method = try attributes.required("METHOD")
    if method == "NONE" {
      keys = []
      return
    }
    let format = attributes["KEYFORMAT"] ?? "identity"
    keys.removeAll { $0.format == format }
    guard method == "AES-128", format == "identity" else {
      let what = format == "identity" ? "" : " and KEYFORMAT=\"\(excerpt(format))\""
      let problem = PlaylistProblem(
        "segments with METHOD=\(excerpt(method))\(what) cannot be decrypted", line: line,
        help: "AES-128 with a key at a URI of its own is what can be")
      keys.append((format, .failure(problem)))
      return
    }
    let key = EncryptionKey(
      uri: try attributes.required("URI"), line: line, explicitVector: try attributes.initializationVector("IV"))
    keys.append((format, .success(key)))
  }

  /// The key for what follows: the plain one if there are several formats of the same.
  private func currentKey() throws(PlaylistProblem) -> EncryptionKey? {
    let key = keys.first { if case .success = $0.key { true } else { false } } ?? keys.first
    return try key?.key.get()
  }

  mutating func add(uri: String, line: Int) throws(PlaylistProblem) {
    guard let info else {
      throw PlaylistProblem("the segment \(excerpt(uri)) has no #EXTINF before it", line: line)
    }
    guard playlist.segments.count < Playlist.segmentLimit else {
      throw PlaylistProblem("the playlist has more than \(Playlist.segmentLimit) segments", line: line)
    }
    playlist.segments.append(
      MediaSegment(
        uri: uri, line: line, sequenceNumber: nextSequenceNumber, duration: info.duration, title: info.title,
        byteRange: try byteRange(of: uri), key: try currentKey(), map: map, isDiscontinuity: isDiscontinuity,
        isGap: isGap, programDateTime: programDateTime))
    self.info = nil
    range = nil
    isDiscontinuity = false
    isGap = false
    programDateTime = nil
  }

  /// The byte range; without an offset it continues the previous one, which must be of the same resource.
  private mutating func byteRange(of uri: String) throws(PlaylistProblem) -> ByteRange? {
    guard let range else {
      lastRange = nil
      return nil
    }
    var offset = range.offset
    if offset == nil, let lastRange, lastRange.uri == uri { offset = lastRange.end }
    guard let offset else {
      throw PlaylistProblem(
        "#EXT-X-BYTERANGE has no offset, and the segment before it is not part of \(excerpt(uri))", line: range.line,
        help: "write length@offset")
    }
    guard let result = ByteRange(offset: offset, length: range.length) else {
      throw PlaylistProblem(
        "\(range.length) bytes from \(offset) on are not part of any file", line: range.line)
    }
    lastRange = (uri, result.end)
    return result
  }

  consuming func finish(hasIndependentSegments: Bool) throws(PlaylistProblem) -> MediaPlaylist {
    if let info {
      throw PlaylistProblem(
        "there is no URI after #EXTINF", line: info.line, help: "the playlist may have been cut short")
    }
    if single["#EXT-X-TARGETDURATION"] == nil { playlist.targetDuration = longestDuration(of: playlist.segments) }
    playlist.hasIndependentSegments = hasIndependentSegments
    return playlist
  }
}

/// The longest of the segments' durations, to the nearest second; at least one.
func longestDuration(of durations: some Sequence<SegmentDuration>) -> Int {
  max(1, Int(durations.reduce(0) { max($0, $1.seconds) }.rounded()))
}

private func longestDuration(of segments: [MediaSegment]) -> Int {
  longestDuration(of: segments.lazy.map(\.duration))
}
