import Synchronization

/// A summary of a stored stream.
package struct HLSSummary: Sendable {
  /// The number of segments of all its playlists, without initialization sections.
  package internal(set) var segments = 0
  /// The number of decrypted bytes.
  package internal(set) var bytes: Int64 = 0
  /// The duration of the variant's own segments.
  package internal(set) var seconds = 0.0
  /// The variant; nil if the playlist wasn't a master playlist.
  package internal(set) var variant: VariantStream?
  package internal(set) var renditions: [Rendition] = []
  package internal(set) var leftOut: [Rendition] = []
  /// The number of requests that were repeated.
  package internal(set) var repetitions = 0
  /// The number of segments that the playlist marks as missing.
  package internal(set) var gaps = 0
  /// Indicates whether a live stream continues after the recording.
  package internal(set) var isCut = false

  mutating func add(_ streams: [StreamState]) {
    for stream in streams {
      segments += stream.stored.count
      gaps += stream.gaps
      if let rendition = stream.rendition {
        renditions.append(rendition)
      } else {
        seconds = stream.stored.reduce(0) { $0 + $1.duration.seconds }
      }
    }
  }
}

/// Fetched keys by their URLs.
final class FetchedKeys: Sendable {
  private let keys = Mutex<[String: [UInt8]]>([:])

  var all: [String: [UInt8]] { keys.withLock { $0 } }

  func add(_ key: [UInt8], from url: String) {
    keys.withLock { $0[url] = key }
  }
}
