package struct StoredSegment: Sendable {
  /// The file, in the playlist's directory.
  package let file: String
  package let duration: SegmentDuration
  package let title: String
  /// The file of its initialization section.
  package let mapFile: String?
  package let isDiscontinuity: Bool
  package let programDateTime: String?

  package init(_ segment: MediaSegment, file: String, mapFile: String?, isDiscontinuity: Bool) {
    self.file = file
    self.mapFile = mapFile
    self.isDiscontinuity = isDiscontinuity
    duration = segment.duration
    title = segment.title
    programDateTime = segment.programDateTime
  }
}

extension MediaPlaylist {
  /// A playlist for the stored part of this stream.
  package func localText(of stored: [StoredSegment]) -> String {
    let hasMap = stored.contains { $0.mapFile != nil }
    var lines = ["#EXTM3U", "#EXT-X-VERSION:\(hasMap ? 6 : 4)"]
    lines.append("#EXT-X-TARGETDURATION:\(longestDuration(of: stored.lazy.map(\.duration)))")
    lines += ["#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD"]
    if isIFramesOnly { lines.append("#EXT-X-I-FRAMES-ONLY") }
    if hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    var mapFile: String?
    for (index, segment) in stored.enumerated() {
      if segment.isDiscontinuity, index > 0 { lines.append("#EXT-X-DISCONTINUITY") }
      if let file = segment.mapFile, file != mapFile {
        lines.append("#EXT-X-MAP:URI=\"\(file)\"")
        mapFile = file
      }
      if let time = segment.programDateTime { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(plain(time))") }
      lines += ["#EXTINF:\(segment.duration.text),\(plain(segment.title))", segment.file]
    }
    lines.append("#EXT-X-ENDLIST")
    return lines.joined(separator: "\n") + "\n"
  }
}

extension VariantStream {
  /// A master playlist of this variant and its stored renditions.
  package func localText(file: String, renditions: [(rendition: Rendition, file: String)]) -> String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:6"]
    for (rendition, file) in renditions {
      var attributes = [
        "TYPE=\(rendition.kind.rawValue)", "GROUP-ID=\"\(rendition.kind.localGroup)\"",
        "NAME=\"\(plain(rendition.name))\"",
      ]
      if let language = rendition.language { attributes.append("LANGUAGE=\"\(plain(language))\"") }
      attributes.append("DEFAULT=\(rendition.isDefault ? "YES" : "NO")")
      if rendition.isDefault { attributes.append("AUTOSELECT=YES") }
      if rendition.isForced { attributes.append("FORCED=YES") }
      if let channels = rendition.channels { attributes.append("CHANNELS=\"\(plain(channels))\"") }
      attributes.append("URI=\"\(file)\"")
      lines.append("#EXT-X-MEDIA:" + attributes.joined(separator: ","))
    }
    var attributes = ["BANDWIDTH=\(bandwidth)"]
    if let averageBandwidth { attributes.append("AVERAGE-BANDWIDTH=\(averageBandwidth)") }
    if let codecs { attributes.append("CODECS=\"\(plain(codecs))\"") }
    if let resolution { attributes.append("RESOLUTION=\(resolution)") }
    if let frameRate, SegmentDuration(parsing: frameRate) != nil { attributes.append("FRAME-RATE=\(frameRate)") }
    for kind in [Rendition.Kind.audio, .subtitles] where renditions.contains(where: { $0.rendition.kind == kind }) {
      attributes.append("\(kind.rawValue)=\"\(kind.localGroup)\"")
    }
    lines += ["#EXT-X-STREAM-INF:" + attributes.joined(separator: ","), file]
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Rendition.Kind {
  fileprivate var localGroup: String { rawValue.lowercased() }
}

/// Foreign text without characters that could end its line or its quotes.
private func plain(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars where scalar != "\"" && scalar.properties.generalCategory != .control {
    result.unicodeScalars.append(scalar)
  }
  return result
}
