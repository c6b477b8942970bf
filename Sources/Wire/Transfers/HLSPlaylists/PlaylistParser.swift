import Values

/// Reads the lines of a playlist, whose tags determine its kind.
struct PlaylistParser {
  private enum Kind { case media, master }

  private var variables: PlaylistVariables
  private var kind: (Kind, tag: String)?
  private var media = MediaPlaylistBuilder()
  private var master = MasterPlaylistBuilder()
  private var hasIndependentSegments = false

  init(variables: PlaylistVariables) {
    self.variables = variables
  }

  mutating func parse(_ bytes: [UInt8]) throws(PlaylistProblem) -> Playlist {
    var number = 0
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      number += 1
      // Some servers add white space.
      try parse(line: bytes[start..<end].trimming { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }, number: number)
      start = end + 1
    }
    if number == 0 { throw PlaylistProblem("the playlist is empty", line: 1) }
    if case (.master, _)? = kind {
      return .master(try master.finish(variables: variables.values))
    }
    return .media(try media.finish(hasIndependentSegments: hasIndependentSegments))
  }

  private mutating func parse(line bytes: ArraySlice<UInt8>, number: Int) throws(PlaylistProblem) {
    if number == 1 {
      let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
      guard (bytes.starts(with: bom) ? bytes.dropFirst(3) : bytes).elementsEqual("#EXTM3U".utf8) else {
        let beginning = String(decoding: bytes.prefix(Excerpt.keptLimit), as: UTF8.self)
        throw PlaylistProblem(
          bytes.isEmpty
            ? "the playlist's first line is empty, not #EXTM3U"
            : "the playlist begins with \"\(excerpt(beginning))\", not with #EXTM3U",
          line: 1, help: "its first line must be #EXTM3U (RFC 8216, section 4.3.1.1)")
      }
      return
    }
    guard let first = bytes.first else { return }
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw PlaylistProblem("the line is not UTF-8", line: number)
    }
    if first != UInt8(ascii: "#") {
      try uri(line, number)
    } else if line.hasPrefix("#EXT") {
      let colon = line.utf8.firstIndex(of: UInt8(ascii: ":"))
      let value = colon.map { line[line.utf8.index(after: $0)...] } ?? ""
      try tag(String(colon.map { line[..<$0] } ?? line[...]), value, number)
    }
  }

  private mutating func uri(_ line: String, _ number: Int) throws(PlaylistProblem) {
    let uri = try variables.replaced(in: line[...], line: number)
    if master.isWaitingForURI {
      try master.add(uri: uri, line: number)
    } else {
      try turn(to: .media, by: "a segment", number)
      try media.add(uri: uri, line: number)
    }
  }

  private mutating func tag(_ tag: String, _ value: Substring, _ number: Int) throws(PlaylistProblem) {
    switch tag {
    case "#EXT-X-DEFINE": try variables.define(value, line: number)
    case "#EXT-X-INDEPENDENT-SEGMENTS": hasIndependentSegments = true
    case "#EXT-X-MEDIA", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-SESSION-DATA",
      "#EXT-X-SESSION-KEY", "#EXT-X-CONTENT-STEERING":
      try turn(to: .master, by: tag, number)
      try master.add(tag: tag, value, line: number, variables)
    case "#EXTINF", "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-GAP",
      "#EXT-X-PROGRAM-DATE-TIME", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE",
      "#EXT-X-ENDLIST", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-SKIP":
      try turn(to: .media, by: tag, number)
      try media.add(tag: tag, value, line: number, variables)
    // Downloads don't need other tags: versions, date ranges, hints, partial segments.
    default: break
    }
  }

  private mutating func turn(to wanted: Kind, by tag: String, _ number: Int) throws(PlaylistProblem) {
    guard let (known, first) = kind else {
      kind = (wanted, tag)
      return
    }
    if known != wanted {
      throw PlaylistProblem(
        "\(tag) and \(first) stand in one playlist", line: number,
        help: "a playlist has either variants or segments (RFC 8216, section 4.1)")
    }
  }
}
