/// The streams to choose from.
package struct MasterPlaylist: Sendable {
  package internal(set) var variants: [VariantStream] = []
  package internal(set) var renditions: [Rendition] = []
  /// What its media playlists may import.
  package internal(set) var variables: [String: String] = [:]
}

/// One way to play the whole presentation.
package struct VariantStream: Sendable, Hashable {
  /// As written, variables replaced.
  package let uri: String
  package let line: Int
  /// At its peak, in bits per second.
  package let bandwidth: Int64
  package let averageBandwidth: Int64?
  package let resolution: Resolution?
  package let frameRate: String?
  package let codecs: String?
  /// The group of its alternative sounds.
  package let audio: String?
  package let subtitles: String?
}

/// One of several sounds, pictures or subtitles of a group.
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
  /// Nil where it is a part of the variant's own stream.
  package let uri: String?
  package let line: Int
}
