import Values

/// The segments of one stream.
package struct MediaPlaylist: Sendable {
  package enum Kind: String, Sendable {
    /// Segments are only added.
    case event = "EVENT"
    /// The playlist doesn't change.
    case onDemand = "VOD"
  }

  /// The maximum duration of a segment in seconds; computed from the segments if the playlist doesn't have it.
  package internal(set) var targetDuration = 1
  /// The number of the first segment.
  package internal(set) var mediaSequence: Int64 = 0
  package internal(set) var discontinuitySequence: Int64 = 0
  package internal(set) var kind: Kind?
  /// Indicates whether the playlist has its end mark.
  package internal(set) var hasEndList = false
  package internal(set) var isIFramesOnly = false
  package internal(set) var hasIndependentSegments = false
  package internal(set) var segments: [MediaSegment] = []

  /// Indicates whether segments may be added.
  package var isLive: Bool { !hasEndList && kind != .onDemand }
}

/// A part of a stream, in a file of its own or a part of one.
package struct MediaSegment: Sendable, Hashable {
  /// The URI as written, with variables replaced.
  package let uri: String
  /// The line in the playlist's text, counted from 1.
  package let line: Int
  /// Its number in the stream.
  package let sequenceNumber: Int64
  package let duration: SegmentDuration
  package let title: String
  package let byteRange: ByteRange?
  /// The key; nil if the segment isn't encrypted.
  package let key: EncryptionKey?
  package let map: InitializationSection?
  /// Indicates whether it doesn't continue the previous segment.
  package let isDiscontinuity: Bool
  /// Indicates whether it is missing, and must not be requested.
  package let isGap: Bool
  /// The time as written.
  package let programDateTime: String?

  package var initializationVector: [UInt8]? { key?.initializationVector(for: sequenceNumber) }
}

/// The duration of a segment, as written.
package struct SegmentDuration: Sendable, Hashable {
  package let text: String
  package let seconds: Double

  /// Digits, with or without a fraction.
  package init?(parsing text: some StringProtocol) {
    let digits = text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
    guard digits, text.utf8.count <= 40, let seconds = Double(String(text)), seconds <= 1e9 else { return nil }
    self.text = String(text)
    self.seconds = seconds
  }
}

/// A key of AES-128 in CBC mode.
package struct EncryptionKey: Sendable, Hashable {
  /// The URI as written, with variables replaced.
  package let uri: String
  package let line: Int
  /// The vector; nil means the segment's number.
  package let explicitVector: [UInt8]?

  /// The initialization vector for the segment with that number in the stream (RFC 8216, section 5.2).
  package func initializationVector(for sequenceNumber: Int64) -> [UInt8] {
    if let explicitVector { return explicitVector }
    let number = UInt64(bitPattern: sequenceNumber)
    return [UInt8](repeating: 0, count: 8) + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }
}

/// The data that must precede segments for them to be readable.
package struct InitializationSection: Sendable, Hashable {
  /// The URI as written, with variables replaced.
  package let uri: String
  package let line: Int
  package let byteRange: ByteRange?
  package let key: EncryptionKey?
  /// The number of the segment after it, if there is no initialization vector.
  package let sequenceNumber: Int64

  package var initializationVector: [UInt8]? { key?.initializationVector(for: sequenceNumber) }
}
