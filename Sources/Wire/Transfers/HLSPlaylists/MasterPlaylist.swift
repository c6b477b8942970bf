/// The streams to choose from.
package struct MasterPlaylist: Sendable {
  package internal(set) var variants: [VariantStream] = []
  package internal(set) var renditions: [Rendition] = []
  /// The variables that its media playlists may import.
  package internal(set) var variables: [String: String] = [:]
}

/// One version of the whole presentation.
package struct VariantStream: Sendable, Hashable {
  /// The URI as written, with variables replaced.
  package let uri: String
  package let line: Int
  /// The peak in bits per second.
  package let bandwidth: Int64
  package let averageBandwidth: Int64?
  package let resolution: Resolution?
  package let frameRate: String?
  package let codecs: String?
  /// The group of its alternative audio renditions.
  package let audio: String?
  package let subtitles: String?
}

/// One of several audio, video or subtitle renditions of a group.
package struct Rendition: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    case audio = "AUDIO"
    case video = "VIDEO"
    case subtitles = "SUBTITLES"
    case closedCaptions = "CLOSED-CAPTIONS"
  }

  package let kind: Kind
  package let group: String
  package let name: String
  package let language: String?
  package let channels: String?
  package let isDefault: Bool
  package let isForced: Bool
  /// Nil if it is a part of the variant's own stream.
  package let uri: String?
  package let line: Int
}
