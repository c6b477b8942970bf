/// Builds a master playlist from its lines, one after another.
struct MasterPlaylistBuilder {
  private var playlist = MasterPlaylist()
  /// The tag that the next URI belongs to.
  private var pending: (attributes: AttributeList, line: Int)?

  var isWaitingForURI: Bool { pending != nil }

  mutating func add(
    tag: String, _ value: Substring, line: Int, _ variables: PlaylistVariables
  ) throws(PlaylistProblem) {
    switch tag {
    case "#EXT-X-STREAM-INF":
      try checkNothingPending()
      pending = (try AttributeList(parsing: value, of: tag, line: line, variables: variables), line)
    case "#EXT-X-MEDIA":
      try addRendition(AttributeList(parsing: value, of: tag, line: line, variables: variables), line: line)
    // I-frame streams and session data.
    default: break
    }
  }

  mutating func add(uri: String, line: Int) throws(PlaylistProblem) {
    guard let (attributes, tagLine) = pending else { return }
    pending = nil
    guard let bandwidth = try attributes.integer("BANDWIDTH") else {
      throw PlaylistProblem("#EXT-X-STREAM-INF has no BANDWIDTH", line: tagLine)
    }
    guard playlist.variants.count < Playlist.variantLimit else {
      throw PlaylistProblem("the playlist has more than \(Playlist.variantLimit) variants", line: line)
    }
    playlist.variants.append(
      VariantStream(
        uri: uri, line: line, bandwidth: bandwidth, averageBandwidth: try attributes.integer("AVERAGE-BANDWIDTH"),
        resolution: try attributes.resolution("RESOLUTION"), frameRate: attributes["FRAME-RATE"],
        codecs: attributes["CODECS"], audio: attributes["AUDIO"], subtitles: attributes["SUBTITLES"]))
  }

  private mutating func addRendition(_ attributes: AttributeList, line: Int) throws(PlaylistProblem) {
    let type = try attributes.required("TYPE")
    // Other types are for clients that know them.
    guard let kind = Rendition.Kind(rawValue: type) else { return }
    guard playlist.renditions.count < Playlist.variantLimit else {
      throw PlaylistProblem("the playlist has more than \(Playlist.variantLimit) renditions", line: line)
    }
    playlist.renditions.append(
      Rendition(
        kind: kind, group: try attributes.required("GROUP-ID"), name: try attributes.required("NAME"),
        language: attributes["LANGUAGE"], channels: attributes["CHANNELS"],
        isDefault: try attributes.flag("DEFAULT"), isForced: try attributes.flag("FORCED"), uri: attributes["URI"],
        line: line))
  }

  private func checkNothingPending() throws(PlaylistProblem) {
    if let pending { throw PlaylistProblem("there is no URI after #EXT-X-STREAM-INF", line: pending.line) }
  }

  consuming func finish(variables: [String: String]) throws(PlaylistProblem) -> MasterPlaylist {
    try checkNothingPending()
    playlist.variables = variables
    return playlist
  }
}
