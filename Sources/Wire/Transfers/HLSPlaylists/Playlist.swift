import Values

/// A playlist of HTTP Live Streaming (RFC 8216): one stream's segments, or the streams to choose from.
package enum Playlist: Sendable {
  case media(MediaPlaylist)
  case master(MasterPlaylist)
}

extension Playlist {
  /// The maximum size of a playlist in bytes.
  package static let sizeLimit = 16 << 20
  /// The maximum number of segments: about ten days, at ten seconds each.
  package static let segmentLimit = 100_000
  /// The maximum number of variants.
  static let variantLimit = 1000

  /// Reads a playlist.
  ///
  /// - Parameters:
  ///   - imports: the variables of the master playlist that led to it.
  ///   - query: the query of its URL, for variables that are query parameters.
  package init(
    parsing bytes: [UInt8], imports: [String: String] = [:], query: String? = nil
  ) throws(PlaylistProblem) {
    guard bytes.count <= Playlist.sizeLimit else {
      throw PlaylistProblem("the playlist is larger than \(Playlist.sizeLimit >> 20) MiB", line: 1)
    }
    var parser = PlaylistParser(variables: PlaylistVariables(imports: imports, query: query))
    self = try parser.parse(bytes)
  }
}

/// A part of a resource, in bytes.
package struct ByteRange: Sendable, Hashable {
  package let offset: Int64
  package let length: Int64

  /// Nil if it is empty or its end overflows.
  package init?(offset: Int64, length: Int64) {
    guard offset >= 0, length > 0, offset.adding(length) != nil else { return nil }
    self.offset = offset
    self.length = length
  }

  /// The offset after the last byte.
  package var end: Int64 { offset + length }
}

/// A picture's size.
package struct Resolution: Sendable, Hashable, CustomStringConvertible {
  package let width: Int
  package let height: Int

  /// Reads a text such as `1280x720`.
  package init?(parsing text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = decimalInteger(parts[0]), let height = decimalInteger(parts[1]),
      let width = Int(exactly: width), let height = Int(exactly: height)
    else { return nil }
    self.width = width
    self.height = height
  }

  package var description: String { "\(width)x\(height)" }
}

/// A number of digits only; nil for anything else, and for too large numbers.
func decimalInteger(_ text: some StringProtocol) -> Int64? {
  guard !text.isEmpty, text.utf8.count <= 19, text.utf8.allSatisfy(isDigit) else { return nil }
  return Int64(text)
}
