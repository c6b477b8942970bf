import HLSPlaylists
import Synchronization

/// What has been stored of a stream.
package struct HLSSummary: Sendable {
  /// Of all its playlists, without initialization sections.
  package internal(set) var segments = 0
  /// Decrypted.
  package internal(set) var bytes: Int64 = 0
  /// How long the variant's own segments play.
  package internal(set) var seconds = 0.0
  /// Nil where the playlist was no master playlist.
  package internal(set) var variant: VariantStream?
  package internal(set) var renditions: [Rendition] = []
  package internal(set) var leftOut: [Rendition] = []
  /// How often something was asked for once more.
  package internal(set) var repetitions = 0
  /// Segments that the playlist says are missing.
  package internal(set) var gaps = 0
  /// Whether a live stream goes on.
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

/// Keys as they come, by their URLs.
final class FetchedKeys: Sendable {
  private let keys = Mutex<[String: [UInt8]]>([:])

  var all: [String: [UInt8]] { keys.withLock { $0 } }

  func add(_ key: [UInt8], from url: String) {
    keys.withLock { $0[url] = key }
  }
}
